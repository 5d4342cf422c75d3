import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createCompiler } from '../snapshot/compile.ts'
import { type OpenSnapshot, openSnapshot } from '../snapshot/read.ts'
import { EngineUnavailable, type RiskEngine } from './engine.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
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

function domains(count: number, first = 'listed-one.com'): Indicator[] {
  return Array.from({ length: count }, (_, i) => {
    const indicator = parseIndicator('domain', i === 0 ? first : `ordinary-name-${i}.com`)
    if (isProblem(indicator)) throw new Error(indicator.detail)
    return indicator
  })
}

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

test('threads give the same answers in the same order as this process, explained or not', async () => {
  const snapshot = snapshotListing('listed-one.com')
  const batch = domains(420)
  const local = createLocalEngine({ snapshots: { current: () => snapshot }, models })
  const pool = engine({ current: () => snapshot })
  for (const explain of [false, true]) {
    expect(await pool.evaluate('domain', batch, { explain })).toEqual(
      await local.evaluate('domain', batch, { explain }),
    )
  }
})

test('a snapshot swapped in is used by the next call, and a call under way keeps its own', async () => {
  const before = snapshotListing('listed-one.com')
  const after = snapshotListing('listed-two.com')
  let current = before
  const pool = engine({ current: () => current })
  const underWay = pool.evaluate('domain', domains(300), { explain: false })
  current = after
  const next = pool.evaluate('domain', domains(300), { explain: false })
  const [first, second] = await Promise.all([underWay, next])
  expect(first.intelligence.version).toBe(before.info.version)
  expect(first.evaluations[0]?.score).toBeGreaterThanOrEqual(70)
  expect(second.intelligence.version).toBe(after.info.version)
  expect(second.evaluations[0]?.score).toBeLessThan(70)
})

test('a thread that dies costs no answer', async () => {
  const program = join(folder, 'dies.mjs')
  writeFileSync(
    program,
    "import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => process.exit(3))\n",
  )
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, program: pathToFileURL(program), crashesMax: 3 })
  const { evaluations } = await pool.evaluate('domain', domains(300), { explain: false })
  expect(evaluations).toHaveLength(300)
  expect(evaluations[0]?.score).toBeGreaterThanOrEqual(70)
})

test('a call beyond the bound is refused as busy, and without intelligence as unavailable', async () => {
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot, slicesMax: 5 })
  await expect(pool.evaluate('domain', domains(300), { explain: false })).rejects.toBeInstanceOf(EngineUnavailable)
  const empty = engine({ current: () => undefined })
  await expect(empty.evaluate('domain', domains(300), { explain: false })).rejects.toBeInstanceOf(EngineUnavailable)
  await expect(empty.evaluate('domain', domains(1), { explain: false })).rejects.toBeInstanceOf(EngineUnavailable)
  expect(await empty.intelligence()).toBeUndefined()
})

test('closing rejects what is under way and every later call', async () => {
  const snapshot = snapshotListing('listed-one.com')
  const pool = engine({ current: () => snapshot })
  const underWay = pool.evaluate('domain', domains(300), { explain: false })
  const refused = expect(underWay).rejects.toBeInstanceOf(EngineUnavailable)
  await pool.close()
  await refused
  await expect(pool.evaluate('domain', domains(1), { explain: false })).rejects.toBeInstanceOf(EngineUnavailable)
})
