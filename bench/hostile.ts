import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

/** On a thread of its own, so that what it sends does not delay who measures: one body, so many times a second. */
const { url, path, apiKey, body, perSecond } = workerData as {
  url: string
  path: string
  apiKey: string
  body: string
  perSecond: number
}
// It stands for another machine, which would take nothing of the server's cores.
if (process.platform === 'linux') setPriority(10)

const UNDER_WAY_MAX = 64
const bytes = Buffer.from(body)
const byStatus: Record<string, number> = {}
let underWay = 0

async function send(): Promise<void> {
  if (underWay >= UNDER_WAY_MAX) return
  underWay++
  try {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: bytes })
    await response.arrayBuffer()
    byStatus[response.status] = (byStatus[response.status] ?? 0) + 1
  } catch {
    byStatus.failed = (byStatus.failed ?? 0) + 1
  } finally {
    underWay--
  }
}

let timer: NodeJS.Timeout | undefined
parentPort?.on('message', (word: 'begin' | 'end') => {
  if (word === 'begin') {
    timer = setInterval(() => void send(), 1000 / perSecond)
  } else {
    clearInterval(timer)
    parentPort?.postMessage(byStatus)
  }
})
parentPort?.postMessage('ready')
