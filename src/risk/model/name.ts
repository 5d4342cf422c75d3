import type { Lexicon } from './words.ts'

/** Measures of a label as a string: shape, not meaning. */
export interface NameShape {
  readonly length: number
  readonly digits: number
  readonly hyphens: number
  readonly vowels: number
  readonly consonantRun: number
  readonly turns: number
  readonly distinct: number
  readonly covered: number
  readonly words: number
  readonly longestWord: number
  /** Small words that connect sentences. */
  readonly glueWords: number
}

const SEEN = new Uint8Array(128)

export function shapeOf(label: string, lexicon: Lexicon): NameShape {
  let digits = 0
  let hyphens = 0
  let vowels = 0
  let run = 0
  let consonantRun = 0
  let turns = 0
  let distinct = 0
  let before = 0
  SEEN.fill(0)
  for (let i = 0; i < label.length; i++) {
    const unit = label.charCodeAt(i)
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
    if (unit < 128 && SEEN[unit] === 0) {
      SEEN[unit] = 1
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
    glueWords: cover.glue,
  }
}
