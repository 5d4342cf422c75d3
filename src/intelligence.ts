import type { Logger } from 'pino'
import type { Sql } from './db/sql.ts'
import { openSnapshotHolder } from './feeds/publish.ts'
import type { Clock } from './lib/clock.ts'
import { createPlaceOf, type PlaceOf } from './lib/place.ts'
import type { FactSource } from './live/facts.ts'
import type { RiskEngine } from './risk/engine.ts'
import { loadModels } from './risk/model/load.ts'
import type { OwnIndexes } from './risk/own/indexes.ts'
import { createWorkerEngine } from './risk/worker.ts'
import type { SnapshotInfo } from './snapshot/types.ts'

/** The engine of this process: the current snapshot (replaced as new ones are published), the models, and threads. */
export async function openIntelligence(options: {
  readonly sql: Sql
  readonly dataDir: string
  readonly threads: number
  readonly clock: Clock
  readonly logger: Logger
  readonly facts: FactSource | undefined
  readonly own: OwnIndexes | undefined
}): Promise<RiskEngine & { snapshotInfo(): SnapshotInfo; readonly placeOf: PlaceOf }> {
  const { logger, threads, clock, facts, own } = options
  const models = loadModels()
  const holder = await openSnapshotHolder({
    ...options,
    onError: (err) => logger.warn({ err }, 'a new snapshot could not be loaded; the current one stays'),
  })
  holder.onChange(({ info }) => logger.info({ version: info.version }, 'snapshot swapped in'))
  const engine = createWorkerEngine({
    snapshots: holder,
    models,
    threads,
    clock,
    facts,
    own,
    onCrash: (err) => logger.error({ err }, 'a bulk evaluation thread has died'),
  })
  return {
    ...engine,
    snapshotInfo: () => holder.current().info,
    placeOf: createPlaceOf((ip) => holder.current().asn(ip)),
    async close() {
      await holder.close()
      await engine.close()
    },
  }
}
