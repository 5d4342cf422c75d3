/**
 * How long a backup of a million ledger entries takes to make, to prove and to restore, on both engines, what it weighs,
 * and what making it costs the callers of a node that serves meanwhile. `ENTRIES=100000` measures a smaller ledger.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPlans } from '../src/billing/plans.ts'
import { migrate } from '../src/db/migrate.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { systemClock } from '../src/lib/clock.ts'
import { testAccounts, testMeter } from '../test/support/accounts.ts'
import { administer, databaseUrl, startPostgres } from '../test/support/postgres.ts'
import { Callers, percentile, post } from './callers.ts'
import { assayEnvironment, file, machineLoad, startAssay } from './server.ts'

const ENTRIES = Number(process.env.ENTRIES ?? 1_000_000)
const ORGANISATIONS = 32
const CALLERS = 1024
const CHECKS_PER_SECOND = 200
const ROUND_MS = 5000

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const postgres = await startPostgres()
  const lines: string[] = []
  const say = (line: string) => {
    lines.push(line)
    console.log(line)
  }
  const home = (name: string, more: Record<string, string> = {}) => ({
    ...assayEnvironment(join(folder, name)),
    ...more,
  })
  const database = async (name: string) => {
    await administer(postgres.url, `create database ${name} template template0`)
    return { ASSAY_DATABASE_URL: databaseUrl(postgres.url, name) }
  }
  try {
    const sqlite = home('sqlite')
    const bytes = await fill(join(folder, 'sqlite'))
    const first = join(folder, 'sqlite.assay')
    await measured('made', sqlite, ['backup', '--to', first])
    const onPostgres = home('postgres', await database('filled'))
    await measured('restored', onPostgres, ['restore', '--from', first])
    for (const [engine, env, empty] of [
      ['sqlite', sqlite, home('sqlite-again')],
      ['postgres', onPostgres, home('postgres-again', await database('again'))],
    ] as const) {
      const to = join(folder, `${engine}-measured.assay`)
      const made = await measured('made', env, ['backup', '--to', to])
      const proved = await measured('proved', env, ['backup', 'verify', '--from', to])
      const restored = await measured('restored', empty, ['restore', '--from', to])
      const size = statSync(to).size
      const beside = await besideCallers(env, join(folder, `${engine}-beside.assay`))
      say(
        `${engine}: made in ${made.text}, ${(size / 1e6).toFixed(0)} MB (${((100 * size) / bytes).toFixed(0)} % of the SQLite file); proved in ${proved.text}; restored in ${restored.text}`,
      )
      say(
        `${engine}: ${CHECKS_PER_SECOND} checks a second beside it: p99 ${beside.without.toFixed(1)} ms without, ${beside.during.toFixed(1)} ms during, ratio ${(beside.during / beside.without).toFixed(1)}; none failed`,
      )
    }
    return [
      `${ENTRIES} ledger entries of ${ORGANISATIONS} organisations; each verb is a process of its own; ${machineLoad()}`,
      ...lines,
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Real charges, as many as are wanted; the size of the file. */
async function fill(folder: string): Promise<number> {
  const path = join(folder, 'assay.db')
  mkdirSync(folder, { recursive: true })
  const sql = await openSqlite({ file: path })
  await migrate(sql)
  const billing = testAccounts({ sql, plans: loadPlans(file('plans.json')), clock: systemClock })
  for (let i = 0; i < ORGANISATIONS; i++) await billing.open(`org_bench${i}`, 'growth')
  const meter = testMeter({ sql, rules: billing.rules, clock: systemClock })
  let begun = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      while (begun++ < ENTRIES) {
        await meter.charge({
          organisationId: `org_bench${caller % ORGANISATIONS}`,
          family: 'payment-risk',
          units: 1,
          credentialId: `key_bench${caller}`,
          requestId: `req_${begun}`,
          answer: () => ({ before: '{', after: '}' }),
        })
      }
    }),
  )
  await meter.close()
  await sql.close()
  return statSync(path).size
}

interface Run {
  readonly text: string
}

/** One verb as a process: how long it took, and the most memory it had. */
async function measured(what: string, env: Record<string, string>, args: readonly string[]): Promise<Run> {
  const startMs = performance.now()
  const child = spawn(process.execPath, [file('../src/main.ts'), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peakMb = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It has ended, or the system shows no such thing.
    }
  }, 100)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(timer)
  if (code !== 0) throw new Error(`it was not ${what}: exit ${code}`)
  const seconds = (performance.now() - startMs) / 1000
  return { text: `${seconds.toFixed(1)} s${peakMb > 0 ? ` (at most ${peakMb.toFixed(0)} MB of memory)` : ''}` }
}

/** p99 of a node's checks before and while a backup is made. */
async function besideCallers(env: Record<string, string>, to: string): Promise<{ without: number; during: number }> {
  const server = await startAssay(env)
  try {
    const apiKey = await keyOf(env)
    const callers = await Callers.open(server.url, 64)
    const checks = [post(server.url, '/v1/payment-risk', apiKey, '{"email":"person@supplier.example"}')]
    await callers.closedLoop(checks, 2000)
    const round = async () => {
      const { latenciesMs, byStatus } = await callers.openLoop(checks, CHECKS_PER_SECOND, ROUND_MS)
      const others = [...byStatus.keys()].filter((status) => status !== 200)
      if (others.length > 0) throw new Error(`checks were answered ${others.join(', ')}`)
      return latenciesMs
    }
    const without = await round()
    const during: number[] = []
    let under = true
    const made = measured('made', env, ['backup', '--to', to]).finally(() => {
      under = false
    })
    while (under) during.push(...(await round()))
    await made
    callers.close()
    return { without: p99(without), during: p99(during) }
  } finally {
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')
  }
}

const p99 = (latenciesMs: readonly number[]) =>
  percentile(
    [...latenciesMs].sort((a, b) => a - b),
    0.99,
  )

async function keyOf(env: Record<string, string>): Promise<string> {
  const args = [file('../src/main.ts'), 'org', 'create', '--name', 'Beside', '--plan', 'growth', '--json']
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  return (JSON.parse(text) as { api_key: string }).api_key
}
