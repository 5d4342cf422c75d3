import { hasTag, surest } from '../look-up/evidence.ts'
import { explained } from './explained.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

// Broad lists of a provider's addresses contain rented ones too. If a hosting list contains the address, only a list of
// the provider's own machines, which is surer, makes it the provider's.
const OWN_CONFIDENCE_MIN = 0.9

export const ipBigProvider = {
  code: 'ip.big_provider',
  description: 'Belongs to a large provider',
  group: 'standing',
  detect: ({ own, asn }): readonly Finding[] => {
    const item = surest(own, 'big_provider')
    // If the provider rents out the same addresses, the tenant may be anyone: the provider's name does not count for
    // the tenant.
    if (item === undefined || (item.confidence < OWN_CONFIDENCE_MIN && hasTag(own, 'hosting'))) return NOTHING
    const say = () => `Own infrastructure of a large provider${asn ? `, AS${asn.number} (${asn.name})` : ''}`
    return [explained(item, say)]
  },
} satisfies Signal<'ip'>
