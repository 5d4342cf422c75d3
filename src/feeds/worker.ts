import { createReadStream } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { iso } from '../lib/clock.ts'
import { type CompileResult, createCompiler } from '../snapshot/compile.ts'
import { addBundled } from './bundled.ts'
import { expiryMs, type Feed } from './catalogue.ts'
import { digestOf, localDocuments } from './files.ts'
import { type FeedDocument, parseFeed } from './parse/feed.ts'
import { type ListDate, noteRow } from './parse/list-date.ts'
import { FeedRefused } from './parse/report.ts'
import { compileRow, type DatedRow, dateRow, listMs, readCopy, settled, sourceOf, writeCopy } from './rows.ts'

/** The heavy work of feeds, on its own thread so that no check waits for a parser or the compiler. */

export interface SpooledFile {
  readonly name: string
  readonly address?: string
  readonly file: string
  readonly modifiedMs?: number | undefined
  readonly sha256?: string
}

/** The dates of documents by address or file name, with the content that had the date. */
export type DocumentDates = Readonly<Record<string, { readonly sha256?: string; readonly as_of?: string }>>

export interface IngestTask {
  readonly task: 'ingest'
  readonly feed: Feed
  /** Spooled documents of a fetched feed; undefined reads the feed's own local addresses. */
  readonly spooled: readonly SpooledFile[] | undefined
  readonly baseDir: string | undefined
  readonly copy: string
  /** The number of the feed's own rows in the last copy; undefined when there is none. */
  readonly previousRows: number | undefined
  /** The documents contain only the changes since the last copy. */
  readonly incremental: boolean
  readonly accept: boolean
  /** The dates of the documents of the last copy. */
  readonly earlier: DocumentDates
  readonly nowMs: number
}

type IngestResult = Awaited<ReturnType<typeof ingest>>

export interface CompileTask {
  readonly task: 'compile'
  readonly leaveOut: readonly string[]
  readonly feeds: readonly { readonly feed: Feed; readonly copy: string; readonly asOfMs: number }[]
  readonly file: string
  readonly nowMs: number
}

type Task = IngestTask | CompileTask
type Answer<T extends Task> = T extends IngestTask ? IngestResult : CompileResult

/** Rows of one feed are held in memory while they are merged with the earlier copy. */
const ROWS_MAX = 5_000_000
/** Below this number of rows a doubling or halving is no reason to hold a feed back. */
const ROWS_COMPARED_MIN = 20

interface Reply {
  readonly result?: IngestResult | CompileResult
  readonly refused?: string
  readonly error?: string
}

/** One thread for any number of tasks, started with the first task; one task at a time. */
export interface FeedWorker {
  run<T extends Task>(task: T): Promise<Answer<T>>
  close(): Promise<void>
}

export function createFeedWorker(): FeedWorker {
  let worker: Worker | undefined
  let pending: { resolve(reply: Reply): void; reject(error: Error): void } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  function start(): Worker {
    const started = new Worker(new URL(import.meta.url), { workerData: { assayFeeds: true } })
    const fail = (error: Error) => {
      if (worker === started) worker = undefined
      pending?.reject(error)
      pending = undefined
    }
    started.on('message', (reply: Reply) => {
      pending?.resolve(reply)
      pending = undefined
    })
    // A task that exhausts the thread's memory ends the thread; the next task gets a new one.
    started.on('error', fail)
    started.on('exit', (code) => fail(new Error(`The feed worker ended early (exit code ${code}).`)))
    return started
  }

  async function perform<T extends Task>(task: T): Promise<Answer<T>> {
    worker ??= start()
    const reply = await new Promise<Reply>((resolve, reject) => {
      pending = { resolve, reject }
      worker?.postMessage(task)
    })
    if (reply.result) return reply.result as Answer<T>
    throw reply.refused === undefined ? new Error(reply.error) : new FeedRefused(reply.refused)
  }

  return {
    run(task) {
      const mine = turn.then(() => perform(task))
      turn = mine.catch(() => {})
      return mine
    },
    async close() {
      await turn
      await worker?.terminate()
    },
  }
}

/** `rows` are distinct rows of the feed itself, `retained` those of earlier copies that are kept until they expire. */
async function ingest(task: IngestTask) {
  const { feed, nowMs } = task
  const rows = new Map<string, DatedRow>()
  /** Lists without a date, and the preliminary dates of their rows. */
  const undated = new Map<ListDate, number>()
  const report = await parseFeed(feed, documentsOf(task), (row, list) => {
    noteRow(list, row.lastSeenMs ?? row.firstSeenMs, nowMs)
    const known = listMs(feed, list, nowMs)
    const currentMs = known ?? foundMs(list, nowMs)
    if (known === undefined) undated.set(list, currentMs)
    for (const dated of dateRow(feed, row, nowMs, currentMs)) {
      if (nowMs - dated.lastSeenMs > expiryMs(feed)) continue
      const key = keyOf(dated)
      const other = rows.get(key)
      rows.set(key, other ? joined(dated, other) : dated)
    }
    if (rows.size > ROWS_MAX) throw new FeedRefused(`The feed has more than ${ROWS_MAX} rows.`)
  })
  const newestMs = newestOf([...undated.keys()], nowMs)
  if (newestMs !== undefined) redate(rows, new Set(undated.values()), newestMs, nowMs - expiryMs(feed))
  const count = rows.size
  const dates = datesOf(task, report.lists, newestMs)
  const outcome = { rows: count, dates, junk: report.junk, samples: report.samples }
  if (!task.incremental) {
    const isRightlyEmpty = feed.may_be_empty && report.rows === 0 && report.junkTotal === 0
    if (report.rows === 0 && !isRightlyEmpty)
      throw new FeedRefused(`Nothing in it could be read as an indicator (${report.junkTotal} lines tried).`)
    // Such a feed may lose all its rows, and later have some again.
    const isExpected = isRightlyEmpty || (feed.may_be_empty && task.previousRows === 0)
    if (!task.accept && !isExpected && task.previousRows !== undefined && isOutlier(count, task.previousRows)) {
      return { ...outcome, held: true, retained: 0 }
    }
  }
  let retained = 0
  await readCopy(task.copy, (earlier) => {
    const key = keyOf(earlier)
    const current = rows.get(key)
    if (current) {
      // Seen again: the age restarts, and the earliest date that the feed has stated stays.
      const { firstSeenMs } = current
      if (firstSeenMs !== undefined)
        rows.set(key, settled({ ...current, firstSeenMs: earliest(firstSeenMs, earlier.firstSeenMs) }))
      return
    }
    if (!(feed.retain || task.incremental) || nowMs - earlier.lastSeenMs > expiryMs(feed)) return
    if (rows.size >= ROWS_MAX) return
    retained++
    rows.set(key, earlier)
  })
  await writeCopy(task.copy, rows.values())
  return { ...outcome, held: false, retained }
}

/** A feed that lost more than half of its rows or grew more than tenfold is more often broken than right. */
function isOutlier(rows: number, previousRows: number): boolean {
  if (Math.max(rows, previousRows) < ROWS_COMPARED_MIN) return false
  return rows * 2 < previousRows || rows > previousRows * 10
}

function keyOf(row: DatedRow): string {
  return `${row.kind} ${row.value} ${row.tag}`
}

function joined(a: DatedRow, b: DatedRow): DatedRow {
  const fresher = a.lastSeenMs > b.lastSeenMs || (a.lastSeenMs === b.lastSeenMs && a.confidence >= b.confidence) ? a : b
  return settled({ ...fresher, firstSeenMs: earliest(a.firstSeenMs, b.firstSeenMs) })
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

function foundMs({ document }: ListDate, nowMs: number): number {
  return Math.min(nowMs, document.foundMs ?? nowMs)
}

/** The newest row of lists without a date, or the date that such a list states at its end. */
function newestOf(lists: readonly ListDate[], nowMs: number): number | undefined {
  const found = lists.flatMap(({ statedMs, newestRowMs }) => statedMs ?? newestRowMs ?? [])
  return found.length === 0 ? undefined : Math.min(nowMs, Math.max(...found))
}

/** Rows without a date are as old as the newest row that has one: a copy of an old list is old. */
function redate(rows: Map<string, DatedRow>, undated: ReadonlySet<number>, newestMs: number, expiredMs: number): void {
  for (const [key, row] of rows) {
    if (!undated.has(row.lastSeenMs) || row.lastSeenMs <= newestMs) continue
    const lastSeenMs = Math.max(newestMs, row.firstSeenMs ?? 0)
    if (lastSeenMs < expiredMs) rows.delete(key)
    else rows.set(key, settled({ ...row, lastSeenMs }))
  }
}

/** More documents than this are stored as one date. */
const DOCUMENTS_DATED_MAX = 200

function datesOf({ feed, nowMs }: IngestTask, lists: readonly ListDate[], newestMs: number | undefined): DocumentDates {
  const dates: Record<string, { sha256?: string; as_of: string }> = {}
  for (const list of lists) {
    const { key = feed.address[0] as string, sha256 } = lists.length > DOCUMENTS_DATED_MAX ? {} : list.document
    const known = listMs(feed, list, nowMs) ?? newestMs ?? foundMs(list, nowMs)
    const as_of = iso(Math.min(nowMs, Math.max(known, list.newestRowMs ?? 0)))
    const other = dates[key]?.as_of ?? ''
    dates[key] = { ...(sha256 !== undefined && { sha256 }), as_of: as_of > other ? as_of : other }
  }
  return dates
}

/** The documents of a feed, each with the date that is known of its content. */
async function* documentsOf({ feed, spooled, baseDir, earlier }: IngestTask): AsyncGenerator<FeedDocument> {
  if (spooled === undefined) {
    for await (const { file, ...document } of localDocuments(feed.address, baseDir)) {
      const sha256 = await digestOf(file)
      yield { ...document, key: document.name, sha256, modifiedMs: dateOfSame(earlier[document.name], sha256) }
    }
    return
  }
  for (const { file, sha256, modifiedMs, ...document } of spooled) {
    const { address: key } = document
    const dateMs = modifiedMs ?? (key === undefined ? undefined : dateOfSame(earlier[key], sha256))
    const keyed = key === undefined ? {} : { key }
    yield { ...document, ...keyed, sha256, modifiedMs: dateMs, input: createReadStream(file) }
  }
}

/** The same content keeps its date, however often it is fetched. */
function dateOfSame(earlier: DocumentDates[string] | undefined, sha256: string | undefined): number | undefined {
  const isSame = earlier?.as_of !== undefined && sha256 !== undefined && earlier.sha256 === sha256
  return isSame ? Date.parse(earlier.as_of ?? '') : undefined
}

async function compileFeeds(task: CompileTask): Promise<CompileResult> {
  const compiler = createCompiler({ nowMs: task.nowMs })
  addBundled(compiler, new Set([...task.leaveOut, ...task.feeds.flatMap(({ feed }) => feed.replaces)]))
  for (const { feed, copy, asOfMs } of task.feeds) {
    compiler.source(sourceOf(feed, asOfMs))
    await readCopy(copy, (row) => compileRow(compiler, feed.id, row))
  }
  return compiler.writeTo(task.file)
}

async function answer(task: Task): Promise<Reply> {
  try {
    return { result: task.task === 'ingest' ? await ingest(task) : await compileFeeds(task) }
  } catch (error) {
    const { message } = error as Error
    return error instanceof FeedRefused ? { refused: message } : { error: message }
  }
}

// The thread runs this file too: listen for tasks only there.
if (!isMainThread && (workerData as { assayFeeds?: boolean } | null)?.assayFeeds) {
  parentPort?.on('message', (task: Task) => {
    void answer(task).then((reply) => parentPort?.postMessage(reply))
  })
}
