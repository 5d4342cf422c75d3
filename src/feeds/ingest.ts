import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Clock, HOUR_MS, MINUTE_MS } from '../lib/clock.ts'
import { isRecord } from '../lib/json-text.ts'
import { addressesOn, type Feed } from './catalogue.ts'
import type { Fetched, Fetcher } from './fetch.ts'
import { isLocal } from './files.ts'
import { type FeedKeys, keyedFetcher, missingKey } from './keys.ts'
import { LIST_MS_MIN } from './parse/list-date.ts'
import { mispManifestEvents } from './parse/misp.ts'
import { DocumentGone, FeedRefused, FeedUnreachable, type JunkReason } from './parse/report.ts'
import { readJson } from './parse/text.ts'
import { copyFile } from './rows.ts'
import type { FeedState, FeedStore, Validators } from './store.ts'
import type { DocumentDates, FeedWorker, SpooledFile } from './worker.ts'

/** One refresh of one feed: fetch, parse, compare, store. A failure affects only that feed. */

export interface IngestDependencies {
  readonly store: FeedStore
  readonly fetcher: Fetcher
  readonly worker: FeedWorker
  readonly dataDir: string
  readonly clock: Clock
  readonly keys?: FeedKeys
}

export interface FeedOutcome {
  readonly id: string
  readonly status: 'updated' | 'unchanged' | 'held' | 'failed'
  readonly rows: number | undefined
  readonly junk: Partial<Record<JunkReason, number>>
  readonly samples: readonly string[]
  readonly detail: string | undefined
  readonly unreachableHost?: string
}

/** How long to wait before a retry after a first failure of a feed, or for an unreachable host. */
export const BACK_OFF_MS = 10 * MINUTE_MS
const BACK_OFF_MAX_MS = 24 * HOUR_MS
const MISP_EVENTS_MAX = 500
const TAXII_PAGES_MAX = 1000
const TAXII_ACCEPT = 'application/taxii+json;version=2.1'

/** A refresh that `signal` aborts throws and leaves the feed unchanged and due: nothing was learnt about the feed. */
export async function refreshFeed(
  { store, fetcher, worker, dataDir, clock, keys = {} }: IngestDependencies,
  state: FeedState,
  options: { readonly accept?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<FeedOutcome> {
  const { signal } = options
  const nowMs = clock.now()
  const feed = { ...state.feed, address: addressesOn(state.feed, nowMs) }
  const copy = copyFile(dataDir, feed.id)
  const nothing = { id: feed.id, rows: state.rows, junk: {}, samples: [] }
  const missing = missingKey(feed, keys)
  if (missing !== undefined) return { ...nothing, status: 'failed', detail: `It needs ${missing}.` }
  const key = feed.key === undefined ? undefined : keys[feed.key]
  const stoppable: Fetcher = { ...fetcher, fetch: (address, given) => fetcher.fetch(address, { ...given, signal }) }
  const source = key === undefined ? stoppable : keyedFetcher(stoppable, key)
  mkdirSync(join(dataDir, 'feeds'), { recursive: true })
  const hasCopy = await store.bringCopy(state, copy)
  using spoolDir = mkdtempDisposableSync(join(dataDir, 'feeds', '.spool-'))
  try {
    const nextDueAtMs = nowMs + feed.refresh_hours * HOUR_MS
    const remote = feed.address.some((address) => !isLocal(address))
    // Validators (ETag, Last-Modified) describe the last copy; without that copy they must not be sent.
    // A copy of an earlier release has the time of its fetch in place of the date of the list: it is fetched once more.
    const isDated = Object.values(state.validators).some(({ as_of }) => as_of !== undefined)
    const known = hasCopy && isDated && !options.accept && !state.held ? state.validators : {}
    const fetched = remote ? await spool({ feed, fetcher: source, folder: spoolDir.path, known }) : undefined
    if (fetched === 'unchanged') {
      await store.recordUnchanged(feed.id, { nextDueAtMs, nowMs })
      return { ...nothing, status: 'unchanged', detail: undefined }
    }
    const incremental = fetched?.incremental ?? false
    const result = await worker.run({
      task: 'ingest',
      feed,
      spooled: fetched?.files,
      baseDir: state.baseDir,
      copy,
      previousRows: existsSync(copy) ? state.rows : undefined,
      incremental,
      accept: options.accept ?? false,
      earlier: state.validators,
      nowMs,
    })
    if (result.held) {
      const previous = state.rows ?? 0
      const held = { rows: result.rows, previous_rows: previous, at_ms: nowMs }
      await store.recordHeld(feed.id, held, { nextDueAtMs, nowMs })
      const detail = `It has ${result.rows} rows and had ${previous}; the earlier copy stays. Accept the new one with --accept.`
      return { ...nothing, junk: result.junk, samples: result.samples, status: 'held', detail }
    }
    const rows = incremental ? result.rows + result.retained : result.rows
    const validators = withDates(fetched?.validators ?? {}, result.dates)
    await store.recordCopy(feed.id, { file: copy, rows, junk: result.junk, validators, nextDueAtMs, nowMs })
    const remarks = (fetched?.gone ?? []).map((address) => `${address} is gone`)
    if (result.retained > 0 && !incremental) remarks.push(`${result.retained} earlier rows kept`)
    const detail = remarks.length > 0 ? remarks.join('; ') : undefined
    return { id: feed.id, status: 'updated', rows, junk: result.junk, samples: result.samples, detail }
  } catch (error) {
    signal?.throwIfAborted()
    const { message } = error as Error
    const host = error instanceof FeedUnreachable ? error.host : undefined
    // An unreachable host says nothing about the feed, so it is retried soon after the network is back.
    const backOffMs =
      host === undefined ? Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** Math.min(state.failures, 10)) : BACK_OFF_MS
    await store.recordFailure(feed.id, message, { nextDueAtMs: nowMs + backOffMs, nowMs })
    return { ...nothing, status: 'failed', detail: message, ...(host !== undefined && { unreachableHost: host }) }
  }
}

function withDates(validators: Validators, dates: DocumentDates): Validators {
  const merged: Record<string, Validators[string]> = { ...validators }
  for (const [key, date] of Object.entries(dates)) merged[key] = { ...merged[key], ...date }
  return merged
}

interface Spooled {
  readonly files: SpooledFile[]
  readonly validators: Validators
  readonly incremental: boolean
  readonly gone?: readonly string[]
}

interface SpoolRequest {
  readonly feed: Feed
  readonly fetcher: Fetcher
  readonly folder: string
  readonly known: Validators
}

/** Saves the documents of a feed to files: all of them, or none when nothing has changed. */
async function spool(request: SpoolRequest): Promise<Spooled | 'unchanged'> {
  const { feed, fetcher, folder, known } = request
  if (feed.format.type === 'taxii') return spoolTaxii(request, feed.format.pages_max ?? TAXII_PAGES_MAX)
  if (feed.format.type === 'misp-feed') return spoolMisp(request, feed.format.events_max ?? MISP_EVENTS_MAX)
  const files: SpooledFile[] = []
  const validators: Record<string, Validators[string]> = {}
  const unchanged: string[] = []
  const gone = new Map<string, DocumentGone>()
  const take = async (address: string, fetched: Extract<Fetched, { status: 'ok' }>) => {
    const file = join(folder, String(files.length))
    const digest = await save(fetched.body, file)
    if (feed.sha256_address !== undefined) await checkDigest(feed.sha256_address, digest, feed, fetcher)
    const modifiedMs = modifiedMsOf(fetched.lastModified)
    files.push({ name: feed.address.length > 1 ? address : '', address, file, modifiedMs, sha256: digest })
    validators[address] = validatorsOf(fetched)
  }
  for (const address of feed.address) {
    if (isLocal(address)) throw new FeedRefused('A feed is either local or fetched; its addresses mix both.')
    try {
      const fetched = await fetcher.fetch(address, ifChanged(feed, known[address]))
      if (fetched.status === 'unchanged') unchanged.push(address)
      else await take(address, fetched)
    } catch (error) {
      // Publishers with a file for each family of malware rename and remove some: the others still count.
      if (!(error instanceof DocumentGone)) throw error
      gone.set(address, error)
    }
  }
  const [first] = gone.values()
  if (first && gone.size === feed.address.length) throw first
  if (files.length === 0) return 'unchanged'
  for (const address of unchanged) {
    const fetched = await fetcher.fetch(address, { headers: feed.headers })
    if (fetched.status === 'ok') await take(address, fetched)
  }
  return { files, validators, incremental: false, gone: [...gone.keys()] }
}

async function spoolMisp(request: SpoolRequest, eventsMax: number): Promise<Spooled | 'unchanged'> {
  const { feed, fetcher, folder, known } = request
  const base = folderUrl(feed.address[0]!)
  const manifestAddress = new URL('manifest.json', base).href
  const manifest = await fetcher.fetch(manifestAddress, ifChanged(feed, known[manifestAddress]))
  if (manifest.status === 'unchanged') return 'unchanged'
  const events = mispManifestEvents(await readJson(manifest.body), eventsMax)
  const files: SpooledFile[] = []
  for (const id of events) {
    const fetched = await fetcher.fetch(new URL(`${id}.json`, base).href, { headers: feed.headers })
    if (fetched.status !== 'ok') continue
    const file = join(folder, String(files.length))
    await save(fetched.body, file)
    files.push({ name: `${id}.json`, file })
  }
  return { files, validators: { [manifestAddress]: validatorsOf(manifest) }, incremental: false }
}

/** TAXII 2.1: the objects of a collection that were added since the last fetch, page by page. */
async function spoolTaxii(request: SpoolRequest, pagesMax: number): Promise<Spooled | 'unchanged'> {
  const { feed, fetcher, folder, known } = request
  const address = feed.address[0]!
  const objects = new URL(address.endsWith('/objects/') ? address : new URL('objects/', folderUrl(address)))
  const addedAfter = known[address]?.added_after
  const files: SpooledFile[] = []
  let newest = addedAfter
  let next: string | undefined
  for (let page = 0; ; page++) {
    if (page >= pagesMax) throw new FeedRefused(`The TAXII collection has more than ${pagesMax} pages.`)
    const url = new URL(objects)
    if (addedAfter !== undefined) url.searchParams.set('added_after', addedAfter)
    if (next !== undefined) url.searchParams.set('next', next)
    const fetched = await fetcher.fetch(url.href, { headers: { accept: TAXII_ACCEPT, ...feed.headers } })
    if (fetched.status !== 'ok') break
    const type = fetched.header('content-type') ?? ''
    if (!/^application\/(taxii|stix|json)/i.test(type)) {
      throw new FeedRefused(`The TAXII server answered with ${type === '' ? 'no content type' : type}.`)
    }
    const last = fetched.header('x-taxii-date-added-last')
    if (last !== undefined && (newest === undefined || last > newest)) newest = last
    const envelope = await readJson(fetched.body)
    if (!isRecord(envelope)) throw new FeedRefused('The TAXII server did not answer with an envelope.')
    if (Array.isArray(envelope.objects) && envelope.objects.length > 0) {
      const file = join(folder, String(files.length))
      await save(Readable.from([Buffer.from(JSON.stringify({ objects: envelope.objects }))]), file)
      files.push({ name: `page ${page + 1}`, file })
    }
    if (envelope.more !== true) break
    if (typeof envelope.next !== 'string' || envelope.next === next) {
      throw new FeedRefused('The TAXII server reports more data but no next page.')
    }
    next = envelope.next
  }
  if (files.length === 0 && addedAfter !== undefined) return 'unchanged'
  return {
    files,
    validators: newest === undefined ? {} : { [address]: { added_after: newest } },
    incremental: addedAfter !== undefined,
  }
}

function ifChanged({ headers }: Feed, before: Validators[string] | undefined) {
  return { headers, etag: before?.etag, lastModified: before?.last_modified }
}

function folderUrl(address: string): URL {
  return new URL(address.endsWith('/') ? address : `${address}/`)
}

function validatorsOf(fetched: Extract<Fetched, { status: 'ok' }>): Validators[string] {
  return {
    ...(fetched.etag !== undefined && { etag: fetched.etag }),
    ...(fetched.lastModified !== undefined && { last_modified: fetched.lastModified }),
  }
}

function modifiedMsOf(lastModified = ''): number | undefined {
  const dateMs = Date.parse(lastModified)
  return dateMs >= LIST_MS_MIN ? dateMs : undefined
}

async function save(body: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const digest = createHash('sha256')
  async function* hashed() {
    for await (const chunk of body) {
      digest.update(chunk)
      yield chunk
    }
  }
  await pipeline(hashed(), createWriteStream(file))
  return digest.digest('hex')
}

async function checkDigest(address: string, digest: string, feed: Feed, fetcher: Fetcher): Promise<void> {
  const fetched = await fetcher.fetch(address, { headers: feed.headers })
  if (fetched.status !== 'ok') throw new FeedRefused(`The checksum at ${address} could not be fetched.`)
  let text = ''
  for await (const chunk of fetched.body) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > 100_000) break
  }
  if (!text.toLowerCase().includes(digest)) {
    throw new FeedRefused(`Its SHA-256 is ${digest}, which differs from ${address}.`)
  }
}
