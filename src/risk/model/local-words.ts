import { scriptsOf, writtenOut } from './confusables.ts'

const WIDE_SEPARATORS = /[^\p{L}\p{M}\p{Nd}]+/u
const UNSEEN = /\p{Cf}+/gu
const LATIN = 'Latin'

/** The words of a local part, in the letters the eye sees. `isKnown`: true if somebody would imitate this Latin word in the letters of another alphabet. */
export function wordsOf(local: string, toAscii: (text: string) => string, isKnown: (word: string) => boolean) {
  if (isAscii(local)) {
    const words = joinLetters(cutAt(local, isSeparator))
    return { words, withoutAccents: undefined, disguise: undefined, isOneScript: true }
  }
  const text = local.replace(UNSEEN, '').normalize('NFKC').toLowerCase()
  const words: string[] = []
  /** With ä as a rather than ae: people write both. */
  const withoutAccents: string[] = []
  /** The alphabets of a deceptive word: two in one word, or another alphabet that spells a Latin name. */
  let disguise: readonly string[] | undefined
  for (const word of joinLetters(text.split(WIDE_SEPARATORS))) {
    const scripts = scriptsOf(word)
    const plain = toAscii(word)
    const isForeign = scripts.length > 0 && !scripts.includes(LATIN)
    // Most words of another alphabet are honest, whatever Latin letters they look like.
    const isDisguised = isForeign
      ? isAscii(plain) && plain.length >= DISGUISED_LENGTH_MIN && isKnown(plain)
      : scripts.length > 1
    if (isDisguised) disguise ??= scripts
    const isReadAsWritten = isForeign && !isDisguised
    words.push(isReadAsWritten ? word : toAscii(writtenOut(word)))
    withoutAccents.push(isReadAsWritten ? word : plain)
  }
  return { words, withoutAccents, disguise, isOneScript: scriptsOf(text).length <= 1 }
}

const DISGUISED_LENGTH_MIN = 5

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** The pieces of a text between characters of one sort. */
export function cutAt(text: string, isBetween: (unit: number) => boolean): string[] {
  const pieces: string[] = []
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && !isBetween(text.charCodeAt(i))) continue
    if (i > start) pieces.push(text.slice(start, i))
    start = i + 1
  }
  return pieces
}

function isSeparator(unit: number): boolean {
  return !isDigit(unit) && (unit < 0x61 || unit > 0x7a)
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

export function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isDigit(text.charCodeAt(i))) return true
  return false
}

// Three letters are initials.
const SPELT_LETTERS_MIN = 4

/** `paypal` for `p.a.y.p.a.l`. */
function joinLetters(pieces: readonly string[]): readonly string[] {
  if (!pieces.some((piece) => piece.length < 2)) return pieces
  const joined: string[] = []
  let run = ''
  const endRun = () => {
    if (run.length >= SPELT_LETTERS_MIN) joined.push(run)
    else for (const letter of run) joined.push(letter)
    run = ''
  }
  for (const piece of pieces) {
    if (piece.length === 1 && (piece < '0' || piece > '9')) run += piece
    else {
      endRun()
      if (piece !== '') joined.push(piece)
    }
  }
  endRun()
  return joined
}
