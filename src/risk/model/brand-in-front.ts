import type { BrandIndex } from './brands.ts'

/** A brand in the labels before the name somebody registered: the `paypal.com` of `paypal.com.example.net`. */
export interface BrandInFront {
  /** Its whole address, its name beside a lure, or its name and nothing else. */
  readonly how: 'address' | 'combination' | 'name'
  /** What it is called: the site of an address, else the brand's name. */
  readonly brand: string
}

const NAME_LENGTH_MIN = 5
const COMBINATION_LENGTH_MIN = 9

/** `front` is everything before the name; `label` the name itself, which may well stand in front of itself. */
export function brandInFront(front: string, label: string, brands: BrandIndex): BrandInFront | undefined {
  const parts = front.split('.')
  let found: BrandInFront | undefined
  for (const [i, part] of parts.entries()) {
    const brand = part.length < 2 ? undefined : brands.named(part)
    if (!brand || brand.brand === label) continue
    const next = parts[i + 1]
    const two = next === undefined ? '' : `${next}.${parts[i + 2] ?? ''}`
    const spelt =
      next !== undefined &&
      (next === 'com' || brands.isOfficialSuffix(part, next) || brands.isOfficialSuffix(part, two))
    if (spelt) return { how: 'address', brand: brand.site ?? part }
    if (brand.household && !brand.everyday && part.length >= NAME_LENGTH_MIN) found ??= { how: 'name', brand: part }
  }
  if (found) return found
  for (const part of parts) {
    if (!part.includes('-') && part.length < COMBINATION_LENGTH_MIN) continue
    const match = brands.match(part, '')
    if (match?.household && match.how === 'combination' && match.brand !== label) {
      return { how: 'combination', brand: match.brand }
    }
  }
  return undefined
}
