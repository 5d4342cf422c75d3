import type { Maker } from '../../src/documents/maker.ts'
import { Problem } from '../../src/errors.ts'

/** Documents that do what a test needs on the thread. */

const of = <Input>(name: string, make: Maker<Input, number>['make'], more: Partial<Maker<Input, number>> = {}) => ({
  module: import.meta.url,
  name,
  make,
  ...more,
})
const text = (words: string) => new TextEncoder().encode(words)
let made = 0

/** Says its input, and how many of its kind this thread has made. */
export const echo = of('echo', async (_sql, words: string) => ({ head: ++made, bytes: text(words) }))
export const other = of('other', async (_sql, words: string) => ({ head: ++made, bytes: text(words) }))
export const cachedEcho = of('cachedEcho', async (_sql, words: string) => ({ head: ++made, bytes: text(words) }), {
  cached: true,
})
/** Its input is a statement. */
export const rows = of('rows', async (sql, statement: string) => {
  const found = await sql.query(statement)
  return { head: found.length, bytes: text(JSON.stringify(found)) }
})
export const refusing = of('refusing', async () => {
  throw new Problem('not_found', { detail: 'There is no such thing.' })
})
export const failing = of('failing', async () => {
  throw new Error('a fault in a maker')
})
/** Ends its thread, as a fault of the machine would. */
export const deadly = of('deadly', async () => process.exit(1))
export const endless = of('endless', () => new Promise(() => {}))
/** Takes more memory than a thread may have. */
export const greedy = of('greedy', async () => {
  const all: number[][] = []
  for (;;) all.push(new Array<number>(1_000_000).fill(all.length + 0.5))
})
