import { type Sql, type SqlValue, StoreUnavailable, valuesList } from '../db/sql.ts'
import { HOUR_MS } from '../lib/clock.ts'
import type { TokenRow } from './adapter.ts'

/**
 * Writes access tokens. While one insert is being made durable the next ones gather and go as one statement: a busy
 * token endpoint costs one wait for the disk per batch, not per token.
 */
const BATCH_MAX = 200
const WAITING_MAX = 10_000
const COLUMNS = 10

export function createTokenWriter(sql: Sql): (row: TokenRow) => Promise<void> {
  let waiting: { row: TokenRow; done: () => void; failed: (error: unknown) => void }[] = []
  let writing = false

  async function writeAll(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX)
      waiting = waiting.slice(BATCH_MAX)
      try {
        await sql.query(
          `insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, scope, issued_at,
             expires_at, purge_at) values ${valuesList(batch.length, COLUMNS)}
           on conflict (digest, kind) do nothing`,
          batch.flatMap(({ row }): SqlValue[] => [
            row.digest,
            row.kind,
            row.payload,
            row.clientId,
            row.personId,
            row.grantDigest,
            row.scope,
            row.issuedAtMs,
            row.expiresAtMs,
            row.expiresAtMs + HOUR_MS,
          ]),
        )
        for (const one of batch) one.done()
      } catch (error) {
        for (const one of batch) one.failed(error)
      }
    }
    writing = false
  }

  return (row) =>
    new Promise((done, failed) => {
      if (waiting.length >= WAITING_MAX) {
        failed(new StoreUnavailable(`${WAITING_MAX} tokens are waiting to be written`))
        return
      }
      waiting.push({ row, done, failed })
      if (!writing) void writeAll()
    })
}
