/**
 * The ring of sealing keys in the database (lib/seal.ts says what a ring is).
 *
 *  1. A key is random and stored only wrapped under the server's secret, or under two secrets during a replacement.
 *  2. Every node knows a new key before it seals; a node that meets an unknown key reads the ring again.
 *  3. A secret that wraps no key opens nothing: the node refuses to start and says which secret to use.
 */
import { randomBytes } from 'node:crypto'
import { type Clock, iso, SECOND_MS } from '../lib/clock.ts'
import {
  type ChangeableRing,
  createRing,
  derivedKey,
  FIRST_KEY,
  openUnder,
  type RingKey,
  sealUnder,
} from '../lib/seal.ts'
import { type Sql, type SqlQueries, UniqueViolation } from './sql.ts'

const KEY_BYTES = 32
const POLL_MS = 2 * SECOND_MS
/** The time between creating a key and sealing with it: two polls and a difference between clocks. */
const PUBLISHED_BEFORE_MS = 5 * SECOND_MS
/** The time after that announcement until the slowest node seals with the key. */
export const SETTLED_AFTER_MS = 3 * SECOND_MS
const CHANNEL = 'sealing_keys'

/** The secret does not belong to this database. The message says what to do. */
export class SecretRefused extends Error {
  override name = 'SecretRefused'
}

export type FollowedRing = Awaited<ReturnType<typeof openRing>>

export interface RingDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly secret: string
  /**
   * True if something was sealed directly under the secret, by a version without a ring; throws when such a text exists
   * and this is not its secret. Called once, before the first key is created.
   */
  readonly sealedBefore: (sql: SqlQueries, ring: ChangeableRing) => Promise<boolean>
  /** Called when the ring cannot be read again; without it the ring is read once and not followed. */
  readonly onTrouble?: (error: unknown) => void
}

/** A secret's name: equal for everybody who has the secret, and of no help in finding it. */
export function secretIdOf(secret: string): string {
  return derivedKey(secret, 'name of the secret').export().toString('hex').slice(0, 12)
}

export async function openRing(deps: RingDependencies) {
  const { sql, clock, secret, onTrouble } = deps
  if ((await sql.query('select id from sealing_key limit 1')).length === 0) await makeFirstKeys(deps)
  const first = await readKeys(sql, secret)
  let reading: Promise<void> | undefined

  function readAgain(): Promise<void> {
    reading ??= readKeys(sql, secret)
      .then((keys) => ring.replace(keys, presentOf(keys, clock.now())))
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const ring = createRing(first, presentOf(first, clock.now()), readAgain)
  let stop = async () => {}
  if (onTrouble) {
    let told = ''
    const readSafely = () =>
      void readAgain().then(
        () => {
          told = ''
        },
        (error: Error) => {
          // Report an error once, not every two seconds while it lasts.
          if (error.message !== told) onTrouble(error)
          told = error.message
        },
      )
    const timer = setInterval(readSafely, POLL_MS).unref()
    const stopListening = await sql.listen(CHANNEL, readSafely)
    stop = async () => {
      clearInterval(timer)
      await stopListening()
      await reading?.catch(() => {})
    }
  }
  return Object.assign(ring, { readAgain, close: () => stop() })
}

interface KeyRow extends RingKey {
  readonly sealsAtMs: number
}

function presentOf(keys: readonly KeyRow[], nowMs: number): number {
  const current = keys.findLast(({ sealsAtMs }) => sealsAtMs <= nowMs) ?? keys[0]
  if (!current) throw new Error('the ring has no key')
  return current.id
}

async function readKeys(sql: SqlQueries, secret: string): Promise<KeyRow[]> {
  const rows = await sql.query<{ id: number; seals_at: number; wrapped: string }>(
    `select k.id, k.seals_at, w.wrapped from sealing_key k
     join sealing_key_wrap w on w.key_id = k.id and w.secret_id = $1 order by k.id`,
    [secretIdOf(secret)],
  )
  if (rows.length === 0) throw await refused(sql, secret)
  const wrapping = derivedKey(secret, WRAPPING)
  return rows.map(({ id, seals_at, wrapped }) => ({
    id,
    sealsAtMs: seals_at,
    material: openUnder(wrapping, wrapped, placeOf(id)),
  }))
}

/** The secrets that open the ring, the former one first. */
export async function readSecrets(sql: SqlQueries): Promise<{ readonly id: string; readonly sinceMs: number }[]> {
  const rows = await sql.query<{ secret_id: string; since: number }>(
    'select secret_id, min(secret_since) as since from sealing_key_wrap group by secret_id order by since, secret_id',
  )
  return rows.map(({ secret_id, since }) => ({ id: secret_id, sinceMs: since }))
}

async function refused(sql: SqlQueries, secret: string): Promise<SecretRefused> {
  const right = (await readSecrets(sql)).at(-1)
  return new SecretRefused(
    `this is the secret ${secretIdOf(secret)}, but the database is sealed with the secret ${right?.id ?? 'of another'}` +
      `${right ? ` since ${iso(right.sinceMs)}` : ''}. Start with that one; \`assayd secret show\` prints the name of a secret.`,
  )
}

const WRAPPING = 'sealing keys'
const placeOf = (id: number) => `sealing key ${id}`

async function insertWrap(
  tx: SqlQueries,
  key: RingKey,
  { secret, sinceMs }: { readonly secret: string; readonly sinceMs: number },
): Promise<void> {
  const wrapped = sealUnder(derivedKey(secret, WRAPPING), key.material, placeOf(key.id))
  const insert = 'insert into sealing_key_wrap (key_id, secret_id, secret_since, wrapped) values ($1, $2, $3, $4)'
  await tx.query(insert, [key.id, secretIdOf(secret), sinceMs, wrapped])
}

async function insertKey(tx: SqlQueries, id: number, nowMs: number, sealsAtMs: number): Promise<void> {
  await tx.query('insert into sealing_key (id, created_at, seals_at) values ($1, $2, $3)', [id, nowMs, sealsAtMs])
}

async function makeFirstKeys({ sql, clock, secret, sealedBefore }: RingDependencies): Promise<void> {
  const former = { id: FIRST_KEY, material: Buffer.from(secret) }
  const before = await sealedBefore(sql, createRing([former], FIRST_KEY))
  const nowMs = clock.now()
  try {
    await sql.transaction(async (tx) => {
      if (before) {
        await insertKey(tx, FIRST_KEY, nowMs, 0)
        await insertWrap(tx, former, { secret, sinceMs: nowMs })
      }
      const id = FIRST_KEY + 1
      await insertKey(tx, id, nowMs, nowMs)
      await insertWrap(tx, { id, material: randomBytes(KEY_BYTES) }, { secret, sinceMs: nowMs })
    })
  } catch (error) {
    // Another node was first.
    if (!(error instanceof UniqueViolation)) throw error
  }
}

/**
 * Begins to replace the secret: creates a new key and wraps every key under both secrets. Call it under a lock, when no
 * replacement is in progress. From here on nodes work with either secret.
 */
export async function beginReplacing(
  { sql, clock }: Pick<RingDependencies, 'sql' | 'clock'>,
  secrets: { readonly former: string; readonly next: string },
): Promise<void> {
  const nowMs = clock.now()
  await sql.transaction(async (tx) => {
    const keys = await readKeys(tx, secrets.former)
    const [former] = await readSecrets(tx)
    const formerSinceMs = former?.sinceMs ?? nowMs
    // Later than the former secret whatever the clock says: this time tells the two secrets apart.
    const sinceMs = Math.max(nowMs, formerSinceMs + 1)
    const id = Math.max(...keys.map((key) => key.id)) + 1
    const key = { id, material: randomBytes(KEY_BYTES) }
    await insertKey(tx, id, nowMs, nowMs + PUBLISHED_BEFORE_MS)
    await insertWrap(tx, key, { secret: secrets.former, sinceMs: formerSinceMs })
    for (const one of [...keys, key]) await insertWrap(tx, one, { secret: secrets.next, sinceMs })
  })
  await announceRing(sql)
}

/** Every node seals with the newest key from now on, whatever its clock says. */
export async function sealWithNewest(sql: Sql): Promise<void> {
  await sql.query('update sealing_key set seals_at = 0 where id = (select max(id) from sealing_key)')
  await announceRing(sql)
}

/** When the newest key begins to seal: at the latest when every node knows a key created now. */
export async function newestSealsAt(sql: SqlQueries, nowMs: number): Promise<number> {
  const rows = await sql.query<{ at: number }>('select seals_at as at from sealing_key order by id desc limit 1')
  return Math.min(rows[0]?.at ?? 0, nowMs + PUBLISHED_BEFORE_MS)
}

/** Ends the replacement: the former secret no longer opens anything, and only the newest key is left. */
export async function endReplacing(sql: Sql, secret: string): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query('delete from sealing_key_wrap where secret_id <> $1', [secretIdOf(secret)])
    await tx.query('delete from sealing_key_wrap where key_id < (select max(id) from sealing_key)')
    await tx.query('delete from sealing_key where id < (select max(id) from sealing_key)')
  })
  await announceRing(sql)
}

/** Best effort: nodes poll within seconds anyway. */
const announceRing = (sql: Sql): Promise<void> => sql.notify(CHANNEL, '')
