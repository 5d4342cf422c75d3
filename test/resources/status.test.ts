import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { readCatalogue } from '../../src/feeds/catalogue.ts'
import { createFeedStore } from '../../src/feeds/store.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { recordRun } from '../../src/jobs/runs.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { NodeFigures } from '../../src/status/figures.ts'
import { type Heartbeat, listNodes, startHeartbeat } from '../../src/status/nodes.ts'
import { readStatus } from '../../src/status/status.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const MINUTE_MS = 60_000

describeRules('the status of the service', (open, engine) => {
  let sql: Sql
  let server: TestServer
  let nowMs = systemClock.now()
  const clock = { now: () => nowMs }
  const startedAtMs = nowMs
  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), oauth: true })
  })
  const begun: Heartbeat[] = []
  afterAll(async () => {
    for (const one of begun) await one.close()
    await server.close()
  })

  const figures = (changed: Partial<NodeFigures> = {}): NodeFigures => ({
    address: '127.0.0.1:8080',
    pid: 1,
    runtime: '24.0.0',
    ready: true,
    parts: [],
    snapshot: null,
    queues: { charges: 1, engine: null, live: null, store: 0 },
    uncertain_charges: 0,
    memory_bytes: 1,
    jobs: [{ name: 'billing', period_seconds: 300 }],
    log_lines_dropped: 0,
    clock_offset_seconds: 0,
    statements: { count: 1, mean_ms: 1, slow_count: 1, slow: [] },
    ...changed,
  })
  const heartbeat = (id: string, name: string, told: () => NodeFigures = figures) => {
    const one = startHeartbeat({
      sql,
      clock,
      node: { id, name, role: 'server', version: '1.0.0', started_at: startedAtMs },
      figures: async () => told(),
      onTrouble: (error) => {
        throw error
      },
    })
    begun.push(one)
    return one
  }
  const states = async () =>
    (await readStatus({ sql, clock })).nodes.map(({ name, state }) => `${name} ${state}`).sort()

  it('is for those alone whom the operator marked', async () => {
    const organisation = await server.organisation()
    const person = await memberOf(server, sql, { organisationId: organisation.id, role: 'owner', nowMs })
    expect((await server.send('/api/operator/status')).status).toBe(401)
    expect((await person.send('GET', '/api/operator/status')).json.code).toBe('not_found')
    await changeIn(sql, systemClock, (tx) => setOperator(tx, person.id, true))
    const { status, json, headers } = await person.send('GET', '/api/operator/status')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(json).toMatchObject({
      database: { engine, migration: expect.stringMatching(/^\d{4}_/) },
      nodes: [],
      jobs: [],
      feeds: { fresh: 0, troubled: [] },
      slow_statements: [],
    })
    expect(json.database.bytes).toBeGreaterThan(10_000)
  })

  it('shows a node from its first beat; not seen since, when it dies; and no longer when it stops or is replaced', async () => {
    const [first, second] = [
      heartbeat('nod_1', 'a:8080'),
      heartbeat('nod_2', 'b:8080', () => figures({ ready: false })),
    ]
    await first.beat()
    await second.beat()
    expect(await states()).toEqual(['a:8080 ready', 'b:8080 not_ready'])
    nowMs += MINUTE_MS
    await first.beat()
    expect(await states()).toEqual(['a:8080 ready', 'b:8080 silent'])
    const restarted = heartbeat('nod_3', 'b:8080')
    await restarted.beat()
    expect(await states()).toEqual(['a:8080 ready', 'b:8080 ready'])
    await first.close()
    expect(await states()).toEqual(['b:8080 ready'])
    nowMs += 25 * 60 * MINUTE_MS
    await heartbeat('nod_4', 'c:8080').beat()
    expect((await listNodes(sql)).map(({ id }) => id)).toEqual(['nod_4'])
  })

  it('tells of jobs on whichever node they ran: fine, failing with the reason, late', async () => {
    const job = async () => (await readStatus({ sql, clock })).jobs
    expect(await job()).toMatchObject([{ name: 'billing', state: 'late', last_success_at: null }])
    const run = (error?: string) =>
      recordRun(sql, 'c:8080', { job: 'billing', startedAtMs: nowMs - 1500, finishedAtMs: nowMs, error })
    await run()
    expect(await job()).toMatchObject([{ state: 'fine', last_run_ms: 1500, error: null, node: 'c:8080' }])
    nowMs += MINUTE_MS
    await run('the disk is full')
    const [failing] = await job()
    expect(failing).toMatchObject({ state: 'failing', error: 'the disk is full' })
    expect(Date.parse(failing?.last_failure_at ?? '') - Date.parse(failing?.last_success_at ?? '')).toBe(MINUTE_MS)
    await run()
    expect(await job()).toMatchObject([{ state: 'fine', error: null, last_failure_at: expect.any(String) }])
    // A job that no node has any more was switched off, and fails nobody.
    await heartbeat('nod_4', 'c:8080').beat()
    const finishedAtMs = nowMs
    await recordRun(sql, 'c:8080', { job: 'feeds', startedAtMs: nowMs, finishedAtMs, error: 'the disk is full' })
    expect((await job()).map(({ name }) => name)).toEqual(['billing'])
  })

  it('names the feeds that fail and why, and counts the others', async () => {
    const store = createFeedStore(sql)
    const [one, two, three] = readCatalogue('feeds.json').filter(({ key, enabled }) => enabled && key === undefined)
    await store.save([one!, two!, { ...three!, enabled: false }], undefined, nowMs)
    await store.recordFailure(one!.id, 'HTTP 503', { nextDueAtMs: nowMs + MINUTE_MS, nowMs })
    expect((await readStatus({ sql, clock, keys: {} })).feeds).toMatchObject({
      fresh: 0,
      unfetched: 1,
      failing: 1,
      off: 1,
      troubled: [{ id: one!.id, state: 'failing', reason: 'HTTP 503', failures: 1, last_success_at: null }],
    })
  })

  it('puts the slow statements of all nodes together', async () => {
    const slow = (count: number, mean_ms: number, worst_ms: number) =>
      figures({
        statements: { count, mean_ms: 1, slow_count: count, slow: [{ text: 'commit', count, mean_ms, worst_ms }] },
      })
    await heartbeat('nod_4', 'c:8080', () => slow(1, 400, 400)).beat()
    await heartbeat('nod_5', 'd:8080', () => slow(3, 200, 900)).beat()
    expect((await readStatus({ sql, clock })).slow_statements).toEqual([
      { text: 'commit', count: 4, worst_ms: 900, mean_ms: 250, nodes: 2 },
    ])
  })

  it('counts the statements of the store', async () => {
    const before = sql.times.figures().statements
    await sql.query('select 1 as one')
    await sql.transaction((tx) => tx.query('select 1 as one'))
    expect(sql.times.figures().statements - before).toBe(3)
    expect(sql.waiting).toBe(0)
  })
})
