import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { startEngine, startNode } from '../../src/serve.ts'
import { FULL } from '../support/full.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-failed-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const logger = pino({ level: 'silent' })
const ENV = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  ASSAY_ENGINE_PORT: '0',
  ASSAY_ENGINE_TOKEN: 'a token for tests, of 32 characters or more',
  ASSAY_ENGINE_THREADS: '1',
  ASSAY_METRICS_PORT: '0',
  ASSAY_DATA_DIR: folder,
  // Feeds are refreshed and names looked up by parts of their own; neither begins within this test.
  ASSAY_FEEDS_REFRESH: 'on',
  ASSAY_LIVE: 'on',
}
const engine = parseConfig(ENV)
// With an engine apart a start is quick; the engine's own parts are tried with `assayd engine`.
const server = parseConfig({ ...ENV, ASSAY_ENGINE_URL: 'http://127.0.0.1:9' })

/** Notes each part that is opened and closed, and fails at the given step, when its part is open. */
class FailingClosers extends AsyncDisposableStack {
  readonly opened: number[] = []
  readonly closed: number[] = []
  readonly #failAt: number

  constructor(failAt: number) {
    super()
    this.#failAt = failAt
  }

  override defer(close: () => void | PromiseLike<void>): void {
    const step = this.opened.push(this.opened.length)
    super.defer(async () => {
      await close()
      this.closed.push(step - 1)
    })
    if (step === this.#failAt) throw new Error(`step ${step} failed`)
  }
}

/** Threads, servers, sockets and timers that hold the process, beyond those before. Other tests share the process. */
function heldBeyond(before: readonly string[]): string[] {
  const left = [...before]
  return process.getActiveResourcesInfo().filter((kind) => {
    const at = left.indexOf(kind)
    if (at >= 0) left.splice(at, 1)
    // A timer or a task of the test runner itself.
    return at < 0 && kind !== 'Timeout' && kind !== 'Immediate'
  })
}

describe.each([
  ['a server', startNode, server],
  ['an engine', startEngine, engine],
] as const)('%s that fails to start', (name, start, config) => {
  it('closes what it has opened, the last first, at whichever step it fails', async () => {
    const whole = new FailingClosers(0)
    const running = await start(config, logger, whole)
    await running.stop()
    const steps = whole.opened.length
    expect(steps).toBeGreaterThan(6)
    expect(whole.closed).toEqual(whole.opened.toReversed())
    const before = process.getActiveResourcesInfo()

    for (let step = FULL ? 1 : 2; step <= steps; step += FULL ? 1 : steps - 2) {
      const closers = new FailingClosers(step)
      await expect(start(config, logger, closers)).rejects.toThrow(`step ${step} failed`)
      expect(closers.opened).toHaveLength(step)
      expect(closers.closed).toEqual(closers.opened.toReversed())
    }
    await expect.poll(() => heldBeyond(before)).toEqual([])

    const again = await start(config, logger)
    expect((await fetch(`${again.url}/livez`)).status).toBe(200)
    await again.stop()
  })

  // The same rule; an engine takes seconds to start.
  it.runIf(FULL || name === 'a server')('tells why the start failed, also when a part cannot be closed', async () => {
    const closers = new AsyncDisposableStack()
    closers.defer(() => Promise.reject(new Error('will not close')))
    const taken = await start(config, logger)
    const port = new URL(taken.url).port
    const same = { ...config, PORT: Number(port), ASSAY_ENGINE_PORT: Number(port) }
    await expect(start(same, logger, closers)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await taken.stop()
  })
})
