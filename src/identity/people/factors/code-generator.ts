/**
 * One-time codes of an app (RFC 6238), or of a password manager.
 *
 *  1. The secret is stored sealed. It counts after the first correct code, which proves that the app has it.
 *  2. A code of the step before or after counts too, for clocks that differ.
 *  3. The code of a step works once. The database enforces it across nodes.
 */
import { Secret, TOTP } from 'otpauth'
import type { Person } from '../../../access/session.ts'
import { resealed, type SealedColumn } from '../../../db/reseal.ts'
import type { SqlQueries, Tx } from '../../../db/sql.ts'
import { SECOND_MS } from '../../../lib/clock.ts'
import type { Ring } from '../../../lib/seal.ts'

const STEP_SECONDS = 30
const STEPS_AROUND = 1
const SECRET_BYTES = 20
const PURPOSE = 'one-time codes'

export const SEALED_CODE_GENERATORS: SealedColumn = {
  about: 'secrets of one-time codes',
  table: 'code_generator',
  key: ['person_id'],
  column: 'sealed',
  reseal: ({ person_id, sealed }, ring) => resealed(ring, PURPOSE, sealed, String(person_id)),
}

/** A new secret for an app, as text and as an address for the QR code. An existing generator keeps working. */
export async function beginGenerator(tx: Tx, ring: Ring, person: Pick<Person, 'id' | 'email'>, issuer: string) {
  const secret = new Secret({ size: SECRET_BYTES })
  const begun = await tx.query(
    `insert into code_generator (person_id, sealed, created_at) values ($1, $2, $3)
     on conflict (person_id) do update set sealed = excluded.sealed, created_at = excluded.created_at, last_step = 0
       where code_generator.confirmed_at is null
     returning person_id`,
    [person.id, ring.seal(PURPOSE).seal(secret.base32, person.id), tx.nowMs],
  )
  if (begun.length === 0) return undefined
  return { secret: secret.base32, uri: generatorOf(secret, { label: person.email, issuer }).toString() }
}

type Which = 'confirmed' | 'begun'

/** Rules 2 and 3: returns true if the code is correct, and marks its step as used. The first correct code activates the generator. */
export async function useCode(tx: Tx, ring: Ring, personId: string, code: string, which = 'confirmed' as Which) {
  const [row] = await tx.query<{ sealed: string; confirmed_at: number | null }>(
    'select sealed, confirmed_at from code_generator where person_id = $1',
    [personId],
  )
  if (!row || (row.confirmed_at === null) === (which === 'confirmed')) return false
  const secret = Secret.fromBase32(await ring.seal(PURPOSE).open(row.sealed, personId))
  const step = stepOf(secret, code, tx.nowMs)
  if (step === undefined) return false
  const used = await tx.query(
    `update code_generator set last_step = $2, confirmed_at = coalesce(confirmed_at, $3)
     where person_id = $1 and sealed = $4 and last_step < $2 returning person_id`,
    [personId, step, tx.nowMs, row.sealed],
  )
  return used.length > 0
}

/** The time step of this code; undefined when it is not valid now. */
function stepOf(secret: Secret, typed: string, nowMs: number): number | undefined {
  const token = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = generatorOf(secret).validate({ token, timestamp: nowMs, window: STEPS_AROUND })
  return delta === null ? undefined : Math.floor(nowMs / (STEP_SECONDS * SECOND_MS)) + delta
}

// The only parameters that all apps support: SHA-1, six digits, thirty seconds.
const generatorOf = (secret: Secret, named: { readonly label?: string; readonly issuer?: string } = {}) =>
  new TOTP({ ...named, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

/** When the person's code generator was activated; undefined without one. */
export async function generatorSince(sql: SqlQueries, personId: string): Promise<number | undefined> {
  const rows = await sql.query<{ confirmed_at: number }>(
    'select confirmed_at from code_generator where person_id = $1 and confirmed_at is not null',
    [personId],
  )
  return rows[0]?.confirmed_at
}

/** Returns true if there was an active one. */
export async function endGenerator(tx: Tx, personId: string): Promise<boolean> {
  const ended = await tx.query<{ confirmed_at: number | null }>(
    'delete from code_generator where person_id = $1 returning confirmed_at',
    [personId],
  )
  return ended.some(({ confirmed_at }) => confirmed_at !== null)
}
