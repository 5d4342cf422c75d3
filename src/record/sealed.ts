/**
 * Indicators and answers at rest.
 *
 *  1. The indicator and the answer are sealed under the ring. No column shows the indicator.
 *  2. An indicator is found by its digest under a random key of the organisation, which is sealed under the ring.
 *     Replacing the server's secret seals the key again and leaves it as it is, so digests stay comparable.
 */
import { createSecretKey, hash, randomBytes } from 'node:crypto'
import { placeOfText, type SealingKey } from '../db/kept-checks.ts'
import { resealed, type SealedColumn } from '../db/reseal.ts'
import type { SqlQueries, SqlTransaction } from '../db/sql.ts'
import type { Kind } from '../lib/kinds.ts'
import { openUnder, type Ring, type Seal } from '../lib/seal.ts'

const PURPOSE = 'kept checks'
export const sealOfChecks = (ring: Pick<Ring, 'seal'>): Seal => ring.seal(PURPOSE)
/** For another thread, which has no ring: the keys that open, changed in place when the ring changes. */
export const keysOfChecks = (ring: Pick<Ring, 'keys'>): readonly string[] => ring.keys(PURPOSE)
export const sealingOfChecks = (ring: Pick<Ring, 'sealing'>): SealingKey => ring.sealing(PURPOSE)

export const placeOfList = (organisationId: string, id: string): string => `check list ${organisationId} ${id}`
const placeOfKey = (organisationId: string) => `history key ${organisationId}`

/** Opens with one of the keys of `keysOfChecks`; undefined if none of them sealed it. */
export function openerOf(keys: readonly string[]): (sealed: string, place: string) => string | undefined {
  const objects = keys.map((key) => createSecretKey(Buffer.from(key, 'base64url')))
  return (sealed, place) => {
    const bare = sealed.slice(sealed.indexOf('.') + 1)
    for (const key of objects) {
      try {
        return openUnder(key, bare, place).toString('utf8')
      } catch {
        // Sealed under another key of the ring.
      }
    }
    return undefined
  }
}

type Place = (organisationId: string, id: string) => string

export const sealedColumn = (about: string, table: string, placeOf: Place): SealedColumn => ({
  about,
  table,
  key: ['organisation_id', 'id'],
  column: 'sealed',
  reseal: ({ organisation_id, id, sealed }, ring) =>
    resealed(ring, PURPOSE, sealed, placeOf(String(organisation_id), String(id))),
})

export const SEALED_CHECKS = sealedColumn('kept checks', 'kept_text', placeOfText)
export const SEALED_LISTS = sealedColumn('kept lists', 'kept_list', placeOfList)
export const SEALED_HISTORY_KEYS: SealedColumn = {
  about: 'keys of indicator digests',
  table: 'history_key',
  key: ['organisation_id'],
  column: 'sealed',
  reseal: ({ organisation_id, sealed }, ring) => resealed(ring, PURPOSE, sealed, placeOfKey(String(organisation_id))),
}

/** The digest of an indicator in normal form. Half of the bytes tell any two indicators apart. */
export type IndicatorDigest = (kind: Kind, indicator: string) => string

/** Makes digests; undefined if the organisation has no key, so it has no check on record either. */
export async function findIndicatorDigest(sql: SqlQueries, ring: Ring, organisationId: string) {
  const [row] = await sql.query<{ sealed: string }>('select sealed from history_key where organisation_id = $1', [
    organisationId,
  ])
  return row && openDigest(ring, organisationId, row.sealed)
}

export async function openDigest(ring: Ring, organisationId: string, sealed: string): Promise<IndicatorDigest> {
  return digestUnder(await sealOfChecks(ring).open(sealed, placeOfKey(organisationId)))
}

/** Before digests are written or deleted: an erasure on one node must not miss those that another is writing. */
export async function lockDigests(tx: SqlTransaction, organisationId: string): Promise<void> {
  await tx.query(`select 1 as one from history_key where organisation_id = $1${tx.forUpdate}`, [organisationId])
}

/** Like findIndicatorDigest, and makes the key first. Of two nodes that make it at the same time, one wins. */
export async function indicatorDigest(sql: SqlQueries, ring: Ring, organisationId: string): Promise<IndicatorDigest> {
  for (;;) {
    const known = await findIndicatorDigest(sql, ring, organisationId)
    if (known) return known
    const sealed = sealOfChecks(ring).seal(randomBytes(32).toString('base64url'), placeOfKey(organisationId))
    await sql.query('insert into history_key (organisation_id, sealed) values ($1, $2) on conflict do nothing', [
      organisationId,
      sealed,
    ])
  }
}

const DIGEST_CHARACTERS = 22

/**
 * One call of the hash: an HMAC costs three times as much, for every check. A key of the hash's own length in front makes
 * it a keyed digest; what an HMAC adds against lengthened texts, the cut does here.
 */
const digestUnder =
  (key: string): IndicatorDigest =>
  (kind, indicator) =>
    hash('sha256', `${key} ${kind} ${indicator}`, 'base64url').slice(0, DIGEST_CHARACTERS)
