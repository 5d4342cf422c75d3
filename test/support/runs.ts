import { FULL } from './full.ts'

/** How often a property is tried: half as often in `npm test`, `RUNS` times as often by `npm run properties`. */
export const runs = (times: number): number => Math.ceil(times * Number(process.env.RUNS ?? (FULL ? 1 : 0.5)))
