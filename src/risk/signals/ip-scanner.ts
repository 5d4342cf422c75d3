import { type Signal, tagged } from '../signal.ts'

export const ipScanner = {
  code: 'ip.scanner',
  description: 'Scans the internet',
  group: 'network',
  detect: ({ own }) => tagged(own, 'scanner'),
} satisfies Signal<'ip'>
