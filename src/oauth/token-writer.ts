import { runStatements } from '../db/routine.ts'
import { type Sql, StoreUnavailable } from '../db/sql.ts'
import { LIMITS } from '../limits.ts'
import { type TokenRow, tokens } from './adapter.ts'

/** Writes tokens in batches: while one insert is made durable, the next tokens gather into one statement. */
const BATCH_MAX = 200

export function createTokenWriter(sql: Sql): (row: TokenRow) => Promise<void> {
  let waiting: { row: TokenRow; done: () => void; failed: (error: unknown) => void }[] = []
  let writing = false

  async function writeAll(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX)
      waiting = waiting.slice(BATCH_MAX)
      try {
        const rows = batch.map(({ row }) => row)
        const inserts = tokens.toInsert(sql, rows, 'on conflict (digest, kind) do nothing')
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
