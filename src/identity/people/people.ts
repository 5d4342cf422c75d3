/** People who sign in. What they may do in an organisation is their membership's role there. */
import type { Person } from '../../access/session.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, flag, integer, text } from '../../db/table.ts'
import { invalidField, Problem } from '../../errors.ts'
import { normaliseAddressText } from '../../lib/address-text.ts'
import { newId } from '../../lib/ids.ts'
import { characterProblem } from '../../lib/name-text.ts'
import { checkedName } from '../organisation/organisations.ts'

export type { Person }

export const people = defineTable<Person>({
  name: 'person',
  key: ['id'],
  fixed: ['email', 'created_at'],
  columns: {
    id: text(),
    email: text(),
    email_verified: flag(),
    name: text(),
    state: text<Person['state']>(),
    created_at: integer(),
    updated_at: integer(),
  },
})

/** What is stored and compared: people type their address in any case. */
export function normaliseSignInEmail(email: string): string {
  return normaliseAddressText(email)
}

export function signInEmailProblem(email: string): string | undefined {
  const normal = normaliseSignInEmail(email)
  if (normal.length > 254) return 'is longer than 254 characters'
  if (!/^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u.test(normal))
    return 'is not an email address'
  return undefined
}

/** The address as it is stored; 422 when it is not one, or could be taken for another. */
export function checkedEmail(email: string): string {
  const wrong = signInEmailProblem(email) ?? characterProblem(email)
  if (wrong) throw invalidField('/email', `The email address ${wrong}.`)
  return normaliseSignInEmail(email)
}

export interface NewPerson {
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
  readonly passwordHash: string
}

/** A person who belongs to no organisation yet; 409 when somebody has the address already. */
export async function createPerson(tx: Tx, input: NewPerson): Promise<Person> {
  const person: Person = {
    id: newId('usr'),
    email: checkedEmail(input.email),
    email_verified: input.emailVerified,
    name: checkedName(input.name),
    state: 'active',
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
  }
  const made = await people.insertIfNew(tx, person, { password_hash: input.passwordHash })
  if (made) return made
  throw new Problem('conflict', {
    detail: 'There is already an account with this email address. Its holder can sign in and join with it.',
  })
}

export function findPerson(sql: SqlQueries, id: string): Promise<Person | undefined> {
  return people.find(sql, { id })
}

export async function requirePerson(sql: SqlQueries, id: string): Promise<Person> {
  const person = await findPerson(sql, id)
  if (!person) throw new Problem('not_found', { detail: 'There is no such person.' })
  return person
}

export async function findPersonByEmail(
  sql: SqlQueries,
  email: string,
): Promise<{ person: Person; passwordHash: string } | undefined> {
  const [row] = await sql.query<{ password_hash: string }>(
    `select ${people.columns()}, password_hash from person where email = $1`,
    [normaliseSignInEmail(email)],
  )
  return row && { person: people.fromRow(row), passwordHash: row.password_hash }
}

/** A person with the hash of the password they have now. */
export async function findPersonWithHash(
  sql: SqlQueries,
  id: string,
): Promise<{ person: Person; passwordHash: string } | undefined> {
  const [row] = await sql.query<{ password_hash: string }>(
    `select ${people.columns()}, password_hash from person where id = $1`,
    [id],
  )
  return row && { person: people.fromRow(row), passwordHash: row.password_hash }
}

export async function requirePersonByEmail(sql: SqlQueries, email: string): Promise<Person> {
  const found = signInEmailProblem(email) ? undefined : await findPersonByEmail(sql, email)
  if (!found) throw new Problem('not_found', { detail: 'There is nobody with this email address.' })
  return found.person
}

/** Everybody, or everybody in one organisation; oldest first, at most `limit`. */
export async function listPeople(
  sql: SqlQueries,
  { organisationId, limit }: { readonly organisationId?: string | undefined; readonly limit: number },
): Promise<Person[]> {
  const rows = await sql.query(
    organisationId === undefined
      ? `select ${people.columns()} from person order by created_at, id limit $1`
      : `select ${people.columns('p')} from membership m join person p on p.id = m.person_id
         where m.organisation_id = $2 order by p.created_at, p.id limit $1`,
    organisationId === undefined ? [limit] : [limit, organisationId],
  )
  return rows.map(people.fromRow)
}
