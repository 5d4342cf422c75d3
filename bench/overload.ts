/** Three times as many checks as the server can answer: how many it still answers, health, and memory. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Callers, type Measured, percentile, post } from './callers.ts'
import { assayEnvironment, machineLoad, median, type Server, startAssay } from './server.ts'

const PEAK_CONNECTIONS = 256
const OVERLOAD_CONNECTIONS = 2000
const TIMES = 3
const ROUNDS = 5
const ROUND_MS = 4000
const PROBES_PER_SECOND = 50
const GOODPUT_MIN = 0.8
const HEALTH_MS_MAX = 100

/** p99 in milliseconds, by path. */
type Health = Readonly<Record<string, number>>

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const server = await startAssay(assayEnvironment(folder))
  try {
    const checks = Array.from({ length: 100 }, (_, i) =>
      post(
        server.url,
        '/v1/payment-risk',
        server.apiKey,
        JSON.stringify({ email: `person${i}@supplier-${i >> 1}.example` }),
      ),
    )
    const few = await Callers.open(server.url, PEAK_CONNECTIONS)
    const many = await Callers.open(server.url, OVERLOAD_CONNECTIONS)
    // A connection without a first request is closed after ten seconds.
    await many.closedLoop(checks, 500)
    await few.closedLoop(checks, 5000)
    const before = memoryMb(server, 'VmRSS')
    const rounds: {
      readonly peak: number
      readonly over: Measured
      /** Without any load, and under it. */
      readonly quiet: Health
      readonly health: Health
    }[] = []
    const probe = new Worker(new URL('./probe.ts', import.meta.url), {
      workerData: { url: server.url, ms: ROUND_MS, perSecond: PROBES_PER_SECOND },
    })
    await once(probe, 'message')
    const health = async (): Promise<Health> => {
      probe.postMessage('begin')
      return ((await once(probe, 'message')) as [Health])[0]
    }
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = await health()
      const peak = goodput(await few.closedLoop(checks, ROUND_MS))
      const [over, loaded] = await Promise.all([many.openLoop(checks, peak * TIMES, ROUND_MS), health()])
      rounds.push({ peak, over, quiet, health: loaded })
    }
    await probe.terminate()
    few.close()
    many.close()
    const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
    const shed = of(({ over }) => (over.byStatus.get(503) ?? 0) / over.seconds)
    return [
      `${PEAK_CONNECTIONS} callers, each waiting for its answer: ${Math.round(of(({ peak }) => peak))} charged checks/s (median of ${ROUNDS} pairs of rounds of ${ROUND_MS / 1000} s, SQLite; raw sockets, the generator shares the cores; ${machineLoad()})`,
      `${TIMES} times that rate offered on ${OVERLOAD_CONNECTIONS} connections, whether answers come or not: ${Math.round(of(({ over }) => goodput(over)))} charged checks/s, ${of(({ over, peak }) => goodput(over) / peak).toFixed(2)} of the peak (wanted ${GOODPUT_MIN}); ${Math.round(shed)} refused with 503 a second`,
      `… of those answered 200: p50 ${Math.round(of(({ over }) => percentile(over.latenciesMs, 0.5)))} ms, p99 ${Math.round(of(({ over }) => percentile(over.latenciesMs, 0.99)))} ms from the moment they were due`,
      ...['/livez', '/readyz'].map(
        (path) =>
          `… ${path}: p99 ${of((round) => round.health[path] ?? Number.NaN).toFixed(1)} ms (wanted within ${HEALTH_MS_MAX} ms), without any load ${of((round) => round.quiet[path] ?? Number.NaN).toFixed(1)} ms`,
      ),
      `… memory: ${before} MB before, at most ${memoryMb(server, 'VmHWM')} MB`,
    ]
  } finally {
    server.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const goodput = ({ byStatus, seconds }: Measured) => (byStatus.get(200) ?? 0) / seconds

function memoryMb(server: Server, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
}
