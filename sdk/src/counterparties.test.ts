import { describe, expect, it } from 'vitest'
import { applyImport, type Call, type CounterpartyRow, stageImport } from './counterparties.ts'
import { ValidationError } from './errors.ts'

const rowsOf = (count: number, note = ''): CounterpartyRow[] =>
  Array.from({ length: count }, (_, row) => ({ row, name: `Firm ${row}`, note }))

/** A service that takes at most so many rows in a request. */
function service(rowsMax: number) {
  const parts: number[] = []
  let received = 0
  const call = async (name: string, { body }: { body?: { rows?: unknown } }) => {
    if (!name.endsWith('/rows')) return { id: 'imp_1', counts: { received } }
    const rows = body?.rows as CounterpartyRow[]
    expect(JSON.stringify(body).length).toBeLessThan(64 * 1024)
    if (rows.length > rowsMax) throw new ValidationError('too_many_records', 'Send fewer rows at a time.')
    parts.push(rows.length)
    received += rows.length
    return { id: 'imp_1', counts: { received }, remarks: [] }
  }
  return { parts, call: call as unknown as Call }
}

describe('an import of counterparties', () => {
  it('is sent in parts that fit a request, by rows and by bytes', async () => {
    const short = service(250)
    const progress: number[] = []
    await stageImport(short.call, rowsOf(600), { onProgress: (done) => void progress.push(done) })
    expect(short.parts).toEqual([250, 250, 100])
    expect(progress).toEqual([250, 500, 600])
    const long = service(250)
    await stageImport(long.call, rowsOf(200, 'ü'.repeat(500)))
    expect(long.parts.reduce((sum, one) => sum + one, 0)).toBe(200)
    expect(long.parts.length).toBeGreaterThan(3)
  })

  it('sends smaller parts where the service asks for them, and nothing twice', async () => {
    const small = service(10)
    await stageImport(small.call, rowsOf(25))
    expect(small.parts).toEqual([10, 10, 5])
    await expect(stageImport(service(1).call, rowsOf(5))).rejects.toThrow('fewer rows')
  })

  it('is applied step by step', async () => {
    const states = ['applying', 'applying', 'applied']
    const call = (async () => ({ state: states.shift(), progress: { done: 1, total: 3 } })) as unknown as Call
    expect((await applyImport(call, 'imp_1')).state).toBe('applied')
    expect(states).toEqual([])
  })
})
