import type { Sql } from '../../src/db/sql.ts'

/** A store whose transactions meet another node: `other` runs after each statement that `isMoment` names. */
export const meeting = (sql: Sql, isMoment: (text: string) => boolean, other: () => Promise<unknown>): Sql => ({
  ...sql,
  transaction: (work, options) =>
    sql.transaction(async (tx) => {
      const query: typeof tx.query = async (text, params) => {
        const rows = await tx.query(text, params)
        if (isMoment(text)) await other()
        return rows as never
      }
      return work({ ...tx, query })
    }, options),
})
