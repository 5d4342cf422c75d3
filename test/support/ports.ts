import { createServer } from 'node:net'

/**
 * Ports that are named before a server listens on them. A port that the system picked and released may go to another
 * test at any moment; these are below the range that the system picks from, and every worker has its own range.
 */
const FIRST = 11_000
const STRETCHES = 40
const STRETCH = 120

// A worker is a child of the run; two runs on one machine start at different ports.
const worker = Number(process.env.VITEST_POOL_ID ?? 0)
const run = worker === 0 ? process.pid : process.ppid
const start = FIRST + ((run + worker) % STRETCHES) * STRETCH
let next = process.pid

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < STRETCH; tries++) {
    const port = start + (next++ % STRETCH)
    if (await isFree(port)) return port
  }
  throw new Error(`all ports from ${start} to ${start + STRETCH - 1} are taken`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Nothing listens here: the port belongs to no service, and the system never picks such a low one. */
export const NOBODY_LISTENS = 'http://127.0.0.1:2'
