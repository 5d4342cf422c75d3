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
/** Of Linux, in what it says about processes. */
const TICKS_PER_SECOND = 100

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
    const postgresHome = home('postgres', await database('filled'))
    const ofSqlite = join(folder, 'sqlite.assay')
    const ofPostgres = join(folder, 'postgres.assay')
    say(`sqlite: made in ${await measured(sqlite, ['backup', '--to', ofSqlite])}`)
    const size = statSync(ofSqlite).size
    say(`its file has ${(size / 1e6).toFixed(0)} MB, ${((100 * size) / bytes).toFixed(0)} % of the database file`)
    say(`proved in ${await measured(sqlite, ['backup', 'verify', '--from', ofSqlite])}`)
    say(`restored into sqlite in ${await measured(home('again'), ['restore', '--from', ofSqlite])}`)
    say(`restored into postgres in ${await measured(postgresHome, ['restore', '--from', ofSqlite])}`)
    say(`postgres: made in ${await measured(postgresHome, ['backup', '--to', ofPostgres])}`)
    for (const [engine, env] of Object.entries({ sqlite, postgres: postgresHome })) {
      const { without, during } = await besideCallers(env, join(folder, `${engine}-beside.assay`))
      say(
        `${engine}: ${CHECKS_PER_SECOND} checks a second beside the making: p99 ${without.toFixed(1)} ms before, ${during.toFixed(1)} ms meanwhile, ratio ${(during / without).toFixed(1)}; none failed`,
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

/** One verb as a process: how long it took, how much of that it had a core, and the most memory it had. */
async function measured(env: Record<string, string>, args: readonly string[]): Promise<string> {
  const startMs = performance.now()
  const child = spawn(process.execPath, [file('../src/main.ts'), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peakMb = 0
  let coreSeconds = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      coreSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    } catch {
      // It has ended, or the system shows no such thing.
    }
  }, 50)
  const [code] = (await once(child, 'exit')) as [number]
  clearInterval(timer)
  if (code !== 0) throw new Error(`${args.join(' ')}: exit ${code}`)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  return peakMb === 0
    ? `${seconds} s`
    : `${seconds} s (${coreSeconds.toFixed(1)} s of a core, at most ${peakMb.toFixed(0)} MB)`
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
    const made = measured(env, ['backup', '--to', to]).finally(() => {
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
