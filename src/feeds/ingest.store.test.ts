import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { describeRules } from '../../test/support/stores.ts'
import type { Sql } from '../db/sql.ts'
import { registerPageOperations } from '../http/page-operation.ts'
import { DAY_MS, HOUR_MS, isoDay } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { parseIp } from '../lib/ip.ts'
import { openSnapshot } from '../snapshot/read.ts'
import { BUNDLED_SOURCES } from './bundled.ts'
import { checkFeed, type Feed } from './catalogue.ts'
import { feedsAdd, feedsSetEnabled, feedsSync, formatFeeds, formatOutcomes, formatStatus } from './feeds-verbs.ts'
import { createFetcher, type Fetcher } from './fetch.ts'
import { refreshFeed } from './ingest.ts'
import {
  formatDiff,
  formatInspection,
  formatLookup,
  intelDiff,
  intelInspect,
  intelLookup,
  intelRollback,
  openNamed,
} from './intel-verbs.ts'
import { FeedUnreachable } from './parse/report.ts'
import { openSnapshotHolder, publishedSnapshots, snapshotFile } from './publish.ts'
import { compileAndPublish, feedRefreshJob, syncFeeds } from './refresh.ts'
import { intelligencePages } from './routes.ts'
import { copyFile } from './rows.ts'
import { createFeedStore, type FeedStore } from './store.ts'
import { createFeedWorker } from './worker.ts'

type Route = (request: IncomingMessage, response: ServerResponse) => void
const routes = new Map<string, Route>()
const requests: { path: string; headers: IncomingMessage['headers'] }[] = []
let server: Server
let base: string
let fetcher: Fetcher

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const route = routes.get(path) ?? routes.get(path.split('?')[0]!)
    if (route) route(request, response)
    else response.writeHead(404).end()
  })
  // The client alone decides how long a connection is kept: the server never closes one just as it is used again.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fetcher = createFetcher({ allowLoopback: true, timeoutMs: 20_000 })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await fetcher.close()
})

const lines = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `host${from + i}.example`).join('\n')
const serve = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  routes.set(path, (_, response) => void response.writeHead(200, headers).end(body))

/** A feed of the loopback server: only tests may use http:, so the address is put in behind the check. */
function feed(id: string, path: string | readonly string[], over: Record<string, unknown> = {}): Feed {
  const checked = checkFeed({
    id,
    name: id,
    address: 'placeholder.txt',
    format: { type: 'list', values: 'domain' },
    kinds: ['domain', 'ip', 'email'],
    tags: ['phishing'],
    confidence: 0.8,
    half_life_days: 30,
    expiry_days: 90,
    licence: 'MIT',
    commercial_use: true,
    refresh_hours: 24,
    enabled: true,
    ...over,
  })
  if ('problems' in checked) throw new Error(checked.problems.join())
  const paths = typeof path === 'string' ? [path] : path
  return { ...checked.feed, address: paths.map((each) => base.replace('http:', 'https:') + each) }
}

/** Speaks http to the loopback server although addresses say https. */
const loopback = (): Fetcher => ({
  fetch: (address, options) => fetcher.fetch(address.replace(/^https:\/\/127/, 'http://127'), options),
  close: async () => {},
})

describeRules('feeds', (open) => {
  let sql: Sql
  let store: FeedStore
  const worker = createFeedWorker()
  let dataDir: string
  const clock = new ManualClock('2026-06-01T08:00:00Z')
  // Half a million AS ranges and disposable domains say nothing here and take seconds.
  const leaveOut = BUNDLED_SOURCES.map(({ id }) => id).filter((id) => id !== 'assay-giants')
  const dependencies = () => ({ sql, store, dataDir, clock, leaveOut, worker, fetcher: loopback() })

  beforeAll(async () => {
    sql = await open()
    store = createFeedStore(sql)
    dataDir = mkdtempSync(join(tmpdir(), 'assay-ingest-'))
  })
  afterAll(async () => {
    await worker.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  beforeEach(() => {
    requests.length = 0
  })

  async function refresh(each: Feed, options: { accept?: boolean } = {}) {
    await store.save([each], undefined, clock.now())
    return refreshFeed(dependencies(), (await store.find(each.id))!, options)
  }

  it('keeps a copy, asks conditionally next time, and asks anew when the copy is gone', async () => {
    const each = feed('conditional', '/conditional')
    routes.set('/conditional', (request, response) => {
      if (request.headers['if-none-match'] === '"a"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"a"' }).end(`${lines(30)}\njunk_line\n`)
    })
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30, junk: { bad_name: 1 } })
    expect(await refresh(each)).toMatchObject({ status: 'unchanged', rows: 30 })
    rmSync(copyFile(dataDir, each.id))
    await sql.query('delete from feed_copy')
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30 })
    const state = await store.find(each.id)
    expect(state).toMatchObject({
      rows: 30,
      failures: 0,
      junk: { bad_name: 1 },
      nextDueAtMs: clock.now() + 24 * HOUR_MS,
    })
  })

  it('a failing feed keeps its copy, backs off ever longer and recovers', async () => {
    const each = feed('failing', '/failing')
    serve('/failing', lines(30))
    await refresh(each)
    const copy = readFileSync(copyFile(dataDir, each.id))
    routes.set('/failing', (_, response) => void response.writeHead(503).end())
    const delays: number[] = []
    for (let i = 0; i < 3; i++) {
      expect(await refresh(each)).toMatchObject({ status: 'failed', rows: 30 })
      delays.push((await store.find(each.id))!.nextDueAtMs - clock.now())
    }
    expect(delays).toEqual([10 * 60_000, 20 * 60_000, 40 * 60_000])
    expect((await store.find(each.id))?.lastError).toContain('answered 503')
    expect(readFileSync(copyFile(dataDir, each.id)).equals(copy)).toBe(true)
    serve('/failing', lines(31))
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 31 })
    expect(await store.find(each.id)).toMatchObject({ failures: 0, lastError: undefined })
  })

  it('a page, a cut-off archive, an empty file and a wrong checksum fail the feed and leave no trace', async () => {
    const packed = gzipSync(lines(5000))
    serve('/page', '<!doctype html><title>sorry</title>')
    serve('/cut', packed.subarray(0, packed.length / 2))
    serve('/empty', '# nothing today\n')
    serve('/summed', lines(30))
    serve('/sum', `${'0'.repeat(64)}  list.txt`)
    expect((await refresh(feed('page', '/page'))).detail).toContain('HTML or error page')
    expect((await refresh(feed('cut', '/cut'))).detail).toContain('The gzip data is cut off')
    expect((await refresh(feed('empty', '/empty'))).detail).toContain('Nothing in it could be read')
    const summed = { ...feed('summed', '/summed'), sha256_address: `${base.replace('http:', 'https:')}/sum` }
    expect((await refresh(summed)).detail).toContain('which differs from')
    for (const id of ['page', 'cut', 'empty', 'summed']) expect(existsSync(copyFile(dataDir, id)), id).toBe(false)
    serve('/sum', sha256Hex(lines(30)).toUpperCase())
    expect(await refresh(summed)).toMatchObject({ status: 'updated', rows: 30 })
    expect(readdirSync(join(dataDir, 'feeds')).filter((name) => name.startsWith('.spool'))).toEqual([])
  })

  it('a feed that may be empty is taken without rows, and with rows again, but not with junk alone', async () => {
    const each = feed('sparse', '/sparse', { may_be_empty: true, retain: false })
    serve('/sparse', lines(30))
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30 })
    serve('/sparse', 'not_a_name\n')
    expect((await refresh(each)).detail).toContain('Nothing in it could be read as an indicator (1 lines tried)')
    serve('/sparse', '# nothing today\n')
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 0 })
    expect(await store.find(each.id)).toMatchObject({ rows: 0, failures: 0, held: undefined })
    const { info } = await compileAndPublish(dependencies())
    expect(info.sources.find(({ id }) => id === each.id)?.rows).toBe(0)
    serve('/sparse', lines(30))
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30 })
    serve('/sparse', lines(10))
    expect(await refresh(each)).toMatchObject({ status: 'held' })
    await store.setEnabled(each.id, false, clock.now())
  })

  it('holds back a feed that loses half or grows tenfold until the operator accepts it', async () => {
    const each = feed('outlier', '/outlier', { retain: false })
    serve('/outlier', lines(100))
    await refresh(each)
    serve('/outlier', lines(49))
    expect(await refresh(each)).toMatchObject({ status: 'held', rows: 100 })
    expect((await store.find(each.id))?.held).toMatchObject({ rows: 49, previous_rows: 100 })
    expect(formatStatus([(await store.find(each.id))!], clock.now())).toContain('held back: 49 rows after 100')
    serve('/outlier', lines(1001))
    expect(await refresh(each)).toMatchObject({ status: 'held' })
    serve('/outlier', lines(50))
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 50 })
    serve('/outlier', lines(10))
    expect(await refresh(each, { accept: true })).toMatchObject({ status: 'updated', rows: 10 })
    expect((await store.find(each.id))?.held).toBeUndefined()
  })

  it('a feed without dates has no first date, however long we have known a row, and keeps rows until they expire', async () => {
    const each = feed('sightings', '/sightings')
    const started = clock.now()
    serve('/sightings', lines(30))
    await refresh(each)
    clock.advance(10 * DAY_MS)
    serve('/sightings', lines(30, 10))
    expect(await refresh(each)).toMatchObject({ rows: 30, detail: '10 earlier rows kept' })
    const result = await compileAndPublish(dependencies())
    const snapshot = openSnapshot(snapshotFile(dataDir, result.info.version))
    const day = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS
    expect(snapshot.domain('host15.example').find(({ source }) => source === 'sightings')).toEqual({
      source: 'sightings',
      tag: 'phishing',
      lastSeenMs: day(clock.now()),
      confidence: 0.8,
    })
    expect(snapshot.domain('host5.example').find(({ source }) => source === 'sightings')).toEqual({
      source: 'sightings',
      tag: 'phishing',
      lastSeenMs: day(started),
      confidence: 0.635,
    })
    clock.advance(85 * DAY_MS)
    expect((await refresh(each)).detail).toBeUndefined()
  })

  it('keeps the earliest date that a feed states, and ages other rows from the day its list was changed', async () => {
    const dated = feed('dated', '/dated', {
      format: { type: 'csv', values: 'domain', columns: { value: 0, first_seen: 1 } },
    })
    const rows = (day: string) => lines(30).replaceAll('.example', `.example,${day}`)
    const [first, second] = [isoDay(clock.now() - 30 * DAY_MS), isoDay(clock.now() - 10 * DAY_MS)]
    serve('/dated', rows(first))
    await refresh(dated)
    serve('/dated', rows(second))
    await refresh(dated)
    const old = feed('old', '/old')
    const monthAgo = clock.now() - 30 * DAY_MS
    serve('/old', lines(30), { 'last-modified': new Date(monthAgo).toUTCString() })
    await refresh(old)
    const result = await compileAndPublish(dependencies())
    const snapshot = openSnapshot(snapshotFile(dataDir, result.info.version))
    const from = (id: string) => snapshot.domain('host1.example').find(({ source }) => source === id)
    expect(from('dated')).toMatchObject({ firstSeenMs: Date.parse(first), lastSeenMs: Date.parse(second) })
    expect(from('old')).toMatchObject({ confidence: 0.4, lastSeenMs: Math.floor(monthAgo / DAY_MS) * DAY_MS })
    expect(snapshot.info.sources.find(({ id }) => id === 'old')?.asOfMs).toBe(monthAgo)
  })

  describe('newly registered names', () => {
    const young = (id: string, path: string, over: Record<string, unknown> = {}) =>
      feed(id, path, { tags: ['newly_registered'], half_life_days: undefined, expiry_days: 30, ...over })
    const madeOn = (dayMs: number, body: string) => `# Last update: ${isoDay(dayMs)}\n${body}`
    const day = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS
    async function evidenceFrom(id: string) {
      const { info } = await compileAndPublish(dependencies())
      const snapshot = openSnapshot(snapshotFile(dataDir, info.version))
      return (name: string) => snapshot.domain(name).find(({ source }) => source === id)
    }

    it('are new from the day a list first has them, for thirty days, and never again', async () => {
      const each = young('week', '/week')
      const started = clock.now()
      serve('/week', madeOn(clock.now(), lines(30)))
      await refresh(each)
      clock.advance(3 * DAY_MS)
      serve('/week', madeOn(clock.now(), lines(30, 10)))
      expect(await refresh(each)).toMatchObject({ rows: 30, detail: '10 earlier rows kept' })
      let found = await evidenceFrom('week')
      const since = (ms: number) => ({
        source: 'week',
        tag: 'newly_registered',
        firstSeenMs: day(ms),
        lastSeenMs: day(ms),
        confidence: 0.8,
      })
      expect(found('host5.example')).toEqual(since(started))
      expect(found('host15.example')).toEqual(since(started))
      expect(found('host35.example')).toEqual(since(started + 3 * DAY_MS))
      clock.advance(28 * DAY_MS)
      for (let round = 0; round < 3; round++) {
        serve('/week', madeOn(clock.now(), lines(30, 10)))
        await refresh(each)
        found = await evidenceFrom('week')
        expect(found('host5.example')).toBeUndefined()
        expect(found('host15.example')).toBeUndefined()
        expect(found('host35.example')).toEqual(since(started + 3 * DAY_MS))
        clock.advance(HOUR_MS)
      }
      clock.advance(3 * DAY_MS)
      found = await evidenceFrom('week')
      expect(found('host35.example')).toBeUndefined()
    })

    it('are those of the day before where the address has a place for the day', async () => {
      const each = young('daily', '/daily/{day}.txt')
      const first = clock.now() - DAY_MS
      serve(`/daily/${isoDay(first)}.txt`, lines(30))
      routes.delete(`/daily/${isoDay(first + DAY_MS)}.txt`)
      expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30 })
      clock.advance(DAY_MS)
      expect((await refresh(each)).detail).toContain('answered 404')
      serve(`/daily/${isoDay(first + DAY_MS)}.txt`, lines(30, 30))
      expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30, detail: '30 earlier rows kept' })
      const found = await evidenceFrom('daily')
      expect(found('host1.example')?.firstSeenMs).toBe(day(first))
      expect(found('host31.example')?.firstSeenMs).toBe(day(first + DAY_MS))
      const sources = (await compileAndPublish(dependencies())).info.sources
      expect(sources.find(({ id }) => id === 'daily')).toMatchObject({ kinds: ['domain'], roles: ['context'] })
    })

    it('are none where the list is an old one, and a date to come counts as today', async () => {
      serve('/dead', madeOn(clock.now() - 400 * DAY_MS, lines(30)))
      await refresh(young('dead', '/dead'))
      serve('/ahead', madeOn(clock.now() + 400 * DAY_MS, lines(30)))
      await refresh(young('ahead', '/ahead'))
      expect((await evidenceFrom('dead'))('host1.example')).toBeUndefined()
      expect((await evidenceFrom('ahead'))('host1.example')?.firstSeenMs).toBe(day(clock.now()))
    })

    it('survive a list that turns into nonsense, which fails or holds back that list alone', async () => {
      const each = young('nonsense', '/nonsense', {
        format: { type: 'csv', values: 'domain', columns: { value: 0, first_seen: 1 } },
      })
      serve('/nonsense', lines(30).replaceAll('.example', '.example,2026-02-31'))
      expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30 })
      const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 256))
      serve('/nonsense', bytes)
      expect(await refresh(each)).toMatchObject({ status: 'failed', rows: 30 })
      serve('/nonsense', lines(30).replaceAll('.example', '.example,1970-01-01'))
      expect(await refresh(each)).toMatchObject({ status: 'held', rows: 30 })
      expect((await evidenceFrom('nonsense'))('host1.example')?.firstSeenMs).toBe(day(clock.now()))
    })
  })

  it('takes networks with their countries from a table, in the place of what is bundled', async () => {
    const each = feed('table', '/table', {
      format: { type: 'asn-table', delimiter: '\t', name_column: 4, country_column: 3 },
      kinds: ['asn_range'],
      tags: [],
      replaces: ['ip-location-db-asn', 'asn-countries'],
    })
    serve('/table', '20.0.0.0\t20.0.0.255\t15169\tNZ\tFirst net\n20.0.1.0\t20.0.1.255\t64500\tNone\tSecond net\n')
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 2 })
    const { info } = await compileAndPublish({
      ...dependencies(),
      leaveOut: leaveOut.filter((id) => id !== 'asn-countries'),
    })
    const snapshot = openSnapshot(snapshotFile(dataDir, info.version))
    const found = ['20.0.0.1', '20.0.1.1'].map((address) => snapshot.asn(parseIp(address)!))
    expect(found).toMatchObject([
      { number: 15169, name: 'First net', country: 'NZ' },
      { number: 64500, name: 'Second net', country: undefined },
    ])
    expect(info.sources.some(({ id }) => id === 'asn-countries')).toBe(false)
    expect(formatLookup(intelLookup(snapshot, '20.0.0.1'))).toContain('AS15169 First net (NZ)')
    await store.setEnabled(each.id, false, clock.now())
  })

  it('reads several addresses as one feed, all of them when one has changed', async () => {
    const each = feed('several', ['/several-a', '/several-b'])
    let version = 1
    for (const [path, from] of [
      ['/several-a', 0],
      ['/several-b', 100],
    ] as const) {
      routes.set(path, (request, response) => {
        const etag = path === '/several-a' ? '"fixed"' : `"${version}"`
        if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
        else response.writeHead(200, { etag }).end(lines(15, from))
      })
    }
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30 })
    expect(await refresh(each)).toMatchObject({ status: 'unchanged' })
    version = 2
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 30 })
  })

  it('does without documents that are gone, names them, and fails when all are', async () => {
    const each = feed('renamed', ['/renamed-a', '/renamed-b'])
    serve('/renamed-a', lines(30))
    routes.delete('/renamed-b')
    const outcome = await refresh(each)
    expect(outcome).toMatchObject({ status: 'updated', rows: 30 })
    expect(outcome.detail).toMatch(/renamed-b is gone$/)
    routes.delete('/renamed-a')
    expect(await refresh(each)).toMatchObject({ status: 'failed', detail: expect.stringContaining('answered 404') })
  })

  describe('that need a key', () => {
    const KEY = 'hunter2/&?'
    const keys = { ASSAY_FEED_KEY_TEST: KEY }
    // The address is put in behind the check, which would miss the place of the key.
    const keyed = (id: string, path: string | readonly string[]): Feed => ({
      ...feed(id, path),
      headers: { 'auth-key': '{key}' },
      key: 'ASSAY_FEED_KEY_TEST',
    })
    const refreshKeyed = async (each: Feed, given: Record<string, string> = keys) => {
      await store.save([each], undefined, clock.now())
      return refreshFeed({ ...dependencies(), keys: given }, (await store.find(each.id))!)
    }

    it('get it in the address and in headers, and keep it out of the database', async () => {
      serve(`/exports/${encodeURIComponent(KEY)}/recent.csv`, lines(30), { etag: '"a"' })
      expect(await refreshKeyed(keyed('keyed', '/exports/{key}/recent.csv'))).toMatchObject({ status: 'updated' })
      expect(requests.at(-1)?.headers['auth-key']).toBe(KEY)
      expect(Object.keys((await store.find('keyed'))!.validators)).toEqual([expect.stringContaining('/{key}/')])
      const stored = JSON.stringify(await sql.query('select * from feed'))
      expect(stored).not.toContain('hunter2')
    })

    it('name it in no error, whatever goes wrong', async () => {
      const shown: unknown[] = []
      routes.set(`/moved/${encodeURIComponent(KEY)}`, (_, response) => {
        response.writeHead(302, { location: `/nowhere/${encodeURIComponent(KEY)}` }).end()
      })
      routes.set(`/cut/${encodeURIComponent(KEY)}`, (_, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('a.example\n', () => response.destroy())
      })
      routes.set(`/recoded/${encodeURIComponent(KEY)}`, (_, response) => {
        response.writeHead(302, { location: '/nowhere?token=%68unter2%2f%26%3f' }).end()
      })
      for (const path of ['/missing/{key}', '/moved/{key}', '/cut/{key}', '/recoded/{key}']) {
        const outcome = await refreshKeyed(keyed('leaky', path))
        expect(outcome.status).toBe('failed')
        expect(outcome.detail).toMatch(/^https:\/\/[^/]+\/\w+\/\{key\} (answered 404|cannot be fetched)/)
        shown.push(outcome, formatStatus([(await store.find('leaky'))!], clock.now(), keys))
      }
      expect(JSON.stringify(shown)).not.toMatch(/unter2/)
    })

    it('are off once it is removed, although a copy is at hand, and failing while it is wrong', async () => {
      serve(`/removed/${encodeURIComponent(KEY)}`, lines(30))
      const each = keyed('removed', '/removed/{key}')
      await refreshKeyed(each)
      const sources = async (given: Record<string, string>) =>
        (await compileAndPublish({ ...dependencies(), keys: given })).info.sources.map(({ id }) => id)
      expect(await sources(keys)).toContain('removed')
      expect(await sources({})).not.toContain('removed')

      routes.set('/wrong/bad', (_, response) => void response.writeHead(403).end())
      await refreshKeyed(keyed('wrong', '/wrong/{key}'), { ASSAY_FEED_KEY_TEST: 'bad' })
      const shown = async (given: Record<string, string> | undefined) => {
        const app = Fastify()
        const deps = { sql, keys: given, snapshotInfo: () => undefined, engineInfo: async () => undefined }
        const anybody = { requireSession: async () => ({}) as never, isOperator: async () => false }
        registerPageOperations(app, anybody, intelligencePages(deps))
        const body = (await app.inject('/api/intelligence')).json<{ sources: { id: string; state: string }[] }>()
        await app.close()
        return Object.fromEntries(body.sources.map(({ id, state }) => [id, state]))
      }
      expect(await shown(keys)).toMatchObject({ removed: 'fresh', wrong: 'failing' })
      expect(await shown({})).toMatchObject({ removed: 'off', wrong: 'off' })
      expect(await shown(undefined)).toMatchObject({ wrong: 'failing' })
    })

    it('do without documents that are gone, as other feeds do', async () => {
      serve('/split-a', lines(30))
      const outcome = await refreshKeyed(keyed('split', ['/split-a', '/split-b/{key}']))
      expect(outcome).toMatchObject({ status: 'updated', detail: expect.stringMatching(/\/\{key\} is gone$/) })
    })

    it('are off without it: not fetched, and the list says what they need', async () => {
      const each = keyed('keyless', '/keyless/{key}')
      await sql.query('update feed set enabled = 0')
      await store.save([each], undefined, clock.now())
      await feedRefreshJob(dependencies()).run(new AbortController().signal)
      expect(requests).toEqual([])
      const state = (await store.find('keyless'))!
      expect(state.lastError).toBeUndefined()
      expect(formatFeeds([state])).toContain('off: needs ASSAY_FEED_KEY_TEST')
      expect(formatStatus([state], clock.now())).toContain('off: needs ASSAY_FEED_KEY_TEST')
      expect(formatFeeds([state], keys)).not.toContain('off')
      expect(await refreshKeyed(each, {})).toMatchObject({ status: 'failed', detail: 'It needs ASSAY_FEED_KEY_TEST.' })
      await store.setEnabled('keyless', false, clock.now())
    })
  })

  it('a server without a network says so once, tries one feed a round, and says when it is back', async () => {
    await sql.query('update feed set enabled = 0')
    const ids = ['off-a', 'off-b', 'off-c', 'off-d', 'off-e']
    const feeds = ids.map((id) => ({ ...feed(id, `/${id}`), address: [`https://${id}.example/list`] }))
    const list = join(dataDir, 'by-hand.txt')
    writeFileSync(list, lines(30))
    feeds.push({ ...feed('by-hand', '/'), address: [pathToFileURL(list).href], refresh_hours: 1000 })
    const asked: string[] = []
    let online = false
    const network: Fetcher = {
      async fetch(address) {
        asked.push(address)
        const { host } = new URL(address)
        if (!online) throw new FeedUnreachable(`${address} cannot be reached.`, host)
        return loopback().fetch(`${base}/back`)
      },
      close: async () => {},
    }
    serve('/back', lines(30))
    const said: (boolean | string)[] = []
    const job = feedRefreshJob({
      ...dependencies(),
      fetcher: network,
      catalogue: feeds,
      onOutcome: ({ id, status }) => void said.push(`${id} ${status}`),
      onOffline: (offline) => void said.push(offline),
    })
    const running = new AbortController().signal
    await job.run(running)
    expect(said).toEqual(['by-hand updated', true])
    expect(asked).toHaveLength(3)
    await job.run(running)
    clock.advance(HOUR_MS)
    await job.run(running)
    expect(said).toEqual(['by-hand updated', true])
    expect(asked).toHaveLength(5)
    online = true
    clock.advance(HOUR_MS)
    await job.run(running)
    expect(said.slice(2)).toEqual([...ids.map((id) => `${id} updated`), false])
    await sql.query('update feed set enabled = 0')
  })

  it('one host that is down is a feed that fails, left alone for ten minutes and told once until it is back', async () => {
    await sql.query('update feed set enabled = 0')
    const down = ['a', 'b'].map((name) => ({ ...feed(`down-${name}`, '/'), address: [`https://down.example/${name}`] }))
    let asked = 0
    let answers = false
    const network: Fetcher = {
      async fetch(address) {
        asked++
        if (!answers) throw new FeedUnreachable(`${address} cannot be reached.`, 'down.example')
        return loopback().fetch(`${base}/missing`)
      },
      close: async () => {},
    }
    const said: unknown[] = []
    const job = feedRefreshJob({
      ...dependencies(),
      fetcher: network,
      catalogue: down,
      onOutcome: ({ detail }) => void said.push(detail),
      onOffline: (offline) => void said.push(offline),
    })
    const round = async (minutes: number) => {
      clock.advance(minutes * 60_000)
      asked = 0
      said.length = 0
      await job.run(new AbortController().signal)
      return { asked, said: [...said] }
    }
    const notReached = 'https://down.example/a cannot be reached.'
    expect(await round(0)).toEqual({ asked: 1, said: [notReached] })
    expect(await round(1)).toEqual({ asked: 0, said: [] })
    expect(await round(8)).toEqual({ asked: 0, said: [] })
    expect(await round(1)).toEqual({ asked: 1, said: [] })
    answers = true
    const answered = `${base}/missing answered 404.`
    expect(await round(10)).toEqual({ asked: 2, said: [answered, answered] })
    answers = false
    expect(await round(60)).toEqual({ asked: 1, said: [notReached] })
    await sql.query('update feed set enabled = 0')
  })

  it('pages through a TAXII collection and afterwards asks only for what was added', async () => {
    const indicator = (name: string) => ({
      type: 'indicator',
      pattern_type: 'stix',
      pattern: `[domain-name:value = '${name}']`,
      modified: '2026-08-20T00:00:00Z',
    })
    routes.set('/api/collections/1/objects/', (request, response) => {
      const query = new URL(request.url ?? '', base).searchParams
      const headers = {
        'content-type': 'application/taxii+json;version=2.1',
        'x-taxii-date-added-last': '2026-05-31T00:00:00Z',
      }
      const answer = (body: unknown) => response.writeHead(200, headers).end(JSON.stringify(body))
      if (request.headers.accept !== 'application/taxii+json;version=2.1') return void response.writeHead(406).end()
      if (request.headers.authorization !== 'Basic abc') return void response.writeHead(401).end()
      if (query.get('added_after') !== null) return void answer({ objects: [indicator('late.example')] })
      if (query.get('next') === null)
        return void answer({ more: true, next: 'two', objects: [indicator('one.example')] })
      answer({ more: false, objects: [indicator('two.example')] })
    })
    const each = feed('taxii', '/api/collections/1/', {
      format: { type: 'taxii' },
      headers: { authorization: 'Basic abc' },
    })
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 2 })
    expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 3 })
    expect(requests.at(-1)?.path).toContain('added_after=2026-05-31T00%3A00%3A00Z')
  })

  it('reads a MISP feed through its manifest', async () => {
    const id = '5e1f1a2b-0000-4000-8000-000000000001'
    serve('/misp/manifest.json', JSON.stringify({ [id]: { timestamp: '1780000000' } }))
    serve(
      `/misp/${id}.json`,
      JSON.stringify({
        Event: { date: '2026-08-30', Attribute: [{ type: 'domain', value: 'evil.example', to_ids: true }] },
      }),
    )
    expect(await refresh(feed('misp', '/misp/', { format: { type: 'misp-feed' } }))).toMatchObject({
      status: 'updated',
      rows: 1,
    })
  })

  it('follows the catalogue in what is on, except where the operator switched, and keeps feeds of a folder at a start', async () => {
    const off = feed('switching', '/switching', { enabled: false })
    const on = { ...off, enabled: true }
    const enabled = async () => (await store.find(off.id))?.enabled
    await store.save([off], undefined, clock.now())
    expect(await enabled()).toBe(false)
    await store.save([on], '/some/folder', clock.now())
    expect(await enabled()).toBe(true)
    await store.save([off], undefined, clock.now(), { keepLocal: true })
    expect(await store.find(off.id)).toMatchObject({ enabled: true, baseDir: '/some/folder' })
    await store.setEnabled(off.id, false, clock.now())
    await store.save([on], undefined, clock.now())
    expect(await enabled()).toBe(false)
  })

  it('a stop does not wait for a slow feed, which counts as not tried and stays due', async () => {
    await sql.query('update feed set enabled = 0')
    const waiting = Promise.withResolvers<void>()
    routes.set('/slow', (_, response) => {
      response.write('a.example\n')
      const dribble = setInterval(() => response.write('b.example\n'), 10)
      response.on('close', () => clearInterval(dribble))
      waiting.resolve()
    })
    await store.save([feed('slow-a', '/slow'), feed('slow-b', '/slow')], undefined, clock.now())
    const before = await store.list()
    const said: unknown[] = []
    const stop = new AbortController()
    const running = feedRefreshJob({
      ...dependencies(),
      onOutcome: (outcome) => void said.push(outcome),
      onOffline: (offline) => void said.push(offline),
    }).run(stop.signal)
    await waiting.promise
    stop.abort()
    await running
    expect(said).toEqual([])
    expect(requests.map(({ path }) => path)).toEqual(['/slow'])
    expect(await store.list()).toEqual(before)
    expect(readdirSync(join(dataDir, 'feeds')).filter((name) => name.startsWith('.spool'))).toEqual([])
    await sql.query('update feed set enabled = 0')
  })

  it('the scheduled job tells how much of a feed was junk, and repeats no line of it', async () => {
    await sql.query('update feed set enabled = 0')
    serve('/lines', `${lines(25)}\nanna@customer.example is no name\n`)
    const list = join(dataDir, 'lines.txt')
    writeFileSync(list, `${lines(25)}\nanna@customer.example is no name\n`)
    const local = { ...feed('lines-local', '/'), address: [pathToFileURL(list).href] }
    await store.save([feed('lines', '/lines'), local], undefined, clock.now())
    const told: object[] = []
    await feedRefreshJob({ ...dependencies(), onOutcome: (outcome) => void told.push(outcome) }).run(
      new AbortController().signal,
    )
    expect(told).toMatchObject([
      { id: 'lines', junk: { bad_name: 1 } },
      { id: 'lines-local', junk: { bad_name: 1 } },
    ])
    expect(JSON.stringify(told)).not.toContain('anna@')
    await sql.query('update feed set enabled = 0')
  })

  it('one bad feed does not keep the others from being taken', async () => {
    serve('/good', lines(25))
    const feeds = [feed('a-bad', '/does-not-exist'), feed('b-good', '/good')]
    await store.save(feeds, undefined, clock.now())
    const states = (await store.list()).filter((state) => ['a-bad', 'b-good'].includes(state.feed.id))
    const outcomes = await syncFeeds(dependencies(), states)
    expect(outcomes.map(({ id, status }) => [id, status])).toEqual([
      ['a-bad', 'failed'],
      ['b-good', 'updated'],
    ])
  })

  it('the scheduled job takes what is due, publishes, and does nothing when nothing is due', async () => {
    await sql.query('update feed set enabled = 0')
    serve('/scheduled', lines(25, 5000))
    await store.save([feed('scheduled', '/scheduled')], undefined, clock.now())
    const job = feedRefreshJob(dependencies())
    const running = new AbortController().signal
    const leftover = join(dataDir, 'feeds/.spool-killed')
    mkdirSync(leftover, { recursive: true })
    utimesSync(leftover, 0, 0)
    await job.run(running)
    expect(existsSync(leftover)).toBe(false)
    const [first] = await publishedSnapshots(sql)
    expect(openSnapshot(snapshotFile(dataDir, first!.version)).domain('host5001.example')).toHaveLength(1)
    requests.length = 0
    await job.run(running)
    expect(requests).toEqual([])
    expect((await publishedSnapshots(sql))[0]).toEqual(first)
    // A clock that was set back does not make it wait.
    clock.step(-3_600_000)
    await job.run(running)
    expect(requests).not.toEqual([])
    clock.step(3_600_000)
  })

  it('swaps snapshots under a holder, rolls back, and keeps the running one when the next is refused', async () => {
    const errors: unknown[] = []
    const otherDir = mkdtempSync(join(tmpdir(), 'assay-node-'))
    const holderOptions = { sql, clock, onError: (error: unknown) => errors.push(error), pollMs: 3_600_000 }
    // On PostgreSQL a node with a folder of its own gets the file through the database.
    const holder = await openSnapshotHolder({
      ...holderOptions,
      dataDir: sql.engine === 'postgres' ? otherDir : dataDir,
    })
    try {
      const before = holder.current()
      expect(before.domain('host5001.example')).toHaveLength(1)
      const changes: string[] = []
      holder.onChange((snapshot) => changes.push(snapshot.info.version))
      serve('/scheduled', lines(26, 5000))
      await refresh(feed('scheduled', '/scheduled'))
      const next = await compileAndPublish(dependencies())
      await holder.refresh()
      expect(holder.current().info.version).toBe(next.info.version)
      expect(holder.current().domain('host5025.example')).toHaveLength(1)
      // A request that began on the old snapshot still reads it.
      expect(before.domain('host5001.example')).toHaveLength(1)
      expect(changes).toEqual([next.info.version])

      const undone = await intelRollback({ sql, clock })
      expect(undone).toEqual({ from: next.info.version, to: before.info.version })
      await holder.refresh()
      expect(holder.current().info.version).toBe(before.info.version)

      await sql.query(
        `insert into snapshot (version, built_at, bytes, chunks, published_at, sequence) values ('2026-broken', 1, 1, 0, 1, 1000)`,
      )
      const damaged = snapshotFile(sql.engine === 'postgres' ? otherDir : dataDir, '2026-broken')
      writeFileSync(damaged, 'ASSAYSNP'.padEnd(100))
      expect(await holder.refresh()).toBe(false)
      expect(holder.current().info.version).toBe(before.info.version)
      expect(String(errors.at(-1))).toContain('is refused')
      await sql.query(`delete from snapshot where version = '2026-broken'`)
    } finally {
      await holder.close()
      rmSync(otherDir, { recursive: true, force: true })
    }
  })

  it('a refresh during a look-up also reports the changes made meanwhile', async () => {
    const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let slow = false
    const slowReads: Sql = {
      ...sql,
      async query(...args) {
        const rows = await sql.query(...args)
        if (slow) {
          read.resolve()
          await answered.promise
        }
        return rows as never
      },
    }
    const holder = await openSnapshotHolder({ sql: slowReads, dataDir, clock, onError: () => {}, pollMs: 3_600_000 })
    try {
      slow = true
      const before = holder.refresh()
      await read.promise
      const { to } = await intelRollback({ sql, clock })
      const after = holder.refresh()
      answered.resolve()
      expect(await before).toBe(false)
      expect(await after).toBe(true)
      expect(holder.current().info.version).toBe(to)
    } finally {
      await holder.close()
    }
  })

  it('a node without any published snapshot starts from the bundled one', async () => {
    await sql.query('delete from snapshot_chunk')
    await sql.query('delete from snapshot')
    const fresh = mkdtempSync(join(tmpdir(), 'assay-fresh-'))
    const holder = await openSnapshotHolder({ sql, dataDir: fresh, clock, onError: () => {} })
    expect(holder.current().asn(parseIp('8.8.8.8')!)?.number).toBe(15169)
    await expect(intelRollback({ sql, clock })).rejects.toThrow('No snapshot has been published')
    await holder.close()
    rmSync(fresh, { recursive: true, force: true })
  })

  it('the verbs show, add, switch, sync from a folder, compile, look up and compare', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-from-'))
    const entry = {
      id: 'from-folder',
      name: 'From a folder',
      address: 'lists/*.txt',
      format: { type: 'list', values: 'any' },
      kinds: ['domain', 'ip', 'email'],
      tags: ['scam'],
      confidence: 0.9,
      licence: 'MIT',
      commercial_use: true,
      refresh_hours: 24,
      enabled: true,
    }
    mkdirSync(join(folder, 'lists'))
    writeFileSync(join(folder, 'lists/a.txt'), 'shop.example\n20.20.20.0/24\nboss@corp.example\n')
    writeFileSync(join(folder, 'catalogue.json'), JSON.stringify({ feeds: [entry] }))
    const dataDirs = { ...dependencies() }
    const first = await compileAndPublish(dataDirs)
    const outcomes = await feedsSync(dataDirs, { catalogue: join(folder, 'catalogue.json'), from: folder })
    expect(outcomes.map(({ id, status, rows }) => [id, status, rows])).toEqual([['from-folder', 'updated', 3]])
    expect(formatOutcomes(outcomes)).toContain('from-folder  updated  3')
    // A folder that is not there is refused once, and the one that is there stays.
    const known = await createFeedStore(dataDirs.sql).list()
    for (const mistaken of [join(folder, 'nowhere'), join(folder, 'catalogue.json')]) {
      const options = { catalogue: join(folder, 'catalogue.json'), from: mistaken }
      await expect(feedsSync(dataDirs, options)).rejects.toThrow(`There is no folder ${mistaken}. Nothing was changed`)
      await expect(feedsAdd(dataDirs, entry, { from: mistaken })).rejects.toThrow('Nothing was changed')
    }
    expect(await createFeedStore(dataDirs.sql).list()).toEqual(known)
    await sql.tryLock('job:feeds', async () => {
      const other = await open()
      const blocked = feedsSync(
        { ...dataDirs, sql: other },
        { catalogue: join(folder, 'catalogue.json'), from: folder },
      )
      await expect(blocked).rejects.toThrow('A server is refreshing the feeds now')
    })
    const second = await compileAndPublish(dataDirs)
    const snapshot = openNamed(dataDir, second.info.version)
    expect(intelLookup(snapshot, 'www.Shop.example').found.map(({ name }) => name)).toEqual(['shop.example'])
    expect(intelLookup(snapshot, 'Boss@corp.example').found[0]?.evidence[0]?.tag).toBe('scam')
    expect(formatLookup(intelLookup(snapshot, '20.20.20.9'))).toMatch(/from-folder {2}scam/)
    expect(formatLookup(intelLookup(snapshot, 'clean.example'))).toContain('not listed')
    expect(() => intelLookup(snapshot, 'no sense')).toThrow('is neither an email address')
    const diff = intelDiff(openNamed(dataDir, first.info.version), snapshot)
    expect(diff.domains).toMatchObject({ added: 1, removed: 0 })
    expect(diff.emails).toEqual({ before: 0, after: 1, added: 1, removed: 0 })
    expect(diff.sources).toEqual([{ id: 'from-folder', before: 0, after: 3 }])
    expect(formatDiff(diff)).toContain('from-folder  0       3')
    const inspection = intelInspect(snapshot)
    expect(formatInspection(inspection)).toContain('from-folder')
    expect(formatInspection(inspection)).toContain('trains   nothing: the name model needs at least 5000 listed names')
    expect(formatInspection({ ...inspection, teachingNames: 7000 })).toContain('with 7000 listed names')

    await feedsAdd(dataDirs, { ...entry, id: 'added' }, { from: folder })
    await feedsSetEnabled(dataDirs, 'added', false)
    const listed = await createFeedStore(dataDirs.sql).list()
    expect(listed.find(({ feed: each }) => each.id === 'added')?.enabled).toBe(false)
    expect(formatFeeds(listed)).toContain('added')
    await expect(feedsSetEnabled(dataDirs, 'nobody', true)).rejects.toThrow('There is no feed nobody')
    await expect(feedsAdd(dataDirs, { id: 'x' })).rejects.toThrow('"name" must be a text')
    rmSync(folder, { recursive: true, force: true })
  })

  describe('the date of a list', () => {
    const day = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS
    const AUGUST = Date.parse('2025-08-22')
    const plain = { half_life_days: 30, expiry_days: undefined }
    async function datesOf(id: string) {
      const { info } = await compileAndPublish(dependencies())
      const snapshot = openSnapshot(snapshotFile(dataDir, info.version))
      const evidence = snapshot.domain('host1.example').find(({ source }) => source === id)
      return { asOfMs: info.sources.find((source) => source.id === id)?.asOfMs, ...evidence }
    }

    it.each([
      ['head', '# Last update: Fri, 22 Aug 2025 03:00:29 +0200\n', '/dated-head', {}],
      ['other-head', '# This File Date: Fri Aug 22 02:21:05 UTC 2025\n', '/dated-head-2', {}],
      ['file-name', '', '/lists/blocklist-2025-08-22.txt', {}],
      ['modified', '', '/dated-modified', { 'last-modified': new Date(AUGUST).toUTCString() }],
    ] as const)('is its own, not the day of the fetch: %s', async (id, head, path, headers) => {
      serve(path, `${head}${lines(30)}`, headers)
      await refresh(feed(id, path, plain))
      const first = await datesOf(id)
      expect(first).toMatchObject({ asOfMs: AUGUST, lastSeenMs: AUGUST })
      expect(first.confidence).toBeLessThan(0.01)
    })

    it('is in fields of JSON documents and in archives', async () => {
      const list = Array.from({ length: 30 }, (_, i) => `host${i}.example`)
      serve('/warning', JSON.stringify({ list, name: 'Warning list', version: 20250822 }))
      await refresh(feed('warning', '/warning', { ...plain, format: { type: 'misp-warninglist' } }))
      const packed = gzipSync(lines(30))
      packed.writeUInt32LE(AUGUST / 1000, 4)
      serve('/packed', packed)
      await refresh(feed('packed', '/packed', plain))
      for (const id of ['warning', 'packed']) expect(await datesOf(id), id).toMatchObject({ asOfMs: AUGUST })
    })

    it('is that of its newest row where it has no other', async () => {
      const format = { type: 'csv', values: 'domain', columns: { value: 0, first_seen: 1 } }
      const each = feed('by-rows', '/by-rows', { ...plain, format })
      const ahead = isoDay(clock.now() + 400 * DAY_MS)
      const rows = lines(30).replaceAll('.example', '.example,2025-08-20')
      serve('/by-rows', `${rows}\nlast.example,2025-08-22\nwrong-clock.example,${ahead}`)
      await refresh(each)
      expect(await datesOf('by-rows')).toMatchObject({
        asOfMs: AUGUST,
        firstSeenMs: Date.parse('2025-08-20'),
        lastSeenMs: AUGUST,
      })
    })

    it('does not restart when the same content is fetched again, and does for the document that changed', async () => {
      const each = feed('again', ['/again-a', '/again-b'], plain)
      const started = clock.now()
      serve('/again-a', lines(30))
      serve('/again-b', lines(30, 100))
      await refresh(each)
      clock.advance(20 * DAY_MS)
      serve('/again-b', lines(31, 100))
      expect(await refresh(each)).toMatchObject({ status: 'updated', rows: 61 })
      expect(await datesOf('again')).toMatchObject({ asOfMs: clock.now(), lastSeenMs: day(started) })
      clock.advance(20 * DAY_MS)
      const changed = clock.now() - 20 * DAY_MS
      rmSync(copyFile(dataDir, each.id))
      await refresh(each, { accept: true })
      const later = await datesOf('again')
      expect(later).toMatchObject({ asOfMs: changed, lastSeenMs: day(started) })
      expect(later.confidence).toBeCloseTo(0.8 * 0.5 ** (40 / 30), 2)
      expect(formatStatus([(await store.find('again'))!], clock.now())).toMatch(/20 d/)
    })

    it('of a copy of an earlier release is found by fetching it once more', async () => {
      const each = feed('earlier', '/earlier', plain)
      routes.set('/earlier', (request, response) => {
        if (request.headers['if-none-match'] === '"a"') response.writeHead(304).end()
        else response.writeHead(200, { etag: '"a"' }).end(`# Updated: 2025-08-22\n${lines(30)}`)
      })
      await refresh(each)
      const before = JSON.stringify({ [each.address[0] as string]: { etag: '"a"' } })
      await sql.query('update feed set validators = $2 where id = $1', [each.id, before])
      expect(await refresh(each)).toMatchObject({ status: 'updated' })
      expect(await refresh(each)).toMatchObject({ status: 'unchanged' })
      expect(await datesOf('earlier')).toMatchObject({ asOfMs: AUGUST, lastSeenMs: AUGUST })
    })

    it('of a file in a folder is that of its last change, and stays when the file is copied', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-old-lists-'))
      const file = join(folder, 'old.txt')
      const entry = { ...feed('old-file', '/none', plain), address: ['old.txt'] }
      const read = async () => {
        await store.save([entry], folder, clock.now())
        await refreshFeed(dependencies(), (await store.find(entry.id))!)
        return datesOf('old-file')
      }
      writeFileSync(file, lines(30))
      utimesSync(file, AUGUST / 1000, AUGUST / 1000)
      expect(await read()).toMatchObject({ asOfMs: AUGUST, lastSeenMs: AUGUST })
      utimesSync(file, clock.now() / 1000, clock.now() / 1000)
      expect(await read()).toMatchObject({ asOfMs: AUGUST, lastSeenMs: AUGUST })
      rmSync(folder, { recursive: true })
    })
  })
})
