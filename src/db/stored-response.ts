/**
 * Answers kept for retries with the same Idempotency-Key. A row is written in the transaction of the change it answers
 * for, so the two exist together or not at all. After a day a row counts as absent, purged or not.
 */
import { DAY_MS } from '../lib/clock.ts'
import { chunkSizes } from './multi-row.ts'
import { type Sql, type SqlQueries, type SqlTransaction, UniqueViolation, valuesList } from './sql.ts'

export const STORED_RESPONSE_LIFETIME_MS = DAY_MS
const PURGE_ROWS_MAX = 1000

export interface StoredResponse {
  readonly organisationId: string
  readonly key: string
  readonly requestHash: string
  readonly status: number
  readonly body: string
  readonly createdAtMs: number
}

interface Row {
  organisation_id: string
  key: string
  request_hash: string
  status: number
  body: string
  created_at: number
}

/** Unambiguous because an organisation's id holds no blank. */
export function storedResponseName(organisationId: string, key: string): string {
  return `${organisationId} ${key}`
}

/** The living rows of these organisations and keys, by `storedResponseName`. */
export async function findStoredResponses(
  queries: SqlQueries,
  wanted: readonly { readonly organisationId: string; readonly key: string }[],
  nowMs: number,
): Promise<Map<string, StoredResponse>> {
  const found = new Map<string, StoredResponse>()
  if (wanted.length === 0) return found
  // Repeated up to a power of two, for a handful of statement texts. Pairs, not two lists: organisations may well use
  // the same keys, and every answer of every one of them would be read.
  const padded = [...wanted]
  while (!Number.isInteger(Math.log2(padded.length))) padded.push(wanted[0] as (typeof wanted)[number])
  const rows = await queries.query<Row>(
    `select organisation_id, key, request_hash, status, body, created_at from stored_response
     where created_at > $1 and (organisation_id, key) in (values ${valuesList(padded.length, 2, 2)})`,
    [nowMs - STORED_RESPONSE_LIFETIME_MS, ...padded.flatMap((one) => [one.organisationId, one.key])],
  )
  for (const row of rows) {
    found.set(storedResponseName(row.organisation_id, row.key), {
      organisationId: row.organisation_id,
      key: row.key,
      requestHash: row.request_hash,
      status: row.status,
      body: row.body,
      createdAtMs: row.created_at,
    })
  }
  return found
}

export async function findStoredResponse(
  queries: SqlQueries,
  { organisationId, key, nowMs }: { readonly organisationId: string; readonly key: string; readonly nowMs: number },
): Promise<StoredResponse | undefined> {
  const found = await findStoredResponses(queries, [{ organisationId, key }], nowMs)
  return found.get(storedResponseName(organisationId, key))
}

/** Throws UniqueViolation when a living row is there already; an expired one is replaced. */
export async function insertStoredResponses(tx: SqlTransaction, responses: readonly StoredResponse[]): Promise<void> {
  let from = 0
  await Promise.all(
    chunkSizes(responses.length).map(async (size) => {
      const rows = responses.slice(from, from + size)
      from += size
      const written = await tx.query(
        `insert into stored_response as mine (organisation_id, key, request_hash, status, body, created_at)
         values ${valuesList(size, 6)}
         on conflict (organisation_id, key) do update set request_hash = excluded.request_hash,
           status = excluded.status, body = excluded.body, created_at = excluded.created_at
         where mine.created_at <= excluded.created_at - ${STORED_RESPONSE_LIFETIME_MS}
         returning key`,
        rows.flatMap((row) => [row.organisationId, row.key, row.requestHash, row.status, row.body, row.createdAtMs]),
      )
      if (written.length !== size) throw new UniqueViolation('an answer is already stored under this idempotency key')
    }),
  )
}

/** Removes expired rows, a bounded number at a time so that no writer waits long; returns how many. */
export async function purgeStoredResponses(sql: Sql, nowMs: number): Promise<number> {
  let removed = 0
  for (;;) {
    const rows = await sql.query(
      `delete from stored_response where (organisation_id, key) in
         (select organisation_id, key from stored_response where created_at <= $1 limit ${PURGE_ROWS_MAX})
       returning key`,
      [nowMs - STORED_RESPONSE_LIFETIME_MS],
    )
    removed += rows.length
    if (rows.length < PURGE_ROWS_MAX) return removed
  }
}
