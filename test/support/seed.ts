/** Loaded before the tests of every project. */
import fc from 'fast-check'
import { FULL } from './full.ts'
import { runs } from './runs.ts'

/**
 * `npm test` tries the same values each time: it fails because of a change, not by chance. The full form and
 * `npm run properties` try new values. A property that fails prints its seed; `SEED=…` tries those values again.
 */
const seed = process.env.SEED ?? (FULL ? undefined : '20260301')
fc.configureGlobal({ numRuns: runs(100), ...(seed === undefined ? {} : { seed: Number(seed) }) })
