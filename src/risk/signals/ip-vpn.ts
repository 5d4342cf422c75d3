import { type Signal, tagged } from '../signal.ts'

export const ipVpn = {
  code: 'ip.vpn',
  description: 'Belongs to a VPN service',
  group: 'anonymity',
  detect: ({ own }) => tagged(own, 'vpn'),
} satisfies Signal<'ip'>
