import { brandAndSite, brandFinding } from './brand-finding.ts'
import { NOTHING, type Signal } from './signal.ts'

export const domainCombosquat = {
  code: 'domain.combosquat',
  description: 'Puts the name of a known brand beside another word, such as login, invoice or pay',
  group: 'name',
  detect: ({ brand }) => {
    if (brand?.how !== 'combination' && brand?.how !== 'affix' && brand?.how !== 'beside') return NOTHING
    const { company = 'word', word } = brand
    const name = brandAndSite(brand)
    if (company === 'number') return brandFinding(brand, company, `Adds digits to the name of ${name}`)
    if (company === 'letters') return brandFinding(brand, company, `Adds “${word}” to the name of ${name}`)
    return brandFinding(brand, company, `Puts ${name} beside the word “${word}”`)
  },
} satisfies Signal<'domain'>
