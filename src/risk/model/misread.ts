import { lureOf } from './brand.ts'
import { isOrdinary } from './brand-honest.ts'
import type { Lexicon } from './words.ts'

// Characters that are read as others, in names that imitate no name we know.

/** A name as the eye reads it, and the characters that deceive the eye. */
export interface Misreading {
  readonly text: string
  readonly by: string
}

/** Undefined if the eye reads the characters that are there. */
export function misreadingOf(label: string, hasDigits: boolean, lexicon: Lexicon): Misreading | undefined {
  const withLetters = hasDigits ? readingOfDigits(label, lexicon) : undefined
  if (withLetters !== undefined) return { text: withLetters, by: 'digits in place of letters' }
  if (!label.includes('-')) return undefined
  const [, name, suffix] = DOTLESS.exec(label) ?? []
  if (suffix !== undefined) return { text: `${name}.${suffix.replace('-', '.')}`, by: 'hyphens in place of dots' }
  const withI = label.includes('l') ? readingOfL(label, lexicon) : undefined
  return withI === undefined ? undefined : { text: withI, by: 'an “l” in place of an “i”' }
}

/** `hendersonplumbing-co-uk`, `ted-europa-eu`: the address of a site under an ending of two parts. */
const DOTLESS = /^(.{3,})-((?:co|com|gov|ac|gob|gouv)-[a-z]{2}|europa-eu)$/

const WITH_L_LENGTH_MIN = 6
/** A rare word this long is not met by chance. */
const WITH_RARE_LENGTH_MIN = 8

/** `robotlcs` of `kuka-robotlcs`: one of several words is none, but for an l that is read as an i. */
function readingOfL(label: string, lexicon: Lexicon): string | undefined {
  for (const part of label.split('-')) {
    if (part.length < WITH_L_LENGTH_MIN || lexicon.isWord(part) || lureOf(part) !== undefined) continue
    for (let at = part.indexOf('l'); at >= 0; at = part.indexOf('l', at + 1)) {
      const text = `${part.slice(0, at)}i${part.slice(at + 1)}`
      const isMeant = part.length < WITH_RARE_LENGTH_MIN ? lexicon.isCommon(text) : lexicon.isWord(text)
      if (!isMeant && lureOf(text) === undefined) continue
      if (lexicon.cover(part).covered < part.length) return text
    }
  }
  return undefined
}

const WITH_DIGITS = /^[a-z]{2,}(?:0{1,2}|1{1,2})[a-z]+$|^[a-z]{4,}11$/
const WITH_DIGITS_LENGTH_MIN = 7
/** `karlst0rz`, `sanpel1egrino`: a vowel where a 0 is, or a doubled l, as in any name. */
const SPEAKABLE = /^[a-z]*[^aeiouy0-9]0[^aeiouy0-9][a-z]+$|^[a-z]{3,}l1[aeiou][a-z]*$/
const CONSONANTS = /[^aeiouy]{5}/
/** Most names with digits are not cut into parts. */
const MAY_READ = /[a-z]{2}(?:0{1,2}[a-z]|1{1,2}(?:[a-z]|-|$))/

/** A name with digits as the eye reads it, 0 as o and 1 as l or i: `swissl0g`, `interro11`. */
function readingOfDigits(label: string, lexicon: Lexicon): string | undefined {
  if (!MAY_READ.test(label)) return undefined
  for (const part of label.split('-')) {
    if (part.length < WITH_DIGITS_LENGTH_MIN || !WITH_DIGITS.test(part)) continue
    const letters = part.replaceAll('0', 'o')
    const reading = [letters.replaceAll('1', 'l'), letters.replaceAll('1', 'i')].find((text) =>
      isOrdinary(text, lexicon),
    )
    if (reading !== undefined) return reading
    const name = letters.replaceAll('1', 'l')
    if (SPEAKABLE.test(part) && !CONSONANTS.test(name)) return name
  }
  return undefined
}
