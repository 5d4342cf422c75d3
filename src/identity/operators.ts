import type { SqlQueries } from '../db/sql.ts'

/** People who see every organisation in the console, by the word of whoever runs the server. */
export async function isOperator(sql: SqlQueries, personId: string): Promise<boolean> {
  return (await sql.query('select person_id from operator_person where person_id = $1', [personId])).length > 0
}

export async function setOperator(
  sql: SqlQueries,
  input: { readonly personId: string; readonly on: boolean; readonly nowMs: number },
): Promise<void> {
  if (!input.on) {
    await sql.query('delete from operator_person where person_id = $1', [input.personId])
    return
  }
  await sql.query('insert into operator_person (person_id, created_at) values ($1, $2) on conflict do nothing', [
    input.personId,
    input.nowMs,
  ])
}
