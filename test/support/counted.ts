import type { Sql } from '../../src/db/sql.ts'

/** Statements that a server runs by a clock of its own: the last use of a key is written 0.2 s after it. */
const BY_ITSELF =
  /set last_used_at|oauth_key|sealing_key|service_time|request_batch|select count\(\*\) as n from \(select ends_at/

/** A store that records every statement, so that a test can compare the work of two requests. */
export function counted(sql: Sql): {
  readonly store: Sql
  statementsOf(work: () => Promise<unknown>): Promise<string[]>
} {
  let noted: string[] = []
  const store: Sql = {
    ...sql,
    query: (text, ...rest) => {
      noted.push(text)
      return sql.query(text, ...rest)
    },
    transaction: (fn, options) =>
      sql.transaction(
        (tx) =>
          fn({
            ...tx,
            query: (text, ...rest) => {
              noted.push(text)
              return tx.query(text, ...rest)
            },
          }),
        options,
      ),
  }
  return {
    store,
    async statementsOf(work) {
      noted = []
      await work()
      return noted.filter((text) => !BY_ITSELF.test(text))
    },
  }
}
