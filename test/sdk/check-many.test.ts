import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemEffects } from '../../sdk/src/effects.ts'
import {
  Assay,
  type CheckedRecord,
  type CheckRun,
  CreditExhaustedError,
  dedupeKey,
  type Journal,
  type StoredBatch,
  UnavailableError,
} from '../../sdk/src/index.ts'
import { operatorIn } from '../../src/access/actor.ts'
import { changeIn } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { saveRules } from '../../src/own/decisions/rules.ts'
import { KNOWN } from '../support/engine.ts'
import { type Fault, type FaultProxy, type SeenRequest, startFaultProxy } from '../support/fault-proxy.ts'
import { FULL } from '../support/full.ts'
import { runs } from '../support/runs.ts'
import { type Service, startService } from './service.ts'

const quick = { ...systemEffects, sleep: async () => {} }

async function collect(run: CheckRun): Promise<CheckedRecord[]> {
  const records: CheckedRecord[] = []
  for await (const record of run) records.push(record)
  return records
}

function names(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, i) => `supplier-${from + i}.example`)
}

describe('checkMany against the real service', () => {
  let service: Service
  const proxies: FaultProxy[] = []
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    for (const proxy of proxies) await proxy.close()
    await service.stop()
  })

  async function setUp(
    options: { creditPence?: number; plan?: string; faultOf?: (request: SeenRequest) => Fault | Promise<Fault> } = {},
  ) {
    const { id, apiKey } = await service.server.organisation({ creditPence: 1_000_000, ...options })
    const proxy = await startFaultProxy(service.server.url, options.faultOf ?? (() => 'pass'))
    proxies.push(proxy)
    return { id, proxy, assay: new Assay({ apiKey, baseUrl: proxy.url }, quick) }
  }

  const DISTINCT = FULL ? 35_000 : 14_000
  const SUBMITTED = DISTINCT / 0.7
  const BATCHES = Math.ceil(DISTINCT / 10_000)
  it(`${SUBMITTED} records with 30 % repeats and a 502 on one batch: each distinct record is billed once`, async () => {
    const distinct = names(DISTINCT)
    const list = [...distinct, ...distinct.slice(0, SUBMITTED - DISTINCT).map((name) => ` ${name.toUpperCase()}.`)]
    // A fixed shuffle: repeats fall into the same batch as well as into others.
    for (let i = list.length - 1, state = 7; i > 0; i--) {
      state = (state * 1103515245 + 12345) % 2147483648
      const j = state % (i + 1)
      ;[list[i], list[j]] = [list[j]!, list[i]!]
    }
    list[100] = KNOWN.badDomain
    const { id, assay, proxy } = await setUp({ faultOf: ({ number }) => (number === 1 ? { status: 502 } : 'pass') })
    const expected = new Set(list.map((name) => name.trim().toLowerCase().replace(/\.$/, ''))).size
    const seen: number[] = []
    const run = assay.supplyChain.checkMany(list, { onProgress: ({ completed }) => seen.push(completed) })
    const records = await collect(run)
    expect(records.map((record) => record.indicator)).toEqual(list)
    expect(records.map((record) => record.index)).toEqual(list.map((_, i) => i))
    expect(records.filter((record) => record.risk === 'high').map((record) => record.index)).toEqual([100])
    expect(await service.billedUnits(id)).toBe(expected)
    expect(await service.charges(id)).toBe(BATCHES)
    expect(run.billing).toMatchObject({ billable_units: expected, total_price_pence: expected * 2 })
    expect(run.progress).toMatchObject({
      submitted: SUBMITTED,
      distinct: expected,
      completed: expected,
      batches: BATCHES,
      retries: 1,
    })
    expect(seen.at(-1)).toBe(expected)
    expect(proxy.requests).toHaveLength(BATCHES + 1)
    expect(new Set(proxy.requests.map((request) => request.key)).size).toBe(BATCHES)
    expect(records.filter((record) => record.repeat)).toHaveLength(SUBMITTED - expected)
  })

  it('a lost answer is asked for again with the same key: never billed twice, never a completed batch sent again', async () => {
    const { id, assay, proxy } = await setUp({ faultOf: ({ number }) => (number % 2 === 0 ? 'lose' : 'pass') })
    const run = assay.supplyChain.checkMany(names(5000), { batchSize: 1000, concurrency: 1 })
    expect(await collect(run)).toHaveLength(5000)
    expect(await service.billedUnits(id)).toBe(5000)
    expect(proxy.requests).toHaveLength(10)
    expect(run.billing.billable_units).toBe(5000)
  })

  it('one bad record never spoils a run: it comes out with its reason and the rest is checked', async () => {
    const { id, assay } = await setUp()
    const list = [...names(20), 'https://bad.example/', ...names(20, 20), 'com', '', 'https://bad.example/']
    const run = assay.supplyChain.checkMany(list)
    const records = await collect(run)
    const bad = records.filter((record) => record.error)
    expect(bad.map((record) => record.index)).toEqual([20, 41, 42, 43])
    expect(bad.map((record) => record.error?.code)).toEqual(Array(4).fill('invalid_domain'))
    expect(bad[3]?.repeat).toBe(true)
    expect(await service.billedUnits(id)).toBe(40)
    expect(run.progress).toMatchObject({ invalid: 3, completed: 43 })
  })

  it('sorts out more bad records than the server names at a time, without trying each', async () => {
    const { id, assay, proxy } = await setUp()
    const list = names(1000).map((name, i) => (i % 4 === 3 ? `bad ${name}` : name))
    const records = await collect(assay.supplyChain.checkMany(list))
    expect(records.filter((record) => record.error).map((record) => record.index)).toEqual(
      list.flatMap((_, i) => (i % 4 === 3 ? [i] : [])),
    )
    expect(await service.billedUnits(id)).toBe(750)
    expect(proxy.requests).toHaveLength(4)
  })

  it('takes a list in which nothing is valid, an empty one, and what is not even text', async () => {
    const { id, assay, proxy } = await setUp()
    expect(await collect(assay.infrastructure.checkMany([]))).toEqual([])
    expect(proxy.requests).toHaveLength(0)
    const odd = [null, 7, 'x'.repeat(5000), 'not an ip'] as string[]
    const records = await collect(assay.infrastructure.checkMany(odd))
    expect(records.map((record) => record.error?.code)).toEqual(['wrong_type', 'wrong_type', 'too_long', 'invalid_ip'])
    expect(await service.billedUnits(id)).toBe(0)
  })

  it('keeps a request under the size the server takes', async () => {
    const { assay, proxy } = await setUp()
    const wide = Array.from({ length: 9000 }, (_, i) => `${'é'.repeat(50)}${i}@${'ü'.repeat(40)}.example`)
    const records = await collect(assay.payment.checkMany(wide))
    expect(records.every((record) => record.risk)).toBe(true)
    expect(proxy.requests.length).toBeGreaterThan(1)
    for (const request of proxy.requests) expect(Buffer.byteLength(request.body)).toBeLessThan(4 * 1024 * 1024)
  })

  it('answers go out while the list is still coming', async () => {
    const { assay } = await setUp()
    const more = Promise.withResolvers<void>()
    async function* list() {
      yield* names(10)
      await more.promise
      yield* names(10, 10)
    }
    const received: string[] = []
    for await (const { indicator } of assay.supplyChain.checkMany(list(), { batchSize: 10 })) {
      received.push(indicator)
      if (received.length === 10) more.resolve()
    }
    expect(received).toEqual(names(20))
  })

  it('explains and decides every record, repeats as well', async () => {
    const { id, assay } = await setUp()
    const rules = [{ name: 'All', when: {}, outcome: 'review' as const, text: 'Look' }]
    await changeIn(service.sql, systemClock, (tx) => saveRules(tx, operatorIn(id), rules))
    const list = [KNOWN.badDomain, 'fine.example', KNOWN.badDomain.toUpperCase()]
    const records = await collect(assay.supplyChain.checkMany(list, { explain: true, batchSize: 2 }))
    expect(records[0]?.error ?? records[0]?.signals?.length).toBeGreaterThan(0)
    expect(records[2]).toEqual({ ...records[0], index: 2, indicator: list[2], repeat: true })
    expect(records.map((record) => !record.error && record.decision?.rule)).toEqual(['All', 'All', 'All'])
  })

  it('gives out what was paid for before it throws, and stops sending', async () => {
    const { id, assay, proxy } = await setUp({ creditPence: 25 * 2 })
    const run = assay.supplyChain.checkMany(names(100), { batchSize: 10, concurrency: 1 })
    const records: CheckedRecord[] = []
    const running = (async () => {
      for await (const record of run) records.push(record)
    })()
    await expect(running).rejects.toThrow(CreditExhaustedError)
    expect(records.map((record) => record.error?.code ?? 'answered')).toEqual([
      ...Array(20).fill('answered'),
      ...Array(10).fill('credit_exhausted'),
    ])
    expect(await service.billedUnits(id)).toBe(20)
    expect(proxy.requests).toHaveLength(3)
  })

  it('gives up on a service that stays away, after a bounded number of tries', async () => {
    const { assay, proxy } = await setUp({ faultOf: () => ({ status: 503 }) })
    await expect(collect(assay.supplyChain.checkMany(names(5)))).rejects.toThrow(UnavailableError)
    expect(proxy.requests).toHaveLength(9)
  })

  it('stops when told to, with the reason given', async () => {
    const { assay } = await setUp()
    const held = service.engine.hold()
    const abort = new AbortController()
    const running = collect(assay.supplyChain.checkMany(names(5), { signal: abort.signal }))
    await held.reached
    abort.abort(new Error('stop'))
    await expect(running).rejects.toThrow('stop')
    held.release()
    const early = new AbortController()
    early.abort(new Error('early'))
    await expect(collect(assay.supplyChain.checkMany(names(5), { signal: early.signal }))).rejects.toThrow('early')
  })

  it('stops when the loop is left', async () => {
    const { assay, proxy } = await setUp()
    for await (const record of assay.supplyChain.checkMany(names(100), { batchSize: 10, concurrency: 1 })) {
      if (record.index === 5) break
    }
    expect(proxy.requests.length).toBeLessThanOrEqual(2)
  })

  it('throws what the list throws, after the answers before it', async () => {
    const { assay } = await setUp()
    function* list() {
      yield* names(10)
      throw new Error('the file ended in the middle')
    }
    const records: CheckedRecord[] = []
    const running = (async () => {
      for await (const record of assay.supplyChain.checkMany(list(), { batchSize: 5 })) records.push(record)
    })()
    await expect(running).rejects.toThrow('the file ended')
    expect(records).toHaveLength(10)
  })

  it('a journal lets a second run go on where the first was cut off, and nothing is billed twice', async () => {
    let cut = true
    const { id, assay, proxy } = await setUp({
      faultOf: ({ number }) => (cut && number >= 2 ? { status: 403 } : 'pass'),
    })
    const stored = new Map<number, StoredBatch & { digest: string }>()
    const journal: Journal = {
      runId: 'run-1',
      begin: async ({ number }) => stored.get(number),
      complete: async (batch) => void stored.set(batch.number, batch),
    }
    const list = [...names(50), 'not valid', ...names(50)]
    const options = { batchSize: 10, concurrency: 1, journal }
    await expect(collect(assay.supplyChain.checkMany(list, options))).rejects.toThrow()
    expect(stored.size).toBe(2)
    cut = false
    const before = proxy.requests.length
    const run = assay.supplyChain.checkMany(list, options)
    const records = await collect(run)
    expect(records.filter((record) => record.risk)).toHaveLength(100)
    expect(records[50]?.error?.code).toBe('invalid_domain')
    expect(await service.billedUnits(id)).toBe(50)
    expect(run.billing.billable_units).toBe(50)
    expect(proxy.requests.length - before).toBe(4)
  })

  it('is as patient as the run asks, whatever the client is for single checks', async () => {
    const { id, apiKey } = await service.server.organisation({ creditPence: 1000 })
    const proxy = await startFaultProxy(service.server.url, ({ number }) => (number < 3 ? { status: 503 } : 'pass'))
    proxies.push(proxy)
    const assay = new Assay({ apiKey, baseUrl: proxy.url, retrying: { retriesMax: 0 } }, quick)
    const records = await collect(assay.supplyChain.checkMany(names(10), { retrying: { retriesMax: 3 } }))
    expect(records.filter(({ error }) => error)).toEqual([])
    expect(await service.billedUnits(id)).toBe(10)
  })

  it('tells the journal which batches were refused for good, and no others', async () => {
    const { id, assay } = await setUp({
      creditPence: 25 * 2,
      faultOf: ({ number }) => (number === 0 ? { status: 403 } : 'pass'),
    })
    const notes: string[] = []
    const journal: Journal = {
      runId: 'run-2',
      begin: async ({ number }) => void notes.push(`begin ${number}`),
      complete: async ({ number }) => void notes.push(`complete ${number}`),
      refused: async ({ number }) => void notes.push(`refused ${number}`),
    }
    const run = () => collect(assay.supplyChain.checkMany(names(30), { batchSize: 10, concurrency: 1, journal }))
    // A proxy in front that says no has not looked whether an earlier try was answered.
    await expect(run()).rejects.toThrow()
    expect(notes.splice(0)).toEqual(['begin 0'])
    await expect(run()).rejects.toThrow(CreditExhaustedError)
    expect(notes).toEqual(['begin 0', 'complete 0', 'begin 1', 'complete 1', 'begin 2', 'refused 2'])
    expect(await service.billedUnits(id)).toBe(20)
  })

  it('whatever the list and whatever fails on the way: every record answered in order, each distinct one billed once', async () => {
    const record = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 12 }).map((i) => `s${i}.example`) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 12 }).map((i) => ` S${i}.EXAMPLE. `) },
      { weight: 1, arbitrary: fc.constantFrom('not valid', 'com', '', KNOWN.badDomain) },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 40 }),
        fc.record({ batchSize: fc.integer({ min: 1, max: 6 }), concurrency: fc.integer({ min: 1, max: 4 }) }),
        // No more than a request is repeated: each gets through in the end.
        fc.array(fc.constantFrom<Fault>('pass', 'pass', 'lose', 'cut', { status: 502 }, { status: 503 }), {
          maxLength: 8,
        }),
        async (list, options, faults) => {
          const { id, assay } = await setUp({ faultOf: ({ number }) => faults[number] ?? 'pass' })
          const run = assay.supplyChain.checkMany(list, options)
          const records = await collect(run)
          const keys = list.map((text) => dedupeKey('domain', text))
          const invalid = (key: string) => ['not valid', 'com', ''].includes(key)
          expect(records.map(({ index, indicator }) => [index, indicator])).toEqual(list.map((text, i) => [i, text]))
          expect(records.map(({ repeat }) => repeat)).toEqual(keys.map((key, i) => keys.indexOf(key) < i))
          expect(records.map(({ error }) => error !== undefined)).toEqual(keys.map(invalid))
          for (const [i, { risk }] of records.entries()) {
            expect(risk).toBe(records[keys.indexOf(keys[i]!)]!.risk)
            if (keys[i] === KNOWN.badDomain) expect(risk).toBe('high')
          }
          const distinct = new Set(keys.filter((key) => !invalid(key))).size
          expect(await service.billedUnits(id)).toBe(distinct)
          expect(run.billing.billable_units).toBe(distinct)
        },
      ),
      { numRuns: runs(25) },
    )
  })

  it('is iterated over once, and refuses numbers that make no sense', async () => {
    const { assay } = await setUp()
    const run = assay.supplyChain.checkMany(names(1))
    await collect(run)
    await expect(collect(run)).rejects.toThrow(/once/)
    expect(() => assay.supplyChain.checkMany([], { concurrency: 0 })).toThrow(RangeError)
    expect(() => assay.supplyChain.checkMany([], { batchSize: 10_001 })).toThrow(RangeError)
  })
})
