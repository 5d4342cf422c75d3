import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { VERSION } from '../src/version.ts'
import { installReleased, makeRelease, megabytesOf } from '../test/support/install-released.ts'
import { freePort } from '../test/support/ports.ts'
import { machineLoad, median } from './server.ts'

/**
 * What somebody sees who installs a release: how much it takes on the disk, how long until the first answer to a check,
 * and how much memory the server holds when it rests.
 */
const ANSWER_MS_MAX = 2000
const RESIDENT_MB_MAX = 200
const INSTALLED_MB_MAX = 150
const ROUNDS = 5
/** By then the memory of the start has been given back. */
const REST_MS = 8000
const TRY_AGAIN_MS = 20

interface Start {
  readonly answerMs: number
  /** Processor time of the main thread: the duration of the start on a machine with nothing else to do. */
  readonly workMs: number | undefined
  readonly residentMb: number | undefined
}

export async function run(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-start-'))
  try {
    const release = join(folder, 'release')
    const project = join(folder, 'project')
    await makeRelease(release)
    await installReleased(project, [join(release, `assay-${VERSION}.tgz`)])
    const main = join(project, 'node_modules/assay/bin/assayd.cjs')
    const starts: { first: Start; second: Start }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const data = join(folder, `data-${round}`)
      const settings = { ASSAY_DATA_DIR: data, TMPDIR: folder, ASSAY_METRICS_PORT: 'off', ASSAY_FEEDS_REFRESH: 'off' }
      starts.push({ first: await start(main, settings), second: await start(main, settings, REST_MS) })
    }
    const against = (value: number, unit: string, wanted: number) =>
      `${Math.round(value)} ${unit} (wanted at most ${wanted})`
    const answer = (which: 'first' | 'second') => {
      const work = median(starts.flatMap((one) => one[which].workMs ?? []))
      return `${against(median(starts.map((one) => one[which].answerMs)), 'ms', ANSWER_MS_MAX)}, ${work} ms of it at work on the main thread`
    }
    const resident = starts.flatMap(({ second }) => second.residentMb ?? [])
    return [
      `installed, beside Node: ${against(megabytesOf(join(project, 'node_modules')), 'MB', INSTALLED_MB_MAX)}`,
      `empty data folder, to the first answer: ${answer('first')}; median of ${ROUNDS} starts, ${machineLoad()}`,
      `second start: ${answer('second')}`,
      ...(resident.length > 0
        ? [`resident memory at rest, SQLite, look-ups on: ${against(median(resident), 'MB', RESIDENT_MB_MAX)}`]
        : ['resident memory at rest: this system does not tell (Linux does, in /proc)']),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first answer is that to the three samples of the front page, which need no key. */
async function start(main: string, settings: Record<string, string>, restMs = 0): Promise<Start> {
  const port = await freePort()
  const env = { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn', ...settings }
  const from = performance.now()
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    while (!(await isAnswered(`http://127.0.0.1:${port}/api/samples`, child))) await delay(TRY_AGAIN_MS)
    const answerMs = performance.now() - from
    const workMs = workOf(child)
    await delay(restMs)
    return { answerMs, workMs, residentMb: residentOf(child) }
  } finally {
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await closed
  }
}

async function isAnswered(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error('the server ended before it answered')
  const answer = await fetch(url).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}

function residentOf(child: ChildProcess): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(told(child, 'status'))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/** In ticks of 10 ms. */
function workOf(child: ChildProcess): number | undefined {
  const [user, system] = told(child, `task/${child.pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
  return user === undefined || system === undefined ? undefined : 10 * (Number(user) + Number(system))
}

/** Linux tells; elsewhere nothing. */
function told(child: ChildProcess, what: string): string {
  try {
    return readFileSync(`/proc/${child.pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
