import { type Signal, tagged } from '../signal.ts'

export const ipResearchScanner = {
  code: 'ip.research_scanner',
  description: 'A research scanner that names itself',
  group: 'standing',
  detect: ({ own }) => tagged(own, 'research_scanner'),
} satisfies Signal<'ip'>
