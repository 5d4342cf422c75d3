import { type Finding, NOTHING, type Signal } from '../signal.ts'
import { finding, nameOf } from './domain-lookalike.ts'

export const domainBrandMention = {
  code: 'domain.brand_mention',
  description: 'Has the name of a known brand somewhere in it',
  group: 'wording',
  detect: ({ brand }): readonly Finding[] => {
    if (brand?.how !== 'contains') return NOTHING
    return [finding(brand, 'contains', `Has the name of ${nameOf(brand)} in it without being its site`)]
  },
} satisfies Signal<'domain'>
