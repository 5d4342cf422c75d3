/**
 * The cost of one charged check, part by part: the serving thread, the other threads of the node, the database's processes,
 * a commit of a batch, and the bytes that stay and that go through the log. docs/scaling.md counts with these figures.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createRateLimiter } from '../src/access/limits.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { systemClock } from '../src/lib/clock.ts'
import { shareRates } from '../src/shared-rates.ts'
import { freePort } from '../test/support/ports.ts'
import { type Postgres, startPostgres } from '../test/support/postgres.ts'
import { Callers, post } from './callers.ts'
import { assayEnvironment, cpuNs, machineLoad, median, startAssay } from './server.ts'

const CALLERS = [64, 512]
const ROUNDS = 7
const ROUND_MS = 2000
/** One, and as many as a notice holds. */
const RATED_ORGANISATIONS = [1, 80]

export async function run(): Promise<string[]> {
  const postgres = await startPostgres()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const lines: string[] = []
  try {
    for (const engine of ['SQLite', 'PostgreSQL'] as const) {
      const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
      const metricsPort = await freePort()
      const server = await startAssay({
        ...assayEnvironment(folder),
        ...(engine === 'PostgreSQL' ? { ASSAY_DATABASE_URL: postgres.url } : {}),
        ASSAY_METRICS_PORT: String(metricsPort),
      })
      const state = async () => {
        const { all, serving } = cpuNs(server)
        const { rows } = await client.query<{ log: string; size: string }>(
          `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as log, pg_database_size(current_database()) as size`,
        )
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
        const metric = (name: string) => Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)`, 'm').exec(text)?.[1])
        return {
          serving,
          others: all - serving,
          database: childrenCpuNs(postgres.pid()),
          batches: metric('assay_charge_commit_seconds_count'),
          commitSeconds: metric('assay_charge_commit_seconds_sum'),
          logBytes: Number(rows[0]?.log),
          databaseBytes: Number(rows[0]?.size),
        }
      }
      const checks = [post(server.url, '/v1/infrastructure-risk', server.apiKey, '{"ip":"93.184.216.34"}')]
      for (const connections of CALLERS) {
        const callers = await Callers.open(server.url, connections)
        await callers.closedLoop(checks, ROUND_MS)
        const rounds: (Awaited<ReturnType<typeof state>> & { checks: number })[] = []
        for (let i = 0; i < ROUNDS; i++) {
          const before = await state()
          const { byStatus } = await callers.closedLoop(checks, ROUND_MS)
          const after = await state()
          if (byStatus.size !== 1) throw new Error(`checks failed: ${JSON.stringify([...byStatus])}`)
          const spent = Object.entries(after).map(([name, value]) => [
            name,
            value - before[name as keyof typeof before],
          ])
          rounds.push({ ...Object.fromEntries(spent), checks: byStatus.get(200) ?? 0 })
        }
        callers.close()
        const of = (pick: (one: (typeof rounds)[number]) => number) => median(rounds.map(pick))
        const us = (name: 'serving' | 'others' | 'database') => of((one) => one[name] / 1000 / one.checks).toFixed(0)
        const bytes = (name: 'logBytes' | 'databaseBytes') => of((one) => one[name] / one.checks).toFixed(0)
        const batch = of((one) => one.checks / one.batches).toFixed(0)
        const commit = of((one) => (one.commitSeconds * 1000) / one.batches).toFixed(1)
        const database =
          engine === 'SQLite'
            ? ''
            : `, ${us('database')} of the database's processes, ${bytes('logBytes')} bytes of its log, ${bytes('databaseBytes')} bytes that stay`
        lines.push(
          `${engine}, ${connections} callers: a check takes ${us('serving')} µs of the serving thread, ${us('others')} µs of the node's other threads${database}; a batch has ${batch} charges and commits in ${commit} ms (medians of ${ROUNDS} rounds of ${ROUND_MS / 1000} s; ${machineLoad()})`,
        )
      }
      server.child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
    for (const organisations of RATED_ORGANISATIONS) lines.push(await ratesLine(postgres, organisations))
    return lines
  } finally {
    await client.end()
    await postgres.stop()
  }
}

/** Two nodes that tell each other their rates as fast as they do, beside the same requests without it. */
async function ratesLine(postgres: Postgres, organisations: number): Promise<string> {
  const stores = await Promise.all([0, 1].map(() => openPostgres({ url: postgres.url })))
  const limiters = stores.map(() => createRateLimiter({ clock: systemClock, bucketsMax: 1000 }))
  for (const limiter of limiters) for (let i = 0; i < organisations; i++) limiter.take(`org_${i}`, 50)
  const secondOf = async () => {
    const before = { node: process.cpuUsage(), database: childrenCpuNs(postgres.pid()) }
    const beginMs = performance.now()
    while (performance.now() - beginMs < 1000) {
      for (const limiter of limiters) {
        for (let i = 0; i < organisations; i++) limiter.takeMore(`org_${i}`, 1, 'plan')
      }
      // Every organisation has something to tell in every turn.
      await delay(20)
    }
    const { user, system } = process.cpuUsage(before.node)
    return { nodeMs: (user + system) / 1000, databaseMs: (childrenCpuNs(postgres.pid()) - before.database) / 1e6 }
  }
  const rounds: Awaited<ReturnType<typeof secondOf>>[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const without = await secondOf()
    const ends = await Promise.all(stores.map((sql, node) => shareRates(sql, limiters[node]!)))
    const shared = await secondOf()
    await Promise.all(ends.map((end) => end()))
    rounds.push({ nodeMs: shared.nodeMs - without.nodeMs, databaseMs: shared.databaseMs - without.databaseMs })
  }
  for (const sql of stores) await sql.close()
  const node = median(rounds.map(({ nodeMs }) => nodeMs)) / stores.length
  const database = median(rounds.map(({ databaseMs }) => databaseMs)) / stores.length
  return `rates of the cluster, ${organisations} ${organisations === 1 ? 'organisation' : 'organisations'} told of 33 times a second: ${node.toFixed(1)} ms of each node's serving thread and ${database.toFixed(1)} ms of the database in a second (median of ${ROUNDS} rounds in turn without it; ${machineLoad()})`
}

/** Processor time of all children that a process has now. */
function childrenCpuNs(parent: number | undefined): number {
  let ns = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isChild = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent)
      if (isChild) ns += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended since it was listed.
    }
  }
  return ns
}
