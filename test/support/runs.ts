/** How often a property is tried: so many times in a short run, and `RUNS` times as many by `npm run properties`. */
export const runs = (times: number): number => Math.ceil(times * Number(process.env.RUNS ?? 1))
