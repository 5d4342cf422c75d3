import { createServer } from 'node:net'

/**
 * Ports to be named before somebody listens on them. One that the system picked and took back it may hand to another
 * test at any moment; these lie below all that the system picks from, and every worker has a stretch of its own.
 */
const FIRST = 11_000
const STRETCHES = 40
const STRETCH = 120

// A worker is a child of the run; two runs on one machine begin at different places.
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

/** Nothing listens here: the port is no service's, and the system picks none as low. */
export const NOBODY_LISTENS = 'http://127.0.0.1:2'
