import type { AsnInfo, Evidence } from '../../snapshot/types.ts'
import { hasTag, surest } from '../look-up/evidence.ts'
import { explained } from './explained.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

// Lists that mean "servers are here, not people" have a low confidence.
const RECORD_CONFIDENCE_MIN = 0.5

type Warning = 'hijacked' | 'record' | 'servers'

export const ipBadAsn = {
  code: 'ip.bad_asn',
  description: 'In a network that a list warns of: a hint, not a verdict',
  group: 'network',
  detect: ({ asn, own }): readonly Finding<Warning>[] => {
    if (!asn || asn.evidence.length === 0) return NOTHING
    const taken = surest(asn.evidence, 'hijacked')
    if (taken) return [warning(asn, taken, 'hijacked', 'as taken over or run by criminals')]
    const item = surest(asn.evidence, 'bad_asn')
    if (item === undefined) return NOTHING
    if (item.confidence >= RECORD_CONFIDENCE_MIN)
      return [warning(asn, item, 'record', 'for a poor record: a hint, not a verdict')]
    // If hosting is already known, a list of hosting networks adds nothing.
    if (hasTag(own, 'hosting') || hasTag(asn.evidence, 'hosting')) return NOTHING
    return [warning(asn, item, 'servers', 'as a network of servers: a hint, not a verdict')]
  },
} satisfies Signal<'ip'>

function warning({ number, name }: AsnInfo, item: Evidence, variant: Warning, what: string): Finding<Warning> {
  return explained(item, () => `In AS${number} (${name}), which ${item.source} lists ${what}`, variant)
}
