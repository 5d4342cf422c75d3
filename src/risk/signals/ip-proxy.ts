import { type Signal, tagged } from '../signal.ts'

export const ipProxy = {
  code: 'ip.proxy',
  description: 'Runs an open proxy',
  group: 'anonymity',
  detect: ({ own }) => tagged(own, 'proxy'),
} satisfies Signal<'ip'>
