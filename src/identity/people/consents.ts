/**
 * Consents: what a person allows one application to do in one organisation.
 *
 *  1. A consent consists of all active grants of the person for this application that charge this organisation. Allowing it
 *     again, on another device, adds a grant and not a second consent: nothing that works elsewhere ends by it.
 *  2. Withdrawing it ends all of these grants for good, with every code and token under them.
 *  3. The person withdraws their own. For somebody else it takes `organisation:write` in the organisation that is
 *     charged, and the scopes the application was given there.
 *  4. Binding a grant and withdrawing both hold the organisation's lock: a consent under way is there and ends, or is
 *     given afterwards.
 */
import type { Actor } from '../../access/actor.ts'
import { requireGrantable, requireProof, requireWriter } from '../../access/rights.ts'
import { isScope, type Scope } from '../../access/scopes.ts'
import type { SqlQueries, SqlValue, Tx } from '../../db/sql.ts'
import type { Page, PageOptions } from '../../db/table.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../audit.ts'
import { COMMAND_LINE_CLIENT, COMMAND_LINE_NAME } from '../clients/command-line.ts'
import { type ByOperator, lockPerson } from '../members/members.ts'
import { lockOrganisation } from '../organisation/organisations.ts'
import { endGrants } from './grants.ts'

export interface ConsentPlace {
  readonly personId: string
  readonly clientId: string
  /** The organisation that is charged. */
  readonly organisationId: string
}

export interface Consent extends ConsentPlace {
  /** The ids of person, application and organisation. */
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
  /** When its last grant expires. */
  readonly endsAtMs: number
}

const CONSENTS_MAX = 1000
const SEPARATOR = '.'

export function consentId({ personId, clientId, organisationId }: ConsentPlace): string {
  return [personId, clientId, organisationId].join(SEPARATOR)
}

/** Reads a consent's id; 404 when it is invalid. */
export function consentPlace(id: string): ConsentPlace {
  const [personId, clientId, organisationId, ...more] = id.split(SEPARATOR)
  if (!personId || !clientId || !organisationId || more.length > 0) throw noConsent()
  return { personId, clientId, organisationId }
}

const noConsent = () =>
  new Problem('not_found', { detail: 'There is no such consent. It may have been withdrawn already.' })

interface Row {
  readonly person_id: string
  readonly client_id: string
  readonly organisation_id: string
  readonly person_name: string
  readonly email: string
  readonly organisation_name: string
  readonly client_name: string | null
  readonly owner_id: string | null
  readonly owner_name: string | null
  readonly payloads: string
  readonly since: number
  readonly used_at: number | null
  readonly ends_at: number
}

/** Oldest first. */
async function select(
  sql: SqlQueries,
  of: { readonly [Part in keyof ConsentPlace]?: string | undefined },
  nowMs: number,
  { from, limit }: PageOptions,
): Promise<Consent[]> {
  const values: SqlValue[] = [nowMs]
  let where = ''
  if (of.personId !== undefined) where += ` and m.person_id = $${values.push(of.personId)}`
  if (of.clientId !== undefined) where += ` and g.client_id = $${values.push(of.clientId)}`
  if (of.organisationId !== undefined) where += ` and m.organisation_id = $${values.push(of.organisationId)}`
  const known = `c.id is not null or one.client_id = $${values.push(COMMAND_LINE_CLIENT)}`
  const behind = from ? ` and (one.since, one.id) > ($${values.push(from.createdAtMs)}, $${values.push(from.id)})` : ''
  const rows = await sql.query<Row>(
    `select one.*, p.name as person_name, p.email, o.name as organisation_name, c.name as client_name,
       co.id as owner_id, co.name as owner_name
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
  return rows.map(toConsent)
}

function toConsent(row: Row): Consent {
  const place = { personId: row.person_id, clientId: row.client_id, organisationId: row.organisation_id }
  return {
    ...place,
    id: consentId(place),
    person: { name: row.person_name, email: row.email },
    organisationName: row.organisation_name,
    clientName: row.client_name ?? COMMAND_LINE_NAME,
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name ?? '' },
    scopes: scopesOf(JSON.parse(`[${row.payloads}]`) as readonly GrantPayload[]),
    sinceMs: row.since,
    usedAtMs: row.used_at,
    endsAtMs: row.ends_at,
  }
}

/** The part of the OAuth library's grant record that is read here. */
interface GrantPayload {
  readonly openid?: { readonly scope?: string }
}

function scopesOf(grants: readonly GrantPayload[]): Scope[] {
  return [...new Set(grants.flatMap(({ openid }) => (openid?.scope ?? '').split(' ')))].filter(isScope)
}

/** A person's consents, oldest first. */
export function consentsOf(sql: SqlQueries, personId: string, nowMs: number): Promise<Consent[]> {
  return select(sql, { personId }, nowMs, { limit: CONSENTS_MAX })
}

/** Members' consents that charge one organisation, oldest first. */
export async function listConsents(
  sql: SqlQueries,
  organisationId: string,
  nowMs: number,
  page: PageOptions,
): Promise<Page<Consent>> {
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
  await audit(tx, actor, 'grant.withdraw', clientId, {
    name: consent.clientName,
    ...(own ? {} : { member: consent.person.name }),
    scopes: consent.scopes,
  })
}

/** All of a person's consents, or those for one organisation or application: what the operator can do. */
export async function withdrawConsents(
  tx: Tx,
  by: ByOperator,
  personId: string,
  of: { readonly organisationId?: string | undefined; readonly clientId?: string | undefined },
): Promise<readonly Consent[]> {
  await lockPerson(tx, personId)
  const consents = await select(tx, { personId, ...of }, tx.nowMs, { limit: CONSENTS_MAX })
  for (const consent of consents) await end(tx, by(consent.organisationId), consent, false)
  // Includes grants not yet bound to an organisation, and those of unregistered applications.
  await endGrants(tx, { personId, ...of }, tx.nowMs)
  return consents
}
