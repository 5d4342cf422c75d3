/** A routine for the storage port's contract, in a separate module because SQLite loads it in another thread. */
import { type Dialect, inParts, type Rounds, type Routine } from '../../src/db/routine.ts'

export interface Step {
  readonly id: string
  readonly by: number
  /** Makes the work fail at this point. */
  readonly fails?: 'in code' | 'in a round' | 'in the last round' | 'with a taken key' | 'with a value'
}

export const addToCounter: Routine<Step, { readonly before: number; readonly engine: string }> = {
  module: import.meta.url,
  name: 'addToCounter',
  *start({ id, by, fails }: Step, dialect: Dialect): Rounds<{ before: number; engine: string }> {
    const [rows] = yield [
      { text: `select value from counter where id = $1${dialect.forUpdate}`, params: [id] },
      ...(fails === 'in a round' ? [{ text: 'select value from nowhere', params: [] }] : []),
    ]
    const before = Number(rows?.[0]?.value)
    if (fails === 'in code') throw new Error('the routine failed')
    const last = [{ text: 'update counter set value = $2 where id = $1', params: [id, before + by] }]
    if (fails === 'in the last round') last.push({ text: 'insert into nowhere values ($1)', params: [1] })
    if (fails === 'with a taken key') last.push({ text: 'insert into counter values ($1, 0)', params: [id] })
    if (fails === 'with a value') last.push({ text: 'insert into counter values ($1, 0)', params: ['a\0b'] })
    return { last, output: { before, engine: dialect.engine } }
  },
}

export interface Additions {
  readonly steps: readonly Step[]
}

/** Like addToCounter, for several counters; several calls are joined into one when they wait together in the store. */
export const addToCounters: Routine<Additions, { readonly before: number; readonly together: number }[]> = {
  module: import.meta.url,
  name: 'addToCounters',
  *start({ steps }: Additions, dialect: Dialect): Rounds<{ before: number; together: number }[]> {
    if (steps.some(({ fails }) => fails)) throw new Error('the routine failed')
    const rows = yield steps.map(({ id }) => ({
      text: `select value from counter where id = $1${dialect.forUpdate}`,
      params: [id],
    }))
    return {
      last: steps.map(({ id, by }) => ({
        text: 'update counter set value = value + $2 where id = $1',
        params: [id, by],
      })),
      output: rows.map(([row]) => ({ before: Number(row?.value), together: steps.length })),
    }
  },
  joining: {
    join: (inputs) => ({ steps: inputs.flatMap(({ steps }) => steps) }),
    part: (outputs, inputs) =>
      inParts(
        outputs,
        inputs.map(({ steps }) => steps.length),
      ),
  },
}
