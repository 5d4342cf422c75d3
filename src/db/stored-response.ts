/**
 * Answers stored for retries with the same Idempotency-Key.
 *
 *  1. A row is written in the transaction of its change, so both exist or neither.
 *  2. A row expires after a day, purged or not.
 *  3. A row shows neither request nor answer: the answer and the digest of its request are sealed. Only the billing
 *     fields are stored unsealed, because they are not known before the account is locked.
 */
import { DAY_MS } from '../lib/clock.ts'
import type { Ring, Seal } from '../lib/seal.ts'
import { type Column, rowsToInsert } from './multi-row.ts'
import { deletePast } from './purge.ts'
import type { SealedColumn } from './reseal.ts'
import { type Dialect, type Rows, runStatements, type Statement } from './routine.ts'
import { type SqlQueries, type SqlTransaction, valuesList } from './sql.ts'

const STORED_RESPONSE_LIFETIME_MS = DAY_MS

export interface StoredResponse {
  readonly organisationId: string
  readonly key: string
  /** Sealed with the answer, and empty here; rows of version 1.0 have it unsealed. */
  readonly requestHash: string
  readonly status: number
  /** The text that `keptBody` builds. */
  readonly body: string
  readonly createdAtMs: number
}

type ResponseName = Pick<StoredResponse, 'organisationId' | 'key'>

/** Unambiguous because an organisation's id holds no blank. */
export const storedResponseName = (organisationId: string, key: string): string => `${organisationId} ${key}`

const placeOf = (organisationId: string, key: string) => `answer ${storedResponseName(organisationId, key)}`

export const keptAnswers = (ring: Ring): Seal => ring.seal('kept answers')

/** Seals an answer around the part that is not known yet. The texts are JSON on one line, without line breaks. */
export function sealAnswer(
  seal: Seal,
  { organisationId, key }: ResponseName,
  kept: { readonly requestHash: string; readonly before: string; readonly after: string },
): string {
  return seal.seal(`${kept.requestHash}\n${kept.before}\n${kept.after}`, placeOf(organisationId, key))
}

/** The text of a row: an answer sealed by `sealAnswer`, and its middle part. A sealed text contains no blank. */
export const keptBody = (sealed: string, middle: string): string => `${sealed} ${middle}`

function partsOf(body: string): { sealed: string; middle: string } {
  const blank = body.indexOf(' ')
  return blank < 0 ? { sealed: body, middle: '' } : { sealed: body.slice(0, blank), middle: body.slice(blank + 1) }
}

/** Version 1.0 stored the answers of checks unsealed. */
const OLD_PLAIN = '{'

/** The answer to a retry, and the digest of the request that the retry must match. */
export async function openAnswer(
  seal: Seal,
  { organisationId, key, requestHash, body }: Pick<StoredResponse, 'organisationId' | 'key' | 'requestHash' | 'body'>,
) {
  const place = placeOf(organisationId, key)
  if (requestHash !== '') {
    return { requestHash, body: body.startsWith(OLD_PLAIN) ? body : await seal.open(body, place) }
  }
  const { sealed, middle } = partsOf(body)
  const [digest = '', before = '', after = ''] = (await seal.open(sealed, place)).split('\n')
  return { requestHash: digest, body: `${before}${middle}${after}` }
}

export const SEALED_ANSWERS: SealedColumn = {
  about: 'answers kept for retries',
  table: 'stored_response',
  key: ['organisation_id', 'key'],
  column: 'body',
  where: `substr(body, 1, 1) <> '${OLD_PLAIN}'`,
  async reseal(row, ring) {
    const { sealed, middle } = partsOf(String(row.body))
    const place = placeOf(String(row.organisation_id), String(row.key))
    const seal = keptAnswers(ring)
    const anew = seal.seal(await seal.open(sealed, place), place)
    return middle === '' ? anew : keptBody(anew, middle)
  },
}

/** Finds the unexpired rows of these organisations and keys; no statement when there is nothing to look for. */
export function responsesToFind(wanted: readonly ResponseName[], nowMs: number): Statement[] {
  if (wanted.length === 0) return []
  // Pairs, not two lists: organisations may use the same keys, and every answer of each of them would be read.
  const { marks, params } = paddedPairs(wanted, 2)
  return [
    {
      text: `select organisation_id as "organisationId", key, request_hash as "requestHash", status, body,
         created_at as "createdAtMs" from stored_response
       where created_at > $1 and (organisation_id, key) in (values ${marks})`,
      params: [nowMs - STORED_RESPONSE_LIFETIME_MS, ...params],
    },
  ]
}

export function responsesByName(rows: Rows): Map<string, StoredResponse> {
  const found = rows as object[] as StoredResponse[]
  return new Map(found.map((row) => [storedResponseName(row.organisationId, row.key), row]))
}

export async function findStoredResponse(
  sql: SqlQueries,
  { nowMs, ...name }: ResponseName & { readonly nowMs: number },
) {
  const [find] = responsesToFind([name], nowMs)
  const found = responsesByName(await sql.query(find!.text, find!.params))
  return found.get(storedResponseName(name.organisationId, name.key))
}

const COLUMNS: readonly Column<StoredResponse>[] = [
  { name: 'organisation_id', type: 'text', of: (response) => response.organisationId },
  { name: 'key', type: 'text', of: (response) => response.key },
  { name: 'request_hash', type: 'text', of: (response) => response.requestHash },
  { name: 'status', type: 'bigint', of: (response) => response.status },
  { name: 'body', type: 'text', of: (response) => response.body },
  { name: 'created_at', type: 'bigint', of: (response) => response.createdAtMs },
]

/** A UniqueViolation when an unexpired row exists already; an expired row is replaced. */
export function responsesToInsert(dialect: Dialect, responses: readonly StoredResponse[]): Statement[] {
  const [first] = responses
  if (!first) return []
  const oldestMs = responses.reduce((ms, { createdAtMs }) => Math.min(ms, createdAtMs), first.createdAtMs)
  const { marks, params } = paddedPairs(responses, 2)
  return [
    {
      text: `delete from stored_response where created_at <= $1 and (organisation_id, key) in (values ${marks})`,
      params: [oldestMs - STORED_RESPONSE_LIFETIME_MS, ...params],
    },
    ...rowsToInsert(dialect, { table: 'stored_response', columns: COLUMNS, rows: responses }),
  ]
}

/** Organisations and keys, the first pair repeated up to a power of two, so that there are few statement texts. */
function paddedPairs(pairs: readonly ResponseName[], firstMark: number) {
  const params = pairs.flatMap(({ organisationId, key }) => [organisationId, key])
  while (!Number.isInteger(Math.log2(params.length))) params.push(params[0] as string, params[1] as string)
  return { marks: valuesList(params.length / 2, 2, firstMark), params }
}

export function insertStoredResponses(tx: SqlTransaction, responses: readonly StoredResponse[]): Promise<void> {
  return runStatements(tx, responsesToInsert(tx, responses))
}

export function purgeStoredResponses(sql: SqlQueries, nowMs: number): Promise<number> {
  const expired = { table: 'stored_response', key: 'organisation_id, key', time: 'created_at' }
  return deletePast(sql, expired, nowMs - STORED_RESPONSE_LIFETIME_MS)
}
