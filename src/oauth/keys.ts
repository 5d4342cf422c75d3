import { generateKeyPair as generateKeyPairCallback, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { resealed, type SealedColumn } from '../db/reseal.ts'
import { SecretRefused } from '../db/ring.ts'
import { type Sql, type SqlQueries, UniqueViolation } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, text } from '../db/table.ts'
import { ID_TOKEN_ALGS, type IdTokenAlg } from '../identity/clients/registration.ts'
import { DAY_MS } from '../lib/clock.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import type { Ring, Seal } from '../lib/seal.ts'
import { OAUTH_PURPOSE } from './seal.ts'

/**
 * Keys that sign ID tokens.
 * 1. A private key is stored only sealed under the server's secret.
 * 2. Each algorithm has exactly one key that signs: the newest whose start time has passed.
 * 3. A new key is published `signingKeyPublishedSeconds` before it signs, so that every node and every application that
 *    caches the keys knows it by then. The first key of an algorithm signs immediately: nobody has cached older ones.
 * 4. An old key stays published after it stopped signing, longer than any token it signed lives.
 * 5. In an emergency the new keys sign immediately and all others are removed immediately, even if tokens they signed
 *    are still valid.
 */
const PUBLISHED_AFTER_MS = 2 * DAY_MS
/** More than this many nodes starting at the same time have never lost a race in a row. */
const FIRST_KEY_TRIES = 20
const placeOf = (kid: string) => `signing key ${kid}`

const generateKeyPair = promisify(generateKeyPairCallback)

const signingKeys = defineTable({
  name: 'oauth_key',
  key: ['sequence'],
  columns: {
    sequence: integer(),
    kid: text(),
    alg: text<IdTokenAlg>(),
    sealed: text(),
    created_at: integer(),
    signs_at: integer(),
    retires_at: orNull(integer()),
  },
})
type Row = EntityOf<typeof signingKeys>
export type PublishedKey = Awaited<ReturnType<typeof listSigningKeys>>[number]

/** A new private key for RS256; tests that start many services may share one. */
export async function generateSigningKey(): Promise<KeyObject> {
  return (await generateKeyPair('rsa', { modulusLength: 2048 })).privateKey
}

async function generateFor(alg: IdTokenAlg, generateRsa = generateSigningKey): Promise<KeyObject> {
  return alg === 'RS256' ? generateRsa() : (await generateKeyPair('ec', { namedCurve: 'P-256' })).privateKey
}

async function insertKey(
  sql: SqlQueries,
  sealer: Seal,
  privateKey: KeyObject,
  { sequence, alg, created_at, signs_at }: Pick<Row, 'sequence' | 'alg' | 'created_at' | 'signs_at'>,
): Promise<string> {
  const kid = randomBytes(12).toString('base64url')
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
  const sealed = sealer.seal(JSON.stringify(jwk), placeOf(kid))
  await signingKeys.insert(sql, { sequence, kid, alg, sealed, created_at, signs_at, retires_at: null })
  return kid
}

/** The private keys, signing ones first, and the version of the set. Creates the first key of each algorithm. */
export async function loadSigningKeys(sql: Sql, sealer: Seal, nowMs: number, generate = generateSigningKey) {
  for (let attempt = 1; ; attempt++) {
    // Before the rows: a key that another node adds in between takes this number, and the insert below fails.
    const sequence = (await lastSequence(sql)) + 1
    const rows = await livingKeys(sql, nowMs)
    const alg = ID_TOKEN_ALGS.find((one) => !rows.some((row) => row.alg === one))
    if (alg === undefined) {
      const ordered = signingFirst(rows, nowMs)
      const keys = await Promise.all(ordered.map((row) => openKey(row, sealer)))
      return { jwks: { keys }, version: ordered.map((row) => row.kid).join(' ') }
    }
    // With the wrong secret nothing is added.
    if (rows[0]) await openKey(rows[0], sealer)
    try {
      const privateKey = await generateFor(alg, generate)
      await insertKey(sql, sealer, privateKey, { sequence, alg, created_at: nowMs, signs_at: nowMs })
    } catch (error) {
      // Another node was first: look for the missing keys again.
      if (!(error instanceof UniqueViolation) || attempt === FIRST_KEY_TRIES) throw error
    }
  }
}

async function lastSequence(sql: SqlQueries): Promise<number> {
  const [last] = await sql.query<{ sequence: number }>('select coalesce(max(sequence), 0) as sequence from oauth_key')
  return last!.sequence
}

/** Rule 2. Keys whose start time is in the future sign only if their algorithm has no other key. */
function signerOf(rows: readonly Row[], alg: IdTokenAlg, nowMs: number): Row | undefined {
  const own = rows.filter((row) => row.alg === alg)
  return own.findLast((row) => row.signs_at <= nowMs) ?? own[0]
}

function signingFirst(rows: readonly Row[], nowMs: number): Row[] {
  const signing = ID_TOKEN_ALGS.map((alg) => signerOf(rows, alg, nowMs)).filter((row) => row !== undefined)
  return [...signing, ...rows.filter((row) => !signing.includes(row))]
}

function livingKeys(sql: SqlQueries, nowMs: number): Promise<Row[]> {
  return signingKeys.where(sql, 'retires_at is null or retires_at > $1 order by sequence', [nowMs])
}

export async function listSigningKeys(sql: SqlQueries, nowMs: number) {
  const rows = await livingKeys(sql, nowMs)
  return rows.map((row) => {
    const { sequence: _sequence, sealed: _sealed, ...shown } = row
    const isSigning = row === signerOf(rows, row.alg, nowMs)
    return { ...shown, state: isSigning ? 'signing' : row.signs_at > nowMs ? 'next' : 'former' }
  })
}

async function openKey(row: Pick<Row, 'kid' | 'sealed'>, sealer: Seal): Promise<JWK> {
  try {
    return JSON.parse(await sealer.open(row.sealed, placeOf(row.kid))) as JWK
  } catch (cause) {
    throw new SecretRefused(
      'the signing keys cannot be decrypted: they were stored with another ASSAY_SECRET. Start with the former one.',
      { cause },
    )
  }
}

export async function hasSigningKeys(sql: SqlQueries): Promise<boolean> {
  return (await sql.query('select kid from oauth_key limit 1')).length > 0
}

/** True if a version without a ring sealed signing keys directly under the secret; throws if the secret is wrong. */
export async function opensSigningKeys(sql: SqlQueries, ring: Ring): Promise<boolean> {
  const [row] = await signingKeys.list(sql, {}, { order: 'sequence desc', limit: 1 })
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
  reseal: ({ kid, sealed }, ring) => resealed(ring, OAUTH_PURPOSE, sealed, placeOf(String(kid))),
}

/**
 * Adds a key for each algorithm. It signs once it was published long enough; the current keys retire when everything
 * they signed has expired. `atOnce` is rule 5.
 */
export async function rotateSigningKeys(
  sql: Sql,
  sealer: Seal,
  nowMs: number,
  options: {
    readonly lifetimes: Pick<Lifetimes, 'signingKeyPublishedSeconds' | 'idTokenSeconds'>
    readonly atOnce?: boolean
    readonly generate?: () => Promise<KeyObject>
  },
) {
  const { lifetimes, atOnce = false, generate } = options
  const signsAtMs = atOnce ? nowMs : nowMs + lifetimes.signingKeyPublishedSeconds * 1000
  const retiresAtMs = atOnce ? nowMs : signsAtMs + lifetimes.idTokenSeconds * 1000 + PUBLISHED_AFTER_MS
  const made = await Promise.all(
    ID_TOKEN_ALGS.map(async (alg) => ({ alg, privateKey: await generateFor(alg, generate) })),
  )
  const keys = await sql.transaction(async (tx) => {
    const last = await lastSequence(tx)
    // A key that is already retiring keeps its time, unless all are removed immediately.
    await tx.query('update oauth_key set retires_at = $1 where retires_at is null or retires_at > $1', [retiresAtMs])
    const added: { kid: string; alg: IdTokenAlg }[] = []
    for (const { alg, privateKey } of made) {
      const key = { sequence: last + 1 + added.length, alg, created_at: nowMs, signs_at: signsAtMs }
      added.push({ kid: await insertKey(tx, sealer, privateKey, key), alg })
    }
    await tx.query('delete from oauth_key where retires_at <= $1', [nowMs])
    return added
  })
  /** One key of each algorithm, and when the current ones are no longer published. */
  return { keys, signsAtMs, retiresAtMs }
}
