import {
  fillFlagTable,
  fillStringSet,
  flagTableOver,
  HASH_START,
  type HashTable,
  hashStep,
  hashText,
  stringSetOver,
} from './string-set.ts'
import { type Table, type Tables, tableOf } from './tables.ts'

/** The words of a language, for telling names people make up from names programs make up. */
export interface Lexicon {
  /** How much of a label dictionary words can cover, and in how many pieces. */
  cover(label: string): Coverage
  /** Whether this is a word people use. */
  isWord(text: string): boolean
  /** Whether this is one of the few thousand words everybody uses. */
  isCommonWord(text: string): boolean
}

export interface Coverage {
  /** Characters inside words of three letters or more. */
  readonly covered: number
  readonly words: number
  /** Length of the longest word found. */
  readonly longest: number
  /** Words that hold sentences together, such as “the” and “from”, and between the words covered such as “of” and “is”. */
  readonly glue: number
}

export interface WordFrequency {
  readonly word: string
  readonly count: number
}

const WORD_LENGTH_MAX = 16
const COVERING_LENGTH_MIN = 3
const LABEL_LENGTH_MAX = 63
// Below these counts in 51 million words of subtitles stand typing errors and rare names.
const COUNT_MIN = 12
const SHORT_WORD_COUNT_MIN = 400
const COMMON_COUNT_MIN = 2000

/** `read` is asked for the words where a table of them is still to be filled. */
export function createLexicon(
  read: () => readonly WordFrequency[],
  extra: readonly string[] = [],
  tables: Tables = new Map(),
): Lexicon {
  let chosen: ReturnType<typeof chooseWords> | undefined
  const choice = () => {
    chosen ??= chooseWords(read(), extra)
    return chosen
  }
  const trie = flagTableOver(tableOf(tables, 'beginnings of words', () => fillTrie(choice().words)))
  const wordSet = stringSetOver(tableOf(tables, 'words', () => fillStringSet(choice().words)))
  const commonSet = stringSetOver(tableOf(tables, 'common words', () => fillStringSet(choice().common)))
  return { cover: coverWith(trie), isWord: (text) => wordSet.has(text), isCommonWord: (text) => commonSet.has(text) }
}

function chooseWords(frequencies: readonly WordFrequency[], extra: readonly string[]) {
  const words: string[] = [...extra]
  const common: string[] = []
  for (const { word, count } of frequencies) {
    const text = word.toLowerCase()
    if (text.length < COVERING_LENGTH_MIN || text.length > WORD_LENGTH_MAX || !/^[a-z]+$/.test(text)) continue
    if (count < (text.length === COVERING_LENGTH_MIN ? SHORT_WORD_COUNT_MIN : COUNT_MIN)) continue
    words.push(text)
    if (count >= COMMON_COUNT_MIN) common.push(text)
  }
  return { words, common }
}

const PREFIX = 1
const WORD = 2
const GLUE = 3

const GLUE_WORDS: ReadonlySet<string> = new Set(
  (
    'the and for that this with from his her has have had are was were our their them they which who will shall not but ' +
    'any been these those such what when into upon than then there its him she ' +
    'of to in is it by as he we us be on at or an my so no'
  ).split(' '),
)

/** Every beginning of every word, so that a search stops at the first letter no word goes on with. */
function fillTrie(words: readonly string[]): Table {
  const nodes = new Map<number, number>()
  for (const word of words) {
    let hash = HASH_START
    for (let i = 0; i < word.length; i++) {
      hash = hashStep(hash, word.charCodeAt(i))
      if (!nodes.has(hash)) nodes.set(hash, PREFIX)
    }
    nodes.set(hash, WORD)
  }
  for (const word of GLUE_WORDS) nodes.set(hashText(word), GLUE)
  return fillFlagTable(nodes)
}

function coverWith(trie: HashTable): (label: string) => Coverage {
  const covered = new Uint8Array(LABEL_LENGTH_MAX + 1)
  const pieces = new Uint8Array(LABEL_LENGTH_MAX + 1)
  const longest = new Uint8Array(LABEL_LENGTH_MAX + 1)
  const glue = new Uint8Array(LABEL_LENGTH_MAX + 1)
  // Best cover of each prefix: most characters covered, then fewest words, then most glue.
  return (label) => {
    const length = Math.min(label.length, LABEL_LENGTH_MAX)
    for (let i = 0; i <= length; i++) {
      covered[i] = 0
      pieces[i] = 0
      longest[i] = 0
      glue[i] = 0
    }
    for (let start = 0; start < length; start++) {
      const here = covered[start] as number
      const herePieces = pieces[start] as number
      const hereGlue = glue[start] as number
      if (improves(here, herePieces, hereGlue, start + 1)) carry(start, start + 1, 0, 0)
      let hash = HASH_START
      const end = Math.min(length, start + WORD_LENGTH_MAX)
      for (let i = start; i < end; i++) {
        hash = hashStep(hash, label.charCodeAt(i))
        const node = trie.get(hash)
        if (node === 0) break
        if (node < WORD) continue
        const size = i + 1 - start
        const isGlue = node - WORD
        // Words of two letters are in every name: they cover nothing.
        if (size < COVERING_LENGTH_MIN) {
          if (improves(here, herePieces, hereGlue + isGlue, i + 1)) carry(start, i + 1, 0, isGlue)
        } else if (improves(here + size, herePieces + 1, hereGlue + isGlue, i + 1)) carry(start, i + 1, size, isGlue)
      }
    }
    return {
      covered: covered[length] as number,
      words: pieces[length] as number,
      longest: longest[length] as number,
      glue: glue[length] as number,
    }
  }

  function improves(chars: number, words: number, glueWords: number, at: number): boolean {
    if (chars !== covered[at]) return chars > (covered[at] as number)
    if (words !== pieces[at]) return words < (pieces[at] as number)
    return glueWords > (glue[at] as number)
  }

  function carry(from: number, to: number, size: number, glueWords: number): void {
    covered[to] = (covered[from] as number) + size
    pieces[to] = (pieces[from] as number) + (size > 0 ? 1 : 0)
    longest[to] = Math.max(longest[from] as number, size)
    glue[to] = (glue[from] as number) + glueWords
  }
}
