import { type Finding, hasTag, NOTHING, type Signal, tagged } from '../signal.ts'

export const ipBigProvider = {
  code: 'ip.big_provider',
  description: 'Belongs to a large provider',
  group: 'standing',
  detect: ({ own }): readonly Finding[] => {
    const found = tagged(own, 'big_provider')
    if (found.length === 0) return NOTHING
    // Where the provider rents out the same addresses, the tenant may be anyone.
    const variant = hasTag(own, 'hosting') ? 'rented' : 'own'
    return found.map((item) => ({ ...item, variant }))
  },
} satisfies Signal<'ip'>
