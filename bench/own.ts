import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/db/migrate.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { compileBundled } from '../src/feeds/bundled.ts'
import { LIMITS } from '../src/limits.ts'
import type { RiskEngine } from '../src/risk/engine.ts'
import { type Indicator, isProblem, parseIndicator } from '../src/risk/indicator.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createOwnIndexes } from '../src/risk/own/indexes.ts'
import type { OwnKnowledge } from '../src/risk/own/knowledge.ts'
import { createWorkerEngine } from '../src/risk/worker.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { startTestServer } from '../test/support/server.ts'

/** The cost of checks with a register, as a ratio to checks without one, and the cost of many registers for a node. */

const SYLLABLES =
  `ba be bi bo bu da de di do du fa fe fi ga go ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe pi po
  ra re ri ro sa se si so ta te ti to va ve vi vo wa we zo ster berg hagen tron sys form werk land ling mann`.split(
    /\s+/,
  )
const TRADES = [
  '',
  '',
  '',
  'tools',
  'food',
  'print',
  '-logistics',
  '-group',
  'metal',
  'care',
  'soft',
  '-bau',
  'media',
  '-trading',
]
const ENDINGS = ['com', 'de', 'co.uk', 'net', 'fr', 'io']
const LONG = 100_000
const CHECKS = 20_000
const REQUESTS = 500
const ROUNDS = 7

function nameOf(i: number): string {
  let seed = Math.imul(i + 1, 0x9e3779b1) >>> 0
  let name = ''
  for (let k = 0; k < 4 + (i % 2); k++) {
    name += SYLLABLES[seed % SYLLABLES.length]
    seed = Math.imul(seed ^ (seed >>> 13), 0x85ebca6b) >>> 0
  }
  return `${name}${TRADES[seed % TRADES.length]}`
}

const domainOf = (i: number) => `${nameOf(i)}.${ENDINGS[i % ENDINGS.length]}`

function register(count: number): OwnKnowledge {
  const counterparties = Array.from({ length: count }, (_, i) => ({
    id: `cpty_${i}`,
    name: `${nameOf(i)} Limited`,
    reference: String(4000 + i),
    since: '2019',
    state: 'active' as const,
    domains: [domainOf(i)],
    emails: [`accounts@${domainOf(i)}`],
    networks: [],
  }))
  return { version: 1, domains: [], entries: [], counterparties }
}

/** Strangers mostly, and every tenth a counterparty of the long register. */
const asked = Array.from({ length: CHECKS }, (_, i) => domainOf(i % 10 === 0 ? i : LONG + i * 7))

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const file = join(folder, 'bundled.snapshot')
  compileBundled({ file, nowMs: Date.UTC(2026, 5, 1) })
  const snapshot = openSnapshot(file)
  // Made before: only compiling is measured, neither the database nor the making of test data.
  const short = register(1000)
  const source = {
    version: (id: string) => (id === 'none' ? 0 : 1),
    read: async (id: string) => (id === 'long' ? register(LONG) : short),
  }
  const own = createOwnIndexes({ source })
  const engine = createWorkerEngine({ snapshots: { current: () => snapshot }, models: loadModels(), threads: 2, own })
  try {
    return [...(await checks(engine, folder)), ...(await lists(engine)), ...(await organisations(engine, own.bytes))]
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true })
  }
}

async function checks(engine: RiskEngine, folder: string): Promise<string[]> {
  const begunMs = performance.now()
  await engine.evaluate('domain', read(asked.slice(0, 1)), { explain: false, organisationId: 'long' })
  const compiled = `a register of ${LONG.toLocaleString('en-GB')} is compiled in ${Math.round(performance.now() - begunMs)} ms, in turns`
  const indicators = read(asked).map((indicator) => [indicator])
  const round = (organisationId: string) =>
    cpuOf(async () => {
      for (const one of indicators) void engine.evaluate('domain', one, { explain: false, organisationId })
    })
  const scoring = await ratioOf(async () => [await round('none'), await round('long')])
  const sql = await openSqlite({ file: join(folder, 'assay.db') })
  await migrate(sql)
  // The register belongs to the second organisation, whatever its id.
  let keeper = ''
  const evaluate: RiskEngine['evaluate'] = (kind, one, options) =>
    engine.evaluate(kind, one, { ...options, organisationId: options.organisationId === keeper ? 'long' : 'none' })
  const server = await startTestServer({ sql, engine: { ...engine, evaluate } })
  const without = await server.organisation({ plan: 'zero' })
  const own = await server.organisation({ plan: 'zero' })
  keeper = own.id
  const requests = (apiKey: string) =>
    cpuOf(async () => {
      for (const domain of asked.slice(0, REQUESTS)) await server.post('/v1/supply-chain-risk', { domain }, apiKey)
    })
  const http = await ratioOf(async () => [await requests(without.apiKey), await requests(own.apiKey)])
  await server.close()
  await sql.close()
  return [
    compiled,
    `check with ${LONG.toLocaleString('en-GB')} counterparties: ${http.toFixed(2)} times one without (limit 1.15); its scoring alone ${scoring.toFixed(2)} times`,
  ]
}

/** Processor time, so that other programs do not count. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function lists(engine: RiskEngine): Promise<string[]> {
  const domains = asked.slice(0, LIMITS.requests.recordsMax)
  const body = Buffer.from(JSON.stringify({ domains }))
  const timed = (organisationId: string) =>
    cpuOf(async () => {
      const list = await engine.openList('domain', body, { organisationId, records: domains.length })
      await list.evaluate({ explain: false })
      list.close()
    })
  const ratio = await ratioOf(async () => [await timed('none'), await timed('long')])
  return [`bulk check of 10,000: ${ratio.toFixed(2)} times one without (limit 1.25)`]
}

/** Every organisation is cold: more are asked for than the memory holds. */
async function organisations(engine: RiskEngine, bytes: () => number): Promise<string[]> {
  const count = 10_000
  const indicator = read(asked.slice(1, 2))
  const tookMs: number[] = []
  let bytesMax = 0
  for (let i = 0; i < count; i++) {
    tookMs.push(
      (await cpuOf(
        async () => void (await engine.evaluate('domain', indicator, { explain: false, organisationId: String(i) })),
      )) / 1000,
    )
    bytesMax = Math.max(bytesMax, bytes())
  }
  tookMs.sort((a, b) => a - b)
  const p99 = tookMs[Math.floor(count * 0.99)] ?? 0
  const mega = (value: number) => `${Math.round(value / 2 ** 20)} MB`
  return [
    `10,000 organisations with 1,000 counterparties each: at most ${mega(bytesMax)} of indexes (limit ${mega(LIMITS.counts.ownIndexBytesMax)}), ${mega(process.memoryUsage().rss)} resident`,
    `first check of a cold organisation, without the database: processor time median ${(tookMs[count >> 1] ?? 0).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (limit 20)`,
  ]
}

/** The median of the ratios: one disturbed round does not count. */
async function ratioOf(round: () => Promise<readonly [without: number, own: number]>): Promise<number> {
  const ratios: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const [without, own] = await round()
    if (i > 1) ratios.push(own / without)
  }
  return ratios.sort((a, b) => a - b)[ratios.length >> 1] ?? 0
}

function read(texts: readonly string[]): Indicator[] {
  return texts.map((text) => {
    const indicator = parseIndicator('domain', text)
    if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
    return indicator
  })
}

if (import.meta.main) {
  for (const line of await run()) console.log(line)
  process.exit(0)
}
