/** People who sign in. Their rights in an organisation come from their role there. */
import type { Person } from '../../access/session.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, flag, integer, text } from '../../db/table.ts'
import { conflict, invalidField, notFound, orNotFound } from '../../errors.ts'
import { normaliseAddressText, parseRecipient } from '../../lib/address-text.ts'
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

/**
 * The stored and compared form. A text that is no valid address is only brought into lower case: an account from before
 * the rule was strict may have such an address.
 */
export function normaliseSignInEmail(email: string): string {
  const mailbox = parseRecipient(email)
  return 'problem' in mailbox ? normaliseAddressText(email) : mailbox.address
}

/** The address in normal form, or what is wrong with it: invalid, or it could be mistaken for another. */
function readEmail(email: string): { readonly address: string } | { readonly problem: string } {
  const mailbox = parseRecipient(email)
  if ('problem' in mailbox) return mailbox
  const odd = characterProblem(email)
  return odd ? { problem: `The email address ${odd}.` } : mailbox
}

/** The address as stored; 422 when it is not valid. */
export function checkedEmail(email: string): string {
  const read = readEmail(email)
  if ('problem' in read) throw invalidField('/email', read.problem)
  return read.address
}

export interface NewPerson {
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
  readonly passwordHash: string
}

/** Creates a person without an organisation; undefined when the address is taken. */
export function insertPerson(tx: Tx, input: NewPerson): Promise<Person | undefined> {
  const person: Person = {
    id: newId('usr'),
    email: checkedEmail(input.email),
    email_verified: input.emailVerified,
    name: checkedName(input.name),
    state: 'active',
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
  }
  return people.insertIfNew(tx, person, { password_hash: input.passwordHash, address_problem: '' })
}

/** Like insertPerson; 409 when the address is taken. */
export async function createPerson(tx: Tx, input: NewPerson): Promise<Person> {
  const made = await insertPerson(tx, input)
  if (made) return made
  throw conflict('There is already an account with this email address. Its owner can sign in and join with it.')
}

export const findPerson = (sql: SqlQueries, id: string): Promise<Person | undefined> => people.find(sql, { id })

export const requirePerson = (sql: SqlQueries, id: string) =>
  orNotFound(findPerson(sql, id), 'There is no such person.')

/** By the normal form, or first by an older form that `checkStoredAddresses` could not replace. */
export function findPersonByEmail(sql: SqlQueries, email: string) {
  const forms = [normaliseAddressText(email), normaliseSignInEmail(email)]
  return findWithHash(sql, 'email in ($1, $2) order by case when email = $1 then 0 else 1 end limit 1', forms)
}

export const findPersonWithHash = (sql: SqlQueries, id: string) => findWithHash(sql, 'id = $1', [id])

async function findWithHash(sql: SqlQueries, which: string, values: readonly string[]) {
  const [row] = await sql.query<{ password_hash: string }>(
    `select ${people.columns()}, password_hash from person where ${which}`,
    values,
  )
  return row && { person: people.fromRow(row), passwordHash: row.password_hash }
}

export async function requirePersonByEmail(sql: SqlQueries, email: string): Promise<Person> {
  const found = email.includes('\0') ? undefined : await findPersonByEmail(sql, email)
  if (!found) throw notFound('There is no account with this email address.')
  return found.person
}

/** People whose address is not valid, each with the problem; oldest first, at most `limit`. */
export async function listInvalidAddresses(sql: SqlQueries, limit: number) {
  const rows = await sql.query<{ address_problem: string }>(
    `select ${people.columns()}, address_problem from person where address_problem <> '' order by created_at, id limit $1`,
    [limit],
  )
  return rows.map((row) => ({ ...people.fromRow(row), problem: row.address_problem }))
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

/**
 * Addresses that were stored before the rule for addresses was strict.
 *
 *  1. A valid address is rewritten in normal form, unless another account has that one.
 *  2. Any other stays, with its problem beside it: its person signs in with it and gets no mail. The operator sees these
 *     people by `assayd user list --invalid-addresses`.
 *  3. People made by a node of an earlier version while this one already runs are looked at later.
 */
const BATCH = 500

/** Looks at every address not looked at yet; returns the ids of people whose address is not valid. */
export async function checkStoredAddresses(sql: SqlQueries): Promise<string[]> {
  const invalid: string[] = []
  for (;;) {
    const rows = await sql.query<{ id: string; email: string }>(
      `select id, email from person where address_problem is null order by id limit ${BATCH}`,
    )
    for (const { id, email } of rows) {
      const problem = await checkOne(sql, id, email)
      if (problem !== '') invalid.push(id)
    }
    if (rows.length < BATCH) return invalid
  }
}

async function checkOne(sql: SqlQueries, id: string, email: string): Promise<string> {
  const read = readEmail(email)
  const address = 'problem' in read ? email : read.address
  const [other] = address === email ? [] : await sql.query('select id from person where email = $1', [address])
  const problem = 'problem' in read ? read.problem : other ? 'Another account has the same mailbox.' : ''
  await sql.query('update person set email = $2, address_problem = $3 where id = $1', [
    id,
    problem === '' ? address : email,
    problem,
  ])
  return problem
}
