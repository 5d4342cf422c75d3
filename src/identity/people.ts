import type { OrganisationState } from '../access/organisation-state.ts'
import type { Role } from '../access/roles.ts'
import type { Sql, SqlQueries } from '../db/sql.ts'
import { newId } from '../lib/ids.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly state: 'active' | 'disabled'
  readonly created_at: number
  readonly updated_at: number
}

export interface Membership {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly state: OrganisationState
}

type Row = Omit<Person, 'email_verified'> & { readonly email_verified: number }

const COLUMNS = 'id, email, email_verified, name, state, created_at, updated_at'

const fromRow = (row: Row): Person => ({ ...row, email_verified: row.email_verified === 1 })

/** What is stored and compared: people type their address in any case. */
export function normaliseSignInEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

export function signInEmailProblem(email: string): string | undefined {
  const normal = normaliseSignInEmail(email)
  if (normal.length > 254) return 'is longer than 254 characters'
  if (!/^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u.test(normal))
    return 'is not an email address'
  return undefined
}

export interface NewPerson {
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
  readonly passwordHash: string
  readonly nowMs: number
}

export async function createPerson(sql: SqlQueries, input: NewPerson): Promise<Person> {
  const rows = await sql.query<Row>(
    `insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'active', $6, $6) returning ${COLUMNS}`,
    [
      newId('usr'),
      normaliseSignInEmail(input.email),
      input.emailVerified ? 1 : 0,
      input.name.trim(),
      input.passwordHash,
      input.nowMs,
    ],
  )
  return fromRow(rows[0]!)
}

export async function findPerson(sql: SqlQueries, id: string): Promise<Person | undefined> {
  const rows = await sql.query<Row>(`select ${COLUMNS} from person where id = $1`, [id])
  return rows[0] && fromRow(rows[0])
}

export async function findPersonByEmail(
  sql: SqlQueries,
  email: string,
): Promise<{ person: Person; passwordHash: string } | undefined> {
  const rows = await sql.query<Row & { password_hash: string }>(
    `select ${COLUMNS}, password_hash from person where email = $1`,
    [normaliseSignInEmail(email)],
  )
  const row = rows[0]
  if (!row) return undefined
  const { password_hash: passwordHash, ...rest } = row
  return { person: fromRow(rest), passwordHash }
}

export async function listPeople(sql: SqlQueries, organisationId?: string): Promise<(Person & { role?: Role })[]> {
  const rows =
    organisationId === undefined
      ? await sql.query<Row>(`select ${COLUMNS} from person order by created_at, id`)
      : await sql.query<Row & { role: Role }>(
          `select p.id, p.email, p.email_verified, p.name, p.state, p.created_at, p.updated_at, m.role
           from membership m join person p on p.id = m.person_id where m.organisation_id = $1 order by p.created_at, p.id`,
          [organisationId],
        )
  return rows.map(fromRow)
}

/** Puts a person into an organisation, or changes the role held there. */
export async function setMembership(
  sql: SqlQueries,
  input: { readonly personId: string; readonly organisationId: string; readonly role: Role; readonly nowMs: number },
): Promise<void> {
  await sql.query(
    `insert into membership (person_id, organisation_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (person_id, organisation_id) do update set role = excluded.role`,
    [input.personId, input.organisationId, input.role, input.nowMs],
  )
}

export async function removeMembership(
  sql: SqlQueries,
  input: { readonly personId: string; readonly organisationId: string },
): Promise<boolean> {
  const rows = await sql.query(
    'delete from membership where person_id = $1 and organisation_id = $2 returning person_id',
    [input.personId, input.organisationId],
  )
  return rows.length > 0
}

export async function membershipsOf(sql: SqlQueries, personId: string): Promise<Membership[]> {
  return sql.query<Membership>(
    `select o.id, o.name, m.role, o.state from membership m join organisation o on o.id = m.organisation_id
     where m.person_id = $1 order by o.name, o.id`,
    [personId],
  )
}

/** A new password ends every console session the old one opened. */
export async function setPassword(
  sql: Sql,
  input: { readonly personId: string; readonly passwordHash: string; readonly nowMs: number },
): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query('update person set password_hash = $2, updated_at = $3 where id = $1', [
      input.personId,
      input.passwordHash,
      input.nowMs,
    ])
    await tx.query('delete from console_session where person_id = $1', [input.personId])
    // The sign-in sessions of the OAuth pages as well: whoever knew the old password is signed out everywhere.
    await tx.query(`delete from oauth_record where person_id = $1 and kind = 'Session'`, [input.personId])
  })
}

export async function setPersonState(
  sql: SqlQueries,
  input: { readonly personId: string; readonly state: Person['state']; readonly nowMs: number },
): Promise<Person | undefined> {
  const rows = await sql.query<Row>(
    `update person set state = $2, updated_at = $3 where id = $1 returning ${COLUMNS}`,
    [input.personId, input.state, input.nowMs],
  )
  return rows[0] && fromRow(rows[0])
}
