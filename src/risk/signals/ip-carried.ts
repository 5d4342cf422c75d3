import { formatIp } from '../../lib/ip.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const ipCarried = {
  code: 'ip.carries_ipv4',
  description: 'Carries an IPv4 address inside, which is looked up too',
  group: 'note',
  detect: ({ special, carried }): readonly Finding[] => {
    if (!carried || special !== undefined) return NOTHING
    const inside = `Carries ${formatIp(carried.ip)} inside (${carried.how})`
    const sentence = carried.binding
      ? `${inside}: network and neighbours are those of ${formatIp(carried.ip)}`
      : `${inside}, as the holder of the prefix wrote it`
    return [{ source: 'rules', confidence: 1, sentence }]
  },
} satisfies Signal<'ip'>
