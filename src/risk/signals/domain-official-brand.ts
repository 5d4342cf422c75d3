import { type Finding, NOTHING, type Signal } from './signal.ts'

export const domainOfficialBrand = {
  code: 'domain.official_brand',
  description: 'The official site of a known brand',
  group: 'standing',
  detect: ({ brand, platform }): readonly Finding[] =>
    brand?.how === 'official' && platform === undefined
      ? [{ source: 'rules', confidence: 1, sentence: `The official site of ${brand.brand}` }]
      : NOTHING,
} satisfies Signal<'domain'>
