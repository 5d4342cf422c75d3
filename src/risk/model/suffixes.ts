import { domainToUnicode } from 'node:url'

/** Country codes sold to the world as if they were generic. */
const WORLDWIDE: ReadonlySet<string> = new Set('co cc tv me io ws pw tk ml ga cf gq ai la to su cm om'.split(' '))

/** Country codes under which programs that make names up register too. */
const TAKEN_UP: ReadonlySet<string> = new Set('ru cn in eu us co.uk'.split(' '))

/** Whether the suffix belongs to one country, by name and by use. */
export function isCountrySuffix(suffix: string): boolean {
  const last = suffix.slice(suffix.lastIndexOf('.') + 1)
  return last.length === 2 && !WORLDWIDE.has(suffix)
}

/** Whether names under this suffix are mostly in the language of one country's own people and firms. */
export function isHomeSuffix(suffix: string): boolean {
  return isCountrySuffix(suffix) && !TAKEN_UP.has(suffix)
}

/** Platforms that name their customers' sites in letters and digits: how it is built says nothing of anybody. */
const NAMING_PLATFORMS =
  /(?:^|\.)(?:cloudfront\.net|(?:execute-api|elb|compute)\b.*amazonaws\.com|on\.aws|akamaized\.net)$/

export function assignsNames(platform: string | undefined): boolean {
  return platform !== undefined && NAMING_PLATFORMS.test(platform)
}

/** A suffix as its readers write it: `рф`, not `xn--p1ai`. */
export function displaySuffix(suffix: string): string {
  return suffix.includes('xn--') ? domainToUnicode(suffix) || suffix : suffix
}
