import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openServiceTime, type ServiceTime } from './db/service-time.ts'
import type { Sql } from './db/sql.ts'
import { openSnapshotHolder } from './feeds/publish.ts'
import { addressesOf, listenOn } from './http/listen.ts'
import { giveStartMemoryBack } from './lib/garbage.ts'
import { createPlaceOf, type PlaceOf } from './lib/place.ts'
import { type OpenLive, openLive } from './live/open.ts'
import type { Metrics } from './ops/metrics.ts'
import type { Tracing } from './ops/tracing.ts'
import type { RiskEngine } from './risk/engine.ts'
import { loadModels } from './risk/model/load.ts'
import type { OwnIndexes } from './risk/own/indexes.ts'
import { createWorkerEngine } from './risk/worker.ts'
import type { SnapshotInfo } from './snapshot/types.ts'
import { tracedEngine, tracedLive } from './tracing-wrappers.ts'
import { liveSettingsOf, tracingSettingsOf } from './verb/settings.ts'
import { openConfigured } from './verb/store.ts'
import { VERSION } from './version.ts'

/** Closes the opened parts, the last one first. Each part is added as soon as it is open. */
export type Closers = Pick<AsyncDisposableStack, 'defer' | 'disposeAsync'>

/** Opens parts by `open`. If a step fails, everything opened so far is closed. */
export async function opening<T>(closers: Closers, logger: Logger, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    // The operator must see the reason of the failed start, not this error.
    await closers.disposeAsync().catch((err: unknown) => logger.warn({ err }, 'not every part could be closed'))
    throw error
  }
}

export interface Parts {
  readonly config: Config
  readonly logger: Logger
  readonly closers: Closers
  readonly tracing: Tracing | undefined
  readonly sql: Sql
  readonly time: ServiceTime
}

export async function openParts(config: Config, logger: Logger, closers: Closers): Promise<Parts> {
  const tracing = await openConfiguredTracing(config, logger)
  closers.defer(async () => tracing?.close())
  const sql = await openConfigured(config, (text) => logger.warn(text))
  closers.defer(() => sql.close())
  // Only a server migrates its database automatically; the only verb that does is `assayd migrate`.
  const { applied } = await migrate(sql)
  if (applied.length > 0) logger.info({ applied, engine: sql.engine, program_version: VERSION }, 'database migrated')
  const time = await openServiceTime(sql)
  const polling = time.startPolling({
    trouble: ({ message, steppedSeconds, aheadSeconds }) =>
      logger.warn({ stepped_seconds: steppedSeconds, ahead_seconds: aheadSeconds }, message),
    failure: (err) =>
      logger.warn({ err }, 'the time could not be read from the database; the last offset stays in use'),
  })
  closers.defer(() => polling.close())
  return { config, logger, closers, tracing, sql, time }
}

/** Loaded only if the operator configures a collector. */
async function openConfiguredTracing(config: Config, logger: Logger): Promise<Tracing | undefined> {
  const settings = tracingSettingsOf(config)
  if (!settings) return undefined
  const { openTracing } = await import('./ops/tracing.ts')
  return openTracing(settings, { version: VERSION, logger })
}

export interface EngineParts {
  readonly engine: RiskEngine & { snapshotInfo?: () => SnapshotInfo; placeOf?: PlaceOf }
  /** Undefined if look-ups are off, or if a separate engine does them. */
  readonly live: OpenLive | undefined
}

/**
 * The engine of this process: the current snapshot (replaced as new ones are published), the models, threads and
 * look-ups. A separate engine gets `own` with each request.
 */
export async function openEngine(parts: Parts, own: OwnIndexes | undefined, metrics?: Metrics): Promise<EngineParts> {
  const { config, logger, closers, tracing, sql, time } = parts
  const { clock } = time
  const live = openLive(liveSettingsOf(config), { sql, clock, logger, metrics: metrics?.live })
  closers.defer(async () => live?.close())
  const models = loadModels()
  const snapshots = await openSnapshotHolder({
    sql,
    clock,
    dataDir: config.ASSAY_DATA_DIR,
    onError: (err) => logger.warn({ err }, 'a new snapshot could not be loaded; the current one stays'),
  })
  snapshots.onChange(({ info }) => logger.info({ version: info.version }, 'snapshot swapped in'))
  const engine = createWorkerEngine({
    snapshots,
    models,
    threads: config.ASSAY_ENGINE_THREADS,
    clock,
    facts: tracedLive(tracing, live),
    own,
    onCrash: (err) => logger.error({ err }, 'a bulk evaluation thread has died'),
  })
  closers.defer(async () => {
    await snapshots.close()
    await engine.close()
  })
  const about = {
    snapshotInfo: () => snapshots.current().info,
    placeOf: createPlaceOf((ip) => snapshots.current().asn(ip)),
  }
  return { engine: tracedEngine(tracing, { ...engine, ...about }), live }
}

/** A separate engine, which looks up facts itself. */
export async function openRemoteEngine(
  { config, closers, tracing }: Parts,
  url: string,
  own: OwnIndexes,
): Promise<EngineParts> {
  const { createRemoteEngine } = await import('./risk/remote.ts')
  const engine = createRemoteEngine({
    url,
    token: config.ASSAY_ENGINE_TOKEN ?? '',
    timeoutMs: config.ASSAY_ENGINE_TIMEOUT_MS,
    lookUpMs: { single: config.ASSAY_LIVE_BUDGET_MS, bulk: config.ASSAY_LIVE_BULK_BUDGET_MS },
    own,
    traceHeaders: tracing?.headers,
  })
  closers.defer(() => engine.close())
  return { engine: tracedEngine(tracing, engine), live: undefined }
}

/** Begins to serve; returns the port, which the system chooses for port 0. */
export async function listen({ config, closers }: Parts, http: FastifyInstance, port: number): Promise<number> {
  const listening = await listenOn(http, await addressesOf(config.HOST), port)
  closers.defer(listening.close)
  const callOff = giveStartMemoryBack()
  closers.defer(async () => callOff())
  return listening.port
}
