import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { heldThreads } from '../../test/support/held-threads.ts'
import { createCompiler } from '../snapshot/compile.ts'
import { type OpenSnapshot, openSnapshot } from '../snapshot/read.ts'
import { EngineBusy, EngineUnavailable, type RiskEngine } from './engine.ts'
import { createLocalEngine } from './local.ts'
import { loadModels } from './model/load.ts'
import { createWorkerEngine, type WorkerEngineOptions } from './worker.ts'

const models = loadModels()
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

const A = { organisationId: 'org_a' }
const score = (of: RiskEngine, texts: readonly string[], { organisationId } = A) =>
  of.evaluateList('domain', texts, { organisationId, explain: false })
const scoresIn = (results: string): number[] =>
  (JSON.parse(`[${results}]`) as { risk_score: number }[]).map(({ risk_score }) => risk_score)

const opened: RiskEngine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

function engine(options: Partial<WorkerEngineOptions> & { current: () => OpenSnapshot | undefined }): RiskEngine {
  const { current, ...rest } = options
  const created = createWorkerEngine({ snapshots: { current }, models, threads: 2, sliceLength: 50, ...rest })
  opened.push(created)
  return created
}

test.each([0, 2])('%i threads do the same as one go: results in order, reasons, invalid records', async (threads) => {
  const snapshot = snapshotListing('listed-one.com')
  const batch = domains(420)
  const local = createLocalEngine({ snapshots: { current: () => snapshot }, models })
  const pool = engine({ current: () => snapshot, threads })
  for (const explain of [false, true]) {
    expect(await pool.evaluateList('domain', batch, { ...A, explain })).toBe(
      await local.evaluateList('domain', batch, { ...A, explain }),
    )
  }
  expect(await pool.readList('domain', batch, A)).toBeUndefined()
  const bad = batch.map((text, i) => (i % 3 === 1 ? null : i % 50 === 0 ? `${text}/` : text))
  const found = await pool.readList('domain', bad, A)
  expect(found).toEqual(await local.readList('domain', bad, A))
  expect(found?.first.map(({ index }) => index).slice(0, 3)).toEqual([0, 1, 4])
  expect(found?.first).toHaveLength(100)
})

test('a snapshot swapped in is used by the next call, and a call under way keeps its own', async () => {
  const before = snapshotListing('listed-one.com')
  const after = snapshotListing('listed-two.com')
  let current = before
  const pool = engine({ current: () => current })
  const underWay = score(pool, domains(300))
  current = after
  const next = score(pool, domains(300))
  expect(scoresIn(await underWay)[0]).toBeGreaterThanOrEqual(70)
  expect(scoresIn(await next)[0]).toBeLessThan(70)
})

test('a thread that dies costs no answer', async () => {
  const program = join(folder, 'dies.mjs')
  writeFileSync(
    program,
    "import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => process.exit(3))\n",
  )
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, program: pathToFileURL(program), crashesMax: 3 })
  const scores = scoresIn(await score(pool, domains(300)))
  expect(scores).toHaveLength(300)
  expect(scores[0]).toBeGreaterThanOrEqual(70)
})

test('without intelligence nothing is scored, but lists are read', async () => {
  const empty = engine({ current: () => undefined, threads: 0 })
  await expect(score(empty, domains(300))).rejects.toBeInstanceOf(EngineUnavailable)
  await expect(score(empty, domains(1))).rejects.toBeInstanceOf(EngineUnavailable)
  await expect(empty.readList('domain', domains(300), A)).resolves.toBeUndefined()
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
  const ask = (organisationId: string) => pool.readList('domain', domains(200), { organisationId })
  const admitted = [ask('org_a'), ask('org_a')]
  await expect(ask('org_a')).rejects.toMatchObject({ of: 'organisation', recordsMax: 400 })
  // Whoever has nothing waiting finds room where the queue is full for the others, and that ends as well.
  admitted.push(ask('org_b'), ask('org_c'))
  await expect(ask('org_c')).rejects.toMatchObject({ of: 'everybody', recordsMax: 700 })
  admitted.push(ask('org_d'), ask('org_e'), ask('org_f'))
  await expect(ask('org_g')).rejects.toBeInstanceOf(EngineBusy)
  // What was read is scored, however full the queue is.
  const scored = score(pool, domains(200), { organisationId: 'org_a' })
  held.release()
  expect(await Promise.all(admitted)).toEqual(admitted.map(() => undefined))
  expect(scoresIn(await scored)).toHaveLength(200)
  expect(await ask('org_a')).toBeUndefined()
})

test('organisations take turns, slice by slice', async () => {
  const held = heldThreads(folder)
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, threads: 1, program: held.program })
  const done: string[] = []
  const ask = async (organisationId: string) => {
    await score(pool, domains(200), { organisationId })
    done.push(organisationId)
  }
  const all = Promise.all([ask('org_a'), ask('org_a'), ask('org_a'), ask('org_b')])
  held.release()
  await all
  // Of the slices of A, one is under way when B comes and four more have their turn before the last of B.
  expect(done).toEqual(['org_a', 'org_b', 'org_a', 'org_a'])
})

test.each([0, 2])('closing rejects what %i threads have under way and every later call', async (threads) => {
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, threads })
  const refused = expect(score(pool, domains(300))).rejects.toBeInstanceOf(EngineUnavailable)
  await pool.close()
  await refused
  await expect(score(pool, domains(1))).rejects.toBeInstanceOf(EngineUnavailable)
})
