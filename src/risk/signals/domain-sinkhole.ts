import { type Signal, tagged } from '../signal.ts'

export const domainSinkhole = {
  code: 'domain.sinkhole',
  description: 'Taken over by security researchers after abuse',
  group: 'listing',
  detect: ({ own, above }) => tagged(own.length > 0 ? own : above, 'sinkhole'),
} satisfies Signal<'domain'>
