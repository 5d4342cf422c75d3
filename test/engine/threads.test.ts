import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { Problem } from '../../src/errors.ts'
import type { FactSource } from '../../src/live/facts.ts'
import { EngineBusy, EngineUnavailable, type RiskEngine } from '../../src/risk/engine.ts'
import { createEngineServer } from '../../src/risk/engine-server.ts'
import { createLocalEngine } from '../../src/risk/local.ts'
import { createOwnIndexes } from '../../src/risk/own/indexes.ts'
import { createRemoteEngine } from '../../src/risk/remote.ts'
import { createWorkerEngine, type WorkerEngineOptions } from '../../src/risk/worker.ts'
import { createCompiler } from '../../src/snapshot/compile.ts'
import { type OpenSnapshot, openSnapshot } from '../../src/snapshot/read.ts'
import { FULL } from '../support/full.ts'
import { heldThreads } from '../support/held-threads.ts'
import { evaluateDomains, openDomains, readDomains } from '../support/lists.ts'
import { testModels } from '../support/models.ts'
import { memoryOwnSource, ownKnowledge } from '../support/own.ts'

const models = testModels()
const folder = mkdtempSync(join(tmpdir(), 'assay-worker-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NOW_MS = Date.UTC(2026, 4, 31)

function snapshotListing(...domains: string[]): OpenSnapshot {
  const compiler = createCompiler({ nowMs: NOW_MS })
  compiler.source({ id: 'feed', name: 'Feed', licence: 'CC0-1.0', asOfMs: NOW_MS })
  for (const value of domains) {
    compiler.add({
      kind: 'domain',
      value,
      source: 'feed',
      tag: 'phishing',
      firstSeenMs: NOW_MS,
      lastSeenMs: NOW_MS,
      confidence: 0.9,
    })
  }
  const file = join(folder, `${domains.join('-')}.snapshot`)
  compiler.writeTo(file)
  return openSnapshot(file)
}

function domains(count: number, first = 'listed-one.com'): string[] {
  return Array.from({ length: count }, (_, i) => (i === 0 ? first : `ordinary-name-${i}.com`))
}

const scoresIn = (results: string): number[] =>
  (JSON.parse(`[${results}]`) as { risk_score: number }[]).map(({ risk_score }) => risk_score)

const opened: RiskEngine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})
/** Two threads for several tests: a thread loads the models when it starts. */
const listing = snapshotListing('listed-one.com')
const twoThreads = createWorkerEngine({
  snapshots: { current: () => listing },
  models,
  threads: 2,
  sliceLength: 50,
  slicesMax: 1000,
  shareMax: 1000,
})
afterAll(() => twoThreads.close())

function engine(options: Partial<WorkerEngineOptions> & { current: () => OpenSnapshot | undefined }): RiskEngine {
  const { current, ...rest } = options
  // One thread is enough for most: each loads the models.
  const created = createWorkerEngine({ snapshots: { current }, models, threads: 1, sliceLength: 50, ...rest })
  opened.push(created)
  return created
}

test.each([0, 2])('%i threads do the same as one go: results in order, reasons, invalid records', async (threads) => {
  const batch = domains(420)
  const local = createLocalEngine({ snapshots: { current: () => listing }, models })
  const pool = threads === 2 ? twoThreads : engine({ current: () => listing, threads })
  for (const explain of [false, true]) {
    expect(await evaluateDomains(pool, batch, { explain })).toBe(await evaluateDomains(local, batch, { explain }))
  }
  const bad = batch.map((text, i) => (i % 3 === 1 ? null : i % 50 === 0 ? `${text}/` : text))
  const found = await readDomains(pool, bad)
  expect(found).toEqual(await readDomains(local, bad))
  expect(found?.first.map(({ index }) => index).slice(0, 3)).toEqual([0, 1, 4])
  expect(found?.first).toHaveLength(100)
})

test.each(FULL ? [0, 1, 2] : [0, 1])('with %i threads each record is judged by its own facts', async (threads) => {
  const snapshot = snapshotListing('listed-one.com')
  const batch = domains(420)
  const asked: string[][] = []
  const facts: FactSource = {
    isOn: () => true,
    about: () => ({ status: 'off', facts: {} }),
    aboutAll: async (_, names) => {
      asked.push([...names])
      const registered = names.map((_, i) => NOW_MS - (6 + i) * 86_400_000)
      return {
        status: 'partial',
        facts: registered.map((registeredMs, i) =>
          i === 7
            ? '{}'
            : JSON.stringify({ registration: { seenMs: NOW_MS, found: true, registeredMs, statuses: [] } }),
        ),
      }
    },
  }
  const pool = engine({ current: () => snapshot, threads, facts, clock: { now: () => NOW_MS } })
  const list = await openDomains(pool, batch)
  const { results, coverage } = await list.evaluate({ explain: true })
  list.close()
  expect(asked).toEqual([batch])
  expect(coverage.live).toEqual({ status: 'partial' })
  const told = (JSON.parse(`[${results}]`) as { signals: { code: string; description: string }[] }[]).map(
    ({ signals }) => signals.find(({ code }) => code === 'domain.registered')?.description,
  )
  for (const [i, sentence] of told.entries()) {
    if (i === 7) expect(sentence).toBeUndefined()
    else if (i < 20) expect(sentence).toContain(`Registered ${6 + i} days ago`)
    else expect(sentence).toContain('Registered')
  }
})

const STOP = { name: 'Imitation', when: { counterparties: ['lookalike'] }, outcome: 'stop', text: 'Call them' } as const

test.each(FULL ? [0, 2] : [0, 1])(
  'with %i threads a list is judged by what its own organisation knows',
  async (threads) => {
    const snapshot = snapshotListing('listed-one.com')
    const batch = [...domains(420), 'harbourlights.com', 'harbourlight.com']
    const { source } = memoryOwnSource(
      new Map([['org_a', ownKnowledge({ counterparties: [{ domains: ['harbourlight.com'] }], rules: [STOP] })]]),
    )
    const own = createOwnIndexes({ source })
    const local = createLocalEngine({ snapshots: { current: () => snapshot }, models, own })
    const pool = engine({ current: () => snapshot, threads, own })
    const without = await evaluateDomains(pool, batch, { organisationId: 'org_b', explain: true })
    const both = await Promise.all([
      evaluateDomains(pool, batch, { explain: true }),
      evaluateDomains(pool, batch, { organisationId: 'org_b', explain: true }),
    ])
    expect(both).toEqual([await evaluateDomains(local, batch, { explain: true }), without])
    expect(without).not.toContain('own.')
    const [lookalike, known] = (JSON.parse(`[${both[0]}]`) as { risk: string; counterparty: unknown }[]).slice(-2)
    expect(lookalike).toMatchObject({ risk: 'high', counterparty: { name: 'Firm 0', relation: 'lookalike' } })
    expect(known).toMatchObject({ risk: 'low', counterparty: { relation: 'domain' } })
    expect(both[0]?.match(/"decision":\{"outcome":"stop","rule":"Imitation","text":"Call them"\}/g)).toHaveLength(1)
  },
)

const long = (text: string) => `${text}${' '.repeat(20_000)}`
const ODD_BODIES = {
  'a name that stands twice': long('{"domains":["a.example","b.example"],"domains":["c.example"]}'),
  'a name with an escape': long(`{"dom\\u0061ins":[${'"a.example",'.repeat(300)}"b.example"]}`),
  'records that are lists': long(`{"domains":[${'["a","b","c"],'.repeat(100)}"b.example"]}`),
  'nothing in the list': long('{"domains":[]}'),
  'no list': long('{"domains":7}'),
  'another field': long(`{"domains":[${'"a.example",'.repeat(300)}"b.example"],"more":1}`),
  'no end': long('{"domains":["a.example"'),
  'bytes that are no text': `{"domains":["\xff"${' '.repeat(20_000)}]}`,
}
test('threads say the same as one go of odd bodies, however many records were expected', async () => {
  const local = createLocalEngine({ snapshots: { current: () => listing }, models })
  const said = async (of: RiskEngine, text: string, records: number) => {
    try {
      const list = await of.openList('domain', Buffer.from(text, 'latin1'), { organisationId: 'org_a', records })
      const answer = list.invalid ? undefined : await list.evaluate({ explain: true })
      list.close()
      return { length: list.length, invalid: list.invalid, answer }
    } catch (error) {
      if (error instanceof Problem) return error.plain()
      throw error
    }
  }
  for (const [what, text] of Object.entries(ODD_BODIES)) {
    const expected = await said(local, text, 0)
    for (const records of [0, 1, 49, 50, 301, 1000])
      expect(await said(twoThreads, text, records), what).toEqual(expected)
  }
})

test('lists at the same time, each longer than the next, get their own results', async () => {
  const local = createLocalEngine({ snapshots: { current: () => listing }, models })
  for (let round = 0; round < (FULL ? 3 : 2); round++) {
    const lists = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: 700 - 40 * i }, (_, at) => `round-${round}-list-${i}-record-${at}.com`),
    )
    const results = await Promise.all(
      lists.map((list, i) => evaluateDomains(twoThreads, list, { organisationId: `${i}` })),
    )
    for (const [i, list] of lists.entries()) expect(results[i]).toBe(await evaluateDomains(local, list))
  }
})

test('a snapshot swapped in is used by the next call, and a call under way keeps its own', async () => {
  const before = snapshotListing('listed-one.com')
  const after = snapshotListing('listed-two.com')
  let current = before
  const pool = engine({ current: () => current })
  const [first, second] = [await openDomains(pool, domains(300)), await openDomains(pool, domains(300))]
  const underWay = first.evaluate({ explain: false })
  current = after
  const next = second.evaluate({ explain: false })
  expect(scoresIn((await underWay).results)[0]).toBeGreaterThanOrEqual(70)
  expect(scoresIn((await next).results)[0]).toBeLessThan(70)
})

test('a thread that dies costs no answer', async () => {
  const program = join(folder, 'dies.mjs')
  writeFileSync(
    program,
    "import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => process.exit(3))\n",
  )
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, program: pathToFileURL(program), crashesMax: 3 })
  const scores = scoresIn(await evaluateDomains(pool, domains(300)))
  expect(scores).toHaveLength(300)
  expect(scores[0]).toBeGreaterThanOrEqual(70)
})

test('without intelligence nothing is scored, but lists are read', async () => {
  const empty = engine({ current: () => undefined, threads: 0 })
  await expect(evaluateDomains(empty, domains(300))).rejects.toBeInstanceOf(EngineUnavailable)
  await expect(evaluateDomains(empty, domains(1))).rejects.toBeInstanceOf(EngineUnavailable)
  await expect(readDomains(empty, domains(300))).resolves.toBeUndefined()
  expect(await empty.intelligence()).toBeUndefined()
})

test('an organisation over its share is refused as busy, others are not until the whole queue is full', async () => {
  const held = heldThreads(folder)
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({
    current: () => snapshot,
    threads: 1,
    program: held.program,
    slicesMax: 14,
    shareMax: 8,
  })
  // Four slices each: the first of all is under way, the others wait.
  const ask = (organisationId: string) => readDomains(pool, domains(200), organisationId)
  const admitted = [ask('org_a'), ask('org_a')]
  await expect(ask('org_a')).rejects.toMatchObject({ of: 'organisation', recordsMax: 400 })
  // A caller with nothing in the queue finds room when it is full for the others, up to a limit.
  admitted.push(ask('org_b'), ask('org_c'))
  await expect(ask('org_c')).rejects.toMatchObject({ of: 'everybody', recordsMax: 700 })
  admitted.push(ask('org_d'), ask('org_e'), ask('org_f'))
  await expect(ask('org_g')).rejects.toBeInstanceOf(EngineBusy)
  held.release()
  expect(await Promise.all(admitted)).toEqual(admitted.map(() => undefined))
  expect(await ask('org_a')).toBeUndefined()
})

test('a list that was read is scored, however full the queue is by then', async () => {
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, threads: 0, slicesMax: 14, shareMax: 8 })
  const list = await openDomains(pool, domains(200))
  const others = [readDomains(pool, domains(200)), readDomains(pool, domains(200))]
  const refused = expect(readDomains(pool, domains(200))).rejects.toBeInstanceOf(EngineBusy)
  expect(scoresIn((await list.evaluate({ explain: false })).results)).toHaveLength(200)
  await refused
  expect(await Promise.all(others)).toEqual([undefined, undefined])
})

test('a list that an API node had read is scored as well, however full the queue is by then', async () => {
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, threads: 0, slicesMax: 14, shareMax: 8 })
  const others: Promise<unknown>[] = []
  const filledBefore: RiskEngine['openList'] = (kind, body, options) => {
    if (options.readBefore) others.push(readDomains(pool, domains(200)), readDomains(pool, domains(200)))
    return pool.openList(kind, body, options)
  }
  const token = 'shared by both sides of this test'
  const logger = pino({ level: 'silent' })
  const app = createEngineServer({ engine: { ...pool, openList: filledBefore }, token, logger })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const remote = createRemoteEngine({ url, token, timeoutMs: 60_000 })
  try {
    expect(scoresIn(await evaluateDomains(remote, domains(200)))).toHaveLength(200)
    expect(await Promise.all(others)).toEqual([undefined, undefined])
  } finally {
    await remote.close()
    await app.close()
  }
})

test('organisations take turns, slice by slice', async () => {
  const held = heldThreads(folder)
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, threads: 1, program: held.program })
  const done: string[] = []
  const ask = async (organisationId: string) => {
    await readDomains(pool, domains(200), organisationId)
    done.push(organisationId)
  }
  const all = Promise.all([ask('org_a'), ask('org_a'), ask('org_a'), ask('org_b')])
  held.release()
  await all
  // Of the slices of A, one is under way when B comes and four more have their turn before the last of B.
  expect(done).toEqual(['org_a', 'org_b', 'org_a', 'org_a'])
})

test.each([
  [0, 1],
  [1, 0],
])('with %i threads a body that holds no list is parsed %i times here, whatever its slices', async (threads, times) => {
  const pool = engine({ current: () => undefined, threads })
  const parse = vi.spyOn(JSON, 'parse')
  const body = Buffer.from(`{"domains":[${'"a.example",'.repeat(2000)}`)
  try {
    await expect(pool.openList('domain', body, { organisationId: 'org_a', records: 2000 })).rejects.toMatchObject({
      code: 'malformed_json',
    })
    expect(parse.mock.calls.filter(([text]) => String(text).length === body.length)).toHaveLength(times)
  } finally {
    parse.mockRestore()
  }
})

test('where no thread can be started, this one does the work', async () => {
  const snapshot = snapshotListing('listed-one.com')
  const told: unknown[] = []
  // As on a machine that has no thread left, the constructor throws.
  const program = new URL('https://no.thread.example/')
  const pool = engine({ current: () => snapshot, program, onCrash: (error) => told.push(error) })
  const scores = scoresIn(await evaluateDomains(pool, domains(300)))
  expect(scores).toHaveLength(300)
  expect(scores[0]).toBeGreaterThanOrEqual(70)
  expect(told.length).toBeGreaterThan(0)
})

test.each([0, 1])(
  'a list that was opened with %i threads is not evaluated after the engine was closed',
  async (threads) => {
    const snapshot = snapshotListing('listed-one.com')
    const pool = engine({ current: () => snapshot, threads })
    const list = await openDomains(pool, domains(300))
    await pool.close()
    await expect(list.evaluate({ explain: false })).rejects.toBeInstanceOf(EngineUnavailable)
  },
)

test.each([0, 1])('closing rejects what %i threads have under way and every later call', async (threads) => {
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, threads })
  const refused = expect(evaluateDomains(pool, domains(300))).rejects.toBeInstanceOf(EngineUnavailable)
  await pool.close()
  await refused
  await expect(evaluateDomains(pool, domains(1))).rejects.toBeInstanceOf(EngineUnavailable)
})
