import { type Signal, tagged } from '../signal.ts'

export const ipHijacked = {
  code: 'ip.hijacked_network',
  description: 'In a network taken over or run by criminals',
  group: 'listing',
  detect: ({ own }) => tagged(own, 'hijacked'),
} satisfies Signal<'ip'>
