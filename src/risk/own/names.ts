import { HASH_START, HashTable, hashStep } from '../../lib/text-index.ts'
import { writtenOut } from '../model/confusables.ts'
import { loadToAscii } from '../model/load.ts'

/** Names of firms, as an address may carry them. */

// Legal forms and words that every second firm has in its name.
const LEGAL_FORMS = new HashTable(
  HashTable.fillTexts(
    (
      'ab ag and as asa aps bv bvba co company corp corporation cv de doo dba eg ek eood et ev fze gbr gesmbh gmbh group holding ' +
      'holdings inc incorporated international kg kgaa kk limited llc llp lp ltd mbh nv of og ohg oy oyj plc pte pty pvt sa sarl ' +
      'sas se sl slu snc spa spol spzoo srl sro the u ug und y zoo'
    ).split(' '),
  ),
)

const NONE: readonly string[] = []
const NOT_ASCII = /[^\x20-\x7e]/
const KEY_LENGTH = { min: 4, max: 40 }

/** As an address may spell it: `mullerbau` and `muellerbau` of `Müller Bau GmbH`. */
export function nameKeysOf(name: string): readonly string[] {
  const key = nameKeyOf(name)
  if (!NOT_ASCII.test(name)) return key === undefined ? NONE : [key]
  return [...new Set([key, nameKeyOf(writtenOut(name.toLowerCase()))])].filter((one) => one !== undefined)
}

/** Read when the first name with other letters than ASCII is compared. */
let asRead: ReturnType<typeof loadToAscii> | undefined

/**
 * `müller`, `mueller` and `muller` for each of the three, without invisible characters, and a Cyrillic р as the p that a
 * reader sees. The marks of a letter go when words are made of it.
 */
export function spellingsOf(name: string): readonly string[] {
  const small = name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
  if (!NOT_ASCII.test(small)) return [...new Set([small, small.replaceAll(/([aou])e/g, '$1')])]
  asRead ??= loadToAscii()
  return [...new Set([small, writtenOut(small), small.replaceAll(/([aou])e/g, '$1'), asRead(small)])]
}

/** `acmeindustries` of `ACME Industries GmbH & Co. KG`; undefined for a name too short or too long to recognise. */
export function nameKeyOf(name: string): string | undefined {
  const plain = NOT_ASCII.test(name) ? name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss') : name
  const units = Uint16Array.from(plain.toLowerCase(), (character) => character.charCodeAt(0))
  const length = writeNameKey(units, 0, units.length)
  return length === 0 ? undefined : String.fromCharCode(...KEY.subarray(0, length))
}

/** The key written last. */
export const KEY = new Uint8Array(KEY_LENGTH.max)

/** Writes the key of a name without accents to KEY. Returns its length; 0 for a name too short or too long to recognise. */
export function writeNameKey(units: ArrayLike<number>, from: number, to: number): number {
  let length = 0
  let withWord = 0
  let hash = HASH_START
  for (let at = from; at <= to; at++) {
    const unit = at < to ? (LETTERS[units[at] as number] ?? 0) : 0
    if (unit !== 0) {
      hash = hashStep(hash, unit)
      KEY[withWord++] = unit
    } else if (at === to || !isInWord(units, at)) {
      if (LEGAL_FORMS.get(hash) !== 0) withWord = length
      length = withWord
      hash = HASH_START
    }
  }
  return length < KEY_LENGTH.min || length > KEY_LENGTH.max ? 0 : length
}

/** The letter or digit of each ASCII character, in lower case; 0 for others. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const small = String.fromCharCode(unit).toLowerCase()
  return /[a-z0-9]/.test(small) ? small.charCodeAt(0) : 0
})

/** `S.p.A.` and `A/S` are words. */
function isInWord(units: ArrayLike<number>, at: number): boolean {
  if (units[at] !== SLASH) return units[at] === DOT
  const around = [-2, -1, 0, 1, 2].map((step) => units[at + step] ?? 0)
  return /^\Wa\/s\W$/i.test(String.fromCharCode(...around))
}

const DOT = 0x2e
const SLASH = 0x2f
