import { HASH_START, hashStep } from '../../lib/text-index.ts'

/** Characters that look alike: Unicode's confusables for other scripts, and ASCII look-alikes. */
export interface Confusables {
  /** A label in any script, as the eye of an ASCII reader sees it. */
  toAscii(label: string): string
}

const MARKS = /\p{M}/gu

export function createConfusables(table: Readonly<Record<string, string>>): Confusables {
  const map = new Map<string, string>()
  for (const [from, to] of Object.entries(table)) {
    if (from.length <= 2 && /^[\x20-\x7e]+$/.test(to) && !/^[\x20-\x7e]$/.test(from)) map.set(from, to.toLowerCase())
  }
  return {
    toAscii(label) {
      let text = ''
      // Accents first: é is an e with a mark, whatever the table says about its look.
      for (const character of label.normalize('NFKD').replace(MARKS, '')) {
        text += character <= '\x7f' ? character : (map.get(character) ?? EXTRA.get(character) ?? character)
      }
      return text.toLowerCase()
    },
  }
}

// Letters that readers mistake for ASCII although Unicode does not call them confusable.
const EXTRA = new Map(
  'ıi łl øo đd ħh ŧt ßss æae œoe ðd þp ŋn ƙk ɓb ɗd ɡg ɩi ʟl ɴn ʀr ʏy ᴀa кk мm нh тt вb пn иu гr яr цu ωw νv τt κk ηn μu εe χx ցg ոn սu րr հh'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
)

/** ASCII characters, each in front of the one it looks like. */
const ASCII_LOOKS = '0o 1l il 3e 4a 5s 6b 8b 7t 9g'
const LOOKS = new Uint8Array(128)
for (let unit = 0; unit < 128; unit++) LOOKS[unit] = unit
for (const pair of ASCII_LOOKS.split(' ')) LOOKS[pair.charCodeAt(0)] = pair.charCodeAt(1)

// The look of an ASCII label at a glance: `rn` as `m`, `vv` as `w`, `cl` as `d`, `0` as `o`. Two labels with the same
// skeleton are easily confused; the skeleton itself is not a name.
export function asciiSkeleton(label: string): string {
  let out = ''
  for (let i = 0; i < label.length; i++) {
    const pair = pairLook(label, i)
    out += String.fromCharCode(pair || lookOf(label.charCodeAt(i)))
    if (pair !== 0) i++
  }
  return out
}

/** The skeleton of an ASCII label: character by character without its hyphens, and its hash. */
export class Skeleton {
  readonly looks: Uint8Array
  /** The begin and end of each character in the label. */
  readonly begins: Uint8Array
  readonly ends: Uint8Array
  count = 0
  hash = HASH_START

  constructor(lengthMax: number) {
    this.looks = new Uint8Array(lengthMax)
    this.begins = new Uint8Array(lengthMax)
    this.ends = new Uint8Array(lengthMax)
  }

  of(label: string): void {
    let count = 0
    let hash = HASH_START
    for (let i = 0; i < label.length; i++) {
      const unit = label.charCodeAt(i)
      const pair = pairLook(label, i)
      const look = pair || lookOf(unit)
      hash = hashStep(hash, look)
      if (unit === HYPHEN) continue
      this.looks[count] = look
      this.begins[count] = i
      if (pair !== 0) i++
      this.ends[count] = i + 1
      count++
    }
    this.count = count
    this.hash = hash
  }
}

const HYPHEN = 0x2d

/** One character, or two, in place of another. */
export interface Difference {
  readonly seen: string
  readonly meant: string
}

/** The differences of two ASCII texts with the same skeleton: `rn` in place of `m`. */
export function differencesOf(label: string, brand: string): Difference[] {
  const differences: Difference[] = []
  let i = 0
  let j = 0
  while (i < label.length && j < brand.length) {
    const seenWidth = pairLook(label, i) === 0 ? 1 : 2
    const meantWidth = pairLook(brand, j) === 0 ? 1 : 2
    const a = label.slice(i, i + seenWidth)
    const b = brand.slice(j, j + meantWidth)
    if (a !== b && !differences.some(({ seen }) => seen === a)) differences.push({ seen: a, meant: b })
    i += seenWidth
    j += meantWidth
  }
  return differences
}

// The letters that Latin alphabets of Europe, Turkey and Vietnam add to ASCII. Other letters are there to deceive.
const ACCENTED = /^[a-z0-9àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßāăąćčďđēėęěğģīįıķĺļľłńņňőœŕřśşšţťūůűųźżžșțơư-]+$/u

/** True if a label is spelt with the letters of an ordinary Latin alphabet. */
export function isAccented(label: string): boolean {
  return ACCENTED.test(label.normalize('NFC'))
}

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', å: 'aa', ø: 'oe', æ: 'ae' }

/** The ASCII spelling of the label in its own language: `muenchen` for `münchen`. */
export function writtenOut(label: string): string {
  return label.normalize('NFC').replace(/[äöüßåøæ]/gu, (letter) => WRITTEN_OUT[letter] ?? letter)
}

/** The hash of a label's skeleton, without building it. */
export function skeletonHash(label: string): number {
  let hash = HASH_START
  for (let i = 0; i < label.length; i++) {
    const pair = pairLook(label, i)
    hash = hashStep(hash, pair || lookOf(label.charCodeAt(i)))
    if (pair !== 0) i++
  }
  return hash
}

function lookOf(unit: number): number {
  return unit < 128 ? (LOOKS[unit] as number) : unit
}

/** The character that the two at `at` look like, or 0: rn as m, vv as w, cl as d. */
function pairLook(label: string, at: number): number {
  const unit = label.charCodeAt(at)
  if (unit !== 0x72 && unit !== 0x76 && unit !== 0x63) return 0
  const next = label.charCodeAt(at + 1)
  if (unit === 0x72) return next === 0x6e ? 0x6d : 0
  if (unit === 0x76) return next === 0x76 ? 0x77 : 0
  // A capital i looks like an l: `ci` is read as `cl`, and both as `d`.
  return next === 0x6c || next === 0x31 || next === 0x69 ? 0x64 : 0
}

const SCRIPTS = 'Latin Cyrillic Greek Armenian Cherokee Hebrew Arabic Thai Georgian Lisu'
  .split(' ')
  .map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }))

/** The letters of the rarer alphabet in a word of two: `Cyrillic “а” among Latin letters`. */
export function lettersApart(word: string): string | undefined {
  const scripts = scriptsOf(word).map((name) => ({ name, letters: lettersOf(word, name) }))
  if (scripts.length < 2) return undefined
  const [most, ...others] = scripts.sort((a, b) => b.letters.length - a.letters.length)
  const apart = others.map(({ name, letters }) => {
    const distinct = [...new Set(letters)].map((letter) => `“${letter}”`)
    return `${name} ${distinct.join(', ')}`
  })
  return `${apart.join(' and ')} among ${most?.name} letters`
}

function lettersOf(word: string, script: string): string[] {
  const pattern = SCRIPTS.find(({ name }) => name === script)?.pattern
  return [...word].filter((letter) => pattern?.test(letter))
}

/** The alphabets a label is written in. Han, Kana and Hangul mix with Latin in ordinary names and do not count. */
export function scriptsOf(label: string): string[] {
  return SCRIPTS.filter(({ pattern }) => pattern.test(label)).map(({ name }) => name)
}
