import { describe, expect, it } from 'vitest'
import { StatementTimes } from './statement-times.ts'

const ago = (ms: number) => performance.now() - ms

describe('times of statements', () => {
  it('count every statement and keep the slow ones, the worst first', () => {
    const times = new StatementTimes({ slowMs: 1000 })
    times.took('select 1', ago(0))
    times.took('select 2', ago(5000))
    times.took('select 3', ago(9000))
    times.took('select 2', ago(7000))
    expect(times.figures()).toMatchObject({ statements: 4, slow: 3 })
    expect(times.figures().seconds).toBeGreaterThanOrEqual(21)
    expect(times.slow().map(({ text, count }) => [text, count])).toEqual([
      ['select 3', 1],
      ['select 2', 2],
    ])
    expect(times.slow()[1]?.mean_ms).toBeLessThan(times.slow()[1]?.worst_ms ?? 0)
  })

  it('show no value, and inserts of many rows as one text', () => {
    const times = new StatementTimes({ slowMs: 0 })
    times.took("select a from b\n  where c = 'jane@example.com' and d = 'it''s'", ago(1))
    times.took('insert into a (b, c) values ($1,$2),($3,$4)', ago(1))
    times.took('insert into a (b, c) values ($1,$2),($3,$4),($5,$6)', ago(1))
    const texts = times.slow().map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts).toEqual(
      expect.arrayContaining(["select a from b where c = '…' and d = '…'", 'insert into a (b, c) values (…), …']),
    )
  })

  it('are bounded: the mildest text gives way, and a long one is cut', () => {
    const times = new StatementTimes({ slowMs: 0, textsMax: 3 })
    for (const seconds of [4, 1, 3, 2, 5]) times.took(`select ${seconds} ${'x'.repeat(1000)}`, ago(seconds * 10_000))
    expect(times.slow().map(({ text }) => text.slice(0, 8))).toEqual(['select 5', 'select 4', 'select 3'])
    expect(times.slow()[0]?.text).toHaveLength(400)
  })
})
