import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CHARACTERS,
  HASH_START,
  HashFilter,
  HashTable,
  hashBetween,
  hashStep,
  PREFIXES,
  readText,
  type SharedWords,
  sharedWords,
} from '../../lib/text-index.ts'
import { isDigit } from './local-words.ts'
import { type Tables, tableOf } from './tables.ts'
import { wordList } from './word-lists.ts'
import type { Lexicon } from './words.ts'

/**
 * Names of people and places, and the words of trades. The models of wording know the names of some regions better than
 * others, so a name from elsewhere looks strange to them: a label that consists of such names never counts against its
 * owner.
 */

const NAME_LENGTH_MIN = 4
const WORD_LENGTH_MIN = 3
const LENGTH_MAX = 16
const LABEL_LENGTH_MAX = 63
/** Initials and little words between hyphens: `j-smith`, `van-de-velde`. */
const PARTICLE_LENGTH_MAX = 2
/** A number at the end: a year, or the second of that name. */
const DIGITS_MAX = 4
const HYPHEN = 0x2d
const BLANK = 0x20

const TRADES = new HashTable(HashTable.fillTexts(wordList('trades')))
const PARTICLES = new HashTable(HashTable.fillTexts(wordList('particles')))

export type ProperNames = Readonly<ReturnType<typeof createProperNames>>

export function createProperNames(tables: Tables) {
  const names = tableOf(tables, 'proper names', sortedHashes)
  const filter = new HashFilter(tableOf(tables, 'filter of proper names', () => HashFilter.fill([...names])))
  return {
    /** True if the label consists of known names and words, and half of its letters are names or one word is a trade. */
    makeUp: (label: string, lexicon: Lexicon) => makeUp(label, lexicon, names, filter),
  }
}

/** Their hashes in ascending order take a quarter of the memory of a hash table, and few look-ups reach them. */
function sortedHashes(): SharedWords {
  const text = readFileSync(join(import.meta.dirname, 'proper-names.txt'), 'latin1')
  const hashes: number[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('[')) continue
    // Not cut into 240,000 texts: a start would notice it.
    let hash = HASH_START
    for (let i = 0; i <= line.length; i++) {
      const unit = i === line.length ? BLANK : line.charCodeAt(i)
      if (unit !== BLANK) hash = hashStep(hash, unit)
      else {
        hashes.push(hash)
        hash = HASH_START
      }
    }
  }
  const sorted = sharedWords(hashes.length)
  sorted.set(hashes)
  return sorted.sort()
}

function isIn(hash: number, sorted: Int32Array): boolean {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = sorted[middle] as number
    if (found === hash) return true
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return false
}

// From each place of the current label on, the most letters in names of any division into known pieces; -1: no division.
const IN_NAMES = new Int16Array(LABEL_LENGTH_MAX + 1)

function makeUp(label: string, lexicon: Lexicon, names: Int32Array, filter: HashFilter): boolean {
  if (label.length > LABEL_LENGTH_MAX) return false
  readText(label)
  let end = label.length
  while (end > 0 && label.length - end < DIGITS_MAX && isDigit(CHARACTERS[end - 1] as number)) end--
  if (end > 0 && CHARACTERS[end - 1] === HYPHEN) end--
  for (let i = 0; i < end; i++) if (isDigit(CHARACTERS[i] as number)) return false
  let letters = 0
  let inNames = 0
  for (let start = 0; start < end; ) {
    let to = label.indexOf('-', start)
    if (to < 0 || to > end) to = end
    const found = to - start <= PARTICLE_LENGTH_MAX ? 0 : lettersInNames(start, to, lexicon, names, filter)
    if (found < 0) return false
    letters += to - start
    inNames += found
    start = to + 1
  }
  return inNames >= NAME_LENGTH_MIN && 2 * inNames >= letters
}

/** The letters in names of the part from `from` to `to`; -1 if it cannot be divided into known pieces. */
function lettersInNames(from: number, to: number, lexicon: Lexicon, names: Int32Array, filter: HashFilter): number {
  // From the end: a name of chance letters often begins with a word, and seldom ends with one.
  IN_NAMES.fill(-1, from, to + 1)
  IN_NAMES[to] = 0
  for (let end = to; end > from + 1; end--) {
    const behind = IN_NAMES[end] as number
    if (behind < 0) continue
    const first = Math.max(from, end - LENGTH_MAX)
    if (PARTICLES.hasHash(hashBetween(PREFIXES, end - 2, end))) reach(end - 2, behind)
    for (let start = end - WORD_LENGTH_MIN; start >= first; start--) {
      const hash = hashBetween(PREFIXES, start, end)
      if (end - start >= NAME_LENGTH_MIN && filter.mayHold(hash) && isIn(hash, names))
        reach(start, behind + end - start)
      // A trade counts as if the whole label were a name.
      else if (TRADES.hasHash(hash)) reach(start, behind + LABEL_LENGTH_MAX)
      else if (lexicon.isWordHash(hash)) reach(start, behind)
    }
  }
  return IN_NAMES[from] as number
}

function reach(start: number, letters: number): void {
  if (letters > (IN_NAMES[start] as number)) IN_NAMES[start] = letters
}
