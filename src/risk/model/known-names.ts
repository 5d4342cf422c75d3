import { asciiSkeleton, pairLook, SEEN, skeletonHash } from '../../lib/look.ts'
import {
  CHARACTERS,
  HashFilter,
  hashBetween,
  hashJoin,
  hashStep,
  hashText,
  POWERS,
  PREFIXES,
  readText,
} from '../../lib/text-index.ts'
import { NEAR_LENGTH_MIN, PARTS, partHashes, placesOfEdit } from '../../snapshot/looks.ts'
import type { KnownNames, KnownSite } from '../../snapshot/types.ts'
import { type Brand, lureOf, PAYMENTS, SALES, SUPPLIES } from './brand.ts'
import { type Beside, besideOf, type Company } from './brand-beside.ts'
import { isDeceiving, isIndependent, isInflected, isOrdinary } from './brand-honest.ts'
import { type BrandMatch, isLure, type Letters, withCompany } from './brand-match.ts'
import { isLikelyError, isOneEditApart, isPlainSlip, isSlip } from './brand-typos.ts'
import { type Difference, differencesOf } from './confusables.ts'
import { hasDigit, isDigit } from './local-words.ts'
import { isDemandWord } from './lure-languages.ts'
import { SAYS } from './mail-subjects.ts'
import { wordSet } from './word-lists.ts'
import type { Coverage, Lexicon } from './words.ts'

// Names that imitate a known site of any fame: a popular site of the snapshot, or a name that an organisation knows. Of
// these only the name is known, so the rules are fewer than for brands (brands.ts), and a name that is also a word
// needs a second sign.

const LOOK_LENGTH_MIN = 6
const LABEL_LENGTH_MAX = 40
const SWAPPED_LENGTH_MAX = { popular: 7, other: 9, hyphened: 12 }
/** The minimum length of a known name beside other words: between hyphens, or joined to a word of payments. */
const BESIDE_LENGTH_MIN = { initials: 3, brand: 4, token: 5, glued: 6, lure: 5, look: 7 }

/** Additions of fraud to the name of a firm that many know. */
const BESIDE_POPULAR: ReadonlySet<Company | undefined> = new Set(['form', 'country', 'business', 'department'])
const BEHIND_POPULAR = wordSet('beside a known name: form')

const LONG_PART = /[^-]{7}/
const HYPHEN = 0x2d

const PEOPLE = wordSet('names')
const MONEY_TRADES = wordSet('trades of money')
/** Words that no trade of money and no program has in its name. */
export const BANK_DETAILS = wordSet('beside a brand: bank details')

/**
 * The known name that a label imitates; undefined if there is none, or if the label is itself a known name. `named` finds a
 * brand by its label.
 */
export function matchKnown(
  label: string,
  names: KnownNames,
  lexicon: Lexicon,
  { covered }: Pick<Coverage, 'covered'> = lexicon.cover(label),
  named: (label: string) => Brand | undefined = () => undefined,
): BrandMatch | undefined {
  if (label.length < LOOK_LENGTH_MIN || label.length > LABEL_LENGTH_MAX) return undefined
  SEEN.of(label)
  if (names.mayHold(SEEN.hash)) {
    const sites = names.withLook(asciiSkeleton(label))
    if (sites.some((site) => site.label === label)) return undefined
    const same = sameLook(label, sites, lexicon)
    if (same) return same
  }
  const { hasHyphen } = SEEN
  const beside =
    (label.includes('q') ? withQ(label, names, lexicon) : undefined) ??
    besidePayment(label, names, lexicon, named) ??
    (hasHyphen
      ? (besideSupplies(label, names, lexicon, named) ??
        betweenHyphens(label, names, lexicon) ??
        withoutHyphens(label, names, lexicon))
      : undefined)
  const other = beside ?? (hasHyphen ? withoutDot(label, names, lexicon) : lookBeforeForm(label, names, lexicon))
  if (other) return other
  // Words are names of their own, and so are names of short parts.
  if (covered === label.length || (hasHyphen && !LONG_PART.test(label))) return undefined
  return oneEditAway(label, names, lexicon) ?? doubledLetter(label, names, lexicon)
}

/** `matchKnown` for a label with non-ASCII letters, by its reading. Accents alone are honest spellings. */
export function matchKnownReading(
  reading: string,
  letters: Letters,
  suffix: string,
  names: KnownNames,
): BrandMatch | undefined {
  if (reading.length < LOOK_LENGTH_MIN || letters === 'accented') return undefined
  // Names of the same alphabet as their suffix mean what they say, and Vietnamese has many accents.
  if (letters === 'foreign' ? suffix.includes('xn--') : /(^|\.)vn$/.test(suffix)) return undefined
  const site = names.withLook(asciiSkeleton(reading)).find(({ label }) => label === reading)
  return site ? { how: 'homoglyph', brand: brandOf(site, false) } : undefined
}

const LIKE_COM: ReadonlySet<string> = new Set(['cam', 'cm', 'om'])

/** `konecranes.cam`: the name of a popular site under an ending that is read as its own. */
export function withMistakenSuffix(
  label: string,
  suffix: string,
  names: KnownNames,
  lexicon: Lexicon,
): BrandMatch | undefined {
  if (!LIKE_COM.has(suffix) || label.length < LOOK_LENGTH_MIN || lexicon.cover(label).covered === label.length) {
    return undefined
  }
  const site = siteAt(label, names)
  if (!site?.isPopular || site.site !== `${label}.com` || PEOPLE.has(label)) return undefined
  return { how: 'homoglyph', brand: brandOf(site, false), differences: [{ seen: `.${suffix}`, meant: '.com' }] }
}

function sameLook(label: string, sites: readonly KnownSite[], lexicon: Lexicon): BrandMatch | undefined {
  if (sites.length === 0 || isOrdinary(label, lexicon)) return undefined
  for (const site of sites) {
    const differences = differencesOf(label, site.label)
    // People write their own names with digits: `th0mas`.
    if (PEOPLE.has(site.label) && differences.every(({ seen }) => isDigit(seen.charCodeAt(0)))) continue
    // An `i` for an `l` in a short name gives other names too.
    const lengthMax = site.isPopular ? SWAPPED_LENGTH_MAX.popular : SWAPPED_LENGTH_MAX.other
    const isSwapped = label.length <= lengthMax && differences.every(isLetterForLetter)
    const isChance = isSwapped && !isUnspeakable(label, site.label)
    const brand = brandOf(site, isChance || lexicon.isCommon(site.label))
    if (isSwapped || isDeceiving(label, differences, brand)) return { how: 'homoglyph', brand, differences }
  }
  return undefined
}

/** `evonlk`, `barllla`: an l between consonants, or an i doubled, that the known name does not have. */
function isUnspeakable(label: string, known: string): boolean {
  return UNSPEAKABLE.some((cluster) => cluster.test(label) && !cluster.test(known))
}

const UNSPEAKABLE = [/[^aeiouy-]l[^aeiouy-]/, /ii/]

function isLetterForLetter({ seen, meant }: Difference): boolean {
  return seen.length === meant.length && !isDigit(seen.charCodeAt(0)) && !isDigit(meant.charCodeAt(0))
}

/** `prysmian-bankdetails`, `prysmianinvoices`: a known name and words of payments, and nothing else. */
function besidePayment(
  label: string,
  names: KnownNames,
  lexicon: Lexicon,
  named: (label: string) => Brand | undefined,
): BrandMatch | undefined {
  const cut = withoutPayments(label)
  if (cut === undefined) return undefined
  const { word, start, end } = cut
  const isToken = label[start - 1] === '-' || label[end] === '-'
  const rest = label.slice(start, end)
  // `stora-enso-invoices`: a firm's own site is often written without the hyphen. `coastal-medical-billing` is anybody's.
  const isOfWords = rest.split('-').every((part) => lexicon.isWord(part))
  const joined = isToken && !isOfWords ? rest.replaceAll('-', '') : rest
  const isBehind = start === 0 || BANK_DETAILS.has(word)
  const brand = isToken && isBehind && joined.length >= BESIDE_LENGTH_MIN.initials ? named(joined) : undefined
  if (brand !== undefined && joined.length >= brandLengthMin(word, brand) && !lexicon.isCommon(joined)) {
    return { how: 'combination', brand: { ...brand, everyday: false }, company: 'payment', word }
  }
  if (rest.length < (isToken ? BESIDE_LENGTH_MIN.token : BESIDE_LENGTH_MIN.glued)) return undefined
  const site = siteAt(rest, names) ?? (joined === rest ? undefined : siteAt(joined, names))
  if (!site) {
    if (rest.length < BESIDE_LENGTH_MIN.look) return undefined
    const sites = names.mayHold(skeletonHash(rest)) ? names.withLook(asciiSkeleton(rest)) : NONE
    const found = sameLook(rest, sites, lexicon) ?? oneEditAway(rest, names, lexicon)
    return found && { ...found, word, company: 'payment' }
  }
  if (lexicon.isWord(joined)) return undefined
  // `iban-rechner-online`: a payment word in front of words of a language, of which somebody has a site.
  if (start > 0 && joined !== rest && !site.isPopular) return undefined
  return { how: 'combination', brand: brandOf(site, isTwoWords(rest, lexicon)), company: 'payment', word }
}

const BUYER_LENGTH_MIN = { brand: 4, popular: 5 }

/** `adnoc-vendor-registration`: what a large buyer writes to its suppliers, and nothing else. */
function besideSupplies(
  label: string,
  names: KnownNames,
  lexicon: Lexicon,
  named: (label: string) => Brand | undefined,
): BrandMatch | undefined {
  if (!mayHaveSupplies(label)) return undefined
  const pieces = label.split('-')
  const word = pieces.find((piece) => SUPPLIES.has(piece))
  if (word === undefined) return undefined
  for (const [at, piece] of pieces.entries()) {
    if (piece.length < BUYER_LENGTH_MIN.brand || lureOf(piece) !== undefined) continue
    const brand = named(piece)
    const site = brand === undefined && piece.length >= BUYER_LENGTH_MIN.popular ? siteAt(piece, names) : undefined
    if (brand === undefined && !site?.isPopular) continue
    if (besideOf(pieces.toSpliced(at, 1), UNKNOWN, lexicon).company !== 'payment') return undefined
    const isOthers = brand?.household
      ? brand.everyday && (pieces.length > 2 || lexicon.isCommon(piece))
      : lexicon.isWord(piece) || PEOPLE.has(piece)
    if (isOthers) return undefined
    const buyer = brand ?? brandOf(site as KnownSite, false)
    // Of a name that others have too, it needs a second look.
    const meant = buyer.everyday ? { ...buyer, best: false, household: false } : buyer
    return { how: 'combination', brand: meant, company: 'payment', word }
  }
  return undefined
}

const SUPPLY_WORDS = new HashFilter(HashFilter.fill(Array.from(SUPPLIES, (word) => hashText(word))))

/** Most names are not split into their parts. */
function mayHaveSupplies(label: string): boolean {
  readText(label)
  for (let start = 0, end = 0; start < label.length; start = end + 1) {
    end = label.indexOf('-', start)
    if (end < 0) end = label.length
    if (SUPPLY_WORDS.mayHold(hashBetween(PREFIXES, start, end))) return true
  }
  return false
}

/** Shorter names before a word such as billing are those of an accountant or of a program; no program gives bank details. */
function brandLengthMin(word: string, { household, everyday }: Brand): number {
  if (BANK_DETAILS.has(word)) return BESIDE_LENGTH_MIN.initials
  if (MONEY_TRADES.has(word)) return BESIDE_LENGTH_MIN.lure
  return household && !everyday ? BESIDE_LENGTH_MIN.initials : BESIDE_LENGTH_MIN.brand
}

/** The popular or known site of exactly this name. */
export function siteAt(name: string, names: KnownNames): KnownSite | undefined {
  if (!names.mayHold(skeletonHash(name))) return undefined
  return names.withLook(asciiSkeleton(name)).find(({ label }) => label === name)
}

// Caches the last answer: two rules ask about the same name.
let cutLast: string | undefined
let cut: ReturnType<typeof paymentAt>

/** The rest of a label without all words of payments at its ends, and the innermost of them; undefined without one. */
export function withoutPayments(label: string) {
  if (label !== cutLast) {
    cut = cutPayments(label)
    cutLast = label
  }
  return cut
}

function cutPayments(label: string) {
  readText(label)
  let found: ReturnType<typeof paymentAt>
  let cut = paymentAt(label, 0, label.length) ?? paymentSaid(label)
  while (cut !== undefined) {
    found = cut
    cut = paymentAt(label, cut.start, cut.end)
  }
  return found
}

/** `legrand-factures-impayees`: a word of payments, and behind it what is said of them. */
function paymentSaid(label: string) {
  const dash = label.lastIndexOf('-')
  if (dash <= PAYMENTS.edge || !PAYMENTS.ends.mayHold(hashBetween(PREFIXES, dash - PAYMENTS.edge, dash)))
    return undefined
  const cut = saysOfPayments(label.slice(dash + 1)) ? paymentAt(label, 0, dash) : undefined
  return cut?.start === 0 ? cut : undefined
}

function saysOfPayments(word: string): boolean {
  return SAYS.has(word) || isDemandWord(word)
}

/** The rest of label[start, end) without a word of payments, or a number after it, at its end or its beginning. */
function paymentAt(label: string, start: number, end: number) {
  let to = end
  while (to > start && (isDigit(CHARACTERS[to - 1] as number) || CHARACTERS[to - 1] === HYPHEN)) to--
  const { begins, ends, edge } = PAYMENTS
  if (to - start <= edge) return undefined
  const mayEnd = ends.mayHold(hashBetween(PREFIXES, to - edge, to))
  const mayBegin = begins.mayHold(hashBetween(PREFIXES, start, start + edge))
  if (!mayEnd && !mayBegin) return undefined
  for (let size = Math.min(PAYMENTS.longest, to - start - 1); size >= PAYMENTS.shortest; size--) {
    const behind = paymentIn(label, to - size, to)
    if (behind !== undefined) {
      const at = to - size
      return { word: behind, start, end: label[at - 1] === '-' ? at - 1 : at }
    }
    const before = paymentIn(label, start, start + size)
    if (before !== undefined) {
      const at = start + size
      return { word: before, start: label[at] === '-' ? at + 1 : at, end }
    }
  }
  return undefined
}

function paymentIn(label: string, from: number, to: number): string | undefined {
  if (!PAYMENTS.words.mayHold(hashBetween(PREFIXES, from, to))) return undefined
  const word = label.slice(from, to)
  return PAYMENTS.words.get(word) && word
}

const Q_FOR_G = /q(?!u)/g
const WITH_Q_LENGTH_MIN = 7

/** `wienerberqer`: a popular name with a q in place of a g. No look, because names of many languages have a q. */
function withQ(label: string, names: KnownNames, lexicon: Lexicon): BrandMatch | undefined {
  const meant = label.replace(Q_FOR_G, 'g')
  if (meant === label || meant.length < WITH_Q_LENGTH_MIN || lexicon.isWord(meant)) return undefined
  const site = siteAt(meant, names)
  if (!site?.isPopular) return undefined
  return { how: 'homoglyph', brand: brandOf(site, false), differences: [{ seen: 'q', meant: 'g' }] }
}

/** A known name, or one that looks like it, between hyphens and beside a lure. */
function betweenHyphens(label: string, names: KnownNames, lexicon: Lexicon): BrandMatch | undefined {
  for (let start = 0, end = 0; start < label.length; start = end + 1) {
    end = label.indexOf('-', start)
    if (end < 0) end = label.length
    if (end - start < BESIDE_LENGTH_MIN.lure) continue
    readText(label)
    const hash = hashBetween(PREFIXES, start, end)
    if (lexicon.isWordHash(hash)) continue
    const token = label.slice(start, end)
    if (token.length >= SLIP_LENGTH_MIN && token.length < label.length) {
      const near = slipBeside(label, start, end, names, lexicon)
      if (near) return near
    }
    if (!names.mayHold(skeletonHash(token)) || lureOf(token, hash) !== undefined) continue
    const sites = names.withLook(asciiSkeleton(token))
    const others = othersOf(label, start, end)
    const site = sites.find((one) => one.label === token)
    if (site) {
      const beside = PEOPLE.has(token) ? undefined : besideSite(site, others, start, lexicon)
      if (beside) return withCompany(brandOf(site, false), beside)
    } else if (token.length >= BESIDE_LENGTH_MIN.look) {
      const found = sameLook(token, sites, lexicon)
      if (found && !found.brand.everyday) return { ...found, ...besideOf(others, UNKNOWN, lexicon) }
    }
  }
  return undefined
}

/** The words beside the name of a known site, if an honest name would hardly have both. */
function besideSite(site: KnownSite, others: readonly string[], start: number, lexicon: Lexicon): Beside | undefined {
  const { label, isPopular } = site
  const beside = besideOf(others, UNKNOWN, lexicon)
  if (isLureAlone(beside.company) && (isPopular || !isTwoWords(label, lexicon))) return beside
  if (!isPopular) return undefined
  // Shops of many names have an outlet.
  const isAdded = BESIDE_POPULAR.has(beside.company) && !SALES.has(beside.word)
  if ((isAdded || beside.company === 'amid') && !isTwoWords(label, lexicon)) return beside
  const [word = ''] = others
  const isForm = start === 0 && others.length === 1 && BEHIND_POPULAR.has(word)
  return isForm && lexicon.cover(label).covered < label.length ? { company: 'form', word } : undefined
}

/** A lure and no other words. */
function isLureAlone(company: Company): boolean {
  return isLure(company) && company !== 'amid'
}

const DOTLESS = /^([a-z0-9-]{5,})-(com|net|org|de|fr|it|es|nl|pl)$/

/** `dachser-com`: the address of a popular site without its dot. */
function withoutDot(label: string, names: KnownNames, lexicon: Lexicon): BrandMatch | undefined {
  const { length } = label
  if (label.charCodeAt(length - 3) !== HYPHEN && label.charCodeAt(length - 4) !== HYPHEN) return undefined
  const [, name = '', suffix = ''] = DOTLESS.exec(label) ?? []
  if (name === '' || lexicon.cover(name).covered === name.length) return undefined
  const site = siteAt(name, names)
  if (!site?.isPopular || site.site !== `${name}.${suffix}`) return undefined
  return { how: 'dotless', brand: brandOf(site, false), word: suffix }
}

const FORMS_JOINED = 'group global corp holding holdings international trading industries export europe'.split(' ')
const NAME_BEFORE_FORM_LENGTH_MIN = 6

/** `viessrnanngroup`: looks like a popular name, and its legal form or size is joined to it. */
function lookBeforeForm(label: string, names: KnownNames, lexicon: Lexicon): BrandMatch | undefined {
  const form = FORMS_JOINED.find((word) => label.endsWith(word))
  if (form === undefined || label.length < NAME_BEFORE_FORM_LENGTH_MIN + form.length) return undefined
  const name = label.slice(0, -form.length)
  if (!names.mayHold(skeletonHash(name))) return undefined
  const sites = names.withLook(asciiSkeleton(name))
  const found = sites.some((site) => site.label === name) ? undefined : sameLook(name, sites, lexicon)
  return found?.differences?.every(isLetterForLetter) ? undefined : found
}

/** The parts between hyphens without the one from `start` to `end`. */
function othersOf(label: string, start: number, end: number): string[] {
  return `${label.slice(0, start)}${label.slice(end)}`.split('-').filter((other) => other !== '')
}

/** `schaefflerr-group`: a slip of the finger in a long name, beside what fraud adds to names. */
function slipBeside(label: string, start: number, end: number, names: KnownNames, lexicon: Lexicon) {
  const token = label.slice(start, end)
  const near = oneEditAway(token, names, lexicon)
  const known = near?.brand.label ?? ''
  if (known.length > token.length || !isPlainSlip(token, known) || lexicon.isWord(known)) return undefined
  const { company } = besideOf(othersOf(label, start, end), UNKNOWN, lexicon)
  return BESIDE_POPULAR.has(company) || isLureAlone(company) ? near : undefined
}

/** `poste-ltaliane`: looks like a known name with hyphens put in. `cali-sign` is none: two short words of its own. */
function withoutHyphens(label: string, names: KnownNames, lexicon: Lexicon): BrandMatch | undefined {
  const joined = label.replaceAll('-', '')
  if (joined.length < BESIDE_LENGTH_MIN.look || !names.mayHold(skeletonHash(joined))) return undefined
  const sites = names.withLook(asciiSkeleton(joined))
  const found = sites.some((site) => site.label === joined) ? undefined : sameLook(joined, sites, lexicon)
  return joined.length < SWAPPED_LENGTH_MAX.hyphened && found?.differences?.every(isLetterForLetter) ? undefined : found
}

/** Letters of looks: those that another letter looks like are not among them. */
const UNITS = Int32Array.from('abcdefghjklmnopqrstuvwxyz', (letter) => letter.charCodeAt(0))
const LOOK_PREFIXES = SEEN.prefixes
const PART_HASHES = new Int32Array(PARTS)
const [LETTER_C, LETTER_R, LETTER_V] = [0x63, 0x72, 0x76]

/** The character of the look at a place: the hash of one character is its code. */
function lookAt(at: number): number {
  return hashBetween(LOOK_PREFIXES, at, at + 1)
}

/**
 * A known name of eight letters or more that is one edit away. The cost does not depend on the number of names: all
 * looks one edit away are tried, by their hashes, and only in the part of the label in which the edit can be.
 */
function oneEditAway(label: string, names: KnownNames, lexicon: Lexicon): BrandMatch | undefined {
  // Names that differ in a number are independent.
  if (label.length < NEAR_LENGTH_MIN - 1 || hasDigit(label)) return undefined
  SEEN.of(label)
  const { size } = SEEN
  const shorter = placesOf(names, size - 1, size)
  const equal = placesOf(names, size, size)
  const longer = placesOf(names, size + 1, size)
  if (shorter === NOWHERE && equal === NOWHERE && longer === NOWHERE) return undefined
  const whole = LOOK_PREFIXES[size] as number
  let found: BrandMatch | undefined

  /** `letters` stand at `at`, where the label has `removed` others. */
  const isFound = (at: number, removed: number, ...letters: readonly number[]): boolean => {
    const look = asciiSkeleton(label)
    const edited = look.slice(0, at) + String.fromCharCode(...letters) + look.slice(at + removed)
    for (const site of names.withLook(edited)) {
      found = nearMatch(label, site, lexicon)
      if (found) return true
    }
    return false
  }

  // The known name is one letter shorter: `danfosss`.
  for (let at = shorter.from; at < shorter.to; at++) {
    const hash = hashJoin(LOOK_PREFIXES[at] as number, hashBetween(LOOK_PREFIXES, at + 1, size), size - at - 1)
    if (names.mayHold(hash) && isFound(at, 1)) return found
  }
  // It is as long: another letter, or two letters exchanged.
  for (let at = equal.from; at < equal.to; at++) {
    const unit = lookAt(at)
    const power = POWERS[size - 1 - at] as number
    for (let i = 0; i < UNITS.length; i++) {
      const other = UNITS[i] as number
      if (other === unit) continue
      const hash = (whole + Math.imul(other - unit, power)) | 0
      if (names.mayHold(hash) && isFound(at, 1, other)) return found
    }
    if (at + 1 >= size) continue
    const next = lookAt(at + 1)
    const hash = (whole + Math.imul(next - unit, power - (POWERS[size - 2 - at] as number))) | 0
    if (next !== unit && names.mayHold(hash) && isFound(at, 2, next, unit)) return found
  }
  // It is one letter longer: `viesmann`.
  for (let at = longer.from; at < longer.to; at++) {
    const before = LOOK_PREFIXES[at] as number
    const behind = hashBetween(LOOK_PREFIXES, at, size)
    for (let i = 0; i < UNITS.length; i++) {
      const other = UNITS[i] as number
      const hash = hashJoin(hashStep(before, other), behind, size - at)
      if (names.mayHold(hash) && isFound(at, 0, other)) return found
    }
  }
  // The edit made two letters that are read as one, or in another order: `ca` became `cl`, `va` became `vw`.
  for (let i = 0, at = 0; i + 1 < label.length; i++, at++) {
    const unit = label.charCodeAt(i)
    if (unit !== LETTER_C && unit !== LETTER_R && unit !== LETTER_V) continue
    const isPair = pairLook(label, i) !== 0
    if (!isPair && !label.startsWith('vw', i)) continue
    const removed = isPair ? 1 : 2
    const next = asciiSkeleton(label.charAt(i + 1)).charCodeAt(0)
    const before = LOOK_PREFIXES[at] as number
    const behind = hashBetween(LOOK_PREFIXES, at + removed, size)
    const hashOf = (first: number, second: number) =>
      hashJoin(hashStep(hashStep(before, first), second), behind, size - at - removed)
    for (const other of UNITS) {
      if (names.mayHold(hashOf(unit, other)) && isFound(at, removed, unit, other)) return found
      if (names.mayHold(hashOf(other, next)) && isFound(at, removed, other, next)) return found
    }
    if (isPair) i++
  }
  return undefined
}

const DOUBLED_LENGTH = 7

/** A popular name of seven letters with one of them typed twice: `danfosss`. Other edits of it give too many names. */
function doubledLetter(label: string, names: KnownNames, lexicon: Lexicon): BrandMatch | undefined {
  if (label.length !== DOUBLED_LENGTH + 1 || isOrdinary(label, lexicon)) return undefined
  for (let at = 1; at < label.length; at++) {
    if (label.charCodeAt(at) !== label.charCodeAt(at - 1)) continue
    const known = label.slice(0, at) + label.slice(at + 1)
    if (!names.mayHold(skeletonHash(known)) || lexicon.isWord(known) || PEOPLE.has(known)) continue
    const site = names.withLook(asciiSkeleton(known)).find((one) => one.label === known)
    if (site?.isPopular) return typoOf(site)
  }
  return undefined
}

const RARE_LENGTH_MIN = 10
const NOWHERE = { from: 0, to: 0 }

/** The places in a look of `size` letters where one edit can give a known name of `length`. */
function placesOf(names: KnownNames, length: number, size: number) {
  partHashes(LOOK_PREFIXES, length, size, PART_HASHES)
  let first = -1
  let last = -1
  for (let part = 0; part < PARTS; part++) {
    if (!names.mayHoldPart(PART_HASHES[part] as number)) continue
    if (first < 0) first = part
    last = part
  }
  return first < 0 ? NOWHERE : placesOfEdit(length, size, first, last)
}

function nearMatch(label: string, site: KnownSite, lexicon: Lexicon): BrandMatch | undefined {
  const { label: known } = site
  if (known.length < NEAR_LENGTH_MIN || !isOneEditApart(label, known)) return undefined
  if (isOrdinary(label, lexicon)) return undefined
  if (isSlipOfLong(label, site)) return typoOf(site)
  if (isIndependent(label, known, lexicon) || isInflected(label, known)) return undefined
  // Words of other languages are one edit from many words, and less popular sites are many: there few errors count.
  if (lexicon.isWord(known) || PEOPLE.has(known)) return isPlainSlip(label, known) ? typoOf(site) : undefined
  if (!site.isPopular && (known.length < RARE_LENGTH_MIN || !isSlip(label, known))) return undefined
  return isLikelyError(label, known) ? typoOf(site) : undefined
}

const SLIP_LENGTH_MIN = 9

/** A letter typed twice or two exchanged in a long popular name: an error, whatever words it leaves (`phoenixcontcat`). */
function isSlipOfLong(label: string, { label: known, isPopular }: KnownSite): boolean {
  return isPopular && known.length >= SLIP_LENGTH_MIN && label.length >= known.length && isPlainSlip(label, known)
}

function typoOf(site: KnownSite): BrandMatch {
  return { how: 'typo', brand: brandOf(site, false) }
}

const TWO_WORDS_LENGTH = { min: 8, max: 11 }
const PART_LENGTH_MIN = 3

/** Two common words, joined or with a hyphen: a short name of this sort may be that of another firm as well. */
function isTwoWords(name: string, lexicon: Lexicon): boolean {
  const joined = name.replaceAll('-', '')
  if (joined.length < TWO_WORDS_LENGTH.min || joined.length > TWO_WORDS_LENGTH.max) return false
  for (let at = PART_LENGTH_MIN; at <= joined.length - PART_LENGTH_MIN; at++) {
    if (lexicon.isCommon(joined.slice(0, at)) && lexicon.isCommon(joined.slice(at))) return true
  }
  return false
}

function brandOf({ label, site }: { readonly label: string; readonly site: string }, everyday: boolean): Brand {
  const suffixes = [site.slice(label.length + 1)]
  return { label, joined: label, suffixes, best: false, household: false, everyday, dealers: false, trade: '' }
}

/** Of a known name nothing is known but the name. */
const UNKNOWN = brandOf({ label: '', site: '' }, false)

const NONE: readonly KnownSite[] = []
