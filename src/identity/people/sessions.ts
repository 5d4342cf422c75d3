import { randomBytes } from 'node:crypto'
import type { SqlQueries } from '../../db/sql.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { type Person, people } from './people.ts'

/** Console sessions: a random cookie, of which only the SHA-256 is stored. */
export async function openSession(
  sql: SqlQueries,
  input: { readonly personId: string; readonly lifetimeMs: number; readonly nowMs: number },
): Promise<{ token: string; expiresAtMs: number }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = input.nowMs + input.lifetimeMs
  await sql.query('insert into console_session (digest, person_id, created_at, expires_at) values ($1, $2, $3, $4)', [
    sha256Hex(token),
    input.personId,
    input.nowMs,
    expiresAtMs,
  ])
  return { token, expiresAtMs }
}

/** The person whose session this is; undefined when it ended or the person was disabled. */
export async function findSession(
  sql: SqlQueries,
  token: string,
  nowMs: number,
): Promise<{ person: Person; expiresAtMs: number } | undefined> {
  const [row] = await sql.query<{ session_expires_at: number }>(
    `select ${people.columns('p')}, s.expires_at as session_expires_at
     from console_session s join person p on p.id = s.person_id
     where s.digest = $1 and s.expires_at > $2 and p.state = 'active'`,
    [sha256Hex(token), nowMs],
  )
  return row && { person: people.fromRow(row), expiresAtMs: row.session_expires_at }
}

export async function closeSession(sql: SqlQueries, token: string): Promise<void> {
  await sql.query('delete from console_session where digest = $1', [sha256Hex(token)])
}
