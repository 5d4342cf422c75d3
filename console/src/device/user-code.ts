/** The code a device shows: eight consonants in two groups. */
const LETTERS = 8
const GROUP = 4

/** The canonical spelling of a typed code, ignoring case, blanks and dashes; undefined when it cannot be a code. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  if (letters.length !== LETTERS || !/^[A-Z0-9]+$/.test(letters)) return undefined
  return `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}`
}
