import { parentPort, workerData } from 'node:worker_threads'
import { Callers, get, percentile } from './callers.ts'

/** On a thread of its own, because who makes the load is late himself: how long health takes to answer. */
const { url, ms, perSecond } = workerData as { url: string; ms: number; perSecond: number }
const callers = await Callers.open(url, 16)
const p99: Record<string, number> = {}
const slowest: Record<string, number> = {}
const all = await Callers.open(url, 16)
const [live, ready] = await Promise.all([
  callers.openLoop([get(url, '/livez')], perSecond, ms),
  all.openLoop([get(url, '/readyz')], perSecond, ms),
])
for (const [path, { latenciesMs, byStatus }] of [
  ['/livez', live],
  ['/readyz', ready],
] as const) {
  const others = [...byStatus.keys()].filter((status) => status !== 200)
  if (others.length > 0) throw new Error(`${path} answered ${others.join(', ')}`)
  p99[path] = percentile(latenciesMs, 0.99)
  slowest[path] = percentile(latenciesMs, 1)
}
parentPort?.postMessage({ p99, slowest })
