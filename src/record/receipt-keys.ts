import { generateKeyPair as generateKeyPairCallback, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { JSONWebKeySet, JWK } from 'jose'
import { resealed, type SealedColumn } from '../db/reseal.ts'
import { SecretRefused } from '../db/ring.ts'
import { type Sql, type SqlQueries, UniqueViolation } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, json, orNull, text } from '../db/table.ts'
import type { Ring } from '../lib/seal.ts'

/**
 * Keys that sign receipts (ES256).
 * 1. They are apart from the keys of ID tokens: another table, another purpose of sealing, another document. An
 *    application that reads the keys of tokens never sees one of these, so no receipt can pass as a token; nor can a
 *    token pass as a receipt.
 * 2. The newest key whose start time has passed signs. A new key is published before it signs; the first one signs
 *    immediately.
 * 3. A former key stays published without end, because receipts are verified for years. Its private part is deleted
 *    when the next rotation begins.
 * 4. After a leak the new key signs immediately and every other key is revoked: whoever has a key can date a receipt
 *    back, so no receipt under it proves anything. Receipts of kept checks can be made again.
 */
const PURPOSE = 'receipt keys'
const placeOf = (kid: string) => `receipt key ${kid}`
const generateKeyPair = promisify(generateKeyPairCallback)

const keys = defineTable({
  name: 'receipt_key',
  key: ['sequence'],
  columns: {
    sequence: integer(),
    kid: text(),
    public: json<JWK>(),
    sealed: orNull(text()),
    created_at: integer(),
    signs_at: integer(),
    revoked_at: orNull(integer()),
  },
})
type ReceiptKey = EntityOf<typeof keys>

export const SEALED_RECEIPT_KEYS: SealedColumn = {
  about: 'receipt keys',
  table: 'receipt_key',
  key: ['sequence'],
  column: 'sealed',
  where: 'sealed is not null',
  reads: ['kid'],
  reseal: ({ kid, sealed }, ring) => resealed(ring, PURPOSE, sealed, placeOf(String(kid))),
}

const readKeys = (sql: SqlQueries) => keys.list(sql, {}, { order: 'sequence', limit: 10_000 })

/** Rule 2. */
const signerOf = (rows: readonly ReceiptKey[], nowMs: number): ReceiptKey | undefined => {
  const valid = rows.filter(({ revoked_at }) => revoked_at === null)
  return valid.findLast(({ signs_at }) => signs_at <= nowMs) ?? valid[0]
}

/** All keys, oldest first, with their state. */
export async function listReceiptKeys(sql: SqlQueries, nowMs: number) {
  const rows = await readKeys(sql)
  const signer = signerOf(rows, nowMs)
  return rows.map(({ sealed: _sealed, ...row }) => {
    const other = row.signs_at > nowMs ? 'next' : 'former'
    return { ...row, state: row.revoked_at !== null ? 'revoked' : row.kid === signer?.kid ? 'signing' : other }
  })
}

/** The document of RFC 7517 that receipts are verified with. */
export async function publishedReceiptKeys(sql: SqlQueries): Promise<JSONWebKeySet> {
  return { keys: (await readKeys(sql)).filter((row) => row.revoked_at === null).map((row) => row.public) }
}

/** The private key that signs now, with its `kid`. Makes the first key. */
export async function receiptSigner(sql: Sql, ring: Ring, nowMs: number): Promise<JWK> {
  const signer = signerOf(await readKeys(sql), nowMs)
  if (signer) return openKey(signer, ring)
  try {
    await insertKey(sql, ring, { sequence: 1, created_at: nowMs, signs_at: nowMs })
  } catch (error) {
    // Another node was first.
    if (!(error instanceof UniqueViolation)) throw error
  }
  return receiptSigner(sql, ring, nowMs)
}

async function openKey({ kid, sealed }: ReceiptKey, ring: Ring): Promise<JWK> {
  try {
    return JSON.parse(await ring.seal(PURPOSE).open(sealed ?? '', placeOf(kid))) as JWK
  } catch (cause) {
    throw new SecretRefused('the receipt keys cannot be decrypted: they were stored with another ASSAY_SECRET.', {
      cause,
    })
  }
}

async function insertKey(sql: SqlQueries, ring: Ring, at: Pick<ReceiptKey, 'sequence' | 'created_at' | 'signs_at'>) {
  const { publicKey, privateKey } = await generateKeyPair('ec', { namedCurve: 'P-256' })
  const kid = `receipt-${randomBytes(9).toString('base64url')}`
  const about = { kid, alg: 'ES256', use: 'sig' }
  await keys.insert(sql, {
    ...at,
    kid,
    public: { ...publicKey.export({ format: 'jwk' }), ...about, key_ops: ['verify'] } as JWK,
    sealed: ring
      .seal(PURPOSE)
      .seal(JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...about }), placeOf(kid)),
    revoked_at: null,
  })
  return kid
}

/** Adds a key. `atOnce` is rule 4. */
export async function rotateReceiptKey(
  sql: Sql,
  ring: Ring,
  nowMs: number,
  { publishedSeconds, atOnce = false }: { readonly publishedSeconds: number; readonly atOnce?: boolean },
) {
  // With the wrong secret nothing is changed.
  const current = await receiptSigner(sql, ring, nowMs)
  const signsAtMs = atOnce ? nowMs : nowMs + publishedSeconds * 1000
  const kid = await sql.transaction(async (tx) => {
    const rows = await readKeys(tx)
    const former = rows.map((row) => ({
      ...row,
      sealed: atOnce || row.kid !== current.kid ? null : row.sealed,
      revoked_at: row.revoked_at ?? (atOnce ? nowMs : null),
    }))
    await keys.upsert(tx, former)
    const sequence = (rows.at(-1)?.sequence ?? 0) + 1
    return insertKey(tx, ring, { sequence, created_at: nowMs, signs_at: signsAtMs })
  })
  return { kid, signsAtMs }
}
