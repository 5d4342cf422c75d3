/**
 * Grants of people to applications, and their sessions.
 *
 *  1. An ended grant stays ended. Its row is kept until no token under it can be valid.
 *  2. Codes and tokens go with their grant. One that is being issued at that moment belongs to an ended grant and is
 *     not valid.
 *  3. A grant is not valid before it is bound to an organisation. Binding it and removing the person's rights there
 *     both hold the organisation's lock, so that a consent under way cannot outlive the membership it relied on.
 */
import { systemIn } from '../../access/actor.ts'
import type { Role } from '../../access/roles.ts'
import type { SqlQueries, SqlValue, Tx } from '../../db/sql.ts'
import { conflict } from '../../errors.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { audit } from '../audit.ts'
import { COMMAND_LINE_CLIENT, COMMAND_LINE_NAME } from '../clients/command-line.ts'
import { lockOrganisation } from '../organisation/organisations.ts'

/** A person's consent to one application, which charges one organisation. */
export interface ConsentPlace {
  readonly personId: string
  readonly clientId: string
  readonly organisationId: string
}
export type SomePlace = { readonly [Part in keyof ConsentPlace]?: string | undefined }

type GrantsOf = { readonly grantDigest: string } | (SomePlace & Pick<ConsentPlace, 'personId'>)

/** Ends one grant, or all grants of a person for one organisation or application; returns how many. */
export async function endGrants(sql: SqlQueries, of: GrantsOf, nowMs: number): Promise<number> {
  const values: SqlValue[] = []
  let condition = "kind = 'Grant'"
  if ('grantDigest' in of) condition += ` and digest = $${values.push(of.grantDigest)}`
  else {
    condition += ` and person_id = $${values.push(of.personId)}`
    if (of.organisationId !== undefined) condition += ` and organisation_id = $${values.push(of.organisationId)}`
    if (of.clientId !== undefined) condition += ` and client_id = $${values.push(of.clientId)}`
  }
  const under =
    'grantDigest' in of ? 'grant_digest = $1' : `grant_digest in (select digest from oauth_record where ${condition})`
  const ended = await sql.query(
    `update oauth_record set consumed_at = $${values.length + 1}, purge_at = $${values.length + 2}
     where ${condition} and consumed_at is null returning digest`,
    [...values, nowMs, nowMs + HOUR_MS],
  )
  await sql.query(`delete from oauth_record where ${under}`, values)
  return ended.length
}

/** Ends all sessions of a person, or all except one, and pending sign-ins. The OAuth library recreates its own. */
export async function endSessions(tx: Tx, personId: string, { except = '' }: { except?: string } = {}): Promise<void> {
  await tx.query('delete from console_session where person_id = $1 and (id is null or id <> $2)', [personId, except])
  await tx.query(`delete from oauth_record where person_id = $1 and kind in ('Session', 'Interaction')`, [personId])
}

/** After the last factor is removed, sessions count as opened by password alone. */
export async function forgetSecondFactor(tx: Tx, personId: string): Promise<void> {
  await tx.query(`update console_session set amr = 'pwd' where person_id = $1`, [personId])
}

/** Rule 3: binds the grant to the organisation, if the person still has the role they consented with. */
export async function bindGrant(
  tx: Tx,
  grantDigest: string,
  { personId, organisationId, clientId, role }: ConsentPlace & { readonly role: Role },
): Promise<void> {
  await lockOrganisation(tx, organisationId)
  const bound = await tx.query(
    `update oauth_record set organisation_id = $2 where digest = $1 and kind = 'Grant' and consumed_at is null
       and exists (select 1 from membership m join person p on p.id = m.person_id where m.person_id = $3
         and m.organisation_id = $2 and m.role = $4 and p.state = 'active') returning digest`,
    [grantDigest, organisationId, personId, role],
  )
  if (bound.length === 0) throw conflict('Your role in this organisation has just changed. Start again.')
  const person = { ...systemIn(organisationId), kind: 'person', id: personId } as const
  await audit(tx, person, 'grant.create', clientId, { name: await clientName(tx, clientId) })
}

const GRANTS_MAX = 20

/** The library's ids of a person's active grants to an application, newest first. The ids are not secret. */
export async function livingGrantIds(sql: SqlQueries, of: Omit<ConsentPlace, 'organisationId'>, nowMs: number) {
  const rows = await sql.query<{ payload: string }>(
    `select payload from oauth_record where person_id = $1 and client_id = $2 and kind = 'Grant'
       and organisation_id is not null and consumed_at is null and expires_at > $3
     order by issued_at desc, digest limit ${GRANTS_MAX}`,
    [of.personId, of.clientId, nowMs],
  )
  const grants = rows.map(({ payload }) => JSON.parse(payload) as { readonly jti?: string })
  // Older grants have no stored id and are not found: the person is asked for consent again.
  return grants.flatMap(({ jti }) => (jti === undefined ? [] : [jti]))
}

/** The application's name, or its id if it was just deleted. */
async function clientName(tx: Tx, clientId: string): Promise<string> {
  if (clientId === COMMAND_LINE_CLIENT) return COMMAND_LINE_NAME
  const rows = await tx.query<{ name: string }>('select name from oauth_client where id = $1', [clientId])
  return rows[0]?.name ?? clientId
}

export interface Reuse {
  readonly grantDigest: string
  readonly clientId: string
  readonly what: 'code' | 'refresh_token' | 'device_code'
  readonly requestId: string | undefined
}

/** Ends a grant whose code or token was used twice, and audits it once; returns true if it was active. */
export async function endReusedGrant(tx: Tx, { grantDigest, clientId, what, requestId }: Reuse): Promise<boolean> {
  const [grant] = await tx.query<{ organisation_id: string | null }>(
    `select organisation_id from oauth_record where digest = $1 and kind = 'Grant'`,
    [grantDigest],
  )
  if ((await endGrants(tx, { grantDigest }, tx.nowMs)) === 0) return false
  if (grant?.organisation_id) {
    const [client] = await tx.query<{ name: string }>('select name from oauth_client where id = $1', [clientId])
    const from = { id: clientId, ...(requestId === undefined ? {} : { requestId }) }
    const actor = { ...systemIn(grant.organisation_id, from), kind: 'application' } as const
    await audit(tx, actor, 'grant.reuse', clientId, { name: client?.name ?? clientId, what })
  }
  return true
}
