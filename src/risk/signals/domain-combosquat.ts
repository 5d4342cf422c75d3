import { type Finding, NOTHING, type Signal } from '../signal.ts'
import { finding, nameOf } from './domain-lookalike.ts'

export const domainCombosquat = {
  code: 'domain.combosquat',
  description: 'Puts the name of a known brand beside another word, such as login, invoice or pay',
  group: 'name',
  detect: ({ brand }): readonly Finding[] => {
    if (brand?.how !== 'combination' && brand?.how !== 'affix' && brand?.how !== 'beside') return NOTHING
    const { company = 'word', word } = brand
    if (company === 'number') return [finding(brand, company, `Adds digits to the name of ${nameOf(brand)}`)]
    if (company === 'letters') return [finding(brand, company, `Adds “${word}” to the name of ${nameOf(brand)}`)]
    return [finding(brand, company, `Puts ${nameOf(brand)} beside the word “${word}”`)]
  },
} satisfies Signal<'domain'>
