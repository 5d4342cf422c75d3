import { type Signal, tagged } from '../signal.ts'

export const domainParked = {
  code: 'domain.parked',
  description: 'Parked: registered but not in use',
  group: 'hosting',
  detect: ({ own, above }) => tagged(own.length > 0 ? own : above, 'parked'),
} satisfies Signal<'domain'>
