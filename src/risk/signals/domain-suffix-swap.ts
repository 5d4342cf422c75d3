import { lureOf } from '../model/brand-lures.ts'
import { displaySuffix, isCountrySuffix, welcomesBrands } from '../model/suffixes.ts'
import { brandFinding } from './brand-finding.ts'
import { NOTHING, type Signal } from './signal.ts'

/** The place of the brand's name: a platform, a country's suffix, a lure, or another suffix. */
export type SwapCase = 'platform' | 'country' | 'lure' | 'general' | 'generic'

export const domainSuffixSwap = {
  code: 'domain.suffix_swap',
  description: 'The name of a known brand under an ending the brand does not use',
  group: 'name',
  detect: ({ brand, suffix, platform }) => {
    if (brand?.how !== 'suffix_swap') return NOTHING
    // Brands publish their own code, documents and help on such platforms.
    if (platform !== undefined && welcomesBrands(platform)) return NOTHING
    // Brands often own their name in many countries, so a country's suffix says less.
    const where: SwapCase = platform !== undefined ? 'platform' : isCountrySuffix(suffix) ? 'country' : endingOf(suffix)
    const site = brand.site ? `; its site is ${brand.site}` : ''
    return brandFinding(brand, where, `The name of ${brand.brand} under .${displaySuffix(suffix)}${site}`)
  },
} satisfies Signal<'domain'>

// Under these suffixes every word was registered long ago; a brand's name there is not a new firm's own idea.
const GENERAL: ReadonlySet<string> = new Set(['com', 'net', 'org', 'info', 'biz', 'co', 'online'])

/** `paypal.support` puts a lure beside the brand; `apple.farm` may well be a farm. */
function endingOf(suffix: string): SwapCase {
  const lure = lureOf(suffix)
  if (lure === 'pressing' || lure === 'business') return 'lure'
  return GENERAL.has(suffix) ? 'general' : 'generic'
}
