import type { Signal } from '../signal.ts'
import { imitation } from './domain-lookalike.ts'

export const domainBrandMention = {
  code: 'domain.brand_mention',
  description: 'Has the name of a known brand somewhere in it',
  group: 'wording',
  detect: ({ brand }) =>
    imitation(brand, {
      contains: (name, site) => `Has the name of ${name}${site} in it without being its site`,
    }),
} satisfies Signal<'domain'>
