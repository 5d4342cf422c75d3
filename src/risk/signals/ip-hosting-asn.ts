import { hasTag, surest } from '../look-up/evidence.ts'
import { explained } from './explained.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const ipHosting = {
  code: 'ip.hosting',
  description: 'In a data centre rather than an office or home',
  group: 'network',
  detect: ({ own, asn }): readonly Finding[] => {
    const item = surest(own, 'hosting')
    if (item === undefined) return NOTHING
    const say = () => {
      const where = asn ? `: AS${asn.number} (${asn.name})` : ''
      return `In a data centre rather than an office or home${where}`
    }
    return [explained(item, say)]
  },
} satisfies Signal<'ip'>

export const ipHostingAsn = {
  code: 'ip.hosting_network',
  description: 'In the network of a hosting company',
  group: 'network',
  detect: ({ asn, own }): readonly Finding[] => {
    if (!asn || hasTag(own, 'hosting')) return NOTHING
    const item = surest(asn.evidence, 'hosting')
    if (item === undefined) return NOTHING
    return [explained(item, () => `In AS${asn.number} (${asn.name}), the network of a hosting company`)]
  },
} satisfies Signal<'ip'>
