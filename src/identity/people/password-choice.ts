/**
 * Which passwords may be chosen. Every face asks here: sign-up, invitation, reset, change and the operator's verb.
 *
 *  1. A password has the length that `requests` in src/limits.ts says.
 *  2. A repeated part counts once, and a character that continues a sequence does not count: neither the second half of
 *     "abcdefabcdef" nor the end of "qwertyuiop12" makes a password harder to guess.
 *  3. A common word stays common in capitals, with digits for letters, and with a few characters put before or behind it.
 *  4. A password must not consist of public data about the person (address, name, organisation).
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { invalidField } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'

/** Known data about the person, which a password must not consist of. */
export interface About {
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly organisation?: string | undefined
}

const ADVICE = 'Choose another, for example four unrelated words'

/** Why a password is refused, as a clause after "The password"; undefined when it is accepted. */
export function passwordProblem(password: string, about: About = {}): string | undefined {
  if (password.length < LIMITS.requests.passwordCharactersMin)
    return `is shorter than ${LIMITS.requests.passwordCharactersMin} characters`
  if (password.length > LIMITS.requests.passwordCharactersMax)
    return `is longer than ${LIMITS.requests.passwordCharactersMax} characters`
  const plain = password.normalize('NFKC').toLowerCase()
  const once = repeatedPartOf(plain)
  const variants = new Set([once, withLettersFor(once, LOOK_ALIKES), withLettersFor(once, OTHER_LOOK_ALIKES)])
  for (const variant of variants) {
    const { word, around } = coreOf(variant)
    const isWord = commonWords().has(repeatedPartOf(word)) && around <= DECORATION_MAX
    if (isWord || commonWords().has(variant)) return `is a common one. ${ADVICE}`
    if (namesIn(about).some((name) => isMostly(variant, name))) {
      return `is your own name, address or organisation. ${ADVICE}`
    }
  }
  if (once.length < LIMITS.requests.passwordCharactersMin && once !== plain) return `repeats itself. ${ADVICE}`
  if (surprisesIn(plain) < SURPRISES_MIN || new Set(plain).size < DISTINCT_MIN) {
    return `is a simple pattern. ${ADVICE}`
  }
  return undefined
}

/** The password itself; 422 when it may not be chosen. */
export function checkedPassword(password: string, about: About, pointer = '/password'): string {
  const problem = passwordProblem(password, about)
  if (problem) throw invalidField(pointer, `The password ${problem}.`)
  return password
}

/** How many characters around a word or a name still leave it easy to guess. */
const DECORATION_MAX = 8
/** Characters that do not follow from the one before. */
const SURPRISES_MIN = 6
const DISTINCT_MIN = 5

const LOOK_ALIKES = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }
const OTHER_LOOK_ALIKES = { ...LOOK_ALIKES, '1': 'l', '!': 'l' }

function withLettersFor(text: string, letters: Readonly<Record<string, string>>): string {
  // Digits at the end are more likely a year than letters.
  const end = /[^\p{L}]*$/u.exec(text)?.index ?? text.length
  return [...text.slice(0, end)].map((character) => letters[character] ?? character).join('') + text.slice(end)
}

/** The word in a password without the characters around it, and how many those are. */
export function coreOf(password: string): { readonly word: string; readonly around: number } {
  const word = password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return { word, around: password.length - word.length }
}

/** The shortest part that the whole text consists of, perhaps with a piece of it at the end; the text if there is none. */
function repeatedPartOf(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length)
  }
  return text
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '!@#$%^&*()',
]
const NEIGHBOURS = new Set(
  ROWS.flatMap((row) => [...row].slice(1).flatMap((right, i) => [`${row[i]}${right}`, `${right}${row[i]}`])),
)

function surprisesIn(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const before = text[i - 1]
    if (before !== text[i] && !NEIGHBOURS.has(`${before}${text[i]}`)) count++
  }
  return count
}

const NAME_LENGTH_MIN = 4

function namesIn({ email = '', name = '', organisation = '' }: About): string[] {
  const [mailbox = ''] = email.split('@', 1)
  return [email, mailbox, name, organisation, ...name.split(/\s+/)]
    .map(squashed)
    .filter((text) => text.length >= NAME_LENGTH_MIN)
}

const squashed = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function isMostly(password: string, name: string): boolean {
  const text = squashed(password)
  return text.includes(name) && password.length - name.length <= DECORATION_MAX
}

let words: ReadonlySet<string> | undefined

/** Read on first use: most processes never need them. */
function commonWords(): ReadonlySet<string> {
  words ??= new Set(
    readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
  return words
}
