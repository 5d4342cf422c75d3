import { type Finding, hasTag, NOTHING, type Signal } from '../signal.ts'

export const ipHostingAsn = {
  code: 'ip.hosting_network',
  description: 'In the network of a hosting company',
  group: 'network',
  detect: ({ asn, own }): readonly Finding[] => {
    if (!asn || hasTag(own, 'hosting')) return NOTHING
    const found = asn.evidence.filter(({ tag }) => tag === 'hosting')
    return found.length === 0
      ? NOTHING
      : found.map((item) => ({
          ...item,
          sentence: `In AS${asn.number} (${asn.name}), the network of a hosting company`,
        }))
  },
} satisfies Signal<'ip'>
