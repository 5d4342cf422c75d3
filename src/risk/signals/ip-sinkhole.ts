import { type Signal, tagged } from '../signal.ts'

export const ipSinkhole = {
  code: 'ip.sinkhole',
  description: 'A sinkhole run by security researchers',
  group: 'standing',
  detect: ({ own }) => tagged(own, 'sinkhole'),
} satisfies Signal<'ip'>
