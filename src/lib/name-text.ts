/**
 * The characters that a name may contain. A name appears in lists and questions beside our own words, so it must look
 * like what it is: two names that look the same are the same, and none changes how the text around it reads.
 *
 *  1. No control characters, no halves of a surrogate pair, no line breaks.
 *  2. No characters that change the direction of writing. Arabic and Hebrew names need none: pages isolate names.
 *  3. Nothing invisible, except where a script or an emoji needs it to be written properly (`NEEDED`).
 */

/** Arabic letters that never join the next one: a non-joiner after them would change nothing. */
const NEVER_JOINING =
  '\\u0621-\\u0625\\u0627\\u0629\\u062F-\\u0632\\u0648\\u0671-\\u0677\\u0688-\\u0699\\u06C0\\u06C3-\\u06CB\\u06CD\\u06CF\\u06D2\\u06D3\\u06D5\\u06EE\\u06EF'
/** Signs that remove a consonant's vowel, in the scripts of South and South-East Asia. */
const VIRAMA =
  '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u1039\\u17D2\\u1B44\\uA8C4\\uA9C0\\u{11046}\\u{110B9}\\u{11133}\\u{111C0}'
const JOINING = '[[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}]&&\\p{L}]'

/** Invisible characters in places where they have a visible effect. */
const NEEDED = new RegExp(
  [
    // Families, flags, keycaps: whole sequences as Unicode lists them; and variation selectors of one sign.
    '\\p{RGI_Emoji}',
    '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]',
    // Persian and its neighbours: letters of one word that must not join.
    `(?<=[${JOINING}--[${NEVER_JOINING}]]\\p{Mn}*)\\u200C(?=${JOINING})`,
    // Hindi, Bengali, Sinhala, Malayalam and others: the intended form of a cluster of consonants.
    `(?<=[${VIRAMA}])[\\u200C\\u200D]`,
    // Bengali ra before ya: র‍্য.
    '(?<=\\u09B0)\\u200D(?=\\u09CD)',
    // The variant of a Chinese character in a Japanese name.
    '(?<=\\p{sc=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
    '(?<=[\\p{sc=Mong}&&\\p{L}])[\\u180B-\\u180D\\u180F]',
  ].join('|'),
  'gv',
)
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u
const DIRECTION = /\p{Bidi_Control}/u
// In addition to the characters that Unicode lists as invisible: notes between lines, and the empty braille cell.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/u

const NAME_CHARACTERS_MAX = 200

/** The problem of a name, to be read after "The name"; undefined when there is none. */
export function nameTextProblem(name: string, charactersMax = NAME_CHARACTERS_MAX): string | undefined {
  const length = [...name.trim()].length
  if (length === 0) return 'is empty'
  if (length > charactersMax) return `is longer than ${charactersMax} characters`
  return characterProblem(name)
}

/** Rules 1 to 3 alone: the problem in the characters of a text that people compare by eye. */
export function characterProblem(text: string): string | undefined {
  if (CONTROL.test(text)) return 'contains a control character'
  const turning = DIRECTION.exec(text)
  if (turning) return `contains a character that changes the direction of writing (${codeOf(turning[0])})`
  const hidden = INVISIBLE.exec(text.replace(NEEDED, 'x'))
  if (hidden) return `contains an invisible character (${codeOf(hidden[0])})`
  return undefined
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
