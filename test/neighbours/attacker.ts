import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Callers } from '../../bench/callers.ts'

/** An attacker on a thread of its own: each connection sends its next request when the last is answered. */
export interface AttackerData {
  readonly url: string
  readonly requests: readonly string[]
  readonly connections: number
}

const { url, requests, connections } = workerData as AttackerData
// It stands for another machine, which would take nothing of the server's cores.
if (process.platform === 'linux') setPriority(10)
const callers = await Callers.open(url, connections)
parentPort?.on('message', async (ms: number) => {
  const { byStatus } = await callers.closedLoop(
    requests.map((text) => ({ bytes: Buffer.from(text) })),
    ms,
  )
  parentPort?.postMessage(Object.fromEntries(byStatus))
})
parentPort?.postMessage('ready')
