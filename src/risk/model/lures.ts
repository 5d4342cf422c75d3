import { CHARACTERS, HashFilter, HashTable, hashBetween, hashText, PREFIXES, readText } from '../../lib/text-index.ts'
import { isDigit } from './local-words.ts'
import { wordList, wordSet } from './word-lists.ts'
import type { Lexicon } from './words.ts'

// Words that fraud puts into names because its victims expect them: to log in, to claim a reward, to pay a small fee
// for a parcel. One of them says little, because honest firms use them too; several together are seldom honest.
const LURE_WORDS = wordList('lures')

/** Words of offices and shops: they count beside another lure, and alone they are common. */
const WEAK_WORDS = wordSet('weak lures')

const WORDS: ReadonlySet<string> = new Set(LURE_WORDS)
const WORD_SET = new HashTable(HashTable.fillTexts(WORDS))
const LENGTH_MIN = Math.min(...LURE_WORDS.map((word) => word.length))
const LENGTH_MAX = Math.max(...LURE_WORDS.map((word) => word.length))
/** Shorter words occur inside others by chance: `fee` in coffee. */
const INNER_LENGTH_MIN = 5
const LABEL_LENGTH_MAX = 63

// The first and the last letters of the longer words: most names have neither.
const filterOf = (texts: readonly string[]) => new HashFilter(HashFilter.fill(texts.map((text) => hashText(text))))
const INNER_WORDS = LURE_WORDS.filter(({ length }) => length >= INNER_LENGTH_MIN)
const BEGINS = filterOf(INNER_WORDS.map((word) => word.slice(0, INNER_LENGTH_MIN)))
const ENDS = filterOf(INNER_WORDS.map((word) => word.slice(-INNER_LENGTH_MIN)))

const NONE: readonly string[] = []

/** Words that almost only fraud uses in names count twice. */
const RARE_WORDS = wordSet('rare lures')

export interface Lures {
  readonly words: readonly string[]
  /** Their combined strength: two words of offices and shops count as one. */
  readonly count: number
}

const NO_LURES: Lures = { words: NONE, count: 0 }

// Caches the last answer: the signal and the test for plain words ask about the same name.
let askedLast: string | undefined
let answeredLast = NO_LURES

export function luresIn(label: string, lexicon: Lexicon): Lures {
  if (label !== askedLast) {
    answeredLast = findLures(label, lexicon)
    askedLast = label
  }
  return answeredLast
}

/** Whole words between hyphens, or the beginning and the end of longer ones if the rest is words. */
function findLures(label: string, lexicon: Lexicon): Lures {
  if (label.length < LENGTH_MIN || label.length > LABEL_LENGTH_MAX) return NO_LURES
  let words: string[] | undefined
  let start = 0
  while (start < label.length) {
    let end = label.indexOf('-', start)
    if (end < 0) end = label.length
    let to = end
    readText(label)
    while (to > start && isDigit(CHARACTERS[to - 1] as number)) to--
    while (to - start >= LENGTH_MIN) {
      const word = lureAt(label, start, to, lexicon)
      if (word === undefined) break
      words ??= []
      if (!words.includes(word)) words.push(word)
      if (label.startsWith(word, start)) start += word.length
      else to -= word.length
    }
    start = end + 1
  }
  if (words === undefined) return NO_LURES
  let count = 0
  // A rare word that is the whole name may be its subject: unclaimed.org.
  for (const word of words) count += RARE_WORDS.has(word) && word !== label ? 2 : WEAK_WORDS.has(word) ? 0.5 : 1
  return { words, count: Math.floor(count) }
}

/** The lure that the text from `start` to `end` is, begins with or ends with; the longest one whose rest is words. */
function lureAt(label: string, start: number, end: number, lexicon: Lexicon): string | undefined {
  const length = end - start
  readText(label)
  if (length >= INNER_LENGTH_MIN) {
    const mayBegin = BEGINS.mayHold(hashBetween(PREFIXES, start, start + INNER_LENGTH_MIN))
    if (!mayBegin && !ENDS.mayHold(hashBetween(PREFIXES, end - INNER_LENGTH_MIN, end))) return undefined
  }
  for (let size = Math.min(LENGTH_MAX, length); size >= LENGTH_MIN; size--) {
    if (size < INNER_LENGTH_MIN && size < length) return undefined
    // Again: leavesWords reads a part of it.
    readText(label)
    if (WORD_SET.hasHash(hashBetween(PREFIXES, start, start + size))) {
      const word = label.slice(start, start + size)
      if (WORDS.has(word) && leavesWords(label, start + size, end, start, end, lexicon)) return word
    }
    if (size < length && WORD_SET.hasHash(hashBetween(PREFIXES, end - size, end))) {
      const word = label.slice(end - size, end)
      if (WORDS.has(word) && leavesWords(label, start, end - size, start, end, lexicon)) return word
    }
  }
  return undefined
}

const TRADES = wordSet('trades')

// The rest of customsigns after `customs` is no word, cambridge is itself a word, and pakketservice is a trade: none of
// them contains a lure.
function leavesWords(label: string, from: number, to: number, start: number, end: number, lexicon: Lexicon): boolean {
  if (from === to) return true
  const whole = label.slice(start, end)
  if (lexicon.isWord(whole) || TRADES.has(whole)) return false
  const rest = label.slice(from, to)
  return WORDS.has(rest) || lexicon.cover(rest).covered === rest.length
}
