import { wordList } from './word-lists.ts'

/**
 * Distinguishes local parts that people chose from random or generated ones. Every letter counts by how often it
 * follows the two before it in names, against one chance in 26. A name may begin again at every letter, at a price:
 * `jirinovak`, `jpmorris`. Digits count by how often they interrupt the letters: people often add a year at the end.
 */
export type MadeUp = Readonly<ReturnType<typeof madeUp>>

const BOUNDARY = 26
const SIDE = 27

const CHANCE = -Math.log(26)
// A name begins again at one letter in five: initials, first name and surname joined.
const ANEW = -1.6
const GOES_ON = -0.13

// The weights of two previous letters, one previous letter and none for predicting the next.
const TRUST = { two: 0.45, one: 0.4, none: 0.15 }
// After two letters seen this often together, half of that weight goes to them and half to the one letter.
const SEEN_ENOUGH = 5

const LOG_LIKELIHOODS = trigrams(wordList('names'))

/** The logarithm of the probability of a letter after two others in names, boundaries included. */
function trigrams(names: readonly string[]): Float32Array {
  const three = new Float64Array(SIDE ** 3)
  const two = new Float64Array(SIDE ** 2)
  const one = new Float64Array(SIDE)
  let all = 0
  const count = (counts: Float64Array, at: number) => {
    counts[at] = (counts[at] as number) + 1
  }
  for (const name of new Set(names)) {
    let first = BOUNDARY
    let second = BOUNDARY
    for (let i = 0; i <= name.length; i++) {
      const third = i === name.length ? BOUNDARY : name.charCodeAt(i) - 97
      count(three, (first * SIDE + second) * SIDE + third)
      count(two, second * SIDE + third)
      count(one, third)
      all++
      first = second
      second = third
    }
  }
  const sum = (counts: Float64Array, from: number) => counts.subarray(from, from + SIDE).reduce((a, b) => a + b, 0)
  const table = new Float32Array(SIDE ** 3)
  for (let second = 0; second < SIDE; second++) {
    const afterOne = sum(two, second * SIDE)
    for (let first = 0; first < SIDE; first++) {
      const at = (first * SIDE + second) * SIDE
      const afterTwo = sum(three, at)
      const trust = (TRUST.two * afterTwo) / (afterTwo + SEEN_ENOUGH)
      for (let third = 0; third < SIDE; third++) {
        const alone = ((one[third] as number) + 1) / (all + SIDE)
        const byOne = ((two[second * SIDE + third] as number) + alone) / (afterOne + 1)
        const byTwo = afterTwo === 0 ? 0 : (three[at + third] as number) / afterTwo
        table[at + third] = Math.log(trust * byTwo + (TRUST.two + TRUST.one - trust) * byOne + TRUST.none * alone)
      }
    }
  }
  return table
}

function likelihood(first: number, second: number, third: number): number {
  return LOG_LIKELIHOODS[(first * SIDE + second) * SIDE + third] as number
}

/** How well names explain a run of letters: the best way to split it into names, beginnings and initials. */
function bestAccount(text: string, from: number, to: number): number {
  // The best score up to here, by context: after a boundary, after a boundary and one letter, after two letters.
  let atBoundary = 0
  let afterFirst = Number.NEGATIVE_INFINITY
  let within = Number.NEGATIVE_INFINITY
  let previous = BOUNDARY
  let beforePrevious = BOUNDARY
  for (let i = from; i < to; i++) {
    const letter = text.charCodeAt(i) - 97
    const begun = atBoundary + likelihood(BOUNDARY, BOUNDARY, letter)
    const continued = Math.max(
      afterFirst + likelihood(BOUNDARY, previous, letter),
      within + likelihood(beforePrevious, previous, letter),
    )
    afterFirst = begun
    within = continued + GOES_ON
    beforePrevious = previous
    previous = letter
    atBoundary = Math.max(afterFirst, within) + ANEW
  }
  return Math.max(afterFirst, within)
}

// Log-odds by the number of changes between letters and digits, from none.
const TURNS_SAY = [0, -0.8, 1.2, 3.4, 4.6, 5.6, 6.6]

const LETTER_F = 102
const HEXADECIMAL_TURNS_MIN = 2
const HEXADECIMAL_SAYS = 2

/** `logOdds` that nobody chose it; above 0, chance explains it better. `consonants`: the longest run, y is a vowel. */
export function madeUp(local: string) {
  let account = 0
  let letters = 0
  let beyondF = 0
  let turns = 0
  let run = 0
  let consonants = 0
  let runStart = -1
  let before = 0
  const length = local.length
  for (let i = 0; i <= length; i++) {
    const unit = i === length ? 0 : local.charCodeAt(i)
    const isLetter = unit >= 97 && unit <= 122
    const sort = isLetter ? 1 : unit >= 48 && unit <= 57 ? 2 : 0
    if (isLetter) {
      letters++
      if (unit > LETTER_F) beyondF++
      if (runStart < 0) runStart = i
      run = isVowel(unit) ? 0 : run + 1
      if (run > consonants) consonants = run
    } else {
      if (runStart >= 0) account += weigh(local, runStart, i)
      runStart = -1
      run = 0
    }
    if (sort !== 0 && before !== 0 && sort !== before) turns++
    before = sort
  }
  // No name consists of the letters a to f alone: digits among them make a hexadecimal number.
  const hexadecimal = turns >= HEXADECIMAL_TURNS_MIN && beyondF === 0 ? HEXADECIMAL_SAYS : 0
  const logOdds = account + (TURNS_SAY[Math.min(turns, TURNS_SAY.length - 1)] as number) + hexadecimal
  return { logOdds, turns, consonants, letters }
}

// One or two letters between digits or dots are initials, or chance: they say nothing.
const WEIGHED_LENGTH_MIN = 3

function weigh(local: string, from: number, to: number): number {
  return to - from < WEIGHED_LENGTH_MIN ? 0 : (to - from) * CHANCE - bestAccount(local, from, to)
}

function isVowel(unit: number): boolean {
  return unit === 97 || unit === 101 || unit === 105 || unit === 111 || unit === 117 || unit === 121
}

// Digits that replace letters when people write b4dger for badger, and decorations that players put around their names.
const LOOKS_LIKE: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' }

/** A local part without such decorations: `xxshadowxx`, `d4rkl0rd`. Returns the same text if there are none. */
export function withoutPlay(local: string): string {
  const bare = /^x+[^x].*[^x]x+$/.test(local) ? local.replace(/^x+|x+$/g, '') : local
  const read = bare.replace(/[013457](?=[a-z])|(?<=[a-z])[013457](?!\d)/g, (digit) => LOOKS_LIKE[digit] ?? digit)
  return /[a-z]\d+[a-z]/.test(read) ? bare : read
}
