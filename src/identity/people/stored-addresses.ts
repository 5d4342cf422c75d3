/**
 * Addresses that were stored before the rule for addresses was strict.
 *
 *  1. A valid address is rewritten in normal form, unless another account has that one.
 *  2. Any other stays, with its problem beside it: its person signs in with it and gets no mail. The operator sees these
 *     people by `assayd user list --invalid-addresses`.
 *  3. People made by a node of an earlier version while this one already runs are looked at later.
 */
import type { SqlQueries } from '../../db/sql.ts'
import { readEmail } from './people.ts'

const BATCH = 500

/** Looks at every address not looked at yet; returns the ids of people whose address is not valid. */
export async function checkStoredAddresses(sql: SqlQueries): Promise<string[]> {
  const invalid: string[] = []
  for (;;) {
    const rows = await sql.query<{ id: string; email: string }>(
      `select id, email from person where address_problem is null order by id limit ${BATCH}`,
    )
    for (const { id, email } of rows) {
      const problem = await checkOne(sql, id, email)
      if (problem !== '') invalid.push(id)
    }
    if (rows.length < BATCH) return invalid
  }
}

async function checkOne(sql: SqlQueries, id: string, email: string): Promise<string> {
  const read = readEmail(email)
  const address = 'problem' in read ? email : read.address
  const [other] = address === email ? [] : await sql.query('select id from person where email = $1', [address])
  const problem = 'problem' in read ? read.problem : other ? 'Another account has the same mailbox.' : ''
  await sql.query('update person set email = $2, address_problem = $3 where id = $1', [
    id,
    problem === '' ? address : email,
    problem,
  ])
  return problem
}
