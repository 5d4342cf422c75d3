import { describe, expect, it } from 'vitest'
import type { SqlQueries } from '../db/sql.ts'
import { logMaker } from './log.ts'

/** A log of numbers, the highest first. */
function logOf(last: number, options: { readonly looksAt?: number; readonly width?: number } = {}) {
  const asked: number[] = []
  const maker = logMaker<{ readonly odd: boolean }, number, readonly [before: number]>({
    module: '',
    name: 'numbers',
    fields: ['number'],
    view: (number) => ({ number, text: 'x'.repeat(options.width ?? 0) }),
    cells: (number) => [number],
    async read(_sql, { odd }, { after, limit }) {
      asked.push(limit)
      const rows: number[] = []
      const highest = (after?.[0] ?? last + 1) - 1
      const lowest = Math.max(1, highest - (options.looksAt ?? last) + 1)
      let at = highest
      for (; at >= lowest && rows.length < limit; at--) if (!odd || at % 2 === 1) rows.push(at)
      return { rows, next: at < 1 ? undefined : [at + 1] }
    },
  })
  const make = async (input: Partial<Parameters<typeof maker.make>[1]>) => {
    const { head, bytes } = await maker.make({} as SqlQueries, {
      query: { odd: false },
      form: 'json',
      after: undefined,
      rowsMax: 1000,
      bytesMax: 1_000_000,
      ...input,
    })
    return { next: head, text: new TextDecoder().decode(bytes) }
  }
  return { asked, make }
}
const numbersIn = (text: string) => (JSON.parse(`[${text}]`) as { number: number }[]).map(({ number }) => number)

describe('a page of a log', () => {
  it('is read a few rows at a time, and says where the next begins', async () => {
    const { asked, make } = logOf(2000)
    const { text, next } = await make({ rowsMax: 450 })
    expect(numbersIn(text)).toEqual(Array.from({ length: 450 }, (_, i) => 2000 - i))
    expect(next).toEqual([1551])
    expect(asked).toEqual([100, 350])
  })

  it('has no next one at the end', async () => {
    const { make } = logOf(30)
    expect(await make({ rowsMax: 30 })).toMatchObject({ next: undefined })
    const { text, next } = await make({ after: [3] })
    expect([numbersIn(text), next]).toEqual([[2, 1], undefined])
  })

  it('is empty as an empty array, and as a CSV file with a header', async () => {
    const { make } = logOf(0)
    expect(await make({})).toEqual({ text: '', next: undefined })
    expect(await make({ form: 'csv' })).toEqual({ text: 'number\r\n', next: undefined })
  })

  it('ends early when its rows are long', async () => {
    const { make } = logOf(2000, { width: 1000 })
    const { text, next } = await make({ rowsMax: 200, bytesMax: 40_000 })
    expect(numbersIn(text)).toHaveLength(50)
    expect(next).toEqual([1951])
  })

  it('reads as many rows together as probably fit', async () => {
    const { make, asked } = logOf(20_000, { width: 1000 })
    expect(numbersIn((await make({ rowsMax: 10_000, bytesMax: 400_000 })).text)).toHaveLength(390)
    expect(asked).toEqual([100, 290])
  })

  it('ends where one read has looked at as many rows as it may', async () => {
    const { make, asked } = logOf(2000, { looksAt: 100 })
    const { text, next } = await make({ query: { odd: true }, form: 'csv', rowsMax: 10_000 })
    expect(text.split('\r\n')).toHaveLength(52)
    expect(next).toEqual([1901])
    expect(asked).toEqual([100])
  })
})
