import {
  HASH_START,
  HashTable,
  hashBetween,
  hashStep,
  hashText,
  PREFIXES,
  readText,
  TextMap,
} from '../../lib/text-index.ts'
import type { KnownNames } from '../../snapshot/types.ts'
import type { BrandIndex } from './brands.ts'
import { siteAt } from './known-names.ts'
import { cutAt, hasDigit, isDigit, wordsOf } from './local-words.ts'
import { foreignWords, lureWords } from './lure-languages.ts'
import { SAYS } from './mail-subjects.ts'
import type { ProperNames } from './proper-names.ts'
import { wordList, wordSet } from './word-lists.ts'
import type { Lexicon } from './words.ts'

// The identity that the part before the @ claims. A claim consists of words: a company or an authority, an officer's
// title, a department, and the words between them. All other words are names of people and of small firms.
export type Word =
  | 'chief' // an officer's title that is never a name
  | 'title' // an officer's title that may also be a name or an honorary post
  | 'money' // what fraud asks for: payments, accounts, security, parcels
  | 'service' // what a company does for its customers and staff
  | 'hiring' // what a company says to those who look for work
  | 'system' // those who run the computers of a company
  | 'bait' // what fraud promises: a lottery, an inheritance
  | 'change' // new bank details
  | 'swindle' // an offer or a request that only fraud makes
  | 'trade' // what an honest dealer adds too
  | 'bank'
  | 'department'
  | 'authority' // unmistakable
  | 'agency' // an authority whose short name may mean something else
  | 'brand'
  | 'thing' // a brand everybody knows whose name is also a thing
  | 'ambiguous' // a brand that is also a word or a surname
  | 'firm' // the name of a firm and of nothing else, less known than a brand
  | 'honorary' // beside it, a title belongs to a club or to an art
  | 'branch' // which part of a company: its country, its legal form
  | 'filler'

export interface Claim {
  /** The first word of each sort, as written: `bank of america` if dots separated the parts. */
  readonly words: Readonly<Partial<Record<Word, string>>>
  readonly counts: Readonly<Partial<Record<Word, number>>>
  /** Words that are none of the above. */
  readonly others: number
  readonly dealt: boolean
  readonly isOftenImitated: boolean
}

export type LocalReading = Readonly<ReturnType<typeof readLocal>>

/** The sorts of words in word-lists.txt. Brands are added from brands.txt, other languages from lure-languages.txt. */
const LISTED = (
  'chief title money service hiring system bait change swindle trade department bank brand authority agency honorary ' +
  'branch filler'
).split(' ') as readonly Word[]

const PEOPLE = wordSet('names')

/** The finance departments of companies, in many languages. */
export const DEPARTMENTS: ReadonlySet<string> = new Set(lureWords('department'))

const KINDS: ReadonlyMap<string, Word> = new Map<string, Word>([
  ...foreignWords('service', 6, 'beside'),
  ...foreignWords('money', 6, 'thing', 'enter', 'department'),
  ...foreignWords('money', 4, 'ask'),
  ...LISTED.flatMap((kind) => wordList(`claims: ${kind}`).map((word) => [word, kind] as const)),
])

const CHANGES = new TextMap(wordList('claims: change').map((word) => [word, true] as const))
const CHANGE_LENGTH_MIN = 7

/** `nuovo-iban`, `changed.bank.details`: new bank details, announced by a whole mailbox. */
export function bankChangeIn(local: string): string | undefined {
  if (local.length < CHANGE_LENGTH_MIN || !mayAnnounce(local)) return undefined
  const words = local.split(/[._-]/)
  const isAnnounced = (last: number) => CHANGES.get(words.slice(0, last).join('')) === true
  if (isAnnounced(words.length)) return words.join(' ')
  return words.length > 2 && SAYS.has(words.at(-1) ?? '') && isAnnounced(-1) ? words.slice(0, -1).join(' ') : undefined
}

const SEPARATORS: ReadonlySet<number> = new Set([...'._-'].map((separator) => separator.charCodeAt(0)))

/** Most mailboxes are not split into their words. */
function mayAnnounce(local: string): boolean {
  let hash = HASH_START
  for (let i = 0; i < local.length; i++) {
    const unit = local.charCodeAt(i)
    if (!SEPARATORS.has(unit)) hash = hashStep(hash, unit)
    else if (CHANGES.mayHold(hash)) return true
  }
  return CHANGES.mayHold(hash)
}

/** Dictionary words that everybody understands as the company of that name. */
const UNMISTAKABLE = wordSet('claims: unmistakable')
const THINGS: ReadonlySet<string> = new Set('apple oracle outlook zoom telegram discord twitch'.split(' '))

/** Words and surnames that fraud uses as the company of that name. Others of their sort name honest firms. */
const AMBIGUOUS = wordSet('claims: ambiguous')

/** Places and first names with famous sites: beside a function they name a town's firm or a person. */
const PLACES_AND_PEOPLE = wordSet('claims: places and people')

/** Words of other languages and of trades that popular sites have as their names. */
const GENERIC = wordSet('claims: generic')

/** `riverdalefc`, `sunrisechoir`: a club by the end of its name. */
const CLUB = /[a-z]{2}(club|choir|church|rotary|scouts?|verein|association|society|league|pta|hoa|a?fc|rfc)$/

const WORDS_READ_MAX = 8
const SPAN_MAX = 4
const GLUED_LENGTH_MIN = 6
const GLUED_LENGTH_MAX = 32

// The beginnings and ends of words that may be joined to others; most names have neither and are not split.
const EDGE = 3
const edges = (start: number, end?: number) =>
  new HashTable(HashTable.fillTexts(Array.from(KINDS.keys(), (word) => word.slice(start, end))))
const BEGINNINGS = edges(0, EDGE)
const ENDS = edges(-EDGE)

/** True if the letters of `text` at `at` are in `edges`; rarely a false positive. */
function isEdge(text: string, at: number, edges: HashTable): boolean {
  let hash = HASH_START
  for (let i = at; i < at + EDGE; i++) hash = hashStep(hash, text.charCodeAt(i))
  return edges.hasHash(hash)
}

// Words that only connect others make no claim.
const SAYING_NOTHING: ReadonlySet<Word> = new Set(['filler', 'branch', 'honorary'])
const IMITATED: ReadonlySet<Word> = new Set(['brand', 'authority', 'chief'])
// Requests of fraud to a firm's customers and applicants.
const ASKING: ReadonlySet<Word> = new Set(['money', 'hiring', 'bait', 'change', 'swindle'])
const ASKING_WORDS = new TextMap([...KINDS].filter(([, kind]) => ASKING.has(kind)))
const PART_OF: Partial<Record<Word, Word>> = {
  hiring: 'service',
  system: 'service',
  bait: 'money',
  change: 'money',
  swindle: 'money',
}

type ClaimWords = ReturnType<typeof createClaimWords>

export function createClaimWords(brands: BrandIndex, lexicon: Lexicon) {
  const { household, other } = brands.labels
  const kinds = new Map(KINDS)
  // Among the many other brands, only banks are claimed.
  for (const label of [...household, ...other.filter((name) => name.endsWith(BANK))]) {
    const kind = brandKind(label, brands, lexicon)
    if (kind === undefined) continue
    kinds.set(label, kind)
    // Nobody writes the hyphen of saint-gobain before the @.
    const joined = label.replaceAll('-', '')
    if (joined.length >= JOINED_LENGTH_MIN && !kinds.has(joined)) kinds.set(joined, kind)
  }
  // An institution that is no household name. One whose name others have too is claimed by a word of money alone.
  for (const word of lureWords('office')) if (!kinds.has(word)) kinds.set(word, 'authority')
  for (const word of lureWords('namesake')) if (!kinds.has(word) && !PEOPLE.has(word)) kinds.set(word, 'ambiguous')
  // Numbered: household names with a digit in them, such as `office365`.
  return { kinds: new TextMap(kinds), numbered: new Set(household.filter((label) => /\d/.test(label))) }
}

const BANK = 'bank'
const JOINED_LENGTH_MIN = 8

interface ReadingModels {
  readonly claimWords: ClaimWords
  readonly brands: BrandIndex
  readonly lexicon: Lexicon
  readonly properNames: ProperNames
  readonly toAscii: (label: string) => string
}

/** A mailbox with the models and the known names that its reading needs. */
interface Reading {
  readonly models: ReadingModels
  readonly host: { readonly snapshot: { readonly knownNames: KnownNames } }
}

/** The claim is undefined if the local part contains only names. */
export function readLocal(local: string, reading: Reading) {
  const { models } = reading
  const isImitated = (word: string) => {
    const kind = models.claimWords.kinds.get(word)
    return kind !== undefined && IMITATED.has(kind)
  }
  const { words, withoutAccents, disguise, isOneScript } = wordsOf(local, models.toAscii, isImitated)
  const claim = claimIn(words, reading)
  const other = withoutAccents === undefined ? undefined : claimIn(withoutAccents, reading)
  // Choose the reading that recognises more words.
  const isOtherBetter = other !== undefined && (claim === undefined || other.others < claim.others)
  return { claim: isOtherBetter ? other : claim, disguise, isOneScript }
}

function claimIn(pieces: readonly string[], reading: Reading): Claim | undefined {
  const { claimWords, brands } = reading.models
  const { kinds, numbered } = claimWords
  const tokens = tokensOf(pieces, numbered)
  const words: Partial<Record<Word, string>> = {}
  const counts: Partial<Record<Word, number>> = {}
  const unknown: string[] = []
  let known = 0
  const take = (kind: Word, word: string) => {
    words[kind] ??= word
    counts[kind] = (counts[kind] ?? 0) + 1
    const wider = PART_OF[kind]
    if (wider !== undefined) take(wider, word)
    if (!SAYING_NOTHING.has(kind)) known++
  }
  for (let at = 0; at < tokens.length; ) {
    const span = longestKnown(tokens, at, kinds, take)
    const token = tokens[at] as string
    if (span === 0 && !takeGlued(token, reading, take)) unknown.push(token)
    at += Math.max(1, span)
  }
  if (known === 0) return undefined
  let others = 0
  for (const token of unknown) {
    if (CLUB.test(token)) take('honorary', token)
    else others++
  }
  if (words.brand === undefined && others > 0 && (words.money ?? words.service) !== undefined) {
    const disguised = disguisedBrand(pieces, reading.models)
    if (disguised !== undefined) {
      take(disguised.kind, disguised.brand)
      others = Math.max(0, others - disguised.tokens)
    }
  }
  if (words.brand === undefined && (words.money ?? words.hiring ?? words.chief) !== undefined) {
    const firm = firmAmong(unknown, reading)
    if (firm !== undefined) {
      take(firm.kind, firm.name)
      others = Math.max(0, others - firm.tokens)
    }
  }
  const brand = words.brand === undefined ? undefined : brands.named(words.brand.replaceAll(' ', ''))
  // Names listed here are used by fraud, whatever else is sold under them.
  const isListed = KINDS.get(brand?.label ?? words.brand?.replaceAll(' ', '') ?? '') !== undefined
  const dealt = brand?.dealers === true && !isListed
  return { words, counts, others, dealt, isOftenImitated: isListed || brand?.best === true }
}

/** Words without numbers; `office365` stays whole. */
function tokensOf(pieces: readonly string[], numbered: ReadonlySet<string>): readonly string[] {
  const tokens: string[] = []
  for (const piece of pieces) {
    if (!hasDigit(piece) || numbered.has(piece)) tokens.push(piece)
    else tokens.push(...cutAt(piece, isDigit))
    if (tokens.length >= WORDS_READ_MAX) break
  }
  return tokens
}

type Kinds = ClaimWords['kinds']
type Take = (kind: Word, word: string) => void

/** The hashes of the first tokens together, by their number: written and read by longestKnown. */
const SPANS = new Int32Array(SPAN_MAX + 1)

/** The number of tokens from `at` that form one known word: `bank.of.america`, `managing.director`. */
function longestKnown(tokens: readonly string[], at: number, kinds: Kinds, take: Take): number {
  const spanMax = Math.min(SPAN_MAX, tokens.length - at)
  for (let i = 0; i < spanMax; i++) SPANS[i + 1] = hashText(tokens[at + i] as string, SPANS[i])
  for (let span = spanMax; span > 0; span--) {
    if (!kinds.mayHold(SPANS[span] as number)) continue
    const parts = tokens.slice(at, at + span)
    const kind = kinds.get(parts.join(''), SPANS[span])
    if (kind === undefined || (span > 1 && NEVER_IN_PARTS.has(kind))) continue
    take(kind, parts.join(' '))
    return span
  }
  return 0
}

const NEVER_IN_PARTS: ReadonlySet<Word> = new Set(['filler', 'branch', 'ambiguous', 'thing'])

function brandKind(word: string, brands: BrandIndex, lexicon: Lexicon): Word | undefined {
  if (word.length < 2 || KINDS.has(word) || PLACES_AND_PEOPLE.has(word) || GENERIC.has(word)) return undefined
  const brand = brands.named(word)
  if (brand === undefined) return undefined
  if (!brand.household) return word.length >= 7 && word.endsWith(BANK) ? 'brand' : undefined
  if (UNMISTAKABLE.has(word)) return 'brand'
  if (THINGS.has(word)) return 'thing'
  if (AMBIGUOUS.has(word)) return 'ambiguous'
  return brand.everyday || lexicon.isWord(word) || PEOPLE.has(word) ? undefined : 'brand'
}

/** `paypalbillingteam`, `transferdept`: known words joined, with nothing left over and at most one brand. */
function takeGlued(token: string, reading: Reading, take: Take): boolean {
  if (token.length < GLUED_LENGTH_MIN || token.length > GLUED_LENGTH_MAX) return false
  if (!isEdge(token, 0, BEGINNINGS) && !isEdge(token, token.length - EDGE, ENDS)) return false
  const pieces = cut(token, 0, false, reading.models.claimWords.kinds)
  if (pieces === undefined) return takeFirm(token, reading, take)
  for (const [kind, word] of pieces) take(kind, word)
  return true
}

function cut(token: string, from: number, branded: boolean, kinds: Kinds): (readonly [Word, string])[] | undefined {
  if (from === token.length) return []
  for (let to = token.length; to >= from + 2; to--) {
    const word = token.slice(from, to)
    const known = kinds.get(word)
    if (known === undefined) continue
    const isBrand = !KINDS.has(word)
    // Shorter words occur inside names by chance: Marceo, Cfoster.
    const isChance = word.length < 4 && known !== 'brand' && !GLUED_SHORT.has(word)
    if (isBrand ? branded : isChance) continue
    const rest = cut(token, to, branded || isBrand, kinds)
    // A brand alone is not joined to anything.
    if (rest === undefined || (isBrand && from === 0 && rest.length === 0)) continue
    // A three-letter brand may also be another abbreviation.
    return [[isBrand && isAbbreviation(word) ? 'ambiguous' : known, word], ...rest]
  }
  return undefined
}

const ABBREVIATION_LENGTH_MAX = 3

function isAbbreviation(word: string): boolean {
  return word.length <= ABBREVIATION_LENGTH_MAX && word !== 'dhl'
}

const GLUED_SHORT: ReadonlySet<string> = new Set(['ceo', 'cfo', 'the', 'irs', 'fbi', 'tax', 'pay', 'of'])

/** `geodisinvoices`, `rechnunggeodis`: the name of a firm and one word of money or recruitment. */
function takeFirm(token: string, reading: Reading, take: Take): boolean {
  const { length } = token
  readText(token)
  for (let size = length - FIRM_LENGTH_MIN; size >= ASKING_LENGTH_MIN; size--) {
    for (let start = 0; start < length; start += length - size) {
      const end = start + size
      if (end > length) break
      const hash = hashBetween(PREFIXES, start, end)
      if (!ASKING_WORDS.mayHold(hash)) continue
      const word = token.slice(start, end)
      const kind = ASKING_WORDS.get(word, hash)
      if (kind === undefined) continue
      const name = start === 0 ? token.slice(end) : token.slice(0, start)
      if (firmKind(name, reading) !== 'firm') return false
      take('firm', name)
      take(kind, word)
      return true
    }
  }
  return false
}

const ASKING_LENGTH_MIN = 4

/** A firm that is no household name, in one word or in two: `geodis`, `smurfit.kappa`. */
function firmAmong(unknown: readonly string[], reading: Reading) {
  for (const [at, token] of unknown.entries()) {
    const next = unknown[at + 1]
    for (const name of next === undefined ? [token] : [token, `${token}${next}`, `${token}-${next}`]) {
      const kind = firmKind(name, reading)
      const tokens = name === token ? 1 : 2
      if (kind === 'firm' || (kind !== undefined && tokens === 1)) return { kind, name, tokens }
    }
  }
  return undefined
}

const FIRM_LENGTH_MIN = 6
const DOUBTFUL_LENGTH_MIN = 7
const COMPOUND_LENGTH_MIN = 12

/** A name that people, places or small firms have too says less: `ambiguous`. */
function firmKind(name: string, { models, host }: Reading): Word | undefined {
  const { brands, lexicon, properNames } = models
  if (name.length < FIRM_LENGTH_MIN) return undefined
  const brand = brands.named(name)
  const isOwnWord = brand?.everyday === false
  const isBrand = isOwnWord || brand?.household === true
  if (!isBrand && siteAt(name, host.snapshot.knownNames)?.isPopular !== true) return undefined
  if ([PEOPLE, PLACES_AND_PEOPLE, GENERIC].some((words) => words.has(name)) || lexicon.isWord(name)) return undefined
  const isOfNames = properNames.makeUp(name, lexicon)
  if (!isOfNames && lexicon.cover(name).covered < name.length) return 'firm'
  const isTelling = isOfNames ? isOwnWord : isBrand || name.length >= COMPOUND_LENGTH_MIN
  return isTelling && name.length >= DOUBTFUL_LENGTH_MIN ? 'ambiguous' : undefined
}

const DISGUISED_LENGTH_MIN = 6
const TYPO_LENGTH_MIN = 8

/** `paypa1`, `micorsoft`: a household name written to be misread. One letter apart may also be somebody's surname. */
function disguisedBrand(pieces: readonly string[], { brands, lexicon, properNames }: ReadingModels) {
  for (const piece of pieces) {
    if (piece.length < DISGUISED_LENGTH_MIN || piece.length > GLUED_LENGTH_MAX) continue
    if (KINDS.has(piece) || PEOPLE.has(piece) || lexicon.isWord(piece)) continue
    const match = brands.match(piece, '')
    if (!match?.brand.household || match.brand.everyday) continue
    // Daniell is a surname, not the company Danieli.
    if (!hasDigit(piece) && properNames.makeUp(piece, lexicon)) continue
    const isTypo = match.how === 'typo' && piece.length >= TYPO_LENGTH_MIN
    if (match.how !== 'homoglyph' && !isTypo) continue
    const tokens = piece.split(/\d+/).filter((part) => part !== '').length
    const kind: Word = isTypo ? 'ambiguous' : 'brand'
    return { brand: match.brand.label, kind, tokens }
  }
  return undefined
}
