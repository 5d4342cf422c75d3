import { createReadStream } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type CompileResult, createCompiler } from '../snapshot/compile.ts'
import { addBundled } from './bundled.ts'
import { expiryMs, type Feed } from './catalogue.ts'
import { localDocuments } from './files.ts'
import { type FeedDocument, parseFeed } from './parse/feed.ts'
import { FeedRefused, type JunkReason } from './parse/report.ts'
import { compileRow, type DatedRow, dateRow, readCopy, settled, sourceOf, writeCopy } from './rows.ts'

/** The heavy work of feeds, on its own thread so that no check waits for a parser or the compiler. */

export interface SpooledFile {
  readonly name: string
  readonly address?: string
  readonly file: string
}

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
  /** The date of the documents: the age of rows without their own date. */
  readonly currentMs: number
  readonly nowMs: number
}

export interface IngestResult {
  readonly held: boolean
  /** Distinct rows of the feed itself. */
  readonly rows: number
  /** Rows of earlier copies that are kept until they expire. */
  readonly retained: number
  readonly junk: Partial<Record<JunkReason, number>>
  readonly samples: readonly string[]
}

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

async function ingest(task: IngestTask): Promise<IngestResult> {
  const { feed, nowMs } = task
  const rows = new Map<string, DatedRow>()
  const documents = task.spooled ? spooledDocuments(task.spooled) : localDocuments(feed.address, task.baseDir)
  const report = await parseFeed(feed, documents, (row) => {
    for (const dated of dateRow(feed, row, nowMs, task.currentMs)) {
      if (nowMs - dated.lastSeenMs > expiryMs(feed)) continue
      const key = keyOf(dated)
      const other = rows.get(key)
      rows.set(key, other ? joined(dated, other) : dated)
    }
    if (rows.size > ROWS_MAX) throw new FeedRefused(`The feed has more than ${ROWS_MAX} rows.`)
  })
  const count = rows.size
  const outcome = { rows: count, junk: report.junk, samples: report.samples }
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

async function* spooledDocuments(files: readonly SpooledFile[]): AsyncGenerator<FeedDocument> {
  for (const { file, ...document } of files) yield { ...document, input: createReadStream(file) }
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
