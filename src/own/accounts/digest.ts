/**
 * Bank accounts at rest: a keyed digest and the last four digits, never the account itself.
 *
 *  1. Each organisation has a random key of its own. An account that two organisations know has two digests.
 *  2. The key is sealed under the ring. Replacing the server's secret seals the key again and leaves it as it is, so
 *     digests stay comparable: a digest cannot be made again, because nobody has the account.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { resealed, type SealedColumn } from '../../db/reseal.ts'
import type { SqlQueries, SqlTransaction } from '../../db/sql.ts'
import type { Ring, Seal } from '../../lib/seal.ts'
import type { Account, AccountKind } from './account.ts'

export interface KeptAccount {
  readonly kind: AccountKind
  readonly country: string
  readonly last4: string
  readonly digest: string
}

export type AccountDigest = (account: Account) => string

const PURPOSE = 'bank accounts'
const placeOf = (organisationId: string) => `account key ${organisationId}`
const sealOf = (ring: Pick<Ring, 'seal'>): Seal => ring.seal(PURPOSE)

export const SEALED_ACCOUNT_KEYS: SealedColumn = {
  about: 'keys of account digests',
  table: 'own_knowledge',
  key: ['organisation_id'],
  column: 'account_key',
  where: 'account_key is not null',
  reseal: ({ organisation_id, account_key }, ring) =>
    resealed(ring, PURPOSE, account_key, placeOf(String(organisation_id))),
}

/** Makes digests of accounts; undefined if the organisation has no key, so it has no account on record either. */
export async function findAccountDigest(sql: SqlQueries, ring: Ring, organisationId: string) {
  const [row] = await sql.query<{ account_key: string | null }>(
    'select account_key from own_knowledge where organisation_id = $1',
    [organisationId],
  )
  if (!row?.account_key) return undefined
  const key = Buffer.from(await sealOf(ring).open(row.account_key, placeOf(organisationId)), 'base64url')
  return digestUnder(createSecretKey(key))
}

/** Like findAccountDigest, and makes the key first. Call it when the organisation's knowledge is locked (`touch`). */
export async function accountDigest(tx: SqlTransaction, ring: Ring, organisationId: string): Promise<AccountDigest> {
  const known = await findAccountDigest(tx, ring, organisationId)
  if (known) return known
  const key = randomBytes(32)
  const sealed = sealOf(ring).seal(key.toString('base64url'), placeOf(organisationId))
  await tx.query('update own_knowledge set account_key = $2 where organisation_id = $1', [organisationId, sealed])
  return digestUnder(createSecretKey(key))
}

const digestUnder =
  (key: KeyObject): AccountDigest =>
  ({ identity }) =>
    createHmac('sha256', key).update(identity).digest('base64url')
