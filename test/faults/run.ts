/**
 * `npm run faults`: every fault in its long form, one at a time, and the table of what came of it.
 *
 *     npm run faults -- --only postgres --table docs/faults.md
 */
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { FaultTable } from './table.ts'

const { values } = parseArgs({
  options: {
    /** Part of the name of a file, to run one family alone. */
    only: { type: 'string', default: '' },
    /** The faults whose names match this. */
    fault: { type: 'string' },
    /** Fewer rounds, or more, of the kills and rolling restarts. */
    rounds: { type: 'string' },
    /** A document whose table is written anew, or only the rows that were run. */
    table: { type: 'string' },
  },
})
process.env.FAULTS = 'long'
if (values.rounds !== undefined) process.env.FAULTS_ROUNDS = values.rounds
const vitest = await startVitest('test', [`test/faults/${values.only}`], {
  watch: false,
  fileParallelism: false,
  reporters: ['default', new FaultTable(values.table, { whole: values.only === '' && values.fault === undefined })],
  ...(values.fault === undefined ? {} : { testNamePattern: values.fault }),
})
await vitest.close()
