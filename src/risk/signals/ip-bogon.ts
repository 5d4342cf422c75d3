import { type Signal, tagged } from '../signal.ts'

export const ipBogon = {
  code: 'ip.bogon',
  description: 'In address space nobody is meant to use',
  group: 'network',
  detect: ({ own }) => tagged(own, 'bogon'),
} satisfies Signal<'ip'>
