import type { BrandIndex } from './brands.ts'
import { wordSet } from './word-lists.ts'

/** A brand in the labels before the registered name: the `paypal.com` of `paypal.com.example.net`. */
export interface BrandInFront {
  /** Its whole address, its name beside a lure, or only its name. */
  readonly how: 'address' | 'combination' | 'name'
  /** The site of an address, else the brand's name. */
  readonly brand: string
  readonly site: string | undefined
  readonly word: string | undefined
}

const NAME_LENGTH_MIN = 5
const COMBINATION_LENGTH_MIN = 9

// Software that firms run or rent under a label in front of their own name.
const OWN_USE = wordSet('software under own names')

/** `front` is everything before the name; `label` is the name itself, which may also occur in `front`. */
export function brandInFront(front: string, label: string, brands: BrandIndex): BrandInFront | undefined {
  const parts = front.split('.')
  let found: BrandInFront | undefined
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string
    const brand = part.length < 2 ? undefined : brands.named(part)
    if (!brand || brand.brand === label) continue
    const next = parts[i + 1]
    const two = next === undefined ? '' : `${next}.${parts[i + 2] ?? ''}`
    const isOfficial = next !== undefined && (brands.isOfficialSuffix(part, next) || brands.isOfficialSuffix(part, two))
    if (isOfficial || (next === 'com' && brand.household)) {
      return { how: 'address', brand: brand.site ?? part, site: brand.site, word: undefined }
    }
    if (brand.household && !brand.everyday && part.length >= NAME_LENGTH_MIN && !OWN_USE.has(part)) {
      found ??= { how: 'name', brand: part, site: brand.site, word: undefined }
    }
  }
  if (found) return found
  for (const part of parts) {
    if (!part.includes('-') && part.length < COMBINATION_LENGTH_MIN) continue
    const match = brands.match(part, '')
    if (!match?.household || match.brand === label || match.everyday || OWN_USE.has(match.brand)) continue
    const isLured = match.how === 'combination' && (match.company === 'several' || match.company === 'lure')
    const isImitated = match.how === 'homoglyph' || (match.how === 'dotless' && match.word === 'com')
    if (match.fame === 'best' && !match.dealers && (isLured || isImitated)) {
      return { how: 'combination', brand: match.brand, site: match.site, word: match.word }
    }
    // A service firm names a part of its site after each of its customers.
    if (match.how === 'combination' && match.fame === 'best') {
      found ??= { how: 'name', brand: match.brand, site: match.site, word: undefined }
    }
  }
  return found
}
