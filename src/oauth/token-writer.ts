import { type Column, rowsToInsert } from '../db/multi-row.ts'
import { runStatements } from '../db/routine.ts'
import { type Sql, StoreUnavailable } from '../db/sql.ts'
import { LIMITS } from '../limits.ts'
import { TOKEN_KEPT_MS, type TokenRow } from './adapter.ts'

/**
 * Writes access tokens in batches. While one insert is being made durable, the next tokens gather into one statement: a
 * busy token endpoint waits for the disk once per batch, not once per token.
 */
const BATCH_MAX = 200
const COLUMNS: readonly Column<{ readonly row: TokenRow }>[] = [
  { name: 'digest', type: 'text', of: ({ row }) => row.digest },
  { name: 'kind', type: 'text', of: ({ row }) => row.kind },
  { name: 'payload', type: 'text', of: ({ row }) => row.payload },
  { name: 'client_id', type: 'text', of: ({ row }) => row.clientId },
  { name: 'person_id', type: 'text', of: ({ row }) => row.personId },
  { name: 'grant_digest', type: 'text', of: ({ row }) => row.grantDigest },
  { name: 'scope', type: 'text', of: ({ row }) => row.scope },
  { name: 'issued_at', type: 'bigint', of: ({ row }) => row.issuedAtMs },
  { name: 'expires_at', type: 'bigint', of: ({ row }) => row.expiresAtMs },
  { name: 'purge_at', type: 'bigint', of: ({ row }) => row.expiresAtMs + TOKEN_KEPT_MS },
]
const onConflict = 'on conflict (digest, kind) do nothing'

export function createTokenWriter(sql: Sql): (row: TokenRow) => Promise<void> {
  let waiting: { row: TokenRow; done: () => void; failed: (error: unknown) => void }[] = []
  let writing = false

  async function writeAll(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX)
      waiting = waiting.slice(BATCH_MAX)
      try {
        const inserts = rowsToInsert(sql, { table: 'oauth_record', columns: COLUMNS, rows: batch, onConflict })
        const [only, ...others] = inserts
        if (only && others.length === 0) await sql.query(only.text, only.params)
        else await sql.transaction((tx) => runStatements(tx, inserts))
        for (const one of batch) one.done()
      } catch (error) {
        for (const one of batch) one.failed(error)
      }
    }
    writing = false
  }

  return (row) =>
    new Promise((done, failed) => {
      if (waiting.length >= LIMITS.queues.tokensWaitingMax) {
        failed(new StoreUnavailable(`${LIMITS.queues.tokensWaitingMax} tokens are waiting to be written`))
        return
      }
      waiting.push({ row, done, failed })
      if (!writing) void writeAll()
    })
}
