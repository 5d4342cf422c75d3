import { asciiSkeleton, SEEN, skeletonHash } from '../../lib/look.ts'
import { HASH_START, hashBetween, hashStep, readBeginning } from '../../lib/text-index.ts'
import { type DomainSubject, isVouchedFor, lettersOf } from '../look-up/domain.ts'
import type { Brand } from '../model/brand.ts'
import { type Beside, besideOf, isInsideWord, isMadeOfWords, readsOtherwise } from '../model/brand-beside.ts'
import { isOrdinary } from '../model/brand-honest.ts'
import { isAdded, isLured } from '../model/brand-match.ts'
import {
  doubledAt,
  hashAround,
  isOneEditApart,
  isSlip,
  lettersBefore,
  lettersBehind,
  REMAINDERS,
  remaindersRead,
  STRETCHES,
} from '../model/brand-typos.ts'
import { type Difference, differencesOf, writtenOut } from '../model/confusables.ts'
import { welcomesBrands } from '../model/suffixes.ts'
import { wordSet } from '../model/word-lists.ts'
import type { Lexicon } from '../model/words.ts'
import { EDGE_LENGTHS, type KnownDomain, type OwnIndex, SECTIONS } from './own-index.ts'

/**
 * Looks for a domain in the register that a name may be mistaken for, by the ways of the brand rules: one edit, letters
 * that look alike, hyphens, another ending, an added word, the address in front of another name, another alphabet.
 * A register holds ten thousand names, of which many are short or words: whatever a stranger may well be called too is
 * `possible` or a `namesake`, and only the rest is a `lookalike`.
 */
export interface Resemblance {
  readonly how: 'typo' | 'glyphs' | 'hyphens' | 'ending' | 'word' | 'address'
  /** `lookalike` makes high, `possible` makes medium at least, a `namesake` is only said. */
  readonly degree: 'lookalike' | 'possible' | 'namesake'
  readonly known: KnownDomain
  /** The word beside the name. */
  readonly word?: string
  readonly differences?: readonly Difference[]
}

const DEGREES = { namesake: 0, possible: 1, lookalike: 2 } as const
type Degree = keyof typeof DEGREES

const LABEL_LENGTH_MAX = 63
const HYPHEN = 0x2d
const TOKEN_LENGTH_MIN = 3
/** Shorter names are everybody's. */
const NAME_LENGTH_MIN = 4
/** Two words of this length together are a name of their own. */
const OWN_NAME_LENGTH_MIN = 8

// The hashes of the beginnings of the label in SEEN.
let prefixes = SEEN.prefixes

/** Undefined also for a name that is well known itself. The caller has found that the name is not in the register. */
export function resemblanceOf(subject: DomainSubject, index: OwnIndex): Resemblance | undefined {
  const { domain, label, unicodeLabel, own, above, models, isJudgedByName } = subject
  if (!isJudgedByName || label.length > LABEL_LENGTH_MAX || isVouchedFor(own) || isVouchedFor(above)) return undefined
  const address = inAddress(subject, index)
  const reading = unicodeLabel === undefined ? label : models.toAscii(unicodeLabel)
  if (reading.length > LABEL_LENGTH_MAX) return address
  SEEN.of(reading)
  prefixes = SEEN.barePrefixes
  const joined = SEEN.hasHyphen ? reading.replaceAll('-', '') : reading
  const skeleton = SEEN.hasHyphen ? skeletonHash(joined) : (prefixes[SEEN.count] as number)
  // Most domains begin with their name, and were read last.
  const longer = joined === label && beginsWithName(subject) ? domain : joined
  const held = mayHoldParts(index, skeleton, joined, longer)
  // Nearly all strangers end here.
  if (held === 0 && !SEEN.hasHyphen && unicodeLabel === undefined) return address
  let best = address
  const offer = (found: Resemblance | undefined) => {
    if (found && (!best || DEGREES[found.degree] > DEGREES[best.degree])) best = found
  }
  if (held & IS_NAME) {
    for (const known of looksLike(index, skeleton, joined)) offer(whole(subject, reading, joined, known))
  }
  if (held & STRETCHES_HELD) eachTypo(joined, longer, index, held, (known) => offer(typo(subject, joined, known)))
  if (SEEN.hasHyphen || held >> EDGES_AT !== 0) {
    eachPart(index, held, (start, end) => {
      const text = reading.slice(SEEN.begins[start], SEEN.ends[end - 1]).replaceAll('-', '')
      for (const known of looksLike(index, hashBetween(prefixes, start, end), text)) {
        offer(besideWord(subject, reading, known, start, end))
      }
    })
  }
  if (unicodeLabel !== undefined) offer(writtenOtherwise(subject, unicodeLabel, index))
  return best
}

/** True if no label is in front of the chosen name. */
export function beginsWithName({ domain, label, suffix }: DomainSubject): boolean {
  return domain.length === label.length + 1 + suffix.length
}

/** `müller-präzision` for `mueller-praezision`: each umlaut is an edit. */
function writtenOtherwise({ models }: DomainSubject, unicodeLabel: string, index: OwnIndex): Resemblance | undefined {
  const joined = writtenOut(unicodeLabel).replaceAll('-', '')
  const known = looksLike(index, skeletonHash(joined), joined).find((one) => one.joined === joined)
  if (!known) return undefined
  const isEveryday = isEverydayName(known.joined, models.lexicon)
  return { how: 'glyphs', degree: isEveryday ? 'possible' : 'lookalike', known }
}

function looksLike(index: OwnIndex, hash: number, text: string): readonly KnownDomain[] {
  const skeleton = asciiSkeleton(text)
  return index.domains(SECTIONS.look, hash, ({ joined }) => asciiSkeleton(joined) === skeleton)
}

/** The keys of a name that are looked up together: its look, the letters around each stretch, its first and last letters. */
const PARTS = new Int32Array(1 + STRETCHES + 2 * EDGE_LENGTHS.length)
const IS_NAME = 1
const EDGES_AT = 1 + STRETCHES
const STRETCHES_HELD = (1 << EDGES_AT) - 2
const beginsAt = (edge: number) => 1 << (EDGES_AT + 2 * edge)
const endsAt = (edge: number) => 2 << (EDGES_AT + 2 * edge)

function mayHoldParts(index: OwnIndex, skeleton: number, joined: string, longer: string): number {
  const { count } = SEEN
  const { length } = joined
  readBeginning(joined, longer)
  PARTS[0] = skeleton ^ SECTIONS.look
  for (let i = 0; i < STRETCHES; i++) PARTS[1 + i] = hashAround(length, length, i) ^ SECTIONS.around
  let parts = EDGES_AT
  for (let i = 0; i < EDGE_LENGTHS.length; i++) {
    const edge = EDGE_LENGTHS[i] as number
    if (edge >= count) break
    PARTS[parts++] = (prefixes[edge] as number) ^ SECTIONS.first
    PARTS[parts++] = hashBetween(prefixes, count - edge, count) ^ SECTIONS.last
  }
  return index.mayHoldNames(0, PARTS, 0, parts)
}

/** Calls with the parts of a label that may be a name beside words: between hyphens, or glued at one end. */
function eachPart(index: OwnIndex, held: number, inspect: (start: number, end: number) => void): void {
  const { count, begins, ends, hasHyphen } = SEEN
  /** True at the characters of the skeleton that begin the label or follow a hyphen, and at its end. */
  const isEdge = (i: number) => i === 0 || i === count || (begins[i] as number) > (ends[i - 1] as number)
  if (hasHyphen) {
    for (let start = 0; start < count; start++) {
      if (!isEdge(start)) continue
      for (let end = start + TOKEN_LENGTH_MIN; end <= count; end++) {
        if (isEdge(end) && end - start < count && mayBeName(index, start, end)) inspect(start, end)
      }
    }
  }
  for (let i = 0; i < EDGE_LENGTHS.length; i++) {
    if ((held & beginsAt(i)) === 0) continue
    const below = Math.min(EDGE_LENGTHS[i + 1] ?? count, count)
    for (let end = EDGE_LENGTHS[i] as number; end < below; end++) {
      if (!isEdge(end) && mayBeName(index, 0, end)) inspect(0, end)
    }
  }
  for (let i = 0; i < EDGE_LENGTHS.length; i++) {
    if ((held & endsAt(i)) === 0) continue
    const below = Math.min(EDGE_LENGTHS[i + 1] ?? count, count)
    for (let length = EDGE_LENGTHS[i] as number; length < below; length++) {
      const start = count - length
      if (!isEdge(start) && mayBeName(index, start, count)) inspect(start, count)
    }
  }
}

/** Calls with the known domains one edit away: an edit is only where the letters around it are known. */
function eachTypo(
  joined: string,
  longer: string,
  index: OwnIndex,
  held: number,
  inspect: (known: KnownDomain) => void,
): void {
  const { length } = joined
  if (length < NAME_LENGTH_MIN - 1) return
  const stretches = (held & STRETCHES_HELD) >> 1
  const last = 31 - Math.clz32(stretches)
  const first = 31 - Math.clz32(stretches & -stretches)
  readBeginning(joined, longer)
  const count = remaindersRead(length, lettersBefore(length, first), length - lettersBehind(length, last))
  for (let from = 0; from < count; from += 32) {
    let typos = index.mayHoldNames(SECTIONS.typo, REMAINDERS, from, Math.min(32, count - from))
    for (; typos !== 0; typos &= typos - 1) {
      const hash = REMAINDERS[from + 31 - Math.clz32(typos & -typos)] as number
      for (const known of index.domains(SECTIONS.typo, hash, ({ joined: other }) => isOneEditApart(joined, other))) {
        inspect(known)
      }
    }
  }
}

function mayBeName(index: OwnIndex, start: number, end: number): boolean {
  return index.mayHoldName(SECTIONS.look, hashBetween(prefixes, start, end))
}

/** The whole label looks like the name of a known domain. */
function whole(subject: DomainSubject, reading: string, joined: string, known: KnownDomain): Resemblance | undefined {
  const { suffix, platform, unicodeLabel, models } = subject
  const { length } = known.joined
  const isEveryday = isEverydayName(known.joined, models.lexicon)
  if (joined !== known.joined) {
    const differences = differencesOf(joined, known.joined)
    return glyphs(subject, joined, known, differences)
  }
  if (unicodeLabel !== undefined) {
    // `müller` is `mueller` in its own letters.
    if (lettersOf(unicodeLabel) === 'accented' && (isEveryday || writtenOut(unicodeLabel) === known.label)) {
      return { how: 'glyphs', degree: 'namesake', known }
    }
    return { how: 'glyphs', degree: 'lookalike', known }
  }
  if (reading !== known.label) {
    const isThere = suffix === known.suffix
    const isShort = length < 6
    const degree = isThere ? (isShort ? 'possible' : 'lookalike') : isShort || isEveryday ? 'namesake' : 'lookalike'
    return { how: 'hyphens', degree, known }
  }
  if (platform !== undefined && welcomesBrands(platform)) return undefined
  const degree = isEveryday ? 'namesake' : length < 6 ? 'possible' : 'lookalike'
  return { how: 'ending', degree, known }
}

function glyphs(
  { suffix, models }: DomainSubject,
  joined: string,
  known: KnownDomain,
  differences: readonly Difference[],
): Resemblance | undefined {
  const { length } = known.joined
  // `fox17` ends in a number, not in letters.
  if (isOrdinary(joined, models.lexicon) || /^\d\d|\d\d$/.test(joined)) return undefined
  const isSwapped = differences.every(({ seen, meant }) => seen.length === meant.length && !/\d/.test(seen))
  const isSure = suffix === known.suffix || (isSwapped ? length >= 7 : length >= 5)
  return { how: 'glyphs', degree: isSure ? 'lookalike' : 'possible', known, differences }
}

/** One edit apart. Short names and words have honest neighbours: for those only a slip under the same ending counts. */
function typo({ suffix, models }: DomainSubject, joined: string, known: KnownDomain): Resemblance | undefined {
  const { length } = known.joined
  const isThere = suffix === known.suffix
  const degree = ((): Degree | undefined => {
    const isEveryday = isEverydayName(known.joined, models.lexicon)
    if (isEveryday && isPlural(joined, known.joined)) return undefined
    if (isOrdinary(joined, models.lexicon)) {
      const isError = length >= OWN_NAME_LENGTH_MIN || isTypedTwice(joined, known.joined, models.lexicon)
      return isThere && isError && !models.lexicon.isWord(joined) ? 'lookalike' : undefined
    }
    const isSlipped = isSlip(joined, known.joined)
    if (isThere) return isSlipped || length >= 7 ? 'lookalike' : length === 6 ? 'possible' : undefined
    return length >= 9 && !isEveryday ? 'lookalike' : undefined
  })()
  return degree && { how: 'typo', degree, known }
}

/** `summitt`, which reads as `summi tt`; but `gooddeal` is two words of its own. */
function isTypedTwice(joined: string, known: string, lexicon: Lexicon): boolean {
  const at = joined.length > known.length ? doubledAt(joined, known) : 0
  return at > 0 && !(lexicon.isWord(joined.slice(0, at)) && lexicon.isWord(joined.slice(at)))
}

function isPlural(a: string, b: string): boolean {
  return a === `${b}s` || b === `${a}s`
}

/** A name beside words: `acme-invoices`, `payacme`. */
function besideWord(
  { suffix, models }: DomainSubject,
  reading: string,
  known: KnownDomain,
  start: number,
  end: number,
): Resemblance | undefined {
  const { lexicon } = models
  const from = SEEN.begins[start] as number
  const to = SEEN.ends[end - 1] as number
  const slice = reading.slice(from, to)
  // A name spelt otherwise may mean itself.
  if (slice !== known.label && slice !== known.joined && isOrdinary(slice.replaceAll('-', ''), lexicon))
    return undefined
  const pieces = [reading.slice(0, from), reading.slice(to)]
    .flatMap((rest) => rest.split('-'))
    .filter((piece) => piece !== '')
  const isToken = isHyphenOrEnd(reading, from - 1) && isHyphenOrEnd(reading, to)
  const everyday = isEverydayName(known.joined, lexicon)
  if (isToken && pieces.length === 1 && pieces[0] === known.suffix.replaceAll('.', '')) {
    return { how: 'word', degree: 'lookalike', known, word: pieces[0] }
  }
  const beside = besideOf(pieces, brandLike(known, everyday), lexicon)
  if (!isToken && !pieces.every((piece) => isMadeOfWords(piece, lexicon))) return undefined
  const readsAsWord = () => readsOtherwise(reading, from, to, lexicon) || isInsideWord(reading, from, to, lexicon)
  if (!isToken && !isLured(beside.company) && readsAsWord()) return undefined
  const isOfPayments = pieces.every((piece) => PAYMENT_WORDS.has(piece))
  const isSure = isOfPayments && isToken
  const isThere = suffix === known.suffix
  const degree = isSure ? 'lookalike' : degreeBeside(beside, known.joined.length, isToken, everyday, isThere)
  return degree && { how: 'word', degree, known, word: beside.word }
}

/** Beside the name of a counterparty, even of one that is a word, no chance. */
const PAYMENT_WORDS = wordSet('beside a counterparty: payment')

function degreeBeside({ company }: Beside, length: number, isToken: boolean, everyday: boolean, isThere: boolean) {
  if (isLured(company)) {
    if (everyday) return company === 'several' || company === 'lure' ? 'possible' : undefined
    return length >= 6 || isToken ? 'lookalike' : 'possible'
  }
  if (everyday) return undefined
  if (isAdded(company)) {
    if (length >= 8 || (length >= 6 && isThere)) return 'lookalike'
    return length >= 6 || (length === 5 && isThere && isToken) ? 'possible' : 'namesake'
  }
  return length >= 8 && isToken && isThere ? 'possible' : length >= 6 ? 'namesake' : undefined
}

function isHyphenOrEnd(reading: string, at: number): boolean {
  return at < 0 || at >= reading.length || reading.charCodeAt(at) === HYPHEN
}

/** A counterparty as the rules of words beside a brand see it. */
function brandLike({ label, joined, suffix }: KnownDomain, everyday: boolean): Brand {
  return { label, joined, suffixes: [suffix], best: false, household: true, everyday, dealers: false, trade: '' }
}

/** The address of a known domain in front of another name: `acme.com.example.net`, `acme.com-invoices.net`. */
function inAddress({ domain, label, suffix, platform }: DomainSubject, index: OwnIndex): Resemblance | undefined {
  const front = domain.length - suffix.length - label.length - 2
  if (front < 1 || (platform !== undefined && welcomesBrands(platform))) return undefined
  const text = domain.slice(0, domain.length - suffix.length - 1)
  for (let start = 0; start >= 0 && start < front; start = nextStart(text, start)) {
    let hash = HASH_START
    let hasDot = false
    for (let i = start; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      hash = hashStep(hash, unit)
      if (unit === 0x2e) hasDot = true
      const next = text.charCodeAt(i + 1)
      if (!hasDot || (next !== 0x2e && next !== HYPHEN) || !index.mayHold(SECTIONS.domain, hash)) continue
      const address = text.slice(start, i + 1)
      const [known] = index.domains(SECTIONS.domain, hash, (one) => one.domain === address)
      if (known) return { how: 'address', degree: 'lookalike', known }
    }
  }
  return undefined
}

function nextStart(text: string, start: number): number {
  const dot = text.indexOf('.', start)
  return dot < 0 ? -1 : dot + 1
}

/** A word, or two words of a few letters: many firms are called so. */
function isEverydayName(joined: string, lexicon: Lexicon): boolean {
  return lexicon.isWord(joined) || (joined.length < OWN_NAME_LENGTH_MIN && isOrdinary(joined, lexicon))
}
