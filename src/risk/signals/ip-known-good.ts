import { type Signal, tagged } from '../signal.ts'

export const ipKnownGood = {
  code: 'ip.known_good',
  description: 'On a list of addresses that must not be taken for threats',
  group: 'standing',
  detect: ({ own }) => tagged(own, 'known_good'),
} satisfies Signal<'ip'>
