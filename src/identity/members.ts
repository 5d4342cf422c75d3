/** Members of an organisation. An organisation always keeps an owner who can sign in. */

import type { Caller } from '../access/caller.ts'
import type { Role } from '../access/roles.ts'
import type { SqlQueries, SqlTransaction } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import type { TimePosition } from '../lib/time-position.ts'

export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly state: 'active' | 'disabled'
  readonly role: Role
  /** When they joined. */
  readonly created_at: number
}

const MEMBERS = `select p.id, p.email, p.name, p.state, m.role, m.created_at
  from membership m join person p on p.id = m.person_id where m.organisation_id = $1`

export async function listMembers(
  sql: SqlQueries,
  query: { readonly organisationId: string; readonly after?: TimePosition | undefined; readonly limit: number },
): Promise<{ members: Member[]; next: TimePosition | undefined }> {
  const after = query.after ?? { createdAtMs: -1, id: '' }
  const rows = await sql.query<Member>(
    `${MEMBERS} and (m.created_at, p.id) > ($2, $3) order by m.created_at, p.id limit ${query.limit + 1}`,
    [query.organisationId, after.createdAtMs, after.id],
  )
  const members = rows.slice(0, query.limit)
  const last = members.at(-1)
  return {
    members,
    next: rows.length > query.limit && last ? { createdAtMs: last.created_at, id: last.id } : undefined,
  }
}

export async function findMember(
  sql: SqlQueries,
  input: { readonly organisationId: string; readonly personId: string },
): Promise<Member | undefined> {
  const rows = await sql.query<Member>(`${MEMBERS} and p.id = $2`, [input.organisationId, input.personId])
  return rows[0]
}

/** Changes to members of one organisation happen one after another, so that two owners cannot leave at once. */
export async function lockOrganisation(tx: SqlTransaction, organisationId: string): Promise<void> {
  await tx.query(`select id from organisation where id = $1 order by id${tx.forUpdate}`, [organisationId])
}

/** To be called under lock, before an owner leaves or becomes something else. */
export async function refuseLastOwner(tx: SqlTransaction, organisationId: string, leaving: Member): Promise<void> {
  if (leaving.role !== 'owner') return
  const rows = await tx.query<{ owners: number }>(
    `select count(*) as owners from membership m join person p on p.id = m.person_id
     where m.organisation_id = $1 and m.role = 'owner' and p.state = 'active' and p.id <> $2`,
    [organisationId, leaving.id],
  )
  if ((rows[0]?.owners ?? 0) > 0) return
  throw new Problem('conflict', {
    detail: 'This is the last owner. Make another member an owner first.',
  })
}

/** Owners are made and unmade by owners who are signed in: a key, even one that may change members, is not one. */
export function requireOwner(caller: Caller, roles: readonly (Role | undefined)[]): void {
  if (!roles.includes('owner') || caller.role === 'owner') return
  throw new Problem('forbidden', { detail: 'Only an owner who is signed in may make or change owners.' })
}
