import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  beginningAt,
  beginningsOver,
  CHARACTERS,
  fillBeginnings,
  HASH_START,
  hashStep,
  hashText,
  lettersOn,
  NO_LETTERS,
  PREFIXES,
  readText,
  TextMap,
} from '../../lib/text-index.ts'
import { wordSet } from './word-lists.ts'

/** The sorts of words in lure-languages.txt, which explains them. */
const SORTS = [
  'office',
  'namesake',
  'ask',
  'change',
  'thing',
  'enter',
  'beside',
  'department',
  'adviser',
  'filler',
] as const
type Sort = (typeof SORTS)[number]
/** Sorts whose lines are words and nothing else. */
const PLAIN_SORTS: ReadonlySet<Sort> = new Set(['department', 'adviser', 'filler'])

interface LureLine {
  readonly language: string
  readonly sort: Sort
  readonly words: readonly string[]
  /** An honest name that contains one of the words, or nearly. */
  readonly neighbour: string
  /** The institution's own sites. */
  readonly sites: readonly string[]
}

const ENGLISH = 'English'
/** The section of names that are the same in every country. */
const EVERYWHERE = 'Everywhere'

function readLines(): readonly LureLine[] {
  const lines: LureLine[] = []
  let language = ''
  for (const line of readFileSync(join(import.meta.dirname, 'lure-languages.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const named = /^\[(.+)\]$/.exec(line)?.[1]
    if (named !== undefined) {
      language = named
      continue
    }
    const [sort, ...rest] = line.split(' ') as [Sort, ...string[]]
    const [words = '', neighbour = '', sites = ''] = PLAIN_SORTS.has(sort) ? [rest.join(',')] : rest
    lines.push({ language, sort, words: words.split(','), neighbour, sites: sites === '' ? [] : sites.split(',') })
  }
  return lines
}

export const LURE_LINES = readLines()

interface LureWord {
  readonly sort: Sort
  readonly isEnglish: boolean
  /** One bit for each language that has the word. */
  readonly languages: number
  readonly site: string | undefined
}

const LANGUAGES = [...new Set(LURE_LINES.map(({ language }) => language))]
const ANY_LANGUAGE = -1

const WORDS = new Map<string, LureWord>()
for (const { language, sort, words, sites } of LURE_LINES) {
  // English words are understood beside those of every language.
  const isShared = language === ENGLISH || language === EVERYWHERE
  const bit = isShared ? ANY_LANGUAGE : 1 << LANGUAGES.indexOf(language)
  for (const word of words) {
    // Several institutions share a line: the one of that name, or the only one.
    const site = sites.length === 1 ? sites[0] : sites.find((name) => name.replaceAll('-', '').startsWith(word))
    const before = WORDS.get(word)
    if (before !== undefined) WORDS.set(word, { ...before, languages: before.languages | bit })
    else WORDS.set(word, { sort, isEnglish: language === ENGLISH, languages: bit, site })
  }
}

/** The languages that most of the words have in common, and how many words those are. */
function inOneLanguage(words: readonly string[]): { readonly count: number; readonly languages: number } {
  let count = 0
  let languages = 0
  for (let i = 0; i < LANGUAGES.length; i++) {
    const having = words.filter((word) => ((WORDS.get(word)?.languages ?? 0) & (1 << i)) !== 0).length
    if (having > count) languages = 0
    if (having >= count) {
      count = having
      languages |= 1 << i
    }
  }
  return { count, languages }
}

const OWN_SITES = new TextMap(LURE_LINES.flatMap(({ sites }) => sites.map((site) => [site, true] as const)))

/** True for an institution's own site. */
export function isInstitution(domain: string): boolean {
  return OWN_SITES.get(domain) === true
}

/** As isInstitution, for a label of at most 63 characters. Most labels are not joined to their suffix. */
export function isInstitutionUnder(suffix: string, label: string): boolean {
  readText(label)
  const hash = hashText(suffix, hashText('.', PREFIXES[label.length]))
  return OWN_SITES.mayHold(hash) && isInstitution(`${label}.${suffix}`)
}

/** True for a word of any sort and language. */
export function isLureWord(word: string): boolean {
  return WORDS.has(word)
}

/** True for what is demanded, or said of an account: unpaid, update, new. */
export function isDemandWord(word: string): boolean {
  const sort = WORDS.get(word)?.sort
  return sort === 'ask' || sort === 'change'
}

/** True for a word that names an institution or a service. */
export function isInstitutionName(word: string): boolean {
  const sort = WORDS.get(word)?.sort
  return sort === 'office' || sort === 'namesake'
}

/** The words of some sorts, in all languages but English. */
export function lureWords(...sorts: readonly Sort[]): readonly string[] {
  return [...WORDS].filter(([, { sort, isEnglish }]) => sorts.includes(sort) && !isEnglish).map(([word]) => word)
}

const PEOPLE = wordSet('names')

/** Words of some sorts with a kind each. Shorter words of other languages are often names of people: Dane, Plata. */
export function foreignWords<const Kind>(kind: Kind, lengthMin: number, ...sorts: readonly Sort[]) {
  const words = lureWords(...sorts).filter((word) => word.length >= lengthMin && !PEOPLE.has(word))
  return words.map((word) => [word, kind] as const)
}

/** The demand that a name makes of its reader. */
export interface Demand {
  /** `institution`: it names one beside a demand. `payment`: it asks for payment. `firm`: it does so in the name of a firm. `subject`: it is the subject of a mail. */
  readonly kind: 'institution' | 'payment' | 'firm' | 'subject'
  readonly institution: string | undefined
  /** The institution's own site, if one is known for that name. */
  readonly site: string | undefined
  readonly words: readonly string[]
}

const BEGUN = 1
/** A word that counts only beside a telling one. */
const COMPANION = 2
/** An institution, a demand or its object in another language than English: without one, a name is not read further. */
const TELLING = 3

const TELLING_SORTS: ReadonlySet<Sort> = new Set(['office', 'namesake', 'ask', 'thing'])

const { near: NEAR, all: ALL } = beginningsOver(
  fillBeginnings(
    Array.from(WORDS, ([word, { sort, isEnglish }]) => [
      word,
      !isEnglish && TELLING_SORTS.has(sort) ? TELLING : COMPANION,
    ]),
    BEGUN,
  ),
)

const LABEL_LENGTH_MAX = 63
const LENGTH_MIN = 8
/** Shorter words occur inside others by chance: they count only between hyphens, except `de`, `di` and `do`. */
const JOINED_LENGTH_MIN = 4
const LETTER_D = 0x64
// The costs of a split: an unknown part costs most, and two words are better than one written in two parts.
const CROSSING = 3
const OTHER = 256
const UNREACHED = OTHER * OTHER

// The letters of the current label, the places where a hyphen or a digit stood, and for each prefix the cheapest split.
// Written and read immediately.
const UNITS = new Uint8Array(LABEL_LENGTH_MAX)
const IS_EDGE = new Uint8Array(LABEL_LENGTH_MAX + 1)
const COST = new Int32Array(LABEL_LENGTH_MAX + 1)
const FROM = new Uint8Array(LABEL_LENGTH_MAX + 1)

/** The demand in a label of ASCII letters; undefined if it makes none, or `domain` is the institution's own. */
export function demandIn(label: string, domain: string): Demand | undefined {
  if (label.length < LENGTH_MIN || label.length > LABEL_LENGTH_MAX) return undefined
  const length = readLetters(label)
  if (!splitsIntoLures(length)) return undefined
  return isInstitution(domain) ? undefined : demandOf(length)
}

/** Returns the number of letters. No place but the beginning is reached yet. */
function readLetters(label: string): number {
  readText(label)
  let length = 0
  IS_EDGE[0] = 1
  COST[0] = 0
  for (let i = 0; i < label.length; i++) {
    const unit = CHARACTERS[i] as number
    if (unit >= 0x61 && unit <= 0x7a) {
      UNITS[length++] = unit
      IS_EDGE[length] = 0
      COST[length] = UNREACHED
    } else IS_EDGE[length] = 1
  }
  IS_EDGE[length] = 1
  return length
}

/** False if no telling word is in the label. */
function splitsIntoLures(length: number): boolean {
  let isTelling = false
  for (let start = 0; start < length; start++) {
    const here = COST[start] as number
    if (here >= UNREACHED) continue
    const isAtEdge = IS_EDGE[start] === 1
    let hash = HASH_START
    let letters = NO_LETTERS
    let crosses = false
    for (let i = start; i < length; i++) {
      const unit = UNITS[i] as number
      if (i > start && IS_EDGE[i] === 1) crosses = true
      hash = hashStep(hash, unit)
      letters = lettersOn(letters, unit)
      const node = beginningAt(NEAR, ALL, hash, letters)
      if (node === 0) break
      if (node === BEGUN) continue
      const end = i + 1
      // A word written in parts, such as `via-verde`, begins and ends at hyphens; so does a short one.
      const isWhole = isAtEdge && IS_EDGE[end] === 1
      const isShort = end - start < JOINED_LENGTH_MIN && !(node === COMPANION && UNITS[start] === LETTER_D)
      if (!isWhole && (crosses || isShort)) continue
      if (node === TELLING) isTelling = true
      reach(end, start, here + (crosses ? CROSSING : 1))
    }
    if (isAtEdge) {
      let end = start + 1
      while (IS_EDGE[end] !== 1) end++
      reach(end, start, here + OTHER)
    }
  }
  return isTelling
}

function reach(end: number, from: number, cost: number): void {
  if (cost >= (COST[end] as number)) return
  COST[end] = cost
  FROM[end] = from
}

function demandOf(length: number): Demand | undefined {
  const found = Object.fromEntries(SORTS.map((sort) => [sort, []])) as unknown as Record<Sort, string[]>
  let others = 0
  let foreign = 0
  let entering = 0
  for (let end = length; end > 0; end = FROM[end] as number) {
    const start = FROM[end] as number
    const text = String.fromCharCode(...UNITS.subarray(start, end))
    const word = (COST[end] as number) - (COST[start] as number) < OTHER ? WORDS.get(text) : undefined
    // Inside other words, an institution is there by chance: `comdirect` in datacomdirectaccess.
    const isInside = IS_EDGE[start] === 0 && IS_EDGE[end] === 0
    if (word === undefined || (isInside && (word.sort === 'office' || word.sort === 'namesake'))) others++
    else {
      found[word.sort].unshift(text)
      if (!word.isEnglish && (word.sort === 'ask' || word.sort === 'thing')) foreign++
      else if (!word.isEnglish && word.sort === 'enter') entering++
    }
  }
  const { office, namesake, thing, enter, beside, adviser } = found
  others += adviser.length
  const ask = thing.length > 0 ? [...found.ask, ...found.change] : found.ask
  if (thing.length === 0) others += found.change.length
  // Beside an office, `gov` is a claim, and the name of another institution is one more word.
  if (office.length > 0) {
    for (const other of namesake) (GOVERNMENT.has(other) ? enter : beside).push(other)
    beside.push(...office.slice(1))
  }
  const words = [...ask, ...thing, ...enter, ...beside]
  const institution = office[0] ?? namesake[0]
  const as = (kind: Demand['kind'], named?: string): Demand => ({
    kind,
    institution: named,
    site: named === undefined ? undefined : WORDS.get(named)?.site,
    words: named === undefined ? [...ask, ...thing] : words,
  })
  const money = inOneLanguage([...ask, ...thing])
  const { languages } = inOneLanguage([...ask, ...thing, ...enter])
  const isOffice = office.length > 0
  const isTold = foreign + entering > 0 || (ask.length > 0 && thing.length > 0)
  const isNamesake = isTold && namesake.some((name) => ((WORDS.get(name)?.languages ?? 0) & languages) !== 0)
  if (isOffice || isNamesake) {
    const demands = ask.length + enter.length > 0
    // An unknown word makes the whole less clear, and a word of advisers more than others: `fgts-saque-advogado`.
    const clear = words.length - others
    const isClear = clear > 0 ? words.length > beside.length : clear === 0 && others === 1 && adviser.length === 0
    const isEnough = clear > 1 || (isOffice && isClear)
    if (isEnough && (others === 0 || demands)) return as('institution', institution)
    if (isOffice ? clear > 0 || (demands && clear === 0) : demands && clear > 0) return as('payment', institution)
  }
  // Advisers add one word of their own: vraceni-dane-poradna.
  const wordsMin = ask.length > 0 ? 2 : 3
  return others < OTHERS_MAX && money.count >= wordsMin + others && foreign > others ? as('payment') : undefined
}

const GOVERNMENT: ReadonlySet<string> = new Set(['gov', 'govt', 'gouv', 'gob'])

/** With more unknown words the name is about something else. */
const OTHERS_MAX = 2
