import { IBAN_LENGTHS, isIban } from './iban.ts'
import { narrow } from './token.ts'

const TEXT_MAX = 1_000_000
const ACCOUNTS_MAX = 20
const LABELS_MAX = 500
/** The labels of both numbers of an account stand within this many characters of each other. */
const PAIR_LENGTH_MAX = 200

/**
 * Bank accounts in a text, each once, as the service reads them: an IBAN, `60-16-13 31926819` (UK sort code and account)
 * or `021000021 123456789` (US routing number and account). Never throws.
 */
export function findAccounts(text: string): string[] {
  const plain = narrow(text.slice(0, TEXT_MAX))
    .replace(/[^\S\n]/g, ' ')
    .replace(/\p{Pd}/gu, '-')
  const all = (label: RegExp) => [...plain.matchAll(label)].slice(0, LABELS_MAX)
  const accounts = all(ACCOUNT).map(({ index, 1: number = '' }) => ({ digits: digitsOf(number), index }))
  const nearest = (to: number, form: RegExp): string | undefined =>
    accounts
      .filter(({ digits, index }) => form.test(digits) && Math.abs(index - to) <= PAIR_LENGTH_MAX)
      .sort((a, b) => Math.abs(a.index - to) - Math.abs(b.index - to))[0]?.digits
  const british = all(SORT_CODE).map(({ index, 1: code = '', 2: next }) => [
    digitsOf(code).replace(/\d\d(?=\d)/g, '$&-'),
    next === undefined ? nearest(index, /^\d{8}$/) : digitsOf(next),
  ])
  const american = all(ROUTING).map(({ index, 1: routing = '' }) => [
    routing,
    isRoutingNumber(routing) ? nearest(index, /^\d{5,17}$/) : undefined,
  ])
  const pairs = [...british, ...american].filter(([, number]) => number !== undefined)
  return [...new Set([...ibansIn(plain), ...pairs.map((pair) => pair.join(' '))])].slice(0, ACCOUNTS_MAX)
}

function ibansIn(plain: string): string[] {
  const found: string[] = []
  // A mail program may break a line within an IBAN, and put marks before the lines of a quoted mail.
  const text = plain
    .split('\n')
    .map((line) => line.replace(/^[> ]+/, '').trimEnd())
    .join('\n')
  for (const { index, 0: head } of text.matchAll(/(?<![a-z0-9])[a-z]{2} ?\d{2}(?=[ .\n-]?[a-z0-9])/gi)) {
    const length = IBAN_LENGTHS.get(head.slice(0, 2).toUpperCase()) ?? 0
    let iban = ''
    let at = index
    for (; iban.length < length && at < text.length; at++) {
      const character = text[at]!
      if (isLetter(character)) iban += character.toUpperCase()
      // One separator between two characters; two end the number.
      else if (!/[ .\n-]/.test(character) || !isLetter(text[at + 1])) break
    }
    if (!isLetter(text[at]) && isIban(iban)) found.push(iban)
  }
  return found
}

const isLetter = (character: string | undefined) => character !== undefined && /[a-z0-9]/i.test(character)

const digitsOf = (number: string) => number.replace(/\D/g, '')

// A number counts only behind its label: dates, telephone and order numbers have as many digits.
const BETWEEN = '[^\\d\\n]{0,40}(?:\\n[^\\d\\n]{0,20}){0,2}'
const EIGHT = '\\d{8}|\\d{4} \\d{4}'
const ACCOUNT = new RegExp(
  `\\b(?:account|acct|acc|a/c)\\b(?!\\s*(?:name|holder|title|manager|type))${BETWEEN}(${EIGHT}|\\d{4,17}|\\d+(?:[ -]\\d+){1,4})(?!\\d|[./,-]\\d)`,
  'gi',
)
/** Between a sort code and its account: no words but the label. */
const NEXT = '[^\\da-z]{0,10}(?:(?:and )?(?:account|acct|acc|a/c))?[^\\da-z]{0,5}(?:number|no|nr)?[^\\da-z]{0,10}'
const SORT_CODE = new RegExp(
  `\\bsort(?:ing)?[ -]?code\\b${BETWEEN}(\\d\\d[ -]?\\d\\d[ -]?\\d\\d)(?!\\d)(?:${NEXT}(${EIGHT})(?!\\d))?`,
  'gi',
)
const ROUTING = new RegExp(`\\b(?:routing|aba|rtn)\\b${BETWEEN}(\\d{9})(?!\\d)`, 'gi')

/** ABA: nine digits, weighted 3, 7 and 1; the sum ends in 0. */
function isRoutingNumber(text: string): boolean {
  const sum = [...text].reduce((all, digit, at) => all + Number(digit) * [3, 7, 1][at % 3]!, 0)
  return !text.startsWith('000') && sum % 10 === 0
}
