import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Plans } from '../../src/billing/plans.ts'
import { freePort } from '../support/ports.ts'
import { startProcess } from '../support/process.ts'
import type { StorePlace } from '../support/stores.ts'

/** Long enough for the garbage of the start to be collected. */
const IDLE_MS = 8000

/** A real `assayd serve` that says how much processor time its serving thread has used. */
export interface MeasuredServer {
  readonly url: string
  readonly pid: number
  /** Processor time of the serving thread for `work`: what it uses when idle is left out. */
  cpuMs(work: () => Promise<unknown>): Promise<number>
  close(): Promise<unknown>
}

export async function startMeasuredServer(
  place: StorePlace,
  plans: Plans,
  env: Record<string, string> = {},
): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-measured-'))
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify([...plans.values()]))
  const insightPort = await freePort()
  const server = await startProcess(
    {
      ASSAY_DATA_DIR: place.engine === 'sqlite' ? dirname(place.file) : folder,
      ASSAY_PLANS_FILE: plansFile,
      ATTACK_INSIGHT_PORT: String(insightPort),
      ...(place.engine === 'postgres' ? { ASSAY_DATABASE_URL: place.url } : {}),
      ...env,
    },
    'serve',
    { preload: [new URL('./preload-insight.ts', import.meta.url)] },
  )
  const cpu = async () => Number(await (await fetch(`http://127.0.0.1:${insightPort}/cpu`)).text())
  const idleBefore = await cpu()
  await delay(IDLE_MS)
  const idleShare = ((await cpu()) - idleBefore) / 1000 / IDLE_MS
  return {
    url: server.url,
    pid: server.pid,
    async cpuMs(work) {
      const [before, beforeMs] = [await cpu(), performance.now()]
      await work()
      const workMs = performance.now() - beforeMs
      return ((await cpu()) - before) / 1000 - idleShare * workMs
    },
    async close() {
      await server.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
