/**
 * Answers kept for retries with the same Idempotency-Key. A row is written in the transaction of the change it answers
 * for, so the two exist together or not at all. After a day a row counts as absent, purged or not.
 */
import { DAY_MS } from '../lib/clock.ts'
import { chunkSizes } from './multi-row.ts'
import { type Rows, runStatements, type Statement } from './routine.ts'
import { type Sql, type SqlQueries, type SqlTransaction, valuesList } from './sql.ts'

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

/** Finds the living rows of these organisations and keys; no statement when there are none to look for. */
export function responsesToFind(
  wanted: readonly { readonly organisationId: string; readonly key: string }[],
  nowMs: number,
): Statement[] {
  if (wanted.length === 0) return []
  // Repeated up to a power of two, for a handful of statement texts. Pairs, not two lists: organisations may well use
  // the same keys, and every answer of every one of them would be read.
  const padded = [...wanted]
  while (!Number.isInteger(Math.log2(padded.length))) padded.push(wanted[0] as (typeof wanted)[number])
  return [
    {
      text: `select organisation_id, key, request_hash, status, body, created_at from stored_response
       where created_at > $1 and (organisation_id, key) in (values ${valuesList(padded.length, 2, 2)})`,
      params: [nowMs - STORED_RESPONSE_LIFETIME_MS, ...padded.flatMap((one) => [one.organisationId, one.key])],
    },
  ]
}

/** What was found, by `storedResponseName`. */
export function responsesByName(rows: Rows): Map<string, StoredResponse> {
  const found = new Map<string, StoredResponse>()
  for (const row of rows as object[] as Row[]) {
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
  for (const { text, params } of responsesToFind([{ organisationId, key }], nowMs)) {
    const found = responsesByName(await queries.query(text, params))
    return found.get(storedResponseName(organisationId, key))
  }
  return undefined
}

/** A UniqueViolation when a living row is there already; an expired one is replaced. */
export function responsesToInsert(responses: readonly StoredResponse[]): Statement[] {
  let from = 0
  return chunkSizes(responses.length).flatMap((size) => {
    const rows = responses.slice(from, from + size)
    from += size
    const oldestMs = Math.min(...rows.map((row) => row.createdAtMs)) - STORED_RESPONSE_LIFETIME_MS
    return [
      {
        text: `delete from stored_response where created_at <= $1
          and (organisation_id, key) in (values ${valuesList(size, 2, 2)})`,
        params: [oldestMs, ...rows.flatMap((row) => [row.organisationId, row.key])],
      },
      {
        text: `insert into stored_response (organisation_id, key, request_hash, status, body, created_at)
          values ${valuesList(size, 6)}`,
        params: rows.flatMap((row) => [
          row.organisationId,
          row.key,
          row.requestHash,
          row.status,
          row.body,
          row.createdAtMs,
        ]),
      },
    ]
  })
}

export function insertStoredResponses(tx: SqlTransaction, responses: readonly StoredResponse[]): Promise<void> {
  return runStatements(tx, responsesToInsert(responses))
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
