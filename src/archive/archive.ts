/**
 * Archiving months of the ledger (billing/ledger/archives.ts says what stays in the database).
 *
 *  1. The file is written, synced, named, and read back before anything is removed. Then one transaction records the archive.
 *     From then on nobody counts its charges as entries. Their rows are removed afterwards in short steps.
 *  2. A run that was killed is repeated: a file without a record is made again, with the same lines and the same name; a
 *     record whose rows were not all removed is continued first.
 *  3. Only entries that an anchor holds, with the hashes of the anchors, are archived.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { JSONWebKeySet } from 'jose'
import { operatorIn } from '../access/actor.ts'
import { readEntries } from '../billing/ledger/accounts.ts'
import { chainHolders, hashOfHeads, readHeads, readHeadsOf } from '../billing/ledger/anchors.ts'
import {
  type Archive,
  type ArchivedCharge,
  type ArchiveHead,
  addCharge,
  archivedCharges,
  archivedSeq,
  archiveHeads,
  archives,
  hashOfArchive,
  hashOfArchiveHead,
  hashStays,
  lastArchive,
  macOf,
  removeCharges,
  stays,
} from '../billing/ledger/archives.ts'
import { lastSeqThrough } from '../billing/ledger/books.ts'
import { type Account, entries } from '../billing/ledger/ledger.ts'
import { headsOf } from '../billing/ledger/verify-archives.ts'
import { nextPeriod, periodEndMs, previousPeriod } from '../billing/period.ts'
import { rollUpUsage } from '../billing/usage/usage.ts'
import { newestMigration } from '../db/migrate.ts'
import { deleteInSteps, PURGE_BATCH } from '../db/purge.ts'
import { runStatements } from '../db/routine.ts'
import { changeIn, type Sql } from '../db/sql.ts'
import { audit } from '../identity/audit.ts'
import { type Job, jobLock } from '../jobs/runner.ts'
import { type Clock, HOUR_MS, MINUTE_MS, periodOf } from '../lib/clock.ts'
import type { Ring } from '../lib/seal.ts'
import { beginWholeFile, giveFreeName } from '../lib/whole-file.ts'
import { publishedReceiptKeys, receiptSigner } from '../record/receipt-keys.ts'
import { VERSION } from '../version.ts'
import {
  ArchiveRefused,
  entryLine,
  headingLine,
  LineDigest,
  manifestLine,
  openingLine,
  type VerifiedArchive,
  verifyArchiveFiles,
} from './archive-file.ts'

export interface ArchiveDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly ring: Ring
  readonly baseUrl: string
  /** The folder of the files. */
  readonly folder: string
  /** Whole months that stay in the database, besides the current one. */
  readonly keptMonths: number
  readonly onArchived?: (archive: Pick<Archive, 'number' | 'month' | 'entries' | 'file'>) => void
}

const NAME = 'archive'
/** About 15 ms of work: a job shares its thread with requests. */
const ENTRIES_PER_PAGE = 500
/** Refunds that are owed find their charge, and invoices of the last month their overage. */
export const KEPT_MONTHS_MIN = 2

export function createArchiveJob(deps: ArchiveDependencies): Job {
  return { name: NAME, periodMs: HOUR_MS, run: async (signal) => void (await archiveDue(deps, signal)) }
}

/** Archives what is due now; undefined while a server does so. */
export const archiveNow = (deps: ArchiveDependencies): Promise<Archive[] | undefined> =>
  deps.sql.tryLock(jobLock(NAME), () => archiveDue(deps))

/** Archives every month that is due, oldest first. Only the holder of the job's lock may call this. */
export async function archiveDue(deps: ArchiveDependencies, signal?: AbortSignal): Promise<Archive[]> {
  const { sql } = deps
  const made: Archive[] = []
  const last = await lastArchive(sql)
  if (last?.removedAtMs === null) await removeRows(deps, last, signal)
  for (const { month } of await planArchives(deps, signal)) {
    await refuseBesideOthers(deps)
    const archive = await archiveMonth(deps, month, signal)
    if (!archive) continue
    const { number, entries: count, file } = archive
    deps.onArchived?.({ number, month, entries: count, file })
    made.push(await removeRows(deps, archive, signal))
  }
  return made
}

/** The months that are due, with the number of their entries. Reads a few rows for each organisation. */
export async function planArchives(
  { sql, clock, keptMonths }: Pick<ArchiveDependencies, 'sql' | 'clock' | 'keptMonths'>,
  signal?: AbortSignal,
): Promise<{ month: string; entries: number }[]> {
  let lastMonth = previousPeriod(periodOf(clock.now()))
  for (let i = 0; i < Math.max(keptMonths, KEPT_MONTHS_MIN); i++) lastMonth = previousPeriod(lastMonth)
  const before = (await lastArchive(sql))?.month
  if (before !== undefined && before >= lastMonth) return []
  const planned = new Map<string, number>()
  for await (const accounts of accountPages(sql, signal)) {
    for (const { organisationId, entrySeq, createdAtMs } of accounts) {
      let month = before === undefined ? periodOf(createdAtMs) : nextPeriod(before)
      if (month > lastMonth || entrySeq === 0) continue
      let afterSeq = await archivedSeq(sql, organisationId)
      for (; month <= lastMonth && afterSeq < entrySeq; month = nextPeriod(month)) {
        const seq = await lastSeqThrough(sql, organisationId, entrySeq, month)
        if (seq <= afterSeq) continue
        planned.set(month, (planned.get(month) ?? 0) + seq - afterSeq)
        afterSeq = seq
      }
    }
  }
  const months = [...planned].map(([month, count]) => ({ month, entries: count }))
  return months.sort((a, b) => (a.month < b.month ? -1 : 1))
}

async function* accountPages(sql: Sql, signal?: AbortSignal): AsyncGenerator<Account[]> {
  for await (const organisationIds of chainHolders(sql)) {
    const { accounts } = await readHeads(sql, organisationIds)
    yield organisationIds.flatMap((id) => accounts.get(id) ?? [])
    await nextTurn(undefined, { signal })
  }
}

/**
 * A node of an older program does not know archives: its statements and verifications would lack their entries. Two programs
 * may have one version, before a release: so their newest migrations are compared, too.
 */
async function refuseBesideOthers({ sql, clock }: ArchiveDependencies): Promise<void> {
  const running = 'select name, version, figures from node where seen_at > $1'
  const nodes = await sql.query<{ name: string; version: string; figures: string }>(running, [clock.now() - MINUTE_MS])
  const own = newestMigration()
  for (const { name, version, figures } of nodes) {
    const { migration = 'unknown' } = JSON.parse(figures) as { migration?: string }
    if (version === VERSION && migration === own) continue
    throw new ArchiveRefused(
      `The node ${name} runs Assay ${version} (newest migration: ${migration}), this is ${VERSION} (${own}). ` +
        'Archive when all nodes run the same program.',
    )
  }
}

interface Content {
  readonly heads: ArchiveHead[]
  readonly charges: ArchivedCharge[]
  entries: number
}

/** Rule 1; undefined if the month has nothing to archive. */
async function archiveMonth(
  deps: ArchiveDependencies,
  month: string,
  signal: AbortSignal | undefined,
): Promise<Archive | undefined> {
  const { sql, clock, ring, folder } = deps
  const before = await lastArchive(sql)
  const number = (before?.number ?? 0) + 1
  const content: Content = { heads: [], charges: [], entries: 0 }
  const digest = new LineDigest()
  const key = await receiptSigner(sql, ring, clock.now())
  async function* lines() {
    const hashed = (text: string) => {
      digest.add(text)
      return text
    }
    yield hashed(headingLine({ number, month, previous: before?.content ?? null }))
    for await (const text of monthLines(sql, { number, month }, content, signal)) yield hashed(text)
    const counts = { organisations: content.heads.length, entries: content.entries }
    yield await manifestLine(
      { ...deps, nowMs: clock.now(), key },
      { ...counts, lines: digest.lines, sha256: digest.hash.digest('hex') },
    )
  }
  const written = join(folder, `ledger-${month}.new`)
  clearLeftovers(folder)
  await writeFile(written, lines())
  if (content.heads.length === 0) {
    rmSync(written)
    return undefined
  }
  const keys = await publishedReceiptKeys(sql)
  const [verified] = await verifyArchiveFiles([written], keys)
  if (!verified) throw new Error('no file was verified')
  const file = `ledger-${month}-${verified.sha256.slice(0, 12)}.jsonl.gz`
  await nameFile(verified, join(folder, file), keys)
  for (const { organisationId } of content.heads) {
    await rollUpUsage(sql, organisationId)
    await rollUpUsage(sql, organisationId, { months: true })
  }
  const unsigned = {
    number,
    month,
    madeAtMs: clock.now(),
    file,
    bytes: statSync(join(folder, file)).size,
    entries: content.entries,
    content: verified.sha256,
    heads: content.heads.length,
    headsHash: hashOfHeads(content.heads.map(({ hash }) => hash)),
  }
  const hash = hashOfArchive(before?.hash ?? '', unsigned)
  const archive = { ...unsigned, hash, mac: macOf(ring, hash), removedAtMs: null }
  await changeIn(sql, clock, async (tx) => {
    await archives.insert(tx, archive)
    await runStatements(tx, [
      ...archiveHeads.toInsert(tx, content.heads),
      ...archivedCharges.toInsert(tx, content.charges),
    ])
    await audit(tx, operatorIn(''), 'ledger.archive', null, { number, month, file, entries: archive.entries })
  })
  return archive
}

async function* monthLines(
  sql: Sql,
  { number, month }: { readonly number: number; readonly month: string },
  content: Content,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  for await (const accounts of accountPages(sql, signal)) {
    for (const { organisationId, entrySeq } of accounts) {
      const afterSeq = await archivedSeq(sql, organisationId)
      const lastSeq = entrySeq > afterSeq ? await lastSeqThrough(sql, organisationId, entrySeq, month) : afterSeq
      const [last] =
        lastSeq > afterSeq ? await readEntries(sql, { organisationId, afterSeq: lastSeq - 1, limit: 1 }) : []
      // Entries older than the hash chain stay, until a month ends with a hash.
      if (!last || last.hash === null) continue
      const heads = await readHeadsOf(sql, organisationId, 0)
      if (!heads.some(({ ledgerSeq }) => ledgerSeq >= lastSeq)) {
        throw new ArchiveRefused(
          `Entry ${lastSeq} of ${organisationId} is in no anchor yet. First run: assayd ledger anchor`,
        )
      }
      const anchored = new Map(heads.map(({ ledgerSeq, ledgerHash: hash }) => [ledgerSeq, hash]))
      const part = { organisationId, afterSeq, lastSeq, ledgerHash: last.hash, number, anchored }
      yield* organisationLines(sql, part, content, signal)
    }
  }
}

async function* organisationLines(
  sql: Sql,
  part: Pick<ArchiveHead, 'organisationId' | 'afterSeq' | 'ledgerHash' | 'number'> & {
    readonly lastSeq: number
    readonly anchored: ReadonlyMap<number, string | null>
  },
  content: Content,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const { organisationId, afterSeq, lastSeq: seq, ledgerHash, number, anchored } = part
  const range = (fromSeq: number, toSeq: number) =>
    sql.query(
      `select ${entries.columns()} from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
      [organisationId, fromSeq, toSeq, ENTRIES_PER_PAGE],
    )
  const [before] = afterSeq === 0 ? [] : await range(afterSeq - 1, afterSeq)
  yield openingLine(organisationId, before)
  const sums = new Map<string, ArchivedCharge>()
  let staysHash = ''
  for (let doneSeq = afterSeq; doneSeq < seq; ) {
    const rows = await range(doneSeq, seq)
    if (rows.length === 0)
      throw new Error(`entry ${doneSeq + 1} of ${organisationId} is missing: run assayd ledger verify`)
    for (const entry of rows.map(entries.fromRow)) {
      if ((anchored.get(entry.seq) ?? entry.hash) !== entry.hash) {
        throw new ArchiveRefused(
          `Entry ${entry.seq} of ${organisationId} differs from its anchor: assayd ledger verify`,
        )
      }
      if (stays(entry, seq)) staysHash = hashStays(staysHash, entry)
      else addCharge(sums, seq, entry)
      doneSeq = entry.seq
    }
    content.entries += rows.length
    yield rows.map(entryLine).join('')
    await nextTurn(undefined, { signal })
  }
  const charges = [...sums.values()]
  const head = { organisationId, number, afterSeq, seq, ledgerHash, staysHash }
  content.heads.push({ ...head, hash: hashOfArchiveHead(head, charges) })
  content.charges.push(...charges)
}

async function writeFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const output = beginWholeFile(file, { mode: 0o600 })
  try {
    await pipeline(Readable.from(lines), createGzip(), async (packed: AsyncIterable<Uint8Array>) => {
      for await (const bytes of packed) output.put(bytes)
    })
    output.keep()
  } catch (error) {
    output.discard()
    throw error
  }
}

/** Rule 2: a file that has the name already is the same archive, if it is whole. */
async function nameFile(written: VerifiedArchive, name: string, keys: JSONWebKeySet): Promise<void> {
  try {
    giveFreeName(written.file, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const [there] = await verifyArchiveFiles([name], keys)
    if (there?.sha256 !== written.sha256) throw new ArchiveRefused(`${name} is another archive: move it away.`)
    rmSync(written.file)
  }
}

/** Files that a killed run left behind. */
function clearLeftovers(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) if (/^ledger-.*\.(new|partial)$/.test(name)) rmSync(join(folder, name))
}

/** Removes the charges of a recorded archive and the hours of their usage, in steps that let others write. */
async function removeRows(
  { sql, clock }: ArchiveDependencies,
  archive: Archive,
  signal: AbortSignal | undefined,
): Promise<Archive> {
  for await (const heads of headsOf(sql, archive.number)) {
    for (const head of heads) {
      for (let { afterSeq } = head; afterSeq < head.seq; afterSeq += PURGE_BATCH) {
        await removeCharges(sql, head, { afterSeq, rows: PURGE_BATCH })
        await nextTurn(undefined, { signal })
      }
      for (const [table, key] of HOURS) {
        await deleteInSteps(
          sql,
          `delete from ${table} where organisation_id = $1 and granularity = 'hour' and (${key}) in (select ${key} from ${table}
             where organisation_id = $1 and granularity = 'hour' and starts_at < $2 limit ${PURGE_BATCH}) returning 1 as one`,
          head.organisationId,
          periodEndMs(archive.month),
        )
      }
    }
  }
  return archives.update(sql, archive, { removedAtMs: clock.now() })
}

const HOURS = [
  ['usage_total', 'starts_at'],
  ['usage_rollup', 'starts_at, family, credential_id'],
] as const
