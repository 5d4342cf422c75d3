import { type Beginnings, beginningAt, lettersOn, NO_LETTERS } from '../../lib/text-index.ts'

/**
 * The first three letters of some thousand texts, a bit each in 4 KB. A search for these texts in a name begins at every
 * letter and mostly ends after two or three, where the processor cannot predict it: to ask here first costs a shift and
 * one look-up a letter, and leaves two places in five.
 */
export type Heads = Uint8Array

const LETTER_BITS = 5
const MASK = (1 << (3 * LETTER_BITS)) - 1
/** Everything that is no letter: any text may begin there. Behind the end of the name none goes on. */
const OTHER = 0
const END = 27

/** The value of a beginning that is no whole text. */
const BEGUN = 1

const CLASSES = new Uint8Array(128)
CLASSES[0] = END
for (let i = 0; i < 26; i++) CLASSES[97 + i] = i + 1

/** The head of the next place, by the one before and the character two places behind; 0 if there is none. */
export function headOn(head: number, unit: number): number {
  return ((head << LETTER_BITS) | (unit < 128 ? (CLASSES[unit] as number) : OTHER)) & MASK
}

export function mayBegin(heads: Heads, head: number): boolean {
  return (((heads[head >>> 3] as number) >>> (head & 7)) & 1) !== 0
}

/** A text of one or two letters begins with any third one. */
export function headsOf({ near, all }: Beginnings): Heads {
  const heads = new Uint8Array((MASK + 1) >>> 3)
  for (let head = 0; head <= MASK; head++) {
    let letters = NO_LETTERS
    let mayBegin = true
    for (let shift = 2 * LETTER_BITS; shift >= 0 && mayBegin; shift -= LETTER_BITS) {
      const letter = (head >>> shift) & ((1 << LETTER_BITS) - 1)
      if (letter === OTHER) break
      letters = lettersOn(letters, 96 + letter)
      const value = letter === END ? 0 : beginningAt(near, all, 0, letters)
      if (value > BEGUN) break
      mayBegin = value === BEGUN
    }
    if (mayBegin) heads[head >>> 3] = (heads[head >>> 3] as number) | (1 << (head & 7))
  }
  return heads
}
