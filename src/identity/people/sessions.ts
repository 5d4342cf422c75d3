import { randomBytes } from 'node:crypto'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { type Person, people } from './people.ts'
import { type SignedIn, signInFailed } from './sign-in.ts'

/** Whether the password somebody signed in with is still theirs. Held until the transaction ends. */
export async function isStillSignedIn(tx: Tx, { person, passwordHash }: SignedIn): Promise<boolean> {
  const rows = await tx.query<{ state: string; password_hash: string }>(
    `select state, password_hash from person where id = $1${tx.forUpdate}`,
    [person.id],
  )
  return rows[0]?.state === 'active' && rows[0].password_hash === passwordHash
}

/** Whoever signs in over and over, by a script, ends their own oldest sessions. */
const SESSIONS_MAX = 100

/** Console sessions: a random cookie, of which only the SHA-256 is stored. */
export async function openSession(
  tx: Tx,
  signedIn: SignedIn,
  lifetimeMs: number,
): Promise<{ token: string; expiresAtMs: number }> {
  if (!(await isStillSignedIn(tx, signedIn))) throw signInFailed()
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = tx.nowMs + lifetimeMs
  await tx.query('insert into console_session (digest, person_id, created_at, expires_at) values ($1, $2, $3, $4)', [
    sha256Hex(token),
    signedIn.person.id,
    tx.nowMs,
    expiresAtMs,
  ])
  await tx.query(
    `delete from console_session where digest in (select digest from console_session
       where person_id = $1 and digest <> $2 order by created_at desc limit 1000 offset ${SESSIONS_MAX - 1})`,
    [signedIn.person.id, sha256Hex(token)],
  )
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
