import { brandAndSite, brandFinding } from './brand-finding.ts'
import { NOTHING, type Signal } from './signal.ts'

export const domainBrandMention = {
  code: 'domain.brand_mention',
  description: 'Has the name of a known brand somewhere in it',
  group: 'wording',
  detect: ({ brand }) =>
    brand?.how === 'contains'
      ? brandFinding(brand, 'contains', `Has the name of ${brandAndSite(brand)} in it without being its site`)
      : NOTHING,
} satisfies Signal<'domain'>
