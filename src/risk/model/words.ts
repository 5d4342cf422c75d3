import {
  type Beginnings,
  beginningAt,
  beginningsOver,
  CHARACTERS,
  fillBeginnings,
  HASH_START,
  HashTable,
  hashStep,
  lettersOn,
  NO_LETTERS,
  readText,
} from '../../lib/text-index.ts'
import { type Tables, tableOf } from './tables.ts'
import { wordSet } from './word-lists.ts'

/** The words of a language, to distinguish names chosen by people from generated names. */
export type Lexicon = Readonly<ReturnType<typeof createLexicon>>
/** How much of a label dictionary words can cover, and in how many pieces. */
export type Coverage = Readonly<ReturnType<typeof coverOf>>

export interface WordFrequency {
  readonly word: string
  readonly count: number
}

const WORD_LENGTH_MAX = 16
const COVERING_LENGTH_MIN = 3
const LABEL_LENGTH_MAX = 63
// Words below these counts in 51 million words of subtitles are typing errors and rare names.
const COUNT_MIN = 12
const SHORT_WORD_COUNT_MIN = 400
const COMMON_COUNT_MIN = 100

/** `read` is called only if a table is not filled yet. */
export function createLexicon(
  read: () => readonly WordFrequency[],
  extra: readonly string[] = [],
  tables: Tables = new Map(),
) {
  let chosen: readonly string[] | undefined
  const choice = () => {
    chosen ??= chooseWords(read(), COUNT_MIN, extra)
    return chosen
  }
  const trie = beginningsOver(tableOf(tables, 'beginnings of words', () => fillBeginnings(valued(choice()), PREFIX)))
  const wordSet = new HashTable(tableOf(tables, 'words', () => HashTable.fillTexts(choice())))
  const fillCommon = () => HashTable.fillTexts(chooseWords(read(), COMMON_COUNT_MIN, extra))
  const commonSet = new HashTable(tableOf(tables, 'common words', fillCommon))
  return {
    cover: (label: string) => coverOf(label, trie),
    isWord: (text: string) => wordSet.has(text),
    isWordHash: (hash: number) => wordSet.hasHash(hash),
    /** A word that everybody uses, rather than a rare one. */
    isCommon: (text: string) => commonSet.has(text),
  }
}

function chooseWords(frequencies: readonly WordFrequency[], countMin: number, extra: readonly string[]) {
  const words: string[] = [...extra]
  for (const { word, count } of frequencies) {
    const text = word.toLowerCase()
    if (text.length < COVERING_LENGTH_MIN || text.length > WORD_LENGTH_MAX || !/^[a-z]+$/.test(text)) continue
    if (count < (text.length === COVERING_LENGTH_MIN ? SHORT_WORD_COUNT_MIN : countMin)) continue
    words.push(text)
  }
  return words
}

const PREFIX = 1
const WORD = 2
const GLUE = 3

const GLUE_WORDS = wordSet('glue words')

function valued(words: readonly string[]): (readonly [string, number])[] {
  return [...words.map((word) => [word, WORD] as const), ...Array.from(GLUE_WORDS, (word) => [word, GLUE] as const)]
}

// Covers of a prefix are compared as one number: most characters covered, then fewest words, then most glue.
const CHARACTER = 1 << 16
const PIECE = 1 << 8
const GLUED = 1
const NO_COVER = LABEL_LENGTH_MAX * PIECE

// For each prefix of the current label the best cover and its longest word: written and read immediately.
const BEST = new Int32Array(LABEL_LENGTH_MAX + 1)
const LONGEST = new Uint8Array(LABEL_LENGTH_MAX + 1)

function coverOf(label: string, { near, all }: Beginnings) {
  const length = Math.min(label.length, LABEL_LENGTH_MAX)
  readText(label)
  for (let i = 0; i <= length; i++) {
    BEST[i] = NO_COVER
    LONGEST[i] = 0
  }
  for (let start = 0; start < length; start++) {
    const here = BEST[start] as number
    const longestHere = LONGEST[start] as number
    if (here > (BEST[start + 1] as number)) {
      BEST[start + 1] = here
      LONGEST[start + 1] = longestHere
    }
    let hash = HASH_START
    let letters = NO_LETTERS
    const end = Math.min(length, start + WORD_LENGTH_MAX)
    for (let i = start; i < end; i++) {
      const unit = CHARACTERS[i] as number
      hash = hashStep(hash, unit)
      letters = lettersOn(letters, unit)
      const node = beginningAt(near, all, hash, letters)
      if (node === 0) break
      if (node < WORD) continue
      const size = i + 1 - start
      const glue = node === GLUE ? GLUED : 0
      // Words of two letters are in every name: they cover nothing.
      const cover = here + glue + (size < COVERING_LENGTH_MIN ? 0 : size * CHARACTER - PIECE)
      if (cover <= (BEST[i + 1] as number)) continue
      BEST[i + 1] = cover
      LONGEST[i + 1] = size < COVERING_LENGTH_MIN ? longestHere : Math.max(longestHere, size)
    }
  }
  const found = BEST[length] as number
  return {
    /** Characters inside words of three letters or more. */
    covered: found >> 16,
    words: LABEL_LENGTH_MAX - ((found >> 8) & 0xff),
    longest: LONGEST[length] as number,
    /** Words that connect sentences, such as “the” and “from”, and between covered words such as “of” and “is”. */
    glue: found & 0xff,
  }
}
