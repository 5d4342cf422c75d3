/** Holds a bank account against the register: the largest loss is a payment to a changed account of a real supplier. */
import type { SqlQueries } from '../../db/sql.ts'
import { invalidField } from '../../errors.ts'
import { parseMailbox } from '../../lib/address-text.ts'
import { hostParts, normaliseHost } from '../../lib/domain.ts'
import type { Ring } from '../../lib/seal.ts'
import { nameKeyOf, nameKeysOf, spellingsOf } from '../../risk/own/names.ts'
import { accountTerm, isPublicMail, termOf, wordsOf } from '../counterparties/content.ts'
import { type Counterparty, findByTerms, type Register, readRegister } from '../counterparties/register.ts'
import { type Account, readAccount } from './account.ts'
import { findAccountDigest } from './digest.ts'

export const COMPARISONS = ['matches', 'differs', 'unknown'] as const

export interface Comparison {
  readonly result: (typeof COMPARISONS)[number]
  readonly account: Omit<Account, 'identity'> | null
  /** The counterparties of the address or domain; if it matches, those that have the account. */
  readonly counterparties: readonly Counterparty[]
  readonly accountOf: readonly Counterparty[]
  /** Those whose name the sender bears, if the sender is none of the organisation's counterparties. */
  readonly named: readonly Counterparty[]
}

export interface Compared {
  readonly email?: string | undefined
  readonly domain?: string | undefined
  readonly account?: string | undefined
  /** The name that the sender of a mail shows. */
  readonly name?: string | undefined
}

/** Several firms may share a domain; more than this number tells nobody anything. */
const PER_NAME = 10
/** Labels below a registered name: names of mail servers have one or two. */
const LABELS_MAX = 10

export async function compareAccount(
  sql: SqlQueries,
  ring: Ring,
  organisationId: string,
  given: Compared,
): Promise<Comparison> {
  const who = readWho(given)
  if (given.account === undefined && given.name === undefined) throw invalidField('', 'Give an account or a name.')
  const account = given.account === undefined ? undefined : readAccount(given.account)
  if (account && 'problem' in account) throw invalidField('/account', `The account ${account.problem}.`)
  const register = await readRegister(sql, organisationId)
  const digest = account && (await findAccountDigest(sql, ring, organisationId))?.(account)
  const { known, isOne } = await findWho(sql, register, who)
  const holders = digest === undefined ? [] : await findByTerms(sql, register, [accountTerm(digest)], { perTerm: 50 })
  const matching = holders.filter(isOne)
  const comparable = account ? known.filter(({ accounts }) => accounts.length > 0) : []
  return {
    result: matching.length > 0 ? 'matches' : comparable.length > 0 ? 'differs' : 'unknown',
    account: account ? { kind: account.kind, country: account.country, last4: account.last4 } : null,
    counterparties: matching.length > 0 ? matching : known,
    accountOf: holders.filter((holder) => !isOne(holder)),
    named: known.length > 0 || given.name === undefined ? [] : await findNamed(sql, register, given.name),
  }
}

const NAME_WORDS_MAX = 8
/** Words that people in an office put beside the name of their firm. */
const OFFICE_WORDS: ReadonlySet<string> = new Set(
  (
    'account accounting accounts admin ap ar bill billing buchhaltung comptabilité credit control customer department dept ' +
    'facturation finance from info invoice invoices invoicing kundenservice ledger no noreply office payable payment payments ' +
    'purchase receivable rechnung rechnungen rechnungswesen remittance reply sales service services support team via'
  ).split(' '),
)

/** The firms whose name is shown, in any of its spellings. */
async function findNamed(sql: SqlQueries, register: Register, shown: string): Promise<Counterparty[]> {
  const shownWords = spellingsOf(shown).map((spelling) =>
    wordsOf(spelling)
      .filter((word) => !OFFICE_WORDS.has(word))
      .slice(0, NAME_WORDS_MAX),
  )
  const keys = new Set(shownWords.flatMap(keysOf))
  // One word after the other: thousands of firms share `gmbh`, and few the word that tells them apart.
  const found = await Promise.all(
    Array.from(new Set(shownWords.flatMap(asIndexed)), (word) =>
      findByTerms(sql, register, [termOf(word)], { perTerm: 50 }),
    ),
  )
  const named = found.flat().filter(({ name }) => nameKeysOf(name).some((key) => keys.has(key)))
  return [...new Map(named.map((one) => [one.id, one])).values()]
}

/** A hyphen between two words may be in one name and not in the other. */
const asIndexed = (words: readonly string[]) => [
  ...words.flatMap((word) => word.split('-')),
  ...words,
  ...words.slice(1).map((word, at) => `${words[at]}-${word}`),
]

/**
 * A name of one word counts only if the sender shows nothing else: many firms are called Delta. One of several words also
 * counts beside the name of a person.
 */
function keysOf(words: readonly string[]): string[] {
  const whole = nameKeyOf(words.join(' '))
  const runs = words.flatMap((_, from) => words.slice(from).map((__, length) => words.slice(from, from + length + 1)))
  return runs.flatMap((run) => {
    const key = nameKeyOf(run.join(' '))
    return key !== undefined && (key === whole || !run.includes(key)) ? key : []
  })
}

interface Who {
  readonly address: string | undefined
  /** Undefined for an address at a public mail provider: such a domain is nobody's. */
  readonly domain: string | undefined
}

function readWho({ email, domain }: Compared): Who {
  if ((email === undefined) === (domain === undefined)) throw invalidField('', 'Give either email or domain.')
  if (email !== undefined) {
    const read = parseMailbox(email)
    if ('problem' in read) throw invalidField('/email', read.problem)
    return { address: read.address, domain: isPublicMail(read.domain) ? undefined : read.domain }
  }
  const read = normaliseHost(domain ?? '')
  if ('problem' in read) throw invalidField('/domain', 'This is not a domain.')
  return { address: undefined, domain: read.name }
}

/**
 * By the address itself; else by its domain, or the nearest domain above it; else by the domain of a listed address, unless
 * several counterparties have addresses there: then it may be a mail provider's.
 */
async function findWho(sql: SqlQueries, register: Register, { address, domain }: Who) {
  const domains = domain === undefined ? [] : domainsAbove(domain)
  const terms = [...(address === undefined ? [] : [address]), ...domains].map(termOf)
  const found = await findByTerms(sql, register, terms, { perTerm: PER_NAME })
  const ways = [
    (row: Counterparty) => address !== undefined && row.emails.includes(address),
    ...domains.map((name) => (row: Counterparty) => row.domains.includes(name)),
  ]
  const byMail = domains
    .filter((name) => !isPublicMail(name))
    .map((name) => (row: Counterparty) => row.emails.some((email) => email.endsWith(`@${name}`)))
  const isOne =
    ways.find((way) => found.some(way)) ?? byMail.find((way) => found.filter(way).length === 1) ?? (() => false)
  return { known: found.filter(isOne), isOne }
}

/** The name and every name above it, up to the one that was registered. */
function domainsAbove(name: string): string[] {
  const registrable = hostParts(name).registrable ?? name
  const names = [name]
  for (let rest = name; rest !== registrable && rest.includes('.'); ) {
    rest = rest.slice(rest.indexOf('.') + 1)
    names.push(rest)
  }
  return names.slice(-LABELS_MAX)
}
