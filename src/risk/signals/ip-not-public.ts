import { formatIp } from '../../lib/ip.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const ipNotPublic = {
  code: 'ip.not_public',
  description: 'Nothing to check: not an address on the public internet',
  group: 'note',
  detect: ({ special, carried }): readonly Finding[] => {
    if (special === undefined) return NOTHING
    const what = carried?.binding ? `carries ${formatIp(carried.ip)} inside (${carried.how}): ${special}` : special
    return [{ source: 'rules', confidence: 1, sentence: `Nothing to check: ${what}, not on the public internet` }]
  },
} satisfies Signal<'ip'>
