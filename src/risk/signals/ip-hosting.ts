import { type Signal, tagged } from '../signal.ts'

export const ipHosting = {
  code: 'ip.hosting',
  description: 'In a data centre rather than an office or home',
  group: 'network',
  detect: ({ own }) => tagged(own, 'hosting'),
} satisfies Signal<'ip'>
