import {
  CHARACTERS,
  HashFilter,
  HashTable,
  hashBetween,
  hashJoin,
  hashStep,
  PREFIXES,
  readText,
} from '../../lib/text-index.ts'
import type { Brand } from './brand.ts'
import { type Tables, tableOf } from './tables.ts'

const LENGTH_MAX = 40

/** Shorter names are one letter from too many honest ones. */
function isLongEnough({ label, best, household }: Brand): boolean {
  return label.length >= (best ? 4 : household ? 6 : 8) && label.length <= LENGTH_MAX
}

/** For short names and words, only slips of the finger count: other edits give too many independent names. */
function slipsOnly({ label, best, household, everyday }: Brand): boolean {
  if (best) return label.length === 4 || (everyday && label.length < 7)
  return household && (label.length === 6 || everyday)
}

/**
 * Finds the most likely imitated brand one typing error away from a label. Single edits are found by hashing a label
 * with each one of its characters left out: two strings one edit apart share such a remainder. The cost of a look-up
 * does not depend on the number of brands.
 */
export function createBrandTypos(brands: readonly Brand[], tables: Tables) {
  const eligible = brands.filter((brand) => isLongEnough(brand) && (brand.household || !brand.everyday))
  const slips = tableOf(tables, 'slips of brands', () => HashTable.fill(slipsOf(eligible)))
  const table = new HashTable(
    slips,
    tableOf(tables, 'slips there are', () => HashTable.fillFilter(slips)),
  )
  const halves = new HashFilter(tableOf(tables, 'halves of brands', () => HashFilter.fill(halvesOf(eligible))))

  function better(best: Brand | undefined, hash: number, label: string, suffix: string): Brand | undefined {
    let found = best
    for (let slot = table.slotOf(hash); slot >= 0; slot = table.nextSlot(hash, slot)) {
      const brand = eligible[table.valueAt(slot) - 1] as Brand
      if ((!found || rank(brand, suffix) > rank(found, suffix)) && isTypoOf(label, brand)) found = brand
    }
    return found
  }

  return (label: string, suffix: string): Brand | undefined => {
    if (label.length < 4 || label.length > LENGTH_MAX) return undefined
    readText(label)
    const half = halfOf(label.length)
    const mayErrBehind = halves.mayHold(frontHash(label.length))
    const mayErrInFront = halves.mayHold(backHash(label.length))
    if (!mayErrBehind && !mayErrInFront) return undefined
    let best = better(undefined, PREFIXES[label.length] as number, label, suffix)
    const from = mayErrInFront ? 0 : half
    const to = mayErrBehind ? label.length : half + 1
    for (let gap = from; gap < to; gap++) {
      if (gap > from && label.charCodeAt(gap) === label.charCodeAt(gap - 1)) continue
      best = better(best, hashWithout(label.length, gap), label, suffix)
    }
    return best
  }
}

/** The hash of every label, whole and with one character left out, and the number of its brand plus one. */
function slipsOf(eligible: readonly Brand[]): (readonly [number, number])[] {
  return eligible.flatMap(({ label }, i) => {
    const count = remaindersOf(label)
    return Array.from(REMAINDERS.subarray(0, count), (hash) => [hash, i + 1] as const)
  })
}

/** The hashes of the current label: written by remaindersOf, read immediately. */
export const REMAINDERS = new Int32Array(LENGTH_MAX + 1)

/**
 * Writes the hashes of a label, whole and with one of its characters left out: two labels one edit apart share one of
 * them. `from` and `to` say where the edit may be.
 */
export function remaindersOf(label: string, from = 0, to = label.length): number {
  readText(label)
  return remaindersRead(label.length, from, to)
}

/** As remaindersOf, for the text read last or its beginning. */
export function remaindersRead(length: number, from: number, to: number): number {
  if (length > LENGTH_MAX) return 0
  REMAINDERS[0] = PREFIXES[length] as number
  let count = 1
  for (let gap = from; gap < to; gap++) {
    // A doubled letter gives the same remainder twice.
    if (gap > from && CHARACTERS[gap] === CHARACTERS[gap - 1]) continue
    REMAINDERS[count++] = hashWithout(length, gap)
  }
  return count
}

/**
 * A label is cut into stretches, and a label one edit away has all letters around one of them: a look-up for each stretch
 * tells where an edit may be. Two lengths have the same cuts, so that a name is found under fewer hashes.
 */
export const STRETCHES = 4
const evenOf = (length: number) => length & ~1
export const lettersBefore = (length: number, stretch: number) => Math.floor((evenOf(length) * stretch) / STRETCHES)
/** One letter less than there is behind the stretch: it may be exchanged with the last letter of the stretch. */
export const lettersBehind = (length: number, stretch: number) =>
  Math.max(0, evenOf(length) - lettersBefore(length, stretch + 1) - 1)

/** The hash of the letters around a stretch of a label of `length`, in the text read last, which has `own` letters. */
export function hashAround(own: number, length: number, stretch: number): number {
  const before = PREFIXES[lettersBefore(length, stretch)] as number
  return hashStep(hashStep(before, hashBetween(PREFIXES, own - lettersBehind(length, stretch), own)), stretch)
}

// One error leaves one half of a label unchanged: its first or its last letters. Both halves end before the middle, so
// that two letters exchanged there touch only one of them.
function halfOf(length: number): number {
  return (length - 1) >> 1
}

/** The hash of the first half of the text in PREFIXES, as that of a label of `length`. */
function frontHash(length: number): number {
  return (PREFIXES[halfOf(length)] as number) ^ Math.imul(2 * length, 0x9e3779b1)
}

/** The hash of its last half; the text itself is of `own` letters. */
function backHash(length: number, own = length): number {
  return hashBetween(PREFIXES, own - halfOf(length), own) ^ Math.imul(2 * length + 1, 0x9e3779b1)
}

/** The halves of labels one error away from a brand, for each length that such a label may have. */
function halvesOf(eligible: readonly Brand[]): number[] {
  const hashes: number[] = []
  for (const { label } of eligible) {
    readText(label)
    for (let length = label.length - 1; length <= label.length + 1; length++) {
      hashes.push(frontHash(length), backHash(length, label.length))
    }
  }
  return hashes
}

function isTypoOf(label: string, brand: Brand): boolean {
  if (brand.household && isMoved(label, brand.label)) return true
  if (!isOneEditApart(label, brand.label) || isInflection(label, brand.label)) return false
  return !slipsOnly(brand) || isSlip(label, brand.label)
}

function rank(brand: Brand, suffix: string): number {
  const fame = brand.best ? 8 : brand.household ? 4 : 0
  return fame + (brand.suffixes.includes(suffix) ? 2 : 0) + (brand.everyday ? 0 : 1)
}

const KEY_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const NEIGHBOURS = new Set<string>()
KEY_ROWS.forEach((row, r) => {
  for (let i = 0; i < row.length; i++) {
    for (const other of [row[i - 1], row[i + 1], KEY_ROWS[r + 1]?.[i - 1], KEY_ROWS[r + 1]?.[i]]) {
      if (other === undefined) continue
      NEIGHBOURS.add(`${row[i]}${other}`)
      NEIGHBOURS.add(`${other}${row[i]}`)
    }
  }
})

const VOWELS = 'aeiou'

/** Letters of a long name, one of them moved by two places or three: `linkdien`. */
function isMoved(label: string, brand: string): boolean {
  if (label.length !== brand.length || label.length < MOVED_LENGTH_MIN) return false
  let start = 0
  let end = label.length
  while (start < end && label[start] === brand[start]) start++
  while (end > start && label[end - 1] === brand[end - 1]) end--
  const seen = label.slice(start, end)
  const meant = brand.slice(start, end)
  if (seen.length > MOVED_MAX + 1) return false
  return seen.slice(1) + seen.charAt(0) === meant || meant.slice(1) + meant.charAt(0) === seen
}

const MOVED_LENGTH_MIN = 8
const MOVED_MAX = 3

/** A letter typed twice, left out of a longer name, exchanged with the next, the key beside it, or another vowel. */
export function isSlip(label: string, brand: string): boolean {
  if (label.length < brand.length) return brand.length >= 6
  if (label.length > brand.length) return isExtraKey(label, brand)
  let at = 0
  while (label[at] === brand[at]) at++
  if (label[at + 1] === brand[at] && label[at] === brand[at + 1]) return true
  if (brand.length >= 6 && VOWELS.includes(label[at] ?? '') && VOWELS.includes(brand[at] ?? '')) return true
  return brand.length >= 5 && NEIGHBOURS.has(`${label[at]}${brand[at]}`)
}

const UNLIKELY_LENGTH_MIN = { edited: 12, omitted: 13 }

/**
 * True if the edit is a slip of the finger, or the name is so long that any edit of it is more than chance. A name that
 * only lacks a letter is usually another name, unless the letter was a double one: `viesmann`.
 */
export function isLikelyError(label: string, known: string): boolean {
  if (label.length >= known.length) return known.length >= UNLIKELY_LENGTH_MIN.edited || isSlip(label, known)
  return doubledAt(known, label) > 0 || (known.length >= UNLIKELY_LENGTH_MIN.omitted && label !== known.slice(1))
}

/** The place of the second letter if `longer` is `shorter` with one of its letters typed twice; else 0. */
export function doubledAt(longer: string, shorter: string): number {
  let at = 0
  while (longer[at] === shorter[at] && at < shorter.length) at++
  return at > 0 && longer[at] === longer[at - 1] ? at : 0
}

/** True for a letter typed twice or left out of a double one, or two letters exchanged: an error in any language. */
export function isPlainSlip(label: string, known: string): boolean {
  if (label.length !== known.length) {
    return label.length > known.length ? doubledAt(label, known) > 0 : doubledAt(known, label) > 0
  }
  let at = 0
  while (label[at] === known[at]) at++
  return label[at + 1] === known[at] && label[at] === known[at + 1]
}

/** An extra letter: the same again, or in a longer name one next to it on the keyboard. */
function isExtraKey(label: string, brand: string): boolean {
  if (doubledAt(label, brand) > 0) return true
  if (brand.length < 6) return false
  let at = 0
  while (label[at] === brand[at] && at < brand.length) at++
  return NEIGHBOURS.has(`${label[at]}${label[at - 1]}`) || NEIGHBOURS.has(`${label[at]}${label[at + 1]}`)
}

/** `loans` beside `loan`: plurals are usually independent names, not typing errors. */
function isInflection(label: string, brand: string): boolean {
  return (label === `${brand}s` || brand === `${label}s`) && brand.length < 6
}

/** The hash of the text in PREFIXES, of this length, with one character left out. */
function hashWithout(length: number, gap: number): number {
  return hashJoin(PREFIXES[gap] as number, hashBetween(PREFIXES, gap + 1, length), length - gap - 1)
}

/** True if two different strings differ by exactly one insertion, deletion, replacement or exchange of neighbours. */
export function isOneEditApart(a: string, b: string): boolean {
  const difference = a.length - b.length
  if (difference < -1 || difference > 1) return false
  let start = 0
  const shorter = Math.min(a.length, b.length)
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const leftA = endA - start
  const leftB = endB - start
  if (leftA + leftB === 1 || (leftA === 1 && leftB === 1)) return true
  return leftA === 2 && leftB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}
