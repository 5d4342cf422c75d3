/** Bank accounts as people write them: an IBAN, a UK sort code and account number, a US routing and account number. */

export const ACCOUNT_KINDS = ['iban', 'uk', 'us'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** A whole account: only on its way to its digest. */
export interface Account {
  readonly kind: AccountKind
  readonly country: string
  /** Equal for one account in whatever form it was written. */
  readonly identity: string
  readonly last4: string
}

/** `problem` is read after "The account" and never repeats the account. */
export type ReadAccount = Account | { readonly problem: string }

export const ACCOUNT_FORMS =
  'an IBAN, a UK sort code and account number (20-00-00 55779911), or a US routing and account number (021000021 123456789)'

export function readAccount(text: string): ReadAccount {
  // A copy from a document may have other dashes, and characters that nobody sees.
  const plain = text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .trim()
    .toUpperCase()
  if (plain.length > 100) return { problem: `is too long: it is ${ACCOUNT_FORMS}` }
  const compact = plain.replace(/^IBAN\b:?/, '').replace(/[\s.-]/g, '')
  if (/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(compact)) return readIban(compact)
  const [, bank = '', number = ''] = /^(\d{2}[\s-]?\d{2}[\s-]?\d{2}|\d{9})(?:[\s/,:]+)([\d\s-]+)$/.exec(plain) ?? []
  const digits = number.replace(/[\s-]/g, '')
  if (bank === '') return { problem: `is not ${ACCOUNT_FORMS}` }
  return /^\d{9}$/.test(bank) ? readUs(bank, digits) : readUk(bank.replace(/\D/g, ''), digits)
}

function readIban(iban: string): ReadAccount {
  const country = iban.slice(0, 2)
  const length = IBAN_LENGTHS.get(country)
  if (length === undefined) return { problem: `begins with ${country}, which is no country with IBANs` }
  if (iban.length !== length) {
    return { problem: `has ${iban.length} characters; an IBAN of ${country} has ${length}` }
  }
  if (remainder97(iban.slice(4) + iban.slice(0, 4)) !== 1) {
    return { problem: 'is an IBAN whose check digits do not fit: at least one character is wrong' }
  }
  // A British IBAN contains the sort code and the account number: the same account in another form.
  const identity = country === 'GB' ? `uk ${iban.slice(8)}` : `iban ${iban}`
  return { kind: 'iban', country, identity, last4: iban.slice(-4) }
}

export function containsIban(text: string): boolean {
  return [...text.matchAll(/\b[A-Za-z]{2}\d{2}/g)].some(({ index }) => {
    const compact = text
      .slice(index, index + 60)
      .replace(/[\s.-]/g, '')
      .toUpperCase()
    const length = IBAN_LENGTHS.get(compact.slice(0, 2))
    return length !== undefined && !('problem' in readIban(compact.slice(0, length)))
  })
}

/** The rest of the number in which each letter stands for 10 to 35 (ISO 7064, MOD 97-10). */
function remainder97(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

function readUk(sortCode: string, number: string): ReadAccount {
  if (!/^\d{6,8}$/.test(number)) return { problem: 'has a UK sort code; its account number must have 6 to 8 digits' }
  const padded = number.padStart(8, '0')
  return { kind: 'uk', country: 'GB', identity: `uk ${sortCode}${padded}`, last4: padded.slice(-4) }
}

const ABA_WEIGHTS = [3, 7, 1]

function readUs(routing: string, number: string): ReadAccount {
  const sum = [...routing].reduce((total, digit, at) => total + Number(digit) * ABA_WEIGHTS[at % 3]!, 0)
  if (sum % 10 !== 0 || sum === 0) {
    return { problem: 'has a US routing number whose check digit does not fit: at least one digit is wrong' }
  }
  // With four digits the last four would be the whole number.
  if (!/^\d{5,17}$/.test(number)) return { problem: 'has a US routing number; its account number has 5 to 17 digits' }
  return { kind: 'us', country: 'US', identity: `us ${routing} ${number}`, last4: number.slice(-4) }
}

/** The lengths of the IBAN registry (ISO 13616). */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    '15 NO|16 BE|18 DK FI FK FO GL NL SD|19 MK SI|20 AT BA EE KZ LT LU MN XK|21 CH HR LI LV|' +
    '22 BG BH CR DE GB GE IE ME RS VA|23 AE GI IL IQ OM SO TL|24 AD CZ ES MD PK RO SA SE SK TN VG|' +
    '25 LY PT ST|26 IS TR|27 BI DJ FR GR IT MC MR SM|28 AL AZ BY CY DO GT HN HU LB NI PL SV|29 BR EG PS QA UA|' +
    '30 JO KW MU YE|31 MT SC|32 LC|33 RU'
  )
    .split('|')
    .flatMap((line) => {
      const [length, ...countries] = line.split(' ')
      return countries.map((country): [string, number] => [country, Number(length)])
    }),
)
