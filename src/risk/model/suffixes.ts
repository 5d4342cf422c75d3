import { domainToUnicode } from 'node:url'
import { wordSet } from './word-lists.ts'

/** Country codes sold worldwide as if they were generic. */
const WORLDWIDE: ReadonlySet<string> = new Set('co cc tv me io ws pw tk ml ga cf gq ai la to su cm om'.split(' '))

/** Country codes that name-generating programs also use. */
const TAKEN_UP: ReadonlySet<string> = new Set('ru cn in eu us co.uk'.split(' '))

const DOT = 0x2e

/** True if the suffix belongs to one country, by name and by use. */
export function isCountrySuffix(suffix: string): boolean {
  const { length } = suffix
  return (length === 2 || suffix.charCodeAt(length - 3) === DOT) && !WORLDWIDE.has(suffix)
}

/** True if names under this suffix are mostly in the language of one country's own people and firms. */
export function isHomeSuffix(suffix: string): boolean {
  return isCountrySuffix(suffix) && !TAKEN_UP.has(suffix)
}

/** Platforms that assign site names of letters and digits: such a name says nothing about the customer. */
const NAMING_PLATFORMS =
  /(?:^|\.)(?:cloudfront\.net|(?:execute-api|elb|compute)\b.*amazonaws\.com|on\.aws|akamaized\.net|translate\.goog)$/

export function assignsNames(platform: string | undefined): boolean {
  return platform !== undefined && NAMING_PLATFORMS.test(platform)
}

/** Once free of charge, or known for fraud: they never count in favour, however few of their names are in the data. */
export const VOUCHES_FOR_NOBODY: ReadonlySet<string> = new Set(
  'tk ml ga cf gq bond ru su biz mov zip ir ng com.ng pw ws cc'.split(' '),
)

/** A suffix as its readers write it: `рф`, not `xn--p1ai`. */
export function displaySuffix(suffix: string): string {
  return suffix.includes('xn--') ? domainToUnicode(suffix) || suffix : suffix
}

// Platforms that give names below their own to anyone and are not in the public suffix list. A customer's actions say
// nothing about the platform, and the platform's good name says nothing about the customer.
export const FURTHER_PLATFORMS = wordSet('platforms')

/** Platforms that companies rent for their own staff, customers and documents. A company's presence there is normal. */
export const BUSINESS_PLATFORMS = wordSet('business platforms')

/** Platforms where people and brands publish for years under their own names, not for a day. */
export const PUBLISHING_PLATFORMS = wordSet('publishing platforms')

/** Platforms that give a host to anyone within a minute and without a name: most short-lived fraud is here. */
export const FLEETING_PLATFORMS = wordSet('fleeting platforms')

// Labels of the platform's own pages rather than a customer's.
const OPERATORS = wordSet('platform operators')

/** True if the label in front of a platform is the operator's: `www`, `static1`, `public-api`. */
export function isOperator(customer: string): boolean {
  return customer.split('-').every((piece) => OPERATORS.has(piece.replace(/\d+$/, '')))
}

/** True if the brand itself may well own its name on this platform. */
export function welcomesBrands(platform: string): boolean {
  return PUBLISHING_PLATFORMS.has(platform) || BUSINESS_PLATFORMS.has(platform)
}
