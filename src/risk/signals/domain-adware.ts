import { type Signal, tagged } from '../signal.ts'

export const domainAdware = {
  code: 'domain.adware',
  description: 'Serves advertising or tracking',
  group: 'hosting',
  detect: ({ own, above }) => tagged(own.length > 0 ? own : above, 'adware'),
} satisfies Signal<'domain'>
