/** People who sign in. Their rights in an organisation come from their role there. */
import type { Person } from '../../access/session.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, flag, integer, text } from '../../db/table.ts'
import { invalidField, Problem } from '../../errors.ts'
import { normaliseAddressText } from '../../lib/address-text.ts'
import { newId } from '../../lib/ids.ts'
import { characterProblem } from '../../lib/name-text.ts'
import { checkedName } from '../organisation/organisations.ts'

export type { Person }

export const people = defineTable({
  name: 'person',
  key: ['id'],
  fixed: ['email', 'created_at'],
  columns: {
    id: text(),
    email: text(),
    email_verified: flag(),
    name: text(),
    state: text<'active' | 'disabled'>(),
    created_at: integer(),
    updated_at: integer(),
  },
})

/** The stored and compared form: addresses are case-insensitive. */
export const normaliseSignInEmail = normaliseAddressText

export function signInEmailProblem(email: string): string | undefined {
  const normal = normaliseSignInEmail(email)
  if (normal.length > 254) return 'is longer than 254 characters'
  if (!/^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u.test(normal))
    return 'is not an email address'
  return undefined
}

/** The address as stored; 422 when it is invalid or could be mistaken for another. */
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

/** Creates a person without an organisation; 409 when the address is taken. */
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
    detail: 'There is already an account with this email address. Its owner can sign in and join with it.',
  })
}

export const findPerson = (sql: SqlQueries, id: string): Promise<Person | undefined> => people.find(sql, { id })

export async function requirePerson(sql: SqlQueries, id: string): Promise<Person> {
  const person = await findPerson(sql, id)
  if (!person) throw new Problem('not_found', { detail: 'There is no such person.' })
  return person
}

export function findPersonByEmail(sql: SqlQueries, email: string) {
  return findWithHash(sql, 'email', normaliseSignInEmail(email))
}

/** A person with their current password hash. */
export const findPersonWithHash = (sql: SqlQueries, id: string) => findWithHash(sql, 'id', id)

async function findWithHash(sql: SqlQueries, column: 'id' | 'email', value: string) {
  const [row] = await sql.query<{ password_hash: string }>(
    `select ${people.columns()}, password_hash from person where ${column} = $1`,
    [value],
  )
  return row && { person: people.fromRow(row), passwordHash: row.password_hash }
}

export async function requirePersonByEmail(sql: SqlQueries, email: string): Promise<Person> {
  const found = signInEmailProblem(email) ? undefined : await findPersonByEmail(sql, email)
  if (!found) throw new Problem('not_found', { detail: 'There is no account with this email address.' })
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
