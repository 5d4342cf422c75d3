import type { BrandInFront } from '../model/brand-in-front.ts'
import { displaySuffix } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const domainBrandSubdomain = {
  code: 'domain.brand_subdomain',
  description: "Puts a known brand's address in front of somebody else's domain",
  group: 'name',
  detect: ({ front, label, suffix }): readonly Finding<BrandInFront['how']>[] => {
    if (!front) return NOTHING
    const sentence = `${SENTENCES[front.how](front)}, but belongs to ${label}.${displaySuffix(suffix)}`
    return [{ source: 'rules', confidence: 1, variant: front.how, sentence, resembles: front.site }]
  },
} satisfies Signal<'domain'>

const SENTENCES: Record<BrandInFront['how'], (front: BrandInFront) => string> = {
  address: ({ brand }) => `Begins like the address of ${brand}`,
  combination: ({ brand, word }) => (word ? `Puts ${brand} beside the word “${word}”` : `Imitates ${brand} in front`),
  name: ({ brand }) => `Has ${brand} in front`,
}
