import type { Company } from './brand-beside.ts'
import { siteOf } from './brand-match.ts'
import type { BrandIndex } from './brands.ts'
import { isInstitution } from './lure-languages.ts'
import { wordSet } from './word-lists.ts'

/** A brand in the labels before the registered name: the `paypal.com` of `paypal.com.example.net`. */
export interface BrandInFront {
  /** Its whole address, the address of some site up to a hyphen, its name beside a lure, or only its name. */
  readonly how: 'address' | 'continued' | 'combination' | 'name'
  /** The site of an address, else the brand's name. */
  readonly brand: string
  readonly site: string | undefined
  readonly word: string | undefined
}

/** The addresses of governments, at the end of the labels in front or continued with a hyphen. */
const GOVERNMENT = /(?:^|\.)((?:gov|gouv|gob)\.[a-z]{2}|govt\.nz|go\.(?:jp|kr|th|id))[.-]/

const IN_FRONT: ReadonlySet<Company | undefined> = new Set(['several', 'lure', 'secret'])

/** `acme.com-track`: nobody calls a site `com-`. Many are called `net-`. */
const CONTINUED = /^com-/

const NAME_LENGTH_MIN = 5
const COMBINATION_LENGTH_MIN = 9

// Software that firms run or rent under a label in front of their own name.
const OWN_USE = wordSet('software under own names')

/** `amazon-co-jp`: an address with hyphens in place of its dots. */
function siteWritten(part: string, brands: BrandIndex): string | undefined {
  const dash = part.indexOf('-')
  const [name, suffix] = [part.slice(0, dash), part.slice(dash + 1).replaceAll('-', '.')]
  return suffix.includes('.') && brands.named(name)?.best && brands.isOfficialSuffix(name, suffix)
    ? `${name}.${suffix}`
    : undefined
}

/** `front` is everything before the name; `label` is the name itself, which may also occur in `front`. */
export function brandInFront(front: string, label: string, brands: BrandIndex): BrandInFront | undefined {
  // By far the most common label in front, and no brand.
  if (front === 'www') return undefined
  const government = GOVERNMENT.exec(`${front}.${label}`)?.[1]
  if (government !== undefined) return { how: 'address', brand: government, site: undefined, word: undefined }
  const parts = front.split('.')
  // `dhl.de-zollgebuehr.com`: a hyphen continues the address.
  const dash = label.indexOf('-')
  const address = dash > 0 ? [...parts, label.slice(0, dash)] : parts
  let found: BrandInFront | undefined
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string
    const written = part.includes('-') ? siteWritten(part, brands) : undefined
    if (written) return { how: 'address', brand: written, site: written, word: undefined }
    const next = address[i + 1]
    const two = next === undefined ? '' : `${next}.${address[i + 2] ?? ''}`
    const office = next && [next, two].map((suffix) => `${part}.${suffix}`).find(isInstitution)
    if (office) return { how: 'address', brand: office, site: office, word: undefined }
    const brand = part.length < 2 ? undefined : brands.named(part)
    if (!brand || part === label) continue
    const site = siteOf(brand)
    const isOfficial = next !== undefined && (brands.isOfficialSuffix(part, next) || brands.isOfficialSuffix(part, two))
    if (isOfficial || (next === 'com' && brand.household)) {
      return { how: 'address', brand: site ?? part, site, word: undefined }
    }
    if (brand.household && !brand.everyday && part.length >= NAME_LENGTH_MIN && !OWN_USE.has(part)) {
      found ??= { how: 'name', brand: part, site, word: undefined }
    }
  }
  if (found) return found
  if (CONTINUED.test(label)) {
    const site = `${parts.at(-1)}.${label.slice(0, dash)}`
    return { how: 'continued', brand: site, site: undefined, word: undefined }
  }
  for (const part of parts) {
    if (!part.includes('-') && part.length < COMBINATION_LENGTH_MIN) continue
    const match = brands.match(part, '')
    if (match === undefined) continue
    const { label: name, best, household, everyday, dealers } = match.brand
    if (!household || name === label || everyday || OWN_USE.has(name)) continue
    const site = siteOf(match.brand)
    const isLured = match.how === 'combination' && IN_FRONT.has(match.company)
    const isImitated = match.how === 'homoglyph' || (match.how === 'dotless' && match.word === 'com')
    if (best && !dealers && (isLured || isImitated)) {
      return { how: 'combination', brand: name, site, word: match.word }
    }
    // A service firm names a part of its site after each of its customers.
    if (match.how === 'combination' && best) {
      found ??= { how: 'name', brand: name, site, word: undefined }
    }
  }
  return found
}
