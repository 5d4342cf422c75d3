import type { BrandMatch, Imitation } from '../model/brands.ts'
import { type Finding, NOTHING, type Signal } from '../signal.ts'

const SENTENCES: Partial<Record<Imitation, (brand: string, site: string) => string>> = {
  typo: (brand, site) => `One typing error away from ${brand}${site}`,
  homoglyph: (brand, site) => `Looks the same as ${brand}${site} to the eye`,
  hyphenation: (brand, site) => `Spells ${brand}${site} with hyphens put in`,
  dotless: (brand, site) => `Writes the address of ${brand}${site} without its dot`,
}

const LONG_NAME = 9

export const domainLookalike = {
  code: 'domain.lookalike',
  description: 'Easily taken for the domain of a known brand',
  group: 'name',
  detect: ({ brand, suffix, models }) => {
    const findings = imitation(brand, SENTENCES)
    // Typing errors are made in the name: whoever waits for them registers under the brand's own suffix.
    if (brand?.how !== 'typo' || models.brands.isOfficialSuffix(brand.brand, suffix)) return findings
    return findings.map((finding) => ({ ...finding, variant: `elsewhere.${finding.variant}` }))
  },
} satisfies Signal<'domain'>

/** The finding for a match of one of the kinds that `sentences` speaks of. */
export function imitation(
  match: BrandMatch | undefined,
  sentences: Partial<Record<Imitation, (brand: string, site: string) => string>>,
): readonly Finding[] {
  const sentence = match ? sentences[match.how] : undefined
  if (!match || !sentence) return NOTHING
  const site = match.site ? ` (${match.site})` : ''
  // Two long names do not lie one letter apart by chance.
  const fame = match.household ? 'household' : match.brand.length >= LONG_NAME ? 'long' : 'other'
  const variant = `${match.how}.${fame}${match.everyday ? '.everyday' : ''}`
  return [{ source: 'rules', confidence: 1, variant, sentence: sentence(match.brand, site) }]
}
