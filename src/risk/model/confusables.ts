import { pairLook } from '../../lib/look.ts'

/** Characters that look alike: Unicode's confusables for other scripts, and ASCII look-alikes. */

const MARKS = /\p{M}/gu

/** Writes a label of any script as the eye of an ASCII reader sees it. */
export function createToAscii(table: Readonly<Record<string, string>>): (label: string) => string {
  const map = new Map<string, string>()
  for (const [from, to] of Object.entries(table)) {
    if (from.length <= 2 && /^[\x20-\x7e]+$/.test(to) && !/^[\x20-\x7e]$/.test(from)) map.set(from, to.toLowerCase())
  }
  return (label) => {
    let text = ''
    // Accents first: é is an e with a mark, whatever the table says about its look.
    for (const character of label.normalize('NFKD').replace(MARKS, '')) {
      text += character <= '\x7f' ? character : (map.get(character) ?? EXTRA.get(character) ?? character)
    }
    return text.toLowerCase()
  }
}

// Letters that readers mistake for ASCII although Unicode does not call them confusable.
const EXTRA = new Map(
  'ıi łl øo đd ħh ŧt ßss æae œoe ðd þp ŋn ƙk ɓb ɗd ɡg ɩi ʟl ɴn ʀr ʏy ᴀa кk мm нh тt вb пn иu гr яr цu ωw νv τt κk ηn μu εe χx ցg ոn սu րr հh'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
)

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
    // Letter by letter while they are the same: `vvv` in place of `vw` is `vv` in place of `w`.
    if (label.charCodeAt(i) === brand.charCodeAt(j)) {
      i++
      j++
      continue
    }
    const seenWidth = pairLook(label, i) === 0 ? 1 : 2
    const meantWidth = pairLook(brand, j) === 0 ? 1 : 2
    const a = label.slice(i, i + seenWidth)
    const b = brand.slice(j, j + meantWidth)
    if (!differences.some(({ seen }) => seen === a)) differences.push({ seen: a, meant: b })
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
