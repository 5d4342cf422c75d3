import { parentPort, workerData } from 'node:worker_threads'
import { Callers, get, percentile } from './callers.ts'

/** On a thread of its own, because who makes the load is late himself: how long health takes to answer. */
const { url, ms, perSecond } = workerData as { url: string; ms: number; perSecond: number }
const probes = await Promise.all(
  ['/livez', '/readyz'].map(async (path) => ({ path, request: get(url, path), callers: await Callers.open(url, 8) })),
)

parentPort?.on('message', async () => {
  const p99 = await Promise.all(
    probes.map(async ({ path, request, callers }) => {
      const { latenciesMs, byStatus } = await callers.openLoop([request], perSecond, ms)
      const others = [...byStatus.keys()].filter((status) => status !== 200)
      if (others.length > 0) throw new Error(`${path} answered ${others.join(', ')}`)
      return [path, percentile(latenciesMs, 0.99)] as const
    }),
  )
  parentPort?.postMessage(Object.fromEntries(p99))
})
parentPort?.postMessage('ready')
