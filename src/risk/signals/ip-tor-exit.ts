import { type Signal, tagged } from '../signal.ts'

export const ipTorExit = {
  code: 'ip.tor_exit',
  description: 'Listed as a Tor exit node',
  group: 'anonymity',
  detect: ({ own }) => tagged(own, 'tor_exit'),
} satisfies Signal<'ip'>
