import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { createMigratedPlace, openPlace } from '../../test/support/stores.ts'
import type { Sql } from '../db/sql.ts'
import { createJobRunner } from '../jobs/runner.ts'
import { HOUR_MS } from '../lib/clock.ts'
import { BUNDLED_SOURCES } from './bundled.ts'
import { checkFeed, type Feed } from './catalogue.ts'
import type { Fetcher } from './fetch.ts'
import { openSnapshotHolder, publishedSnapshots } from './publish.ts'
import { FEEDS_JOB, feedRefreshJob } from './refresh.ts'
import { copyFile } from './rows.ts'
import { createFeedStore } from './store.ts'

/** Nodes with folders of their own and one PostgreSQL between them. */

const clock = new ManualClock('2026-06-01T08:00:00Z')
// Half a million AS ranges and disposable domains say nothing here and take seconds.
const leaveOut = BUNDLED_SOURCES.map(({ id }) => id).filter((id) => id !== 'assay-giants')
const lists = new Map<string, { etag: string; names: string[] }>()
const asked: { address: string; etag: string | undefined }[] = []
const fetcher: Fetcher = {
  async fetch(address, { etag } = {}) {
    asked.push({ address, etag })
    const list = lists.get(address)!
    if (etag === list.etag) return { status: 'unchanged' }
    const body = Readable.from([Buffer.from(list.names.join('\n'))])
    return { status: 'ok', body, etag: list.etag, lastModified: undefined, header: () => undefined }
  },
  close: async () => {},
}

let remove: () => Promise<void>
const folders: string[] = []
const stores: Sql[] = []
const runners: ReturnType<typeof createJobRunner>[] = []

const names = (prefix: string, count = 25) => Array.from({ length: count }, (_, i) => `${prefix}${i}.example`)
const feedOf = (id: string): Feed => {
  const checked = checkFeed({
    ...{ id, name: id, address: `https://lists.example/${id}`, format: { type: 'list', values: 'domain' } },
    ...{ kinds: ['domain'], tags: ['phishing'], confidence: 0.8, half_life_days: 30, expiry_days: 90 },
    ...{ licence: 'MIT', commercial_use: true, refresh_hours: 24, enabled: true },
  })
  if ('problems' in checked) throw new Error(checked.problems.join())
  return checked.feed
}
const list = (id: string, etag: string, given: string[]) =>
  lists.set(`https://lists.example/${id}`, { etag, names: given })
const open = (node: number, errors: unknown[] = []) =>
  openSnapshotHolder({
    sql: stores[node]!,
    dataDir: folders[node]!,
    clock,
    pollMs: HOUR_MS,
    onError: (error) => errors.push(error),
  })

beforeAll(async () => {
  const created = await createMigratedPlace('postgres')
  remove = created.remove
  for (let node = 0; node < 2; node++) {
    const sql = await openPlace(created.place)
    const dataDir = mkdtempSync(join(tmpdir(), 'assay-node-'))
    stores.push(sql)
    folders.push(dataDir)
    const job = feedRefreshJob({ sql, dataDir, clock, fetcher, leaveOut })
    const onError = (_: string, error: unknown) => expect.unreachable(String(error))
    runners.push(createJobRunner({ sql, jobs: [job], onError }))
  }
  list('one', 'a', names('one'))
  list('two', 'a', names('two'))
  await createFeedStore(stores[0]!).save([feedOf('one'), feedOf('two')], undefined, clock.now())
})
afterAll(async () => {
  for (const sql of stores) await sql.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await remove()
})

it('one node fetches and compiles, once, and the other gets the file', async () => {
  const holder = await open(1)
  try {
    const outcomes = await Promise.all(runners.map((runner) => runner.runNow(FEEDS_JOB)))
    // The one that was later found the lock taken, or nothing due.
    expect(outcomes).toContain('ran')
    expect(asked.map(({ address }) => address)).toEqual(['https://lists.example/one', 'https://lists.example/two'])
    const published = await publishedSnapshots(stores[0]!)
    expect(published).toHaveLength(1)
    await holder.refresh()
    expect(holder.current().info.version).toBe(published[0]!.version)
    expect(holder.current().domain('two3.example')).toHaveLength(1)
  } finally {
    await holder.close()
  }
})

it('the next node goes on with the copies of the first: it asks conditionally, and its snapshot lacks no feed', async () => {
  const compiler = folders.findIndex((folder) => existsSync(copyFile(folder, 'one')))
  const other = 1 - compiler
  expect(existsSync(copyFile(folders[other]!, 'one'))).toBe(false)
  clock.step(25 * HOUR_MS)
  list('one', 'b', [...names('one'), 'added.example'])
  asked.length = 0
  expect(await runners[other]!.runNow(FEEDS_JOB)).toBe('ran')
  expect(asked.map(({ etag }) => etag)).toEqual(['a', 'a'])
  const holder = await open(compiler)
  expect(['added.example', 'two3.example'].map((name) => holder.current().domain(name).length)).toEqual([1, 1])
  await holder.close()
})

it('a copy that was damaged or never stored is fetched again in the same round', async () => {
  const [sql] = stores as [Sql]
  await sql.query(`update feed_copy set data = '\\x00' where feed_id = 'one'`)
  await sql.query(`delete from feed_copy where feed_id = 'two'`)
  for (const folder of folders) rmSync(join(folder, 'feeds'), { recursive: true, force: true })
  clock.step(24 * HOUR_MS)
  await sql.query(`update feed set next_due_at = $1 where id = 'one'`, [clock.now() + HOUR_MS])
  asked.length = 0
  await runners[0]!.runNow(FEEDS_JOB)
  expect(asked.map(({ etag }) => etag)).toEqual([undefined, undefined])
  const holder = await open(1)
  expect(['one3.example', 'two3.example'].map((name) => holder.current().domain(name).length)).toEqual([1, 1])
  await holder.close()
})

it('a node that joins refuses a damaged snapshot and one of another version, says so, and starts with the one before', async () => {
  const [sql] = stores as [Sql]
  const [newest, before] = await publishedSnapshots(sql)
  folders.push(mkdtempSync(join(tmpdir(), 'assay-node-')))
  stores.push(sql)
  const joins = async () => {
    const errors: unknown[] = []
    rmSync(join(folders[2]!, 'snapshots'), { recursive: true, force: true })
    const holder = await open(2, errors)
    await holder.close()
    return [holder.current().info.version, errors.join()]
  }
  expect(await joins()).toEqual([newest!.version, ''])
  await sql.query(
    `update snapshot_chunk set data = (select data from snapshot_chunk where version = $2 and number = 0)
     where version = $1`,
    [newest!.version, before!.version],
  )
  expect(await joins()).toEqual([
    before!.version,
    expect.stringContaining(`it contains the version ${before!.version}`),
  ])
  await sql.query(
    `update snapshot_chunk set data = set_byte(data, 5000, 255 - get_byte(data, 5000)) where version = $1`,
    [newest!.version],
  )
  expect(await joins()).toEqual([before!.version, expect.stringContaining('its checksum does not match')])
  stores.pop()
})
