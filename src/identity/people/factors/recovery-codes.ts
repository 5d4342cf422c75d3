/**
 * Recovery codes, for a lost factor.
 *
 *  1. Ten at a time, shown once; a new set ends the old one. Only the SHA-256 is stored: 80 random bits cannot be
 *     guessed.
 *  2. Each works once, enforced by the database.
 */
import { randomBytes } from 'node:crypto'
import type { SqlQueries, Tx } from '../../../db/sql.ts'
import { sha256Hex } from '../../../lib/hashing.ts'

const RECOVERY_CODES = 10
const CODE_BYTES = 10
/** Crockford's: no letter that is read as a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Sixteen characters of five bits, in groups of four. */
function newCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`)
  let code = ''
  for (let i = 0; i < (CODE_BYTES * 8) / 5; i++) {
    code += ALPHABET[Number(bits & 31n)]
    bits >>= 5n
  }
  return code.match(/.{4}/g)?.join('-') ?? code
}

/** Normalised for comparison: without dashes, in lower case, O read as 0. */
function normaliseRecoveryCode(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[\s\-–]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
}

const digestOf = (personId: string, code: string) => sha256Hex(`${personId} ${normaliseRecoveryCode(code)}`)

/** Rule 1. */
export async function makeRecoveryCodes(tx: Tx, personId: string): Promise<string[]> {
  await endRecoveryCodes(tx, personId)
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  const insert = 'insert into recovery_code (person_id, digest, created_at) values ($1, $2, $3)'
  for (const code of codes) await tx.query(insert, [personId, digestOf(personId, code), tx.nowMs])
  return codes
}

export async function endRecoveryCodes(tx: Tx, personId: string): Promise<void> {
  await tx.query('delete from recovery_code where person_id = $1', [personId])
}

/** Rule 2: returns true if the code was unused, and marks it as used. */
export async function useRecoveryCode(tx: Tx, personId: string, code: string): Promise<boolean> {
  const used = await tx.query(
    'update recovery_code set used_at = $3 where person_id = $1 and digest = $2 and used_at is null returning digest',
    [personId, digestOf(personId, code), tx.nowMs],
  )
  return used.length > 0
}

export async function recoveryCodesOf(sql: SqlQueries, personId: string) {
  const rows = await sql.query<{ used_at: number | null; created_at: number }>(
    'select used_at, created_at from recovery_code where person_id = $1',
    [personId],
  )
  const [first] = rows
  return first && { left: rows.filter(({ used_at }) => used_at === null).length, madeAtMs: first.created_at }
}
