/** Holds a bank account against the register: the largest loss is a payment to a changed account of a real supplier. */
import type { SqlQueries } from '../../db/sql.ts'
import { invalidField } from '../../errors.ts'
import { parseMailbox } from '../../lib/address-text.ts'
import { hostParts, normaliseHost } from '../../lib/domain.ts'
import type { Ring } from '../../lib/seal.ts'
import { accountTerm, isPublicMail, termOf } from '../counterparties/content.ts'
import { type Counterparty, findByTerms, type Register, readRegister } from '../counterparties/register.ts'
import { type Account, readAccount } from './account.ts'
import { findAccountDigest } from './digest.ts'

export const COMPARISONS = ['matches', 'differs', 'unknown'] as const

export interface Comparison {
  readonly result: (typeof COMPARISONS)[number]
  readonly account: Omit<Account, 'identity'>
  /** The counterparties of the address or domain; if it matches, those that have the account. */
  readonly counterparties: readonly Counterparty[]
  /** Others that have the account. */
  readonly accountOf: readonly Counterparty[]
}

/** Several firms may share a domain; more than this number tells nobody anything. */
const PER_NAME = 10
/** Labels below a registered name: names of mail servers have one or two. */
const LABELS_MAX = 10

export async function compareAccount(
  sql: SqlQueries,
  ring: Ring,
  organisationId: string,
  given: { readonly email?: string | undefined; readonly domain?: string | undefined; readonly account: string },
): Promise<Comparison> {
  const who = readWho(given)
  const account = readAccount(given.account)
  if ('problem' in account) throw invalidField('/account', `The account ${account.problem}.`)
  const register = await readRegister(sql, organisationId)
  const digest = (await findAccountDigest(sql, ring, organisationId))?.(account)
  const { known, isOne } = await findWho(sql, register, who)
  const holders = digest === undefined ? [] : await findByTerms(sql, register, [accountTerm(digest)], { perTerm: 50 })
  const matching = holders.filter(isOne)
  const comparable = known.filter(({ accounts }) => accounts.length > 0)
  return {
    result: matching.length > 0 ? 'matches' : comparable.length > 0 ? 'differs' : 'unknown',
    account: { kind: account.kind, country: account.country, last4: account.last4 },
    counterparties: matching.length > 0 ? matching : known,
    accountOf: holders.filter((holder) => !isOne(holder)),
  }
}

interface Who {
  readonly address: string | undefined
  /** Undefined for an address at a public mail provider: such a domain is nobody's. */
  readonly domain: string | undefined
}

function readWho({
  email,
  domain,
}: {
  readonly email?: string | undefined
  readonly domain?: string | undefined
}): Who {
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

/** By the address itself; else by its domain, or the nearest domain above it. */
async function findWho(sql: SqlQueries, register: Register, { address, domain }: Who) {
  const domains = domain === undefined ? [] : domainsAbove(domain)
  const terms = [...(address === undefined ? [] : [address]), ...domains].map(termOf)
  const found = await findByTerms(sql, register, terms, { perTerm: PER_NAME })
  const ways = [
    (row: Counterparty) => address !== undefined && row.emails.includes(address),
    ...domains.map((name) => (row: Counterparty) => row.domains.includes(name)),
  ]
  const isOne = ways.find((way) => found.some(way)) ?? (() => false)
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
