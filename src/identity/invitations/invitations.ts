/** Invitations: a link that makes whoever opens it a member, once. */

import type { Role } from '../access/roles.ts'
import type { SqlQueries, SqlTransaction } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { newId, randomBase62 } from '../lib/ids.ts'
import type { TimePosition } from '../lib/time-position.ts'
import { normaliseSignInEmail } from './people.ts'

export interface Invitation {
  readonly id: string
  readonly organisation_id: string
  readonly role: Role
  readonly email: string | null
  readonly created_at: number
  readonly expires_at: number
  readonly accepted_at: number | null
  readonly accepted_by: string | null
  readonly revoked_at: number | null
}

export const INVITATIONS_OPEN_MAX = 100
const COLUMNS = 'id, organisation_id, role, email, created_at, expires_at, accepted_at, accepted_by, revoked_at'

/** Makes an invitation; `secret` goes into the link and is seen this once. */
export async function createInvitation(
  tx: SqlTransaction,
  input: {
    readonly organisationId: string
    readonly role: Role
    readonly email: string | null
    readonly nowMs: number
    readonly expiresAtMs: number
  },
): Promise<{ invitation: Invitation; secret: string }> {
  const open = await tx.query<{ count: number }>(
    `select count(*) as count from invitation
     where organisation_id = $1 and accepted_at is null and revoked_at is null and expires_at > $2`,
    [input.organisationId, input.nowMs],
  )
  if ((open[0]?.count ?? 0) >= INVITATIONS_OPEN_MAX) {
    throw new Problem('conflict', {
      detail: `There are ${INVITATIONS_OPEN_MAX} open invitations. Withdraw some first.`,
    })
  }
  const secret = randomBase62(32)
  const rows = await tx.query<Invitation>(
    `insert into invitation (id, organisation_id, role, digest, email, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [
      newId('inv'),
      input.organisationId,
      input.role,
      sha256Hex(secret),
      input.email === null ? null : normaliseSignInEmail(input.email),
      input.nowMs,
      input.expiresAtMs,
    ],
  )
  return { invitation: rows[0]!, secret }
}

export async function listInvitations(
  sql: SqlQueries,
  query: { readonly organisationId: string; readonly after?: TimePosition | undefined; readonly limit: number },
): Promise<{ invitations: Invitation[]; next: TimePosition | undefined }> {
  const after = query.after ?? { createdAtMs: -1, id: '' }
  const rows = await sql.query<Invitation>(
    `select ${COLUMNS} from invitation where organisation_id = $1 and (created_at, id) > ($2, $3)
     order by created_at, id limit ${query.limit + 1}`,
    [query.organisationId, after.createdAtMs, after.id],
  )
  const invitations = rows.slice(0, query.limit)
  const last = invitations.at(-1)
  return {
    invitations,
    next: rows.length > query.limit && last ? { createdAtMs: last.created_at, id: last.id } : undefined,
  }
}

/** Withdraws an open invitation; undefined when there is none of that id. */
export async function revokeInvitation(
  tx: SqlTransaction,
  input: { readonly organisationId: string; readonly id: string; readonly nowMs: number },
): Promise<Invitation | undefined> {
  const rows = await tx.query<Invitation>(
    `update invitation set revoked_at = $3 where id = $1 and organisation_id = $2 and accepted_at is null
     and revoked_at is null returning ${COLUMNS}`,
    [input.id, input.organisationId, input.nowMs],
  )
  return rows[0]
}

/** The open invitation behind a link; 404 for an unknown one, 409 for one that was used, withdrawn or has expired. */
export async function findOpenInvitation(
  sql: SqlQueries,
  secret: string,
  nowMs: number,
): Promise<Invitation & { readonly organisation_name: string }> {
  const rows = await sql.query<Invitation & { organisation_name: string }>(
    `select i.id, i.organisation_id, i.role, i.email, i.created_at, i.expires_at, i.accepted_at, i.accepted_by,
       i.revoked_at, o.name as organisation_name
     from invitation i join organisation o on o.id = i.organisation_id where i.digest = $1`,
    [sha256Hex(secret)],
  )
  const found = rows[0]
  if (!found || found.revoked_at !== null) throw new Problem('not_found', { detail: 'There is no such invitation.' })
  if (found.accepted_at !== null) {
    throw new Problem('conflict', { detail: 'This invitation was used already. Ask for another.' })
  }
  if (found.expires_at <= nowMs)
    throw new Problem('conflict', { detail: 'This invitation has expired. Ask for another.' })
  return found
}

/** Marks an invitation as used; of two at once, the second gets 409. */
export async function useInvitation(
  tx: SqlTransaction,
  input: { readonly id: string; readonly personId: string; readonly nowMs: number },
): Promise<void> {
  const rows = await tx.query(
    `update invitation set accepted_at = $3, accepted_by = $2
     where id = $1 and accepted_at is null and revoked_at is null returning id`,
    [input.id, input.personId, input.nowMs],
  )
  if (rows.length === 0) {
    throw new Problem('conflict', { detail: 'This invitation was used already. Ask for another.' })
  }
}
