import { type Signal, tagged } from '../signal.ts'

export const ipResolver = {
  code: 'ip.resolver',
  description: 'A public DNS resolver',
  group: 'standing',
  detect: ({ own }) => tagged(own, 'resolver'),
} satisfies Signal<'ip'>
