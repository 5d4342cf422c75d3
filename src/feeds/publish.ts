import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Sql, StoreUnavailable } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, named, text } from '../db/table.ts'
import type { Clock } from '../lib/clock.ts'
import { SnapshotRefused } from '../snapshot/format.ts'
import { type OpenSnapshot, openSnapshot } from '../snapshot/read.ts'
import { BUILT_SNAPSHOT, BUNDLED_SOURCES, compileBundled } from './bundled.ts'
import { joinParts, partsOf, putParts } from './stored-parts.ts'

/**
 * How a compiled snapshot reaches every node. The database says which version is current; on PostgreSQL it also carries
 * the file, in chunks, to nodes that lack it. Each node opens and validates the file before it replaces the snapshot in
 * use, so a refused snapshot changes nothing, and a request keeps the snapshot it began with.
 */
const CHANNEL = 'snapshot'
/** The current version and those that a rollback can reach. */
const VERSIONS_KEPT = 3
const POLL_MS = 5_000

const snapshots = defineTable({
  name: 'snapshot',
  key: ['version'],
  columns: {
    version: text(),
    builtAtMs: named('built_at', integer()),
    bytes: integer(),
    chunks: integer(),
    publishedAtMs: named('published_at', integer()),
  },
})

type PublishedSnapshot = EntityOf<typeof snapshots>

export function snapshotFile(dataDir: string, version: string): string {
  if (!/^[0-9a-z-]+$/.test(version)) throw new Error(`${version} is not a snapshot version.`)
  return join(dataDir, 'snapshots', `${version}.snapshot`)
}

/** Newest publication first. */
export async function publishedSnapshots(sql: Pick<Sql, 'query'>): Promise<PublishedSnapshot[]> {
  const rows = await sql.query(`select ${snapshots.columns()} from snapshot order by sequence desc`)
  return rows.map(snapshots.fromRow)
}

/** Makes a compiled file the current snapshot of all nodes. The file is moved into the data folder. */
export async function publishSnapshot(options: {
  readonly sql: Sql
  readonly dataDir: string
  readonly file: string
  readonly clock: Clock
}): Promise<PublishedSnapshot> {
  const { sql, dataDir, clock } = options
  // A snapshot that this node would refuse is not sent to the others.
  const { info, bytes } = openSnapshot(options.file)
  const target = snapshotFile(dataDir, info.version)
  mkdirSync(join(dataDir, 'snapshots'), { recursive: true })
  renameSync(options.file, target)
  const publishedAtMs = clock.now()
  const chunks = sql.engine === 'postgres' ? partsOf(target) : 0
  await sql.transaction(async (tx) => {
    const [known] = await tx.query('select version from snapshot where version = $1', [info.version])
    await tx.query(
      `insert into snapshot (version, built_at, bytes, chunks, published_at, sequence)
       values ($1, $2, $3, $4, $5, (select coalesce(max(sequence), 0) + 1 from snapshot))
       on conflict (version) do update set published_at = excluded.published_at, sequence = excluded.sequence`,
      [info.version, info.builtAtMs, bytes, chunks, publishedAtMs],
    )
    if (!known && chunks > 0) {
      const insert = 'insert into snapshot_chunk (version, number, data) values ($1, $2, $3)'
      await putParts(target, (number, data) => tx.query(insert, [info.version, number, data]))
    }
    const old = (await publishedSnapshots(tx)).slice(VERSIONS_KEPT)
    for (const { version } of old) {
      await tx.query('delete from snapshot_chunk where version = $1', [version])
      await tx.query('delete from snapshot where version = $1', [version])
    }
  })
  await prune(sql, dataDir)
  await sql.notify(CHANNEL, info.version)
  return { version: info.version, builtAtMs: info.builtAtMs, bytes, chunks, publishedAtMs }
}

export async function rollbackSnapshot(sql: Sql, clock: Clock): Promise<{ from: string; to: string } | undefined> {
  const change = await sql.transaction(async (tx) => {
    const [current, previous] = await publishedSnapshots(tx)
    if (!current || !previous) return undefined
    await tx.query(
      `update snapshot set published_at = $2, sequence = (select max(sequence) + 1 from snapshot) where version = $1`,
      [previous.version, clock.now()],
    )
    return { from: current.version, to: previous.version }
  })
  if (change) await sql.notify(CHANNEL, change.to)
  return change
}

/** Files that no publication names, except the bundled one that starts a node without a database row. */
async function prune(sql: Sql, dataDir: string): Promise<void> {
  const kept = new Set((await publishedSnapshots(sql)).map(({ version }) => `${version}.snapshot`))
  kept.add(BUNDLED)
  kept.add(`${readPointer(dataDir) ?? ''}.snapshot`)
  const folder = join(dataDir, 'snapshots')
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.snapshot') && !kept.has(name)) rmSync(join(folder, name), { force: true })
  }
}

const BUNDLED = 'bundled.snapshot'

function readPointer(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, 'snapshots', 'current'), 'utf8').trim()
  } catch {
    return undefined
  }
}

function writePointer(dataDir: string, version: string): void {
  const file = join(dataDir, 'snapshots', 'current')
  writeFileSync(`${file}.partial`, `${version}\n`)
  renameSync(`${file}.partial`, file)
}

export async function openSnapshotHolder(options: {
  readonly sql: Sql
  readonly dataDir: string
  readonly clock: Clock
  /** Called for a refused snapshot, or a database that did not answer: the snapshot in use stays. */
  readonly onError: (error: unknown) => void
  readonly pollMs?: number
}) {
  const { sql, dataDir, clock, onError } = options
  mkdirSync(join(dataDir, 'snapshots'), { recursive: true })
  const listeners = new Set<(snapshot: OpenSnapshot) => void>()
  const refused = new Map<string, number>()
  let closed = false
  let current = await first()
  let refreshing: Promise<boolean> | undefined
  let again: Promise<boolean> | undefined

  async function first(): Promise<OpenSnapshot> {
    for (const record of await publishedSnapshots(sql)) {
      try {
        return await obtain(record)
      } catch (error) {
        onError(error)
      }
    }
    return openBundled(dataDir, clock, onError)
  }

  async function obtain(record: PublishedSnapshot): Promise<OpenSnapshot> {
    const file = snapshotFile(dataDir, record.version)
    const open = () => {
      const snapshot = openSnapshot(file)
      // The checksum proves that the file is whole; the version names its rows.
      if (snapshot.info.version !== record.version) {
        throw new SnapshotRefused(file, `it contains the version ${snapshot.info.version}`)
      }
      writePointer(dataDir, record.version)
      return snapshot
    }
    try {
      return open()
    } catch (error) {
      if (record.chunks === 0) throw error
      if (existsSync(file)) onError(error)
    }
    await download(sql, record, file)
    return open()
  }

  async function look(): Promise<boolean> {
    try {
      const [record] = await publishedSnapshots(sql)
      if (!record || record.version === current.info.version || closed) return false
      // A refused snapshot is not tried again until it is published again.
      if (refused.get(record.version) === record.publishedAtMs) return false
      let next: OpenSnapshot
      try {
        next = await obtain(record)
      } catch (error) {
        if (error instanceof SnapshotRefused) refused.set(record.version, record.publishedAtMs)
        throw error
      }
      current = next
      for (const listener of listeners) listener(next)
      return true
    } catch (error) {
      if (!closed) onError(error)
      return false
    }
  }

  // A check in progress may have read the table before the latest change: a caller in the meantime gets the next check.
  // Switches to the current version if it changed; true when it did. Never throws.
  const refresh = (): Promise<boolean> => {
    if (refreshing) {
      again ??= refreshing.then(() => {
        again = undefined
        return refresh()
      })
      return again
    }
    refreshing = look().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  const unlisten = await sql.listen(CHANNEL, () => void refresh())
  const timer = setInterval(() => void refresh(), options.pollMs ?? POLL_MS).unref()

  return {
    /** The snapshot to answer from; hold it for the whole of one request. */
    current: () => current,
    onChange(listener: (snapshot: OpenSnapshot) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh,
    async close() {
      closed = true
      clearInterval(timer)
      await unlisten()
      await (again ?? refreshing)
    },
  }
}

/** Opens the snapshot that the install compiled; if there is none, this node compiles it once, into its own folder. */
export function openBundled(
  dataDir: string,
  clock: Clock,
  onError: (error: unknown) => void,
  built: string = BUILT_SNAPSHOT,
): OpenSnapshot {
  const own = join(dataDir, 'snapshots', BUNDLED)
  for (const file of [built, own]) {
    if (!existsSync(file)) continue
    try {
      const snapshot = openSnapshot(file)
      // After an upgrade the packages may contain newer data than the file compiled from the earlier ones.
      if (isFromInstalled(snapshot)) return snapshot
    } catch (error) {
      onError(error)
    }
  }
  compileBundled({ file: own, nowMs: clock.now() })
  return openSnapshot(own)
}

function isFromInstalled({ info }: OpenSnapshot): boolean {
  const state = (sources: readonly { id: string; asOfMs: number }[]) =>
    sources
      .map(({ id, asOfMs }) => `${id} ${asOfMs}`)
      .sort()
      .join()
  // A file of an earlier release does not record what its sources list.
  return state(info.sources) === state(BUNDLED_SOURCES) && info.sources.every(({ kinds }) => kinds.length > 0)
}

async function download(sql: Sql, { version, chunks }: PublishedSnapshot, file: string): Promise<void> {
  await joinParts(file, { parts: chunks }, async (number) => {
    const [chunk] = await sql.query<{ data: Uint8Array }>(
      'select data from snapshot_chunk where version = $1 and number = $2',
      [version, number],
    )
    if (!chunk) throw new StoreUnavailable(`Part ${number} of the snapshot ${version} is not in the database.`)
    return chunk.data
  })
}
