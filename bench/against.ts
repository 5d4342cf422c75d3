/**
 * `node bench/against.ts [<commit> [<commit>]]`: charged checks of two commits, in turn on one machine, against a bare
 * Fastify route with the same schemas. Default: 1.0.0 against the working tree. A folder with
 * sources and packages may stand for a commit.
 * Options: `--rounds=5`, `--seconds=4`, `--database=sqlite`. Uses wrk when it is on the PATH: it leaves more of the
 * cores to the server than a generator in JavaScript does.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { administer, databaseUrl, type Postgres, startPostgres } from '../test/support/postgres.ts'
import { Callers, percentile, post } from './callers.ts'
import {
  assayEnvironment,
  cpuNs,
  file,
  killServers,
  machineLoad,
  median,
  type Server,
  startAssay,
  startBare,
} from './server.ts'

const FIRST_RELEASE = '10c18eb'
const CONNECTIONS = 64
const WARM_SECONDS = 10
const PATH = '/v1/infrastructure-risk'
const BODY = JSON.stringify({ ip: '93.184.216.34' })
const LISTS = 100
const RECORDS = 10_000

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    database: { type: 'string', default: 'sqlite,postgres' },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const repository = file('..')
const folder = mkdtempSync(join(tmpdir(), 'assay-against-'))
const wrk = process.env.PATH?.split(delimiter).some((one) => existsSync(join(one, 'wrk'))) ?? false

interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  /** Microseconds of a core for one check: all threads, and the serving thread alone. */
  readonly cpuUs: number
  readonly servingUs: number
}

/** The sources of a commit in a folder of their own, with the packages of its lock file. */
function sourcesOf(commit: string): string {
  if (existsSync(join(commit, 'node_modules'))) return resolve(commit)
  const path = mkdtempSync(join(folder, 'sources-'))
  execFileSync('git', ['worktree', 'add', '--detach', path, commit], { cwd: repository, stdio: 'pipe' })
  const lock = (at: string) => readFileSync(join(at, 'package-lock.json'), 'utf8')
  if (lock(path) === lock(repository)) symlinkSync(join(repository, 'node_modules'), join(path, 'node_modules'))
  else execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: path, stdio: 'pipe' })
  return path
}

/**
 * With the plans of the commit, and without the configuration keys that it does not know: it would refuse them. Started
 * twice: the first start may compile a snapshot, whose memory would be measured too.
 */
async function startSources(sources: string, database: Record<string, string>): Promise<Server> {
  const known = readFileSync(join(sources, 'src/config.ts'), 'utf8')
  const environment = {
    ...assayEnvironment(mkdtempSync(join(folder, 'data-'))),
    ...database,
    ASSAY_PLANS_FILE: join(sources, 'bench/plans.json'),
  }
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => known.includes(name)))
  const program = join(sources, 'src/main.ts')
  const { child, apiKey } = await startAssay(kept, program)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  return { ...(await startAssay(kept, program)), apiKey }
}

async function round(server: Server, connections: number): Promise<Round> {
  const before = cpuNs(server)
  const { requests, p50Ms } = await (wrk ? byWrk(server, connections) : byCallers(server, connections))
  const after = cpuNs(server)
  const perCheckUs = (ns: number) => ns / 1000 / requests
  return {
    perSecond: requests / seconds,
    p50Ms,
    cpuUs: perCheckUs(after.all - before.all),
    servingUs: perCheckUs(after.serving - before.serving),
  }
}

async function byWrk({ url, apiKey }: Server, connections: number): Promise<{ requests: number; p50Ms: number }> {
  const script = join(folder, 'post.lua')
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.body = '${BODY}'\nwrk.headers["content-type"] = "application/json"\nwrk.headers["x-api-key"] = "${apiKey}"
done = function(summary, latency)
  local errors = summary.errors
  print(string.format("%d %d %.3f", summary.requests, errors.status + errors.connect + errors.read + errors.timeout, latency:percentile(50) / 1000))
end\n`,
  )
  const args = ['-t1', '--timeout=10s', `-c${connections}`, `-d${seconds}s`, '-s', script, url + PATH]
  const output = execFileSync('wrk', args, { encoding: 'utf8' })
  const [requests = 0, failed = 0, p50Ms = 0] = output.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  if (failed > 0) throw new Error(`${failed} checks failed`)
  return { requests, p50Ms }
}

async function byCallers({ url, apiKey }: Server, connections: number): Promise<{ requests: number; p50Ms: number }> {
  const callers = await Callers.open(url, connections)
  const { byStatus, latenciesMs } = await callers.closedLoop([post(url, PATH, apiKey, BODY)], seconds * 1000)
  callers.close()
  const requests = byStatus.get(200) ?? 0
  if (byStatus.size !== 1) throw new Error(`checks failed: ${JSON.stringify([...byStatus])}`)
  return { requests, p50Ms: percentile(latenciesMs, 0.5) }
}

function rssMb({ child }: Server): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024)
}

/** Memory after a million checks more, in lists. */
async function memoryMb(server: Server): Promise<number> {
  const ips = Array.from({ length: RECORDS }, (_, i) => `93.184.${i >> 8}.${i & 255}`)
  for (let list = 0; list < LISTS; list++) {
    const response = await fetch(`${server.url}${PATH}/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': server.apiKey },
      body: JSON.stringify({ ips }),
    })
    if (!response.ok) throw new Error(`a list answered ${response.status}`)
    await response.arrayBuffer()
  }
  return rssMb(server)
}

async function compare(database: string, named: readonly { name: string; server: Server }[], bare: Server) {
  // V8 compiles for the first ten seconds of load, on threads of its own: 60 to 90 µs a check in the first two.
  for (let i = 0; i * seconds < WARM_SECONDS; i++) for (const { server } of named) await round(server, CONNECTIONS)
  const yard: Round[] = []
  const many = named.map((): Round[] => [])
  const few = named.map((): Round[] => [])
  for (let i = 0; i < rounds; i++) {
    yard.push(await round(bare, CONNECTIONS))
    for (const [at, { server }] of named.entries()) many[at]?.push(await round(server, CONNECTIONS))
    for (const [at, { server }] of named.entries()) few[at]?.push(await round(server, 2))
  }
  const of = (all: readonly Round[] = [], pick: (one: Round, i: number) => number) => median(all.map(pick))
  console.log(`${database}: bare route ${of(yard, (one) => one.perSecond).toFixed(0)} requests/s, ${machineLoad()}`)
  for (const [at, { name, server }] of named.entries()) {
    const ratio = of(many[at], (one, i) => one.perSecond / (yard[i]?.perSecond ?? one.perSecond))
    const singlesMb = rssMb(server)
    console.log(
      `${database} ${name}: ${of(many[at], (one) => one.perSecond).toFixed(0)} checks/s, ${ratio.toFixed(2)} of the bare route; ` +
        `${of(many[at], (one) => one.cpuUs).toFixed(0)} µs of a core a check, ${of(many[at], (one) => one.servingUs).toFixed(0)} on the serving thread; ` +
        `2 connections: p50 ${of(few[at], (one) => one.p50Ms).toFixed(2)} ms, ${of(few[at], (one) => one.cpuUs).toFixed(0)} µs; ` +
        `memory ${singlesMb} MB, after a million more in lists ${await memoryMb(server)} MB`,
    )
  }
}

const [one = FIRST_RELEASE, other = repository] = positionals
const names = [one, other].map((commit) => (commit === repository ? 'working tree' : commit))
let postgres: Postgres | undefined

async function cleanUp(): Promise<void> {
  killServers()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  execFileSync('git', ['worktree', 'prune'], { cwd: repository })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => cleanUp().finally(() => process.exit(1)))

try {
  const sources = [one, other].map(sourcesOf)
  const bare = await startBare()
  if (options.database.includes('postgres')) postgres = await startPostgres()
  for (const database of options.database.split(',')) {
    const named: { name: string; server: Server }[] = []
    for (const [i, path] of sources.entries()) {
      if (postgres && database === 'postgres') await administer(postgres.url, `create database against_${i}`)
      const url =
        postgres && database === 'postgres' ? { ASSAY_DATABASE_URL: databaseUrl(postgres.url, `against_${i}`) } : {}
      const server = await startSources(path, url)
      named.push({ name: names[i] ?? '', server })
    }
    await compare(database, named, bare)
    for (const { server } of named) server.child.kill('SIGKILL')
  }
} finally {
  await cleanUp()
}
