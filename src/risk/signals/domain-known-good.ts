import { type Finding, hasTag, NOTHING, type Signal, tagged } from '../signal.ts'

export const domainKnownGood = {
  code: 'domain.known_good',
  description: 'On a list of names that must not be taken for threats',
  group: 'standing',
  detect: ({ own, above }) => tagged(hasTag(own, 'known_good') ? own : above, 'known_good'),
} satisfies Signal<'domain'>

export const domainOfficialBrand = {
  code: 'domain.official_brand',
  description: 'The official site of a known brand',
  group: 'standing',
  detect: ({ brand, platform }): readonly Finding[] =>
    brand?.how === 'official' && platform === undefined
      ? [{ source: 'rules', confidence: 1, sentence: `The official site of ${brand.brand}` }]
      : NOTHING,
} satisfies Signal<'domain'>
