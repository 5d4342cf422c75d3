import { type Signal, tagged } from '../signal.ts'

export const ipTorRelay = {
  code: 'ip.tor_relay',
  description: 'Runs a Tor relay',
  group: 'anonymity',
  detect: ({ own }) => tagged(own, 'tor_relay'),
} satisfies Signal<'ip'>
