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

/** Several firms may share a domain or an account; more than this number tells nobody anything. */
const FOUND = { perTerm: 10 }
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
  const known = await findWho(sql, register, who)
  const holders = digest === undefined ? [] : await findByTerms(sql, register, [accountTerm(digest)], FOUND)
  const matching = known.filter(({ accounts }) => accounts.some((one) => one.digest === digest))
  const comparable = known.filter(({ accounts }) => accounts.length > 0)
  return {
    result: matching.length > 0 ? 'matches' : comparable.length > 0 ? 'differs' : 'unknown',
    account: { kind: account.kind, country: account.country, last4: account.last4 },
    counterparties: matching.length > 0 ? matching : known,
    accountOf: holders.filter((holder) => !known.some(({ id }) => id === holder.id)),
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
async function findWho(sql: SqlQueries, register: Register, { address, domain }: Who): Promise<Counterparty[]> {
  const domains = domain === undefined ? [] : domainsAbove(domain)
  const terms = [...(address === undefined ? [] : [address]), ...domains].map(termOf)
  const found = await findByTerms(sql, register, terms, FOUND)
  const byAddress = found.filter(({ emails }) => address !== undefined && emails.includes(address))
  if (byAddress.length > 0) return byAddress
  for (const name of domains) {
    const byDomain = found.filter((row) => row.domains.includes(name))
    if (byDomain.length > 0) return byDomain
  }
  return []
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
