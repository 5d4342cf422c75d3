/**
 * Consents: what a person allows one application to do in one organisation.
 *
 *  1. A consent consists of all active grants of the person for this application that charge this organisation. Allowing it
 *     again, on another device, adds a grant and not a second consent: nothing that works elsewhere ends by it.
 *  2. Withdrawing it ends all of these grants for good, with every code and token under them.
 *  3. The person withdraws their own. For somebody else it takes `organisation:write` in the organisation that is
 *     charged, and the scopes the application was given there.
 *  4. Binding a grant and withdrawing both hold the organisation's lock: a concurrent consent is either ended by the
 *     withdrawal, or given after it.
 */
import type { Actor } from '../../access/actor.ts'
import { requireGrantable, requireProof, requireWriter } from '../../access/rights.ts'
import { isScope, type Scope } from '../../access/scopes.ts'
import type { SqlQueries, SqlValue, Tx } from '../../db/sql.ts'
import type { PageOptions } from '../../db/table.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit.ts'
import { COMMAND_LINE_CLIENT, COMMAND_LINE_NAME } from '../clients/command-line.ts'
import { type ByOperator, lockPerson } from '../members/members.ts'
import { lockOrganisation } from '../organisation/organisations.ts'
import { type ConsentPlace, endGrants, type SomePlace } from './grants.ts'

export interface Consent extends ConsentPlace {
  /** The ids of person, application and organisation, joined. */
  readonly id: string
  readonly person: { readonly name: string; readonly email: string }
  readonly organisationName: string
  readonly clientName: string
  /** Whose application it is; null for the command line, which is part of the server. */
  readonly owner: { readonly id: string; readonly name: string } | null
  readonly scopes: readonly Scope[]
  readonly sinceMs: number
  /** When a token was last issued; null if its record is already purged. */
  readonly usedAtMs: number | null
  readonly endsAtMs: number
}

const CONSENTS_MAX = 1000
const SEPARATOR = '.'

/** Reads a consent's id; 404 when it is invalid. */
export function consentPlace(id: string): ConsentPlace {
  const [personId, clientId, organisationId, ...more] = id.split(SEPARATOR)
  if (!personId || !clientId || !organisationId || more.length > 0) throw noConsent()
  return { personId, clientId, organisationId }
}

const noConsent = () => notFound('There is no such consent. It may already have been withdrawn.')

/** Oldest first. */
async function select(sql: SqlQueries, of: SomePlace, nowMs: number, { from, limit }: PageOptions) {
  const values: SqlValue[] = [nowMs]
  let where = ''
  if (of.personId !== undefined) where += ` and m.person_id = $${values.push(of.personId)}`
  if (of.clientId !== undefined) where += ` and g.client_id = $${values.push(of.clientId)}`
  if (of.organisationId !== undefined) where += ` and m.organisation_id = $${values.push(of.organisationId)}`
  const known = `c.id is not null or one.client_id = $${values.push(COMMAND_LINE_CLIENT)}`
  const behind = from ? ` and (one.since, one.id) > ($${values.push(from.createdAtMs)}, $${values.push(from.id)})` : ''
  const rows = await sql.query<Omit<Consent, 'person' | 'owner' | 'scopes'> & Joined>(
    `select one.person_id as "personId", one.client_id as "clientId", one.organisation_id as "organisationId", one.id,
       one.payloads, one.since as "sinceMs", one.used_at as "usedAtMs", one.ends_at as "endsAtMs",
       p.name as "personName", p.email, o.name as "organisationName",
       coalesce(c.name, '${COMMAND_LINE_NAME}') as "clientName", co.id as "ownerId", co.name as "ownerName"
     from (
       select person_id, client_id, organisation_id,
         person_id || '${SEPARATOR}' || client_id || '${SEPARATOR}' || organisation_id as id,
         string_agg(payload, ',') as payloads, min(issued_at) as since, max(used_at) as used_at, max(expires_at) as ends_at
       from (
         select g.person_id, g.client_id, g.organisation_id, g.payload, g.issued_at, g.expires_at,
           (select max(t.issued_at) from oauth_record t
            where t.grant_digest = g.digest and t.kind in ('AccessToken', 'RefreshToken')) as used_at
         from membership m join oauth_record g on g.person_id = m.person_id and g.organisation_id = m.organisation_id
         where g.kind = 'Grant' and g.consumed_at is null and g.expires_at > $1${where}
       ) living
       group by person_id, client_id, organisation_id
     ) one
     join person p on p.id = one.person_id
     join organisation o on o.id = one.organisation_id
     left join oauth_client c on c.id = one.client_id
     left join organisation co on co.id = c.organisation_id
     where (${known})${behind}
     order by one.since, one.id limit ${limit}`,
    values,
  )
  return rows.map(
    ({ personName, email, ownerId, ownerName, payloads, ...row }): Consent => ({
      ...row,
      person: { name: personName, email },
      owner: ownerId === null ? null : { id: ownerId, name: ownerName ?? '' },
      scopes: scopesOf(JSON.parse(`[${payloads}]`) as readonly GrantPayload[]),
    }),
  )
}

interface Joined {
  readonly personName: string
  readonly email: string
  readonly ownerId: string | null
  readonly ownerName: string | null
  readonly payloads: string
}

/** The part of the OAuth library's grant record that is read here. */
interface GrantPayload {
  readonly openid?: { readonly scope?: string }
}

function scopesOf(grants: readonly GrantPayload[]): Scope[] {
  return [...new Set(grants.flatMap(({ openid }) => (openid?.scope ?? '').split(' ')))].filter(isScope)
}

export function consentsOf(sql: SqlQueries, personId: string, nowMs: number): Promise<Consent[]> {
  return select(sql, { personId }, nowMs, { limit: CONSENTS_MAX })
}

export async function listConsents(sql: SqlQueries, organisationId: string, nowMs: number, page: PageOptions) {
  const found = await select(sql, { organisationId }, nowMs, { ...page, limit: page.limit + 1 })
  const rows = found.slice(0, page.limit)
  const last = rows.at(-1)
  return { rows, next: found.length > page.limit && last ? { createdAtMs: last.sinceMs, id: last.id } : undefined }
}

/** Rules 2 and 3; 404 when there is none. */
export async function withdrawConsent(tx: Tx, actor: Actor, place: ConsentPlace): Promise<Consent> {
  if (actor.organisationId !== place.organisationId) throw noConsent()
  const own = actor.kind === 'person' && actor.id === place.personId
  if (!own) requireWriter(actor)
  await lockOrganisation(tx, place.organisationId)
  const [consent] = await select(tx, place, tx.nowMs, { limit: 1 })
  if (!consent) throw noConsent()
  if (!own) {
    requireGrantable(actor, consent.scopes)
    requireProof(actor)
  }
  await end(tx, actor, consent, own)
  return consent
}

async function end(tx: Tx, actor: Actor, consent: Consent, own: boolean): Promise<void> {
  const { personId, clientId, organisationId } = consent
  await endGrants(tx, { personId, clientId, organisationId }, tx.nowMs)
  const { clientName: name, person, scopes } = consent
  await audit(tx, actor, 'grant.withdraw', clientId, {
    name,
    ...(own ? {} : { member: person.name, member_id: personId }),
    scopes,
  })
}

/** All of a person's consents, or those for one organisation or application: what the operator can do. */
export async function withdrawConsents(tx: Tx, by: ByOperator, personId: string, of: Omit<SomePlace, 'personId'>) {
  await lockPerson(tx, personId)
  const consents = await select(tx, { personId, ...of }, tx.nowMs, { limit: CONSENTS_MAX })
  for (const consent of consents) await end(tx, by(consent.organisationId), consent, false)
  // Includes grants not yet bound to an organisation, and those of unregistered applications.
  await endGrants(tx, { personId, ...of }, tx.nowMs)
  return consents
}
