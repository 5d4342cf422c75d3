import { commonWords, randomFrom, shuffled } from './fit-data.ts'

/**
 * Names in the styles of many generators, to check the model of generated names (dga.ts). Nothing is fitted or chosen by a
 * single style: fit-generated.ts has its own kinds, and malware's lists are a third set (DIR/labelled/dga.csv).
 * The borders of dga.ts were chosen with the total over all styles in view: it is no unseen set.
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const CONSONANTS = 'bcdfghjklmnpqrstvwxz'
const NAMES_OF_A_STYLE = 60

type Make = () => string

/** Styles by name: the labels, and the endings such programs use. `words` are the words of a dictionary. */
function stylesFrom(words: readonly string[], random: () => number): Readonly<Record<string, [string, Make]>> {
  const pick = (from: string | readonly string[]) => from[Math.floor(random() * from.length)] as string
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
  const string = (alphabet: string, low: number, high = low) =>
    Array.from({ length: between(low, high) }, () => pick(alphabet)).join('')
  const word = (low: number, high: number) => {
    for (;;) {
      const found = pick(words)
      if (found.length >= low && found.length <= high) return found
    }
  }
  const repeat = (times: number, make: Make) => Array.from({ length: times }, make).join('')
  const subset = (size: number) =>
    shuffled([...LETTERS], random)
      .slice(0, size)
      .join('')
  const few = subset(11)
  const stem = word(7, 9) + word(7, 9)
  return {
    '6 letters': ['com', () => string(LETTERS, 6)],
    '7 letters': ['info', () => string(LETTERS, 7)],
    '7 to 9 letters': ['net com biz', () => string(LETTERS, 7, 9)],
    '5 to 12 letters': ['ru net in com xyz info', () => string(LETTERS, 5, 12)],
    '5 to 17 letters': ['ru pl eu it work click pw', () => string(LETTERS, 5, 17)],
    '7 to 21 letters': ['tj in tw ms cm jp la mu', () => string(LETTERS, 7, 21)],
    '8 to 19 letters': ['com', () => string(LETTERS, 8, 19)],
    '8 to 25 letters': ['com net org info biz', () => string(LETTERS, 8, 25)],
    '14 letters': ['in me cc su tw net com pw org', () => string(LETTERS, 14)],
    '16 letters': ['eu', () => string(LETTERS.slice(0, 25), 16)],
    '16 or 24 of 11 letters': ['com co.uk online eu', () => string(few, pick(['16', '24']) === '16' ? 16 : 24)],
    'half of the alphabet': ['com biz us net org', () => string('aehmnpqrsw', 8, 12)],
    '12 letters and digits': ['com net org top', () => string(LETTERS + DIGITS, 12)],
    '16 letters and digits': ['com org net biz info cn ru', () => string(LETTERS + DIGITS, 16)],
    '12 to 23 letters and digits': ['ddns.net com', () => string(LETTERS + DIGITS, 12, 23)],
    'letters and two digits': ['com', () => string(LETTERS, 12, 18) + string(DIGITS, 2)],
    'letter and 33 of base 36': ['cc ws to in hk cn tk so', () => string(LETTERS, 1) + string(LETTERS + DIGITS, 33)],
    '32 hex': ['info org', () => string(`${DIGITS}abcdef`, 32)],
    '16 hex': ['net', () => string(`${DIGITS}abcdef`, 16)],
    '12 hex': ['com ru xyz', () => string(`${DIGITS}abcdef`, 12)],
    'base 64 of a number': [
      'com net org info',
      () => Buffer.from(string(DIGITS, 9)).toString('base64').toLowerCase().replace(/=/g, 'a'),
    ],
    'consonant and vowel': [
      'com eu info',
      () => string(CONSONANTS, 1) + repeat(between(2, 4), () => pick('aeiouy') + pick(CONSONANTS)),
    ],
    'vowel pairs': [
      'com biz net org',
      () => repeat(between(3, 5), () => pick(CONSONANTS) + pick('aeiou') + (random() < 0.3 ? pick('aeiou') : '')),
    ],
    'half pronounceable': ['com top', () => repeat(between(3, 5), () => pick('aeiouy') + string(CONSONANTS, 1, 2))],
    'three-letter syllables': [
      'com ru',
      () => repeat(between(2, 4), () => pick(CONSONANTS) + pick('aeiou') + pick(CONSONANTS)),
    ],
    'permuted pairs': [
      'net org',
      () => repeat(5, () => pick(['ab', 'fe', 'am', 'ah', 'eg', 'ek', 'yw', 'ev', 'iq', 'uc', 'om', 'it'])),
    ],
    'twice the same': [
      'biz',
      () => {
        const part = string(LETTERS, 3, 4)
        return part + part + pick(LETTERS)
      },
    ],
    'four letters before two words': ['com', () => string(LETTERS, 4) + stem.slice(4)],
    'two words': ['net ru', () => word(4, 9) + word(4, 9)],
    'two words and a hyphen': ['com net top', () => `${word(5, 10)}-${word(4, 8)}`],
    'three words': ['com', () => repeat(3, () => word(4, 8))],
    'four words': ['com net', () => repeat(4, () => word(3, 8))],
    'parts of words': ['com ru', () => repeat(4, () => word(5, 9).slice(0, between(3, 4)))],
    'letters of a word exchanged': ['info net', () => shuffled([...word(9, 13)], random).join('')],
    'word and number': ['space top', () => word(3, 6) + string(DIGITS, 4, 5)],
  }
}

/** Domains in each style, the same in every run. */
export function generatedStyles(): { readonly style: string; readonly domains: readonly string[] }[] {
  return Object.entries(stylesFrom(commonWords(), randomFrom(33))).map(([style, [endings, make]]) => {
    const suffixes = endings.split(' ')
    return {
      style,
      domains: Array.from({ length: NAMES_OF_A_STYLE }, (_, i) => `${make()}.${suffixes[i % suffixes.length]}`),
    }
  })
}
