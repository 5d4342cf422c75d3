/** The content of a counterparty: how each field is read, and everything that is wrong with it. */
import { type FieldError, Problem } from '../../errors.ts'
import { giants } from '../../feeds/giants.ts'
import { parseMailbox } from '../../lib/address-text.ts'
import { HOST_PROBLEMS, normaliseDomain } from '../../lib/domain.ts'
import { formatIp, parseCidr } from '../../lib/ip.ts'
import { characterProblem, nameTextProblem } from '../../lib/name-text.ts'
import { LIMITS } from '../../limits.ts'
import { ACCOUNT_FORMS, containsIban, readAccount } from '../accounts/account.ts'
import type { AccountDigest, KeptAccount } from '../accounts/digest.ts'

export const STATES = ['active', 'former', 'blocked'] as const
export type CounterpartyState = (typeof STATES)[number]

export interface Content {
  readonly name: string
  readonly reference: string | null
  readonly since: string | null
  readonly note: string | null
  readonly state: CounterpartyState
  readonly domains: readonly string[]
  readonly emails: readonly string[]
  readonly networks: readonly string[]
  readonly accounts: readonly KeptAccount[]
}

/** As a caller gives it: a field that is not given keeps its value. Accounts are whole, or `…4417` for one on record. */
export type GivenContent = {
  readonly [Field in keyof Content]?:
    | (Field extends ListField ? readonly string[] : Exclude<Content[Field], CounterpartyState> | string)
    | undefined
}

const { counts: COUNTS } = LIMITS
export const LIST_LENGTHS = {
  domains: COUNTS.counterpartyDomainsMax,
  emails: COUNTS.counterpartyEmailsMax,
  networks: COUNTS.counterpartyNetworksMax,
  accounts: COUNTS.counterpartyAccountsMax,
}
export type ListField = keyof typeof LIST_LENGTHS
export const LISTS = Object.keys(LIST_LENGTHS) as ListField[]

const EMPTY: Content = {
  name: '',
  reference: null,
  since: null,
  note: null,
  state: 'active',
  domains: [],
  emails: [],
  networks: [],
  accounts: [],
}

const PUBLIC_MAIL: ReadonlySet<string> = new Set([...giants('mail_providers'), ...giants('free_mail_domains')])

/** True for a domain under which anybody can have a mailbox. */
export const isPublicMail = (domain: string): boolean => PUBLIC_MAIL.has(domain)

/** The content on record with the given fields in place of the former ones, and every error in them. */
export function readContent(given: GivenContent, before: Content = EMPTY, digestOf: AccountDigest = missingDigest) {
  const errors: FieldError[] = []
  const refuse = (pointer: string, code: string, detail: string) => void errors.push({ pointer, code, detail })

  function list<Field extends ListField>(
    field: Field,
    read: (text: string, refuseIt: (code: string, detail: string) => void) => readonly Content[Field][number][],
  ): readonly Content[Field][number][] | undefined {
    const texts = given[field]
    if (!texts) return undefined
    const max: number = LIST_LENGTHS[field]
    if (texts.length > max) refuse(`/${field}`, 'too_many', `There are ${texts.length} ${field}; at most ${max}.`)
    const found = texts
      .slice(0, max)
      .flatMap((text, at) => read(text, (code, detail) => refuse(`/${field}/${at}`, code, detail)))
    return [...new Map(found.map((one) => [typeof one === 'string' ? one : one.digest, one])).values()]
  }

  function text(field: 'reference' | 'note', charactersMax: number): string | null {
    const value = given[field]
    if (value === undefined) return before[field]
    const trimmed = value?.trim() ?? ''
    if (trimmed === '') return null
    const wrong =
      [...trimmed].length > charactersMax
        ? `is longer than ${charactersMax} characters`
        : (characterProblem(field === 'note' ? trimmed.replace(/\r?\n/g, ' ') : trimmed) ??
          accountInside(trimmed) ??
          formulaProblem(trimmed))
    if (wrong) refuse(`/${field}`, 'invalid', `The ${field} ${wrong}.`)
    return trimmed
  }

  function name(): string {
    const value = given.name ?? before.name
    const isKept = given.name === undefined && before !== EMPTY
    const wrong = isKept ? undefined : (nameTextProblem(value) ?? accountInside(value) ?? formulaProblem(value))
    if (wrong) refuse('/name', 'invalid', `The name ${wrong}.`)
    return value.trim()
  }

  function since(): string | null {
    if (given.since === undefined) return before.since
    const value = given.since?.trim() ?? ''
    if (value === '') return null
    const day = /^\d{4}$/.test(value) ? `${value}-01-01` : value
    if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(day) || new Date(day).toJSON()?.slice(0, 10) !== day) {
      refuse('/since', 'invalid', 'The value of since is neither a year (2019) nor a day (2019-04-01).')
    }
    return value
  }

  function state(): CounterpartyState {
    const value = given.state ?? before.state
    const known = STATES.find((one) => one === value)
    if (!known) refuse('/state', 'invalid', `The state must be one of ${STATES.join(', ')}.`)
    return known ?? 'active'
  }

  const emails = list('emails', (value, refuseIt) => {
    const read = parseMailbox(value)
    if ('problem' in read) refuseIt('invalid_email', read.problem)
    else if (/\s/.test(read.address)) refuseIt('invalid_email', 'The email address contains a blank.')
    else return [read.address]
    return []
  })
  const content: Content = {
    name: name(),
    reference: text('reference', COUNTS.counterpartyReferenceCharactersMax),
    since: since(),
    note: text('note', COUNTS.counterpartyNoteCharactersMax),
    state: state(),
    domains: list('domains', readDomain) ?? (before === EMPTY ? domainsOf(emails ?? []) : before.domains),
    emails: emails ?? before.emails,
    networks: list('networks', readNetwork) ?? before.networks,
    accounts:
      list('accounts', (value, refuseIt) => readKept(value, before.accounts, digestOf, refuseIt)) ?? before.accounts,
  }
  return { content, errors }
}

/** A column that was taken for another: bank accounts are stored in no field as they are. */
const accountInside = (text: string): string | undefined =>
  containsIban(text) ? 'contains a bank account, which belongs into accounts' : undefined

/** `#N/A`, `#WERT!`, `=SUM(A1:A9)`: the rows of all failed formulas would become one counterparty. */
function formulaProblem(text: string): string | undefined {
  if (/^#(?:N\/[AD]|NV|[\p{Lu}\d/]+[!?])$/u.test(text.trim())) return 'is the error of a formula'
  return FORMULA.test(text.trim()) ? 'is a formula instead of its result' : undefined
}

/** A function, a cell or a text in quotes behind `=`. A name such as `=Acme` is none. */
const FORMULA = /^=\s*[-+]?(?:[\p{L}\d_.]+\(|"|(?:[^!]+!)?\$?[A-Za-z]{1,3}\$?\d+(?:$|[-+*/&:;,]))/u

/** The domains of addresses, without those at public mail providers. */
export function domainsOf(addresses: readonly string[]): string[] {
  const domains = addresses.map((address) => address.slice(address.lastIndexOf('@') + 1))
  return [...new Set(domains)].filter((domain) => !isPublicMail(domain) && 'name' in normaliseDomain(domain))
}

type Refuse = (code: string, detail: string) => void

function readDomain(text: string, refuse: Refuse): string[] {
  const read = normaliseDomain(text)
  if ('problem' in read) {
    const why =
      read.problem === 'public_suffix' ? 'is an ending under which others register' : HOST_PROBLEMS[read.problem]
    refuse('invalid_domain', `The domain ${why}.`)
    return []
  }
  if (isPublicMail(read.name)) {
    refuse(
      'public_mail_domain',
      `${read.name} is a public mail provider: anybody can have an address there. Give the address itself in emails.`,
    )
    return []
  }
  return [read.name]
}

/** A network larger than a provider's own block says nothing about one firm. */
const PREFIX_MIN = { 4: 8, 6: 19 }

function readNetwork(text: string, refuse: Refuse): string[] {
  const range = parseCidr(text.trim())
  if (!range) {
    refuse('invalid_network', 'The network is neither an IP address nor a network, as in 192.0.2.0/24.')
    return []
  }
  const { first, prefix } = range
  const least = PREFIX_MIN[first.version]
  if (prefix < least) {
    refuse('network_too_large', `The network is larger than /${least}: it cannot belong to one counterparty.`)
    return []
  }
  return [prefix === (first.version === 4 ? 32 : 128) ? formatIp(first) : `${formatIp(first)}/${prefix}`]
}

/** `…4417`, `...4417` or `****4417`: an account on record, as an export shows it. */
const MASKED = /^(?:…|\.{2,}|[*•xX]{2,})\s*([A-Za-z\d]{4})$/

function readKept(text: string, onRecord: readonly KeptAccount[], digestOf: AccountDigest, refuse: Refuse) {
  const masked = MASKED.exec(text.trim())?.[1]?.toUpperCase()
  if (masked !== undefined) {
    const kept = onRecord.filter(({ last4 }) => last4 === masked)
    if (kept.length === 0) refuse('unknown_account', `No account on record ends in ${masked}. Give ${ACCOUNT_FORMS}.`)
    return kept
  }
  const account = readAccount(text)
  if ('problem' in account) {
    refuse('invalid_account', `The account ${account.problem}.`)
    return []
  }
  const { kind, country, last4 } = account
  return [{ kind, country, last4, digest: digestOf(account) }]
}

const missingDigest: AccountDigest = () => {
  throw new Error('an account was given without the key of its digest')
}

/** True if a given content contains a whole account, whose digest needs the organisation's key. */
export const hasAccounts = ({ accounts = [] }: GivenContent): boolean => accounts.length > 0

/** Two counterparties with the same key are one: the reference decides, and without one the name. */
export const matchKeyOf = ({ reference, name }: Pick<Content, 'reference' | 'name'>): string =>
  reference === null ? `name ${folded(name)}` : `ref ${reference}`

/** Its bytes, as the limit of an organisation counts them: a value takes space in indexes, too. */
export const sizeOf = ({ name, reference, note, domains, emails, networks, accounts }: Content): number =>
  Buffer.byteLength([name, reference, note, ...domains, ...emails, ...networks].join('')) +
  VALUE_BYTES * (domains.length + emails.length + networks.length + accounts.length)

const VALUE_BYTES = 64

/** A register may have this many bytes. */
export function requireRoom(bytes: number, code: 'conflict' | 'too_many_records'): void {
  const max = COUNTS.counterpartyBytesMax
  if (bytes <= max) return
  const mega = (count: number) => `${Math.ceil(count / 2 ** 20)} MB`
  throw new Problem(code, {
    detail: `The counterparties would take ${mega(bytes)}; an organisation may store ${mega(max)}. Delete some, or shorten their lists and notes, first.`,
  })
}

/** For comparison and search: without accents and capitals. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

const NAME_TERMS_MAX = 8
const TERM_CHARACTERS_MAX = 100

/** Words by which it is found: of its name, its reference, domains and addresses, and digests of accounts. */
export function termsOf({ name, reference, domains, emails, accounts }: Content): string[] {
  const words = wordsOf(name).slice(0, NAME_TERMS_MAX)
  const numbers = reference === null ? [] : [folded(reference), ...wordsOf(reference)]
  const plain = [...words, ...numbers, ...domains, ...emails, ...domainsOf(emails)].map(termOf)
  return [...new Set([...plain, ...accounts.map(({ digest }) => accountTerm(digest))])]
}

export const termOf = (text: string): string => text.slice(0, TERM_CHARACTERS_MAX)

/** No word of a name contains this mark. */
export const accountTerm = (digest: string): string => `#${digest}`

export const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}.@_-]+/u)
    .map((word) => word.replace(/^[.-]+|[.-]+$/g, ''))
    .filter((word) => word !== '')
