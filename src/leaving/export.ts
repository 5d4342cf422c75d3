/**
 * An archive of everything of an organisation or a person: a gzipped tar of one file of JSON lines for each kind, and at the
 * end `manifest.json` with the rows, bytes and SHA-256 of each file. An archive without a manifest is incomplete.
 *
 *  1. It is made in parts of some megabytes, each a whole gzip stream: a thread makes one part, the serving thread sends it,
 *     and then the organisation waits for its next turn (src/documents).
 *  2. An export contains no credential: no digest of a key or password, no secret, no sealed text.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { readMigrations } from '../db/migrate.ts'
import { shapesOf } from '../db/shape.ts'
import type { SqlQueries, SqlValue } from '../db/sql.ts'
import type { Maker } from '../documents/maker.ts'
import { iso } from '../lib/clock.ts'
import { KIND_NAMES } from '../lib/kinds.ts'
import { TAR_END, tarFile } from '../lib/tar.ts'
import { fullCheckView, openAllNamed } from '../record/check-log.ts'
import { listChecks } from '../record/checks.ts'
import { VERSION } from '../version.ts'
import { EXPORTS, type ExportKind, type Rows } from './tables.ts'

export interface ExportOf {
  readonly kind: ExportKind
  readonly id: string
  /** The keys that open kept checks (record/sealed.ts). */
  readonly keys: readonly string[]
  readonly nowMs: number
}

interface PartInput extends ExportOf {
  readonly at: ExportPosition
}

/** The file to go on with, its number if it is in several parts, and the key of the last row. */
interface ExportPosition {
  readonly source: number
  readonly part: number
  readonly after: readonly SqlValue[] | undefined
}

interface ExportedFile {
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

interface PartHead {
  readonly files: readonly ExportedFile[]
  readonly next: ExportPosition | undefined
}

const PART_BYTES = 4 * 1024 * 1024
const ROWS_AT_ONCE = 500
/** Checks are opened one by one. */
const CHECKS_AT_ONCE = 100

/** Rule 2: columns that no export has. */
export const SECRET_COLUMN = /digest|sealed|secret|password|payload|_key$/

type Page = { readonly lines: readonly string[]; readonly next: readonly SqlValue[] | undefined }
type Source = readonly [
  file: string,
  read: (sql: SqlQueries, of: ExportOf, after: readonly SqlValue[] | undefined) => Promise<Page>,
]

const sourcesOf = (kind: ExportKind): readonly Source[] => [
  ...EXPORTS[kind].flatMap((rows): Source[] =>
    rows.file ? [[rows.file, (sql, { id }, after) => readRows(sql, rows, id, after)]] : [],
  ),
  ...(kind === 'organisation' ? [['checks', readChecks] as const] : []),
]

async function readRows(
  sql: SqlQueries,
  { table, key, where = 'organisation_id = $1', exported = '1 = 1', joined }: Rows,
  id: string,
  after: readonly SqlValue[] | undefined,
): Promise<Page> {
  const keys = key.split(', ')
  // Rows of some tables are identified by a digest: it marks the start of the next page, and is in no file.
  const wanted = columnsOf(table).filter((name) => !SECRET_COLUMN.test(name) || keys.includes(name))
  const marks = keys.map((_, i) => `$${i + 2}`).join(', ')
  const rows = await sql.query<Record<string, SqlValue>>(
    `select ${[...wanted, ...(joined ? [joined] : [])].join(', ')} from ${table} where ${where} and ${exported}
     ${after ? `and (${key}) > (${marks})` : ''} order by ${key} limit ${ROWS_AT_ONCE}`,
    [id, ...(after ?? [])],
  )
  const last = rows.at(-1)
  return {
    lines: rows.map((row) => JSON.stringify(viewOf(row))),
    next: last && rows.length === ROWS_AT_ONCE ? keys.map((name) => last[name] ?? null) : undefined,
  }
}

let columns: ReadonlyMap<string, readonly string[]> | undefined
function columnsOf(table: string): readonly string[] {
  columns ??= new Map(shapesOf(readMigrations()).map((shape) => [shape.name, shape.columns.map(({ name }) => name)]))
  return columns.get(table) ?? []
}

const TIME_COLUMN = /_(at|until|from|since)$/

/** Times as text, without digests, and the bank accounts of a counterparty without theirs. */
function viewOf(row: Record<string, SqlValue>): Record<string, unknown> {
  const fields = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (SECRET_COLUMN.test(name)) return []
    if (TIME_COLUMN.test(name) && typeof value === 'number') return [[name, iso(value)]]
    if (name === 'accounts') return [[name, (JSON.parse(String(value)) as { digest: string }[]).map(withoutDigest)]]
    return [[name, value]]
  })
  return Object.fromEntries(fields) as Record<string, unknown>
}

const withoutDigest = ({ digest: _, ...account }: { readonly digest: string }) => account

async function readChecks(sql: SqlQueries, { id, keys }: ExportOf, after: readonly SqlValue[] | undefined) {
  const reader = { organisationId: id, everybody: true, credentialId: '', personId: null, kinds: KIND_NAMES }
  const from = after === undefined ? undefined : String(after[0])
  const { rows, next } = await listChecks(sql, reader, {}, { from, limit: CHECKS_AT_ONCE })
  const checks = await openAllNamed(sql, keys, rows)
  return {
    lines: checks.map((check) => JSON.stringify(fullCheckView(check))),
    next: next === undefined ? undefined : [next],
  }
}

/** Rule 1. */
export const exportPart: Maker<PartInput, PartHead> = {
  module: import.meta.url,
  name: 'exportPart',
  async make(sql, { at, ...of }) {
    const sources = sourcesOf(of.kind)
    const members: Buffer[] = []
    const files: ExportedFile[] = []
    let bytes = 0
    let next: ExportPosition | undefined = at
    while (next && bytes < PART_BYTES) {
      const { source, part }: ExportPosition = next
      const [file, read] = sources[source]!
      const lines: string[] = []
      let after: readonly SqlValue[] | undefined = next.after
      let length = 0
      do {
        const page = await read(sql, of, after)
        lines.push(...page.lines)
        length += page.lines.reduce((sum, line) => sum + line.length, 0)
        after = page.next
      } while (after && length < PART_BYTES)
      const content = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const name = part === 1 ? `${file}.jsonl` : `${file}.${part}.jsonl`
      files.push({ name, rows: lines.length, bytes: content.length, sha256: sha256(content) })
      members.push(tarFile(name, content, of.nowMs))
      bytes += content.length
      if (after) next = { source, part: part + 1, after }
      else next = source + 1 < sources.length ? { source: source + 1, part: 1, after: undefined } : undefined
    }
    return { head: { files, next }, bytes: new Uint8Array(gzipSync(Buffer.concat(members))) }
  },
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The archive, part by part. `make` makes a part, in turn. */
export async function* exportOf(
  of: ExportOf,
  make: (input: PartInput) => Promise<{ readonly head: PartHead; readonly bytes: Uint8Array<ArrayBuffer> }>,
): AsyncGenerator<Buffer> {
  const files: ExportedFile[] = []
  let at: ExportPosition | undefined = { source: 0, part: 1, after: undefined }
  while (at) {
    const { head, bytes } = await make({ ...of, at })
    files.push(...head.files)
    at = head.next
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  const { kind, id, nowMs } = of
  const about = { kind, id, made_at: iso(nowMs), made_by: `Assay ${VERSION}`, files }
  const manifest = tarFile('manifest.json', Buffer.from(`${JSON.stringify(about, null, 2)}\n`), nowMs)
  yield gzipSync(Buffer.concat([manifest, TAR_END]))
}

export const exportName = ({ kind, id, nowMs }: ExportOf) => `${kind}-${id}-${iso(nowMs).slice(0, 10)}.tar.gz`
