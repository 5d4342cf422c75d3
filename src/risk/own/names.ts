import { writtenOut } from '../model/confusables.ts'

/** Names of firms, as an address may carry them. */

// Legal forms and words that every second firm has in its name.
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    'ab ag and as asa aps bv bvba co company corp corporation cv de doo dba eg ek eood et ev fze gbr gesmbh gmbh group holding ' +
    'holdings inc incorporated international kg kgaa kk limited llc llp lp ltd mbh nv of og ohg oy oyj plc pte pty pvt sa sarl ' +
    'sas se sl slu snc spa spol spzoo srl sro the u ug und y zoo'
  ).split(' '),
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

/** `müller`, `mueller` and `muller` for each of the three. The marks of a letter go when words are made of it. */
export function spellingsOf(name: string): readonly string[] {
  const small = name.toLowerCase()
  return [...new Set([small, writtenOut(small), small.replaceAll(/([aou])e/g, '$1')])]
}

/** `acmeindustries` of `ACME Industries GmbH & Co. KG`; undefined for a name too short or too long to recognise. */
export function nameKeyOf(name: string): string | undefined {
  // Most names are ASCII, and a register has a hundred thousand of them.
  const plain = NOT_ASCII.test(name) ? name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss') : name
  const small = plain.toLowerCase()
  // `S.p.A.` and `A/S` are words.
  const joined = /[./]/.test(small) ? small.replace(/\.|(?<=\ba)\/(?=s\b)/g, '') : small
  let key = ''
  // Splitting by a pattern takes several times as long.
  for (let from = 0, at = 0; at <= joined.length; at++) {
    if (isWordUnit(joined.charCodeAt(at))) continue
    const word = joined.slice(from, at)
    if (!LEGAL_FORMS.has(word)) key += word
    from = at + 1
  }
  return key.length < KEY_LENGTH.min || key.length > KEY_LENGTH.max ? undefined : key
}

/** False for NaN, which is behind the end. */
const isWordUnit = (unit: number) => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
