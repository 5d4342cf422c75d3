import { type Signal, tagged } from '../signal.ts'

export const ipCdn = {
  code: 'ip.cdn',
  description: 'Belongs to a content delivery network: many sites share it',
  group: 'standing',
  detect: ({ own }) => tagged(own, 'cdn'),
} satisfies Signal<'ip'>
