import { addBundled } from '../src/feeds/bundled.ts'
import type { Feed } from '../src/feeds/catalogue.ts'
import { localDocuments } from '../src/feeds/files.ts'
import { parseFeed } from '../src/feeds/parse/feed.ts'
import { type ListDate, noteRow } from '../src/feeds/parse/list-date.ts'
import type { JunkReason } from '../src/feeds/parse/report.ts'
import { compileRow, type DatedRow, dateRow, listMs, sourceOf } from '../src/feeds/rows.ts'
import { type CompileResult, createCompiler } from '../src/snapshot/compile.ts'

export interface OfflineReport {
  readonly id: string
  readonly rows: number
  readonly junk: Partial<Record<JunkReason, number>>
  readonly samples: readonly string[]
  readonly error?: string
}

/** Compiles a folder of feed files without database or network, for evaluation and tests. Reports unreadable feeds. */
export async function compileFolder(options: {
  readonly catalogue: readonly Feed[]
  readonly from: string
  readonly file: string
  readonly nowMs: number
}): Promise<CompileResult & { readonly feeds: readonly OfflineReport[] }> {
  const compiler = createCompiler({ nowMs: options.nowMs })
  const enabled = options.catalogue.filter((feed) => feed.enabled)
  addBundled(compiler, new Set(enabled.flatMap((feed) => feed.replaces)))
  const feeds: OfflineReport[] = []
  for (const feed of enabled) {
    const rows: DatedRow[] = []
    try {
      const report = await parseFeed(feed, localDocuments(feed.address, options.from), (row, list) => {
        noteRow(list, row.lastSeenMs ?? row.firstSeenMs, options.nowMs)
        const currentMs = listMs(feed, list, options.nowMs) ?? options.nowMs
        rows.push(...dateRow(feed, row, options.nowMs, currentMs))
      })
      compiler.source(sourceOf(feed, newestMs(feed, report.lists, options.nowMs)))
      for (const row of rows) compileRow(compiler, feed.id, row)
      feeds.push({ id: feed.id, rows: report.rows, junk: report.junk, samples: report.samples })
    } catch (error) {
      feeds.push({ id: feed.id, rows: 0, junk: {}, samples: [], error: (error as Error).message })
    }
  }
  return { ...compiler.writeTo(options.file), feeds }
}

/** The date of the newest list of a feed, by the list itself or its newest row; the day of the evaluation if none has one. */
function newestMs(feed: Feed, lists: readonly ListDate[], nowMs: number): number {
  const dates = lists.flatMap((list) => listMs(feed, list, nowMs) ?? list.newestRowMs ?? [])
  return dates.length === 0 ? nowMs : Math.min(nowMs, Math.max(...dates))
}
