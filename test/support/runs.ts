import { FULL } from './full.ts'

/**
 * The number of runs of a property: 15 % in `npm test`, which tries the same values each time, and multiplied by
 * `RUNS` in `npm run properties`.
 */
export const runs = (times: number): number => Math.ceil(times * Number(process.env.RUNS ?? (FULL ? 1 : 0.15)))
