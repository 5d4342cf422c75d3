import { CHARACTERS, readText } from '../../lib/text-index.ts'
import type { Lexicon } from './words.ts'

/** Measures of a label as a string: shape, not meaning. */
export type NameShape = Readonly<ReturnType<typeof shapeOf>>

// The number of the last label that had each character.
const SEEN = new Uint32Array(128)
let labels = 0

/** True for a label in punycode: `xn--bcher-kva`. */
export function isEncoded(label: string, { hyphens }: NameShape): boolean {
  return hyphens > 1 && label.includes('xn--')
}

export function shapeOf(label: string, lexicon: Lexicon) {
  let digits = 0
  let hyphens = 0
  let vowels = 0
  let run = 0
  let consonantRun = 0
  let turns = 0
  let distinct = 0
  let before = 0
  labels = (labels + 1) >>> 0
  readText(label)
  for (let i = 0; i < label.length; i++) {
    const unit = CHARACTERS[i] as number
    let sort = 1
    if (unit >= 48 && unit <= 57) {
      digits++
      run = 0
      sort = 2
    } else if (unit === 45) {
      hyphens++
      run = 0
      sort = 0
    } else if (unit === 97 || unit === 101 || unit === 105 || unit === 111 || unit === 117 || unit === 121) {
      vowels++
      run = 0
    } else {
      run++
      if (run > consonantRun) consonantRun = run
    }
    if (before !== 0 && sort !== 0 && before !== sort) turns++
    before = sort
    if (unit < 128 && SEEN[unit] !== labels) {
      SEEN[unit] = labels
      distinct++
    }
  }
  const cover = lexicon.cover(label)
  return {
    length: label.length,
    digits,
    hyphens,
    vowels,
    consonantRun,
    turns,
    distinct,
    covered: cover.covered,
    words: cover.words,
    longestWord: cover.longest,
    /** Small words that connect sentences. */
    glueWords: cover.glue,
  }
}
