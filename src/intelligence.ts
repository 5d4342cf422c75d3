import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { compileBundled } from './feeds/bundled.ts'
import type { Clock } from './lib/clock.ts'
import type { RiskEngine } from './risk/engine.ts'
import { createLocalEngine } from './risk/local.ts'
import { loadModels } from './risk/model/load.ts'
import { createWorkerEngine } from './risk/worker.ts'
import { openSnapshot } from './snapshot/read.ts'

/** The engine of this process: the current snapshot, the models, and threads for bulk work. */
export async function openIntelligence(options: {
  readonly folder: string
  readonly threads: number
  readonly clock: Clock
  readonly logger: Logger
}): Promise<RiskEngine> {
  mkdirSync(options.folder, { recursive: true })
  const file = join(options.folder, 'bundled.snapshot')
  if (!existsSync(file)) compileBundled({ file, nowMs: options.clock.now() })
  const snapshot = openSnapshot(file)
  const parts = { snapshots: { current: () => snapshot }, models: loadModels() }
  return options.threads === 0 ? createLocalEngine(parts) : createWorkerEngine({ ...parts, threads: options.threads })
}
