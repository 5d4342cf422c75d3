import { generateKeyPair as generateKeyPairCallback, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import type { SealedColumn } from '../db/reseal.ts'
import { SecretRefused } from '../db/ring.ts'
import { type Sql, type SqlQueries, UniqueViolation } from '../db/sql.ts'
import { DAY_MS, SECOND_MS } from '../lib/clock.ts'
import type { Ring, Seal } from '../lib/seal.ts'
import { OAUTH_PURPOSE } from './seal.ts'

/**
 * Keys that sign ID tokens.
 *
 *  1. A private key is stored only sealed under the server's secret.
 *  2. A new key is published before it signs, so that every node and client knows it by then.
 *  3. An old key stays published after it stopped signing, longer than any token it signed lives.
 */
const PUBLISHED_BEFORE_MS = 10 * SECOND_MS
const PUBLISHED_AFTER_MS = 2 * DAY_MS
const placeOf = (kid: string) => `signing key ${kid}`

const generateKeyPair = promisify(generateKeyPairCallback)

export interface SigningKeys {
  /** Private keys, the signing one first. */
  readonly jwks: { keys: JWK[] }
  /** Changes whenever the set or its order does. */
  readonly version: string
}

interface Row {
  readonly sequence: number
  readonly kid: string
  readonly sealed: string
  readonly signs_at: number
  readonly retires_at: number | null
}

/** A new private key; where many services are started, as in tests, they may share one. */
export async function generateSigningKey(): Promise<KeyObject> {
  return (await generateKeyPair('rsa', { modulusLength: 2048 })).privateKey
}

interface NewKey {
  readonly sequence: number
  readonly nowMs: number
  readonly signsAtMs: number
  readonly privateKey: KeyObject
}

async function insertKey(sql: SqlQueries, sealer: Seal, { sequence, nowMs, signsAtMs, privateKey }: NewKey) {
  const kid = randomBytes(12).toString('base64url')
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }
  await sql.query('insert into oauth_key (sequence, kid, sealed, created_at, signs_at) values ($1, $2, $3, $4, $5)', [
    sequence,
    kid,
    sealer.seal(JSON.stringify(jwk), placeOf(kid)),
    nowMs,
    signsAtMs,
  ])
  return kid
}

/** The keys as of now; makes the first one when there is none. */
export async function loadSigningKeys(
  sql: Sql,
  sealer: Seal,
  nowMs: number,
  generate = generateSigningKey,
): Promise<SigningKeys> {
  let rows = await livingKeys(sql, nowMs)
  if (rows.length === 0) {
    try {
      await insertKey(sql, sealer, { sequence: 1, nowMs, signsAtMs: nowMs, privateKey: await generate() })
    } catch (error) {
      // Another node was first.
      if (!(error instanceof UniqueViolation)) throw error
    }
    rows = await livingKeys(sql, nowMs)
  }
  const signing = rows.findLast((row) => row.signs_at <= nowMs) ?? rows[0]!
  const ordered = [signing, ...rows.filter((row) => row !== signing)]
  return {
    jwks: { keys: await Promise.all(ordered.map((row) => openKey(row, sealer))) },
    version: ordered.map((row) => row.kid).join(' '),
  }
}

function livingKeys(sql: SqlQueries, nowMs: number): Promise<Row[]> {
  return sql.query<Row>(
    `select sequence, kid, sealed, signs_at, retires_at from oauth_key
     where retires_at is null or retires_at > $1 order by sequence`,
    [nowMs],
  )
}

async function openKey(row: Pick<Row, 'kid' | 'sealed'>, sealer: Seal): Promise<JWK> {
  try {
    return JSON.parse(await sealer.open(row.sealed, placeOf(row.kid))) as JWK
  } catch (cause) {
    throw new SecretRefused(
      'the signing keys cannot be opened: they were stored under another ASSAY_SECRET. Start with the former one.',
      { cause },
    )
  }
}

export async function hasSigningKeys(sql: SqlQueries): Promise<boolean> {
  return (await sql.query('select kid from oauth_key limit 1')).length > 0
}

/**
 * Whether there are signing keys that a version without a ring sealed directly under the secret; throws when this is
 * not that secret.
 */
export async function opensSigningKeys(sql: SqlQueries, ring: Ring): Promise<boolean> {
  const [row] = await sql.query<Pick<Row, 'kid' | 'sealed'>>(
    'select kid, sealed from oauth_key order by sequence desc limit 1',
  )
  if (!row) return false
  await openKey(row, ring.seal(OAUTH_PURPOSE))
  return true
}

export const SEALED_SIGNING_KEYS: SealedColumn = {
  about: 'signing keys',
  table: 'oauth_key',
  key: ['sequence'],
  column: 'sealed',
  reads: ['kid'],
  async reseal(row, ring) {
    const seal = ring.seal(OAUTH_PURPOSE)
    const place = placeOf(String(row.kid))
    return seal.seal(await seal.open(String(row.sealed), place), place)
  },
}

/** Adds a key, which signs from shortly after; the present ones retire once nothing they signed is alive. */
export async function rotateSigningKeys(
  sql: Sql,
  sealer: Seal,
  nowMs: number,
): Promise<{ kid: string; signsAtMs: number; retiresAtMs: number }> {
  const signsAtMs = nowMs + PUBLISHED_BEFORE_MS
  const retiresAtMs = signsAtMs + PUBLISHED_AFTER_MS
  const privateKey = await generateSigningKey()
  const kid = await sql.transaction(async (tx) => {
    const last = await tx.query<{ sequence: number }>('select coalesce(max(sequence), 0) as sequence from oauth_key')
    await tx.query('update oauth_key set retires_at = $1 where retires_at is null', [retiresAtMs])
    const sequence = Number(last[0]?.sequence ?? 0) + 1
    return insertKey(tx, sealer, { sequence, nowMs, signsAtMs: sequence > 1 ? signsAtMs : nowMs, privateKey })
  })
  await sql.query('delete from oauth_key where retires_at <= $1', [nowMs])
  return { kid, signsAtMs, retiresAtMs }
}
