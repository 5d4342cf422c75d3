import { randomBytes } from 'node:crypto'
import type { AuthenticationMethod, FoundSession } from '../../access/session.ts'
import type { Sql, SqlQueries, Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { MINUTE_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { newId } from '../../lib/ids.ts'
import { LIMITS } from '../../limits.ts'
import { type NewSignIn, recordSignIn } from './devices.ts'
import { people } from './people.ts'
import { type SignedIn, signInFailed } from './sign-in.ts'

/** Returns true if the password was not changed since. Locks the person until the transaction ends. */
async function isStillSignedIn(tx: Tx, { person, passwordHash }: SignedIn): Promise<boolean> {
  const select = `select state, password_hash from person where id = $1${tx.forUpdate}`
  const [row] = await tx.query<{ state: string; password_hash: string }>(select, [person.id])
  return row?.state === 'active' && row.password_hash === passwordHash
}

const USER_AGENT_CHARACTERS_MAX = 400
/** The last use is written again when it is older than this. */
const SEEN_MS = 5 * MINUTE_MS

/** Sessions of people in their browsers, for the console and the OAuth pages alike: a random cookie, stored as its SHA-256. */
export async function openSession(tx: Tx, signedIn: SignedIn, options: NewSignIn & { readonly lifetimeMs: number }) {
  if (!(await isStillSignedIn(tx, signedIn))) throw signInFailed()
  const token = randomBytes(32).toString('base64url')
  const id = newId('ses')
  const expiresAtMs = tx.nowMs + options.lifetimeMs
  const { person } = signedIn
  const digest = sha256Hex(token)
  const { ip, userAgent, deviceDigest } = options.from
  const program = userAgent?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null
  await tx.query(
    `insert into console_session (digest, id, person_id, created_at, seen_at, proved_at, expires_at, amr, ip, user_agent,
       device_digest) values ($1, $2, $3, $4, $4, $4, $5, $6, $7, $8, $9)`,
    [digest, id, person.id, tx.nowMs, expiresAtMs, options.amr.join(' '), ip, program, deviceDigest],
  )
  await tx.query(
    `delete from console_session where digest in (select digest from console_session
       where person_id = $1 and digest <> $2 order by created_at desc limit 1000 offset ${LIMITS.counts.sessionsMax - 1})`,
    [person.id, digest],
  )
  await recordSignIn(tx, person, options)
  return { token, id, person, amr: options.amr, signedInAtMs: tx.nowMs, provedAtMs: tx.nowMs, expiresAtMs }
}

interface SessionRow {
  readonly session_id: string | null
  readonly session_created_at: number
  readonly session_seen_at: number | null
  readonly session_proved_at: number | null
  readonly session_expires_at: number
  readonly amr: string
}

/** The person whose session this is; undefined when it ended or the person was disabled. */
export async function findSession(sql: Sql, token: string, nowMs: number): Promise<FoundSession | undefined> {
  const digest = sha256Hex(token)
  const [row] = await sql.query<SessionRow>(
    `select ${people.columns('p')}, s.id as session_id, s.created_at as session_created_at, s.seen_at as session_seen_at,
       s.proved_at as session_proved_at, s.expires_at as session_expires_at, s.amr
     from console_session s join person p on p.id = s.person_id
     where s.digest = $1 and s.expires_at > $2 and p.state = 'active'`,
    [digest, nowMs],
  )
  if (!row) return undefined
  if ((row.session_seen_at ?? 0) + SEEN_MS <= nowMs) {
    await sql.query('update console_session set seen_at = $2 where digest = $1', [digest, nowMs])
  }
  return {
    person: people.fromRow(row),
    // Older sessions have no id; their digest names them until they end.
    id: row.session_id ?? digest,
    signedInAtMs: row.session_created_at,
    provedAtMs: row.session_proved_at ?? row.session_created_at,
    amr: row.amr.split(' ') as AuthenticationMethod[],
    expiresAtMs: row.session_expires_at,
  }
}

export async function proveSession(tx: Tx, { person, id }: FoundSession, how: readonly AuthenticationMethod[]) {
  const [row] = await tx.query<{ digest: string; amr: string }>(
    `select digest, amr from console_session where person_id = $1 and (id = $2 or digest = $2)${tx.forUpdate}`,
    [person.id, id],
  )
  if (!row) throw new Problem('session_missing', { detail: 'Sign in first.' })
  const amr = [...new Set([...row.amr.split(' '), ...how])]
  const prove = 'update console_session set proved_at = $2, amr = $3 where digest = $1'
  await tx.query(prove, [row.digest, tx.nowMs, amr.join(' ')])
}

export async function closeSession(sql: SqlQueries, token: string): Promise<void> {
  await sql.query('delete from console_session where digest = $1', [sha256Hex(token)])
}
