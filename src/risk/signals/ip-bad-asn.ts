import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const ipBadAsn = {
  code: 'ip.bad_asn',
  description: 'In a network with a poor record: a hint, not a verdict',
  group: 'network',
  detect: ({ asn }): readonly Finding[] => {
    if (!asn) return NOTHING
    const found = asn.evidence.filter(({ tag }) => tag === 'bad_asn' || tag === 'hijacked')
    if (found.length === 0) return NOTHING
    return found.map((item) => ({
      ...item,
      sentence: `In AS${asn.number} (${asn.name}), a network with a poor record: a hint, not a verdict`,
    }))
  },
} satisfies Signal<'ip'>
