import { CHARACTERS, HASH_START, hashStep, readText } from './text-index.ts'

/**
 * The look of an ASCII name at a glance: `rn` as `m`, `vv` as `w`, `cl` as `d`, `0` as `o`. Two names of the same look
 * (skeleton) are easily confused; the look itself is not a name. Snapshots hold looks (snapshot/looks.ts), so a change
 * to these functions requires a new LOOKS_VERSION there.
 */

/** ASCII characters, each in front of the one it looks like. */
const ASCII_LOOKS = '0o 1l il 3e 4a 5s 6b 8b 7t 9g'
const LOOKS = new Uint8Array(128)
for (let unit = 0; unit < 128; unit++) LOOKS[unit] = unit
for (const pair of ASCII_LOOKS.split(' ')) LOOKS[pair.charCodeAt(0)] = pair.charCodeAt(1)

/** `vw` and `wv` are both read in `vvv`: in a look the `w` comes first. */
function inOrder(label: string): string {
  let ordered = label
  while (ordered.includes('vw')) ordered = ordered.replaceAll('vw', 'wv')
  return ordered
}

export function asciiSkeleton(text: string): string {
  const label = inOrder(text)
  let out = ''
  for (let i = 0; i < label.length; i++) {
    const pair = pairLook(label, i)
    out += String.fromCharCode(pair || lookOf(label.charCodeAt(i)))
    if (pair !== 0) i++
  }
  return out
}

/** The skeleton of an ASCII label: character by character without its hyphens, and the hashes of its prefixes with them. */
export class Skeleton {
  readonly looks: Uint8Array
  /** The begin and end of each character in the label. */
  readonly begins: Uint8Array
  readonly ends: Uint8Array
  count = 0
  /** The hash of every prefix, the empty one first, and the number of characters with the hyphens. */
  readonly prefixes: Int32Array
  size = 0
  readonly #bare: Int32Array
  #label = ''

  constructor(lengthMax: number) {
    this.looks = new Uint8Array(lengthMax)
    this.begins = new Uint8Array(lengthMax)
    this.ends = new Uint8Array(lengthMax)
    this.prefixes = new Int32Array(lengthMax + 1)
    this.#bare = new Int32Array(lengthMax + 1)
  }

  get hasHyphen(): boolean {
    return this.size > this.count
  }

  get hash(): number {
    return this.prefixes[this.size] as number
  }

  /** The hash of every prefix without its hyphens. */
  get barePrefixes(): Int32Array {
    if (!this.hasHyphen) return this.prefixes
    for (let i = 0; i < this.count; i++) {
      this.#bare[i + 1] = hashStep(this.#bare[i] as number, this.looks[i] as number)
    }
    return this.#bare
  }

  of(text: string): void {
    if (text === this.#label) return
    this.#label = text
    const label = inOrder(text)
    readText(label)
    const { looks, begins, ends, prefixes } = this
    const { length } = label
    let count = 0
    let size = 0
    let hash = HASH_START
    for (let i = 0; i < length; i++) {
      const unit = CHARACTERS[i] as number
      const pair = beginsPair(unit) && i + 1 < length ? pairOf(unit, CHARACTERS[i + 1] as number) : 0
      const look = pair || lookOf(unit)
      hash = hashStep(hash, look)
      prefixes[++size] = hash
      if (unit === HYPHEN) continue
      looks[count] = look
      begins[count] = i
      if (pair !== 0) i++
      ends[count] = i + 1
      count++
    }
    this.count = count
    this.size = size
    // Callers go on reading the text itself.
    if (label !== text) readText(text)
  }
}

/** The skeleton of the name that is being scored: the models of brands and of known names read the same one. */
export const SEEN = new Skeleton(63)

const HYPHEN = 0x2d

/** The hash of a label's skeleton, without building it. */
export function skeletonHash(text: string): number {
  const label = inOrder(text)
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
export function pairLook(label: string, at: number): number {
  const unit = label.charCodeAt(at)
  return beginsPair(unit) && at + 1 < label.length ? pairOf(unit, label.charCodeAt(at + 1)) : 0
}

function beginsPair(unit: number): boolean {
  return unit === 0x72 || unit === 0x76 || unit === 0x63
}

function pairOf(unit: number, next: number): number {
  if (unit === 0x72) return next === 0x6e ? 0x6d : 0
  if (unit === 0x76) return next === 0x76 ? 0x77 : 0
  // A capital i looks like an l: `ci` is read as `cl`, and both as `d`.
  return next === 0x6c || next === 0x31 || next === 0x69 ? 0x64 : 0
}

// The ways to write a character of a look: those without digits, and all of them.
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  d: ['d', 'cl', 'ci'],
  l: ['i', 'l'],
  m: ['m', 'rn'],
}
const ALL: Readonly<Record<string, readonly string[]>> = {
  ...LETTERS,
  a: ['a', '4'],
  b: ['b', '6', '8'],
  d: ['d', 'cl', 'ci', 'c1'],
  e: ['e', '3'],
  g: ['g', '9'],
  l: ['i', 'l', '1'],
  o: ['o', '0'],
  s: ['s', '5'],
  t: ['t', '7'],
}

/** The ways to write the look at `at`, where `w` is written as two `v`: either both of them, or the first. */
function formsAt(look: string, at: number, ways: typeof ALL): readonly string[] | undefined {
  return look.startsWith('vv', at) ? W_OR_V : ways[look[at] as string]
}
const W_OR_V = ['w', 'v']

/**
 * A name is its look and its spelling: one number, the choice among the ways to write each character of the look. Below
 * `max`; -1 if the name has too many characters with a choice.
 */
export function spellingOf(label: string, max: number): number {
  const hasDigits = /[0-9]/.test(label)
  const ways = hasDigits ? ALL : LETTERS
  let spelling = 0
  let unit = 2
  let at = 0
  const look = asciiSkeleton(label).replaceAll('w', 'vv')
  for (let i = 0; i < look.length; i++) {
    const forms = formsAt(look, i, ways)
    const form = forms?.find((text) => label.startsWith(text, at))
    if (forms && form !== undefined) {
      spelling += unit * forms.indexOf(form)
      unit *= forms.length
    }
    if (unit > max) return -1
    if (form === 'w') i++
    at += form?.length ?? 1
  }
  return spelling + (hasDigits ? 1 : 0)
}

export function spelt(name: string, spelling: number): string {
  const ways = spelling % 2 === 1 ? ALL : LETTERS
  const look = name.replaceAll('w', 'vv')
  let rest = Math.floor(spelling / 2)
  let label = ''
  for (let i = 0; i < look.length; i++) {
    const forms = formsAt(look, i, ways)
    const form = forms ? (forms[rest % forms.length] as string) : (look[i] as string)
    if (forms) rest = Math.floor(rest / forms.length)
    if (form === 'w') i++
    label += form
  }
  return label
}
