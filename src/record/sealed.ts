/**
 * Indicators and answers at rest.
 *
 *  1. The indicator and the answer are sealed under the ring. No column shows the indicator.
 *  2. An indicator is found by its digest under a random key of the organisation, which is sealed under the ring.
 *     Replacing the server's secret seals the key again and leaves it as it is, so digests stay comparable.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { SealedColumn } from '../db/reseal.ts'
import type { SqlQueries } from '../db/sql.ts'
import type { AnswerText } from '../lib/charge.ts'
import type { Kind } from '../lib/kinds.ts'
import { openUnder, type Ring, type Seal } from '../lib/seal.ts'

const PURPOSE = 'kept checks'
export const sealOfChecks = (ring: Pick<Ring, 'seal'>): Seal => ring.seal(PURPOSE)
/** For another thread, which has no ring: the keys that open, changed in place when the ring changes. */
export const keysOfChecks = (ring: Pick<Ring, 'keys'>): readonly string[] => ring.keys(PURPOSE)

export interface Place {
  readonly organisation_id: string
  readonly id: string
}

export const placeOfCheck = ({ organisation_id, id }: Place): string => `check ${organisation_id} ${id}`
export const placeOfList = ({ organisation_id, id }: Place): string => `check list ${organisation_id} ${id}`
const placeOfKey = (organisationId: string) => `history key ${organisationId}`

/** The content of a kept check: the indicator as submitted, and the answer around its billing fields. */
export interface CheckText extends AnswerText {
  readonly indicator: string
}

/** Three lines, each JSON or a part of it, so without a line break inside. */
export const checkText = ({ indicator, before, after }: CheckText): string =>
  `${JSON.stringify(indicator)}\n${before}\n${after}`

export function readCheckText(text: string): CheckText {
  const [indicator = '""', before = '', after = ''] = text.split('\n')
  return { indicator: JSON.parse(indicator) as string, before, after }
}

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

export const resealed = (about: string, table: string, placeOf: (place: Place) => string): SealedColumn => ({
  about,
  table,
  key: ['organisation_id', 'id'],
  column: 'sealed',
  async reseal(row, ring) {
    const place = placeOf({ organisation_id: String(row.organisation_id), id: String(row.id) })
    const seal = sealOfChecks(ring)
    return seal.seal(await seal.open(String(row.sealed), place), place)
  },
})

export const SEALED_CHECKS = resealed('kept checks', 'kept_check', placeOfCheck)
export const SEALED_LISTS = resealed('kept lists', 'kept_list', placeOfList)
export const SEALED_HISTORY_KEYS: SealedColumn = {
  about: 'keys of indicator digests',
  table: 'history_key',
  key: ['organisation_id'],
  column: 'sealed',
  async reseal({ organisation_id, sealed }, ring) {
    const place = placeOfKey(String(organisation_id))
    return sealOfChecks(ring).seal(await sealOfChecks(ring).open(String(sealed), place), place)
  },
}

/** The digest of an indicator in normal form. Half of the bytes tell any two indicators apart. */
export type IndicatorDigest = (kind: Kind, indicator: string) => string

/** Makes digests; undefined if the organisation has no key, so it has no check on record either. */
export async function findIndicatorDigest(
  sql: SqlQueries,
  ring: Ring,
  organisationId: string,
): Promise<IndicatorDigest | undefined> {
  const [row] = await sql.query<{ sealed: string }>('select sealed from history_key where organisation_id = $1', [
    organisationId,
  ])
  if (!row) return undefined
  const key = Buffer.from(await sealOfChecks(ring).open(row.sealed, placeOfKey(organisationId)), 'base64url')
  return digestUnder(createSecretKey(key))
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

const digestUnder =
  (key: KeyObject): IndicatorDigest =>
  (kind, indicator) =>
    createHmac('sha256', key).update(`${kind} ${indicator}`).digest('base64url').slice(0, DIGEST_CHARACTERS)
