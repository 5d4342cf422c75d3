import { driveRounds, type Routine, runStatements } from '../../src/db/routine.ts'
import { CommitUnknown, type Sql, StoreUnavailable, type TransactionOptions } from '../../src/db/sql.ts'

/** When the store breaks, and whether the transaction was committed although the caller got no answer. */
export type Break = 'before commit' | 'answer lost, rolled back' | 'answer lost, committed'

/** Runs a routine on a store that breaks at the chosen moment. */
export async function brokenRun<Input, Output>(
  sql: Sql,
  moment: Break,
  ...[routine, input, options]: [Routine<Input, Output>, Input, TransactionOptions?]
): Promise<never> {
  if (moment === 'answer lost, committed') {
    throw new CommitUnknown('lost', { output: await sql.run(routine, input, options) })
  }
  return sql.transaction(async (tx) => {
    const { last, output } = await driveRounds(tx, routine, input)
    await runStatements(tx, last)
    throw moment === 'before commit' ? new StoreUnavailable('the disk is full') : new CommitUnknown('lost', { output })
  }, options)
}
