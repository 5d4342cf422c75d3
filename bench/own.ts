import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/db/migrate.ts'
import { changeIn, type Sql } from '../src/db/sql.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { compileBundled } from '../src/feeds/bundled.ts'
import { createOrganisation } from '../src/identity/organisation/organisations.ts'
import { systemClock } from '../src/lib/clock.ts'
import { LIMITS } from '../src/limits.ts'
import { openOwnKnowledge } from '../src/own/source.ts'
import { touch } from '../src/own/version.ts'
import type { RiskEngine } from '../src/risk/engine.ts'
import { type Indicator, isProblem, parseIndicator } from '../src/risk/indicator.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createOwnIndexes } from '../src/risk/own/indexes.ts'
import { createWorkerEngine } from '../src/risk/worker.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { ownKnowledge } from '../test/support/own.ts'
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
const ROUNDS = 9
/** A list takes a tenth of a second. */
const LIST_ROUNDS = 27

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

const firms = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `cpty_${i}`,
    name: `${nameOf(i)} Limited`,
    reference: String(4000 + i),
    since: '2019',
    state: 'active' as const,
    domains: [domainOf(i)],
    emails: [`accounts@${domainOf(i)}`],
  }))

/** Strangers mostly, and every tenth a counterparty of the long register. */
const asked = Array.from({ length: CHECKS }, (_, i) => domainOf(i % 10 === 0 ? i : LONG + i * 7))

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const file = join(folder, 'bundled.snapshot')
  compileBundled({ file, nowMs: Date.UTC(2026, 5, 1) })
  const snapshot = openSnapshot(file)
  const snapshots = { current: () => snapshot }
  const models = loadModels()
  const sql = await openSqlite({ file: join(folder, 'assay.db') })
  await migrate(sql)
  const register = ownKnowledge({ counterparties: firms(LONG) })
  const long = {
    version: (id: string) => (id === 'none' ? 0 : 1),
    read: async () => register,
  }
  const engine = createWorkerEngine({ snapshots, models, threads: 2, own: createOwnIndexes({ source: long }) })
  try {
    const ratios = await requests(engine, sql)
    await engine.close()
    await storeRegisters(sql)
    const stored = await openOwnKnowledge({ sql, clock: systemClock })
    const own = createOwnIndexes({ source: stored })
    const cold = createWorkerEngine({ snapshots, models, threads: 1, own })
    const figures = await organisations(cold, sql, own.bytes)
    await stored.close()
    await cold.close()
    return [...ratios, ...figures]
  } finally {
    await sql.close()
    rmSync(folder, { recursive: true })
  }
}

async function requests(engine: RiskEngine, sql: Sql): Promise<string[]> {
  const begunMs = performance.now()
  await engine.evaluate('domain', read(asked.slice(0, 1)), { explain: false, organisationId: 'long' })
  const compiled = `a register of ${LONG.toLocaleString('en-GB')} is compiled in ${Math.round(performance.now() - begunMs)} ms, in turns`
  const indicators = read(asked).map((indicator) => [indicator])
  const domains = asked.slice(0, LIMITS.requests.recordsMax)
  const body = Buffer.from(JSON.stringify({ domains }))
  // The register belongs to the second organisation, whatever its id.
  let keeper = ''
  const registerOf = (organisationId: string | undefined) => (organisationId === keeper ? 'long' : 'none')
  const evaluate: RiskEngine['evaluate'] = (kind, one, options) =>
    engine.evaluate(kind, one, { ...options, organisationId: registerOf(options.organisationId) })
  const openList: RiskEngine['openList'] = (kind, text, options) =>
    engine.openList(kind, text, { ...options, organisationId: registerOf(options.organisationId) })
  const server = await startTestServer({ sql, engine: { ...engine, evaluate, openList } })
  const without = await server.organisation({ plan: 'zero' })
  const own = await server.organisation({ plan: 'zero' })
  keeper = own.id
  const ratio = (work: (who: { id: string; apiKey: string }) => Promise<void>, rounds?: number) =>
    ratioOf(
      (swapped) =>
        inTurn(
          () => cpuOf(() => work(without)),
          () => cpuOf(() => work(own)),
          swapped,
        ),
      rounds,
    )
  const scoring = await ratio(async ({ id }) => {
    const organisationId = registerOf(id)
    for (const one of indicators) void engine.evaluate('domain', one, { explain: false, organisationId })
  })
  const check = await ratio(async ({ apiKey }) => {
    for (const domain of asked.slice(0, REQUESTS)) await server.post('/v1/supply-chain-risk', { domain }, apiKey)
  })
  const listAlone = await ratio(async ({ id }) => {
    const organisationId = registerOf(id)
    const list = await engine.openList('domain', body, { organisationId, records: domains.length })
    await list.evaluate({ explain: false })
    list.close()
  }, LIST_ROUNDS)
  const list = await ratio(async ({ apiKey }) => {
    const { status } = await server.post('/v1/supply-chain-risk/bulk', { domains }, apiKey)
    if (status !== 200) throw new Error(`a list was answered with ${status}`)
  }, LIST_ROUNDS)
  await server.close()
  return [
    compiled,
    `check with ${LONG.toLocaleString('en-GB')} counterparties: ${check.toFixed(2)} times one without (limit 1.15); its scoring alone ${scoring.toFixed(2)} times`,
    `bulk check of ${domains.length.toLocaleString('en-GB')}: ${list.toFixed(2)} times one without (limit 1.25); its scoring alone ${listAlone.toFixed(2)} times`,
  ]
}

/** Processor time, so that other programs do not count. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

const STORED = 1000
const COLD_CHECKS = 10_000

/** Ten million rows take minutes to write. A thousand registers are more than the memory holds too: each is cold again in its turn. */
async function storeRegisters(sql: Sql): Promise<void> {
  const clock = systemClock
  await changeIn(sql, clock, async (tx) => {
    const { id: first } = await createOrganisation(tx, { name: 'Organisation 0', awaitingApproval: false })
    const rows = firms(1000).map(({ name, reference, domains, emails }, i) => [
      `('${first}', 0, 'cpy_${String(i).padStart(20, '0')}', '${first} 0 ref ${reference}', '${name}', '${reference}', '2019',`,
      `'active', '${domains[0]}', '${emails[0]}', '', '[]', 0, 0)`,
    ])
    await tx.query(`insert into counterparty (${COLUMNS}) values ${rows.map((row) => row.join(' ')).join(', ')}`)
    await touch(tx, first)
    for (let i = 1; i < STORED; i++) {
      const { id } = await createOrganisation(tx, { name: `Organisation ${i}`, awaitingApproval: false })
      await tx.query(
        `insert into counterparty (${COLUMNS}) select $1, generation, id, $1 || ' 0 ref ' || reference, name, reference, since,
         state, domains, emails, networks, accounts, created_at, updated_at from counterparty where organisation_id = $2`,
        [id, first],
      )
      await touch(tx, id)
    }
  })
}

const COLUMNS =
  'organisation_id, generation, id, match_key, name, reference, since, state, domains, emails, networks, accounts, created_at, updated_at'

/** The first check of an organisation whose knowledge is not in memory: read from the database and compiled. */
async function organisations(engine: RiskEngine, sql: Sql, bytes: () => number): Promise<string[]> {
  const stored = await sql.query<{ id: string }>('select organisation_id as id from own_knowledge')
  const indicator = read(asked.slice(1, 2))
  const tookMs: number[] = []
  const threadMs: number[] = []
  let bytesMax = 0
  for (let i = 0; i < COLD_CHECKS; i++) {
    const organisationId = stored[i % stored.length]?.id ?? ''
    const beganMs = performance.now()
    const before = process.threadCpuUsage()
    await engine.evaluate('domain', indicator, { explain: false, organisationId })
    const { user, system } = process.threadCpuUsage(before)
    tookMs.push(performance.now() - beganMs)
    threadMs.push((user + system) / 1000)
    bytesMax = Math.max(bytesMax, bytes())
  }
  const mega = (value: number) => `${Math.round(value / 2 ** 20)} MB`
  return [
    `${COLD_CHECKS.toLocaleString('en-GB')} first checks of organisations with 1,000 counterparties each: at most ${mega(bytesMax)} of indexes (limit ${mega(LIMITS.counts.ownIndexBytesMax)}), ${mega(process.memoryUsage().rss)} resident`,
    `first check of a cold organisation, read from SQLite and compiled: ${percentiles(tookMs)} (limit 20); processor time of the serving thread ${percentiles(threadMs)}`,
  ]
}

function percentiles(ms: number[]): string {
  ms.sort((a, b) => a - b)
  const at = (share: number) => (ms[Math.floor(ms.length * share)] ?? 0).toFixed(1)
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** The median of the ratios: one disturbed round does not count. Every second round measures the register first. */
async function ratioOf(
  round: (swapped: boolean) => Promise<readonly [without: number, own: number]>,
  rounds = ROUNDS,
): Promise<number> {
  const ratios: number[] = []
  for (let i = 0; i < rounds; i++) {
    const [without, own] = await round(i % 2 === 1)
    if (i > 1) ratios.push(own / without)
  }
  return ratios.sort((a, b) => a - b)[ratios.length >> 1] ?? 0
}

async function inTurn<T>(one: () => Promise<T>, other: () => Promise<T>, swapped: boolean): Promise<readonly [T, T]> {
  if (!swapped) return [await one(), await other()]
  const second = await other()
  return [await one(), second]
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
