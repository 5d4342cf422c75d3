import { type Signal, tagged } from '../signal.ts'

export const ipBigProvider = {
  code: 'ip.big_provider',
  description: 'Belongs to a large provider',
  group: 'standing',
  detect: ({ own }) => tagged(own, 'big_provider'),
} satisfies Signal<'ip'>
