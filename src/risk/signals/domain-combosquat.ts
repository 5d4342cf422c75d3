import type { Signal } from '../signal.ts'
import { imitation } from './domain-lookalike.ts'

export const domainCombosquat = {
  code: 'domain.combosquat',
  description: 'Puts the name of a known brand beside words such as login, invoice or pay',
  group: 'name',
  detect: ({ brand }) =>
    imitation(brand, {
      combination: (name, site) => `Puts ${name}${site} beside words such as login, invoice or pay`,
      affix: (name, site) => `Adds a word to the name of ${name}${site} without being its site`,
    }),
} satisfies Signal<'domain'>
