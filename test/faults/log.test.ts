import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FULL } from '../support/full.ts'
import { freePort } from '../support/ports.ts'
import { MAIN } from '../support/process.ts'

/** A log that cannot be written never stops the service: a real process, with an output that takes nothing. */

const REQUESTS = 600
/** Rounds of requests that fill the buffer of the log. */
const ROUNDS_MAX = 12

let child: ChildProcess | undefined
let folder = ''
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(stdout: 'pipe' | number): Promise<{ url: string; metricsUrl: string }> {
  folder = mkdtempSync(join(tmpdir(), 'assay-log-'))
  const [port, metricsPort] = [await freePort(), await freePort()]
  child = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      ASSAY_METRICS_PORT: String(metricsPort),
      ASSAY_DATA_DIR: folder,
      ASSAY_FEEDS_REFRESH: 'off',
      ASSAY_LIVE: 'off',
    },
    stdio: ['ignore', stdout, 'ignore'],
  })
  return { url: `http://127.0.0.1:${port}`, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` }
}

/** `linesDropped`: whether so much is to be logged that not all of it may wait. */
async function staysUp(
  stdout: 'pipe' | number,
  { whenUp = () => {}, linesDropped = false }: { readonly whenUp?: () => void; readonly linesDropped?: boolean } = {},
): Promise<void> {
  const { url, metricsUrl } = await start(stdout)
  const ended = once(child!, 'exit') as Promise<[number | null]>
  await expect
    .poll(() =>
      fetch(`${url}/livez`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  whenUp()
  const dropped = async () => {
    const metrics = await (await fetch(metricsUrl)).text()
    return Number(/^assay_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])
  }
  for (let rounds = 1; ; rounds++) {
    // Every one of them is logged.
    for (let i = 0; i < REQUESTS; i += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, k) => fetch(`${url}/v1/nothing/${i + k}`)))
      for (const answer of answers) expect(answer.status).toBe(404)
    }
    if (!linesDropped || rounds === ROUNDS_MAX || (await dropped()) > 0) break
  }
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  if (linesDropped) expect(await dropped()).toBeGreaterThan(0)
  else expect(await dropped()).toBe(0)
  child?.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}

describe('a server whose log', () => {
  it.runIf(FULL && existsSync('/dev/full'))(
    'stands on a full disk answers, and ends when told',
    async () => {
      await staysUp(openSync('/dev/full', 'w'), { linesDropped: true })
    },
    120_000,
  )

  it.runIf(FULL)('goes to a pipe that nobody reads answers, and ends when told', async () => {
    await staysUp('pipe')
  })

  it('goes to a pipe that was closed answers, and ends when told', async () => {
    await staysUp('pipe', { whenUp: () => child?.stdout?.destroy() })
  })
})
