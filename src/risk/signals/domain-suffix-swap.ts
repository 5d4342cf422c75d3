import { isCountrySuffix } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const domainSuffixSwap = {
  code: 'domain.suffix_swap',
  description: 'The name of a known brand under an ending the brand does not use',
  group: 'name',
  detect: ({ brand, suffix, platform }): readonly Finding[] => {
    if (brand?.how !== 'suffix_swap') return NOTHING
    // Brands really do own their name in country after country, so that a country's ending says less.
    const where = platform !== undefined ? 'platform' : isCountrySuffix(suffix) ? 'country' : 'generic'
    const variant = `${where}.${brand.household ? 'household' : 'other'}${brand.everyday ? '.everyday' : ''}`
    const sentence = `The name of ${brand.brand} under .${suffix}${brand.site ? `; its site is ${brand.site}` : ''}`
    return [{ source: 'rules', confidence: 1, variant, sentence }]
  },
} satisfies Signal<'domain'>
