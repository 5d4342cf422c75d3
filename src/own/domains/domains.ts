/**
 * Domains that an organisation proves to be its own, by a TXT record or by the operator's word. Several organisations
 * may prove the same one: a firm and its daughter, two departments.
 *
 *  1. Each claim has a random value of its own, so nobody else's record proves it.
 *  2. Only an answer of the DNS changes a state. A look-up that failed changes nothing.
 *  3. The operator's word stays until the domain is removed.
 */
import type { Actor } from '../../access/actor.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, type Page, type PageOptions, text } from '../../db/table.ts'
import { conflict, invalidField, orNotFound } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { lockForWriter } from '../../identity/organisation/organisations.ts'
import { HOST_PROBLEMS, hostParts, normaliseHost, reservedName } from '../../lib/domain.ts'
import { newId, randomBase62 } from '../../lib/ids.ts'
import { LIMITS } from '../../limits.ts'
import type { DnsAnswer, DnsResolver } from '../../live/dns/resolver.ts'
import { isPublicMail } from '../counterparties/content.ts'
import { touch } from '../version.ts'

export const DOMAIN_STATES = ['pending', 'verified'] as const
export const PROOFS = ['dns', 'operator'] as const

const domains = defineTable({
  name: 'own_domain',
  key: ['id'],
  fixed: ['organisation_id', 'domain', 'token', 'created_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    domain: text(),
    token: text(),
    state: text<(typeof DOMAIN_STATES)[number]>(),
    verified_how: orNull(text<(typeof PROOFS)[number]>()),
    verified_at: orNull(integer()),
    checked_at: orNull(integer()),
    finding: orNull(text()),
    created_at: integer(),
  },
})
export type OwnDomain = EntityOf<typeof domains>

export const recordOf = ({ token }: OwnDomain): string => `assay-verification=${token}`

/** 422 with the reason for a name that cannot be one organisation's own. */
function checkedDomain(input: string): string {
  const host = normaliseHost(input)
  if ('problem' in host) throw invalidField('/domain', `The domain ${HOST_PROBLEMS[host.problem]}.`)
  const { name } = host
  const parts = hostParts(name)
  if (parts.registrable === undefined || parts.platform === name) {
    throw invalidField('/domain', 'The domain is an ending under which anyone can register a name.')
  }
  if (isPublicMail(name)) {
    throw invalidField('/domain', 'The domain is a public mail provider: anyone can open a mailbox there.')
  }
  const reserved = reservedName(parts)
  if (reserved) throw invalidField('/domain', `The domain cannot be proven: ${reserved}.`)
  return name
}

/** A domain that is claimed already is returned as it is. */
export async function claimDomain(tx: Tx, actor: Actor, input: string): Promise<OwnDomain> {
  await lockForWriter(tx, actor)
  const place = { organisation_id: actor.organisationId, domain: checkedDomain(input) }
  const known = await domains.find(tx, place)
  if (known) return known
  const { ownDomainsMax } = LIMITS.counts
  if ((await domains.count(tx, { organisation_id: actor.organisationId })) >= ownDomainsMax) {
    throw conflict(`There are ${ownDomainsMax} domains. Remove some first.`)
  }
  const made = await domains.insert(tx, {
    id: newId('dom'),
    ...place,
    token: randomBase62(32),
    state: 'pending',
    verified_how: null,
    verified_at: null,
    checked_at: null,
    finding: null,
    created_at: tx.nowMs,
  })
  await audit(tx, actor, 'domain.add', made.id, { domain: made.domain })
  return made
}

/** The answer to the look-up that proves a domain; ask before the transaction. */
export function lookUpProof(resolver: Pick<DnsResolver, 'ask'>, domain: string, organisationId: string) {
  return resolver.ask('TXT', domain, { urgent: true, organisationId })
}

/** Rule 2. */
export async function verifyDomain(tx: Tx, actor: Actor, name: string, answer: DnsAnswer<string>): Promise<OwnDomain> {
  await lockForWriter(tx, actor)
  const before = await requireDomain(tx, actor.organisationId, name)
  const finding = findingOf(before, answer)
  const state = { checked_at: tx.nowMs, finding }
  if (finding === null) {
    if (before.state === 'verified') return domains.update(tx, before, state)
    return proven(tx, actor, before, state, 'dns')
  }
  const isLost = before.verified_how === 'dns' && answer.kind !== 'failed'
  if (!isLost) return domains.update(tx, before, state)
  const lost = { ...state, state: 'pending', verified_how: null, verified_at: null } as const
  const after = await domains.update(tx, before, lost)
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'domain.lose', after.id, { domain: after.domain })
  return after
}

/** Rule 3. Claims the domain if nobody did. */
export async function vouchForDomain(tx: Tx, operator: Actor, input: string): Promise<OwnDomain> {
  const claimed = await claimDomain(tx, operator, input)
  if (claimed.verified_how === 'operator') return claimed
  return proven(tx, operator, claimed, { finding: null }, 'operator')
}

async function proven(
  tx: Tx,
  actor: Actor,
  domain: OwnDomain,
  seen: Partial<OwnDomain>,
  how: (typeof PROOFS)[number],
): Promise<OwnDomain> {
  const verified = { ...seen, state: 'verified', verified_how: how, verified_at: tx.nowMs } as const
  const after = await domains.update(tx, domain, verified)
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'domain.verify', after.id, { domain: after.domain, how })
  return after
}

/** Null if the record is there. */
function findingOf(domain: OwnDomain, answer: DnsAnswer<string>): string | null {
  if (answer.kind === 'failed') return `The DNS did not answer (${answer.why}). Try again in a few minutes.`
  if (answer.kind === 'no_such_name') return 'The domain does not exist in the DNS.'
  const records = answer.kind === 'answer' ? answer.records : []
  if (records.some((record) => record.trim() === recordOf(domain))) return null
  const others = records.filter((record) => record.startsWith('assay-verification=')).length
  return others > 0
    ? 'The domain has a verification record, but with another value.'
    : 'The domain has no such TXT record yet. A new record may take an hour to be seen.'
}

export async function removeDomain(tx: Tx, actor: Actor, name: string): Promise<void> {
  await lockForWriter(tx, actor)
  const { id, domain } = await requireDomain(tx, actor.organisationId, name)
  await domains.delete(tx, { id })
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'domain.remove', id, { domain })
}

/** In any spelling in which it can be claimed. */
export function requireDomain(sql: SqlQueries, organisationId: string, text: string): Promise<OwnDomain> {
  const host = normaliseHost(text)
  const place = { organisation_id: organisationId, domain: 'name' in host ? host.name : text }
  return orNotFound(domains.find(sql, place), 'The organisation has not claimed this domain.')
}

/** In the order they were claimed. */
export function listDomains(sql: SqlQueries, organisationId: string, page: PageOptions): Promise<Page<OwnDomain>> {
  return domains.page(sql, { organisation_id: organisationId }, page)
}

const allOf = (sql: SqlQueries, where: Partial<OwnDomain>) =>
  domains.list(sql, where, { order: 'domain', limit: LIMITS.counts.ownDomainsMax })

/** The proven ones, for checks. */
export async function readDomains(sql: SqlQueries, organisationId: string): Promise<string[]> {
  const proven = await allOf(sql, { organisation_id: organisationId, state: 'verified' })
  return proven.map(({ domain }) => domain)
}

/** Also those without a proof: for a warning they are good enough. */
export async function claimedDomains(sql: SqlQueries, organisationId: string): Promise<string[]> {
  return (await allOf(sql, { organisation_id: organisationId })).map(({ domain }) => domain)
}
