/**
 * Anchors: once a day the heads of all changed chains are stored and signed with a key derived from the server's
 * secret. An attacker who can edit the database but does not know the secret cannot change anchored entries without
 * `assayd ledger verify` noticing.
 * 1. Anchors are numbered from 1 without a gap; each hash covers the hash of the previous anchor.
 * 2. An anchor's hash covers all of its rows, and its MAC is computed from the hash.
 * 3. Entries older than the hash chain are hashed once, when their organisation is first anchored.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SealedColumn } from '../../db/reseal.ts'
import { runStatements } from '../../db/routine.ts'
import type { Sql, SqlQueries } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, named, orNull, text } from '../../db/table.ts'
import { type AuditHead, auditHeads, hashOlderAudit } from '../../identity/audit-chain.ts'
import type { Clock } from '../../lib/clock.ts'
import { link } from '../../lib/hash-chain.ts'
import type { Ring } from '../../lib/seal.ts'
import { readEntries } from './accounts.ts'
import { type Account, accounts as accountTable, hashedFields } from './ledger.ts'

const PURPOSE = 'anchor'
export type AnchorRing = Pick<Ring, 'mac' | 'isMac' | 'know'>

export async function isSigned(ring: AnchorRing, { hash, mac }: Pick<Anchor, 'hash' | 'mac'>): Promise<boolean> {
  await ring.know(mac)
  return ring.isMac(PURPOSE, hash, mac)
}

/** Signed again when the keys are rotated. */
export const SIGNED_ANCHORS: SealedColumn = {
  about: 'anchors of the ledger',
  table: 'anchor',
  key: ['number'],
  column: 'mac',
  reads: ['hash'],
  async reseal(row, ring) {
    const hash = String(row.hash)
    if (!(await isSigned(ring, { hash, mac: String(row.mac) }))) throw new Error('the anchor is not signed by us')
    return ring.mac(PURPOSE, hash)
  },
}

const anchorTable = defineTable({
  name: 'anchor',
  key: ['number'],
  columns: {
    number: integer(),
    madeAtMs: named('made_at', integer()),
    /** The number of organisation heads in this anchor, and a hash over them. */
    heads: integer(),
    headsHash: named('heads_hash', text()),
    hash: text(),
    mac: text(),
  },
})
export type Anchor = EntityOf<typeof anchorTable>

/** The hash covers all of them except itself, in this order: another order would give another hash. */
const HEAD_COLUMNS = {
  number: integer(),
  organisationId: named('organisation_id', text()),
  ledgerSeq: named('ledger_seq', integer()),
  ledgerHash: named('ledger_hash', orNull(text())),
  auditSeq: named('audit_seq', integer()),
  auditHash: named('audit_hash', orNull(text())),
  /** In the organisation's first anchor: the number of entries without a hash, and a hash over them. */
  olderLedgerCount: named('older_ledger_count', orNull(integer())),
  olderLedgerHash: named('older_ledger_hash', orNull(text())),
  olderAuditCount: named('older_audit_count', orNull(integer())),
  olderAuditHash: named('older_audit_hash', orNull(text())),
  hash: text(),
}
const headTable = defineTable({ name: 'anchor_head', key: ['number', 'organisationId'], columns: HEAD_COLUMNS })
export type AnchorHead = EntityOf<typeof headTable>

const HASHED = Object.keys(HEAD_COLUMNS).filter((name) => name !== 'hash') as (keyof Omit<AnchorHead, 'hash'>)[]

export function hashOfHead(head: Omit<AnchorHead, 'hash'>): string {
  return link(
    '',
    HASHED.map((field) => head[field]),
  )
}

/** Sorted here, because databases differ in how they sort text. */
export const hashOfHeads = (hashes: readonly string[]): string => link('', [...hashes].sort())

export function hashOfAnchor(previousHash: string, anchor: Omit<Anchor, 'hash' | 'mac'>): string {
  return link(previousHash, [anchor.number, anchor.madeAtMs, anchor.heads, anchor.headsHash])
}

export interface AnchorDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly ring: AnchorRing
}

/**
 * Makes the next anchor; undefined when the signal says to stop. Only the holder of the job's lock may call this.
 * SQLite reads in the thread that serves requests, so every page is followed by a turn for waiting requests.
 */
export async function makeAnchor({ sql, clock, ring }: AnchorDependencies, signal?: AbortSignal) {
  const last = await lastAnchor(sql)
  const number = (last?.number ?? 0) + 1
  const heads: AnchorHead[] = []
  try {
    for await (const organisationIds of chainHolders(sql)) {
      for (const head of await headsThatMoved(sql, number, organisationIds, signal)) heads.push(head)
      await nextTurn(undefined, { signal })
    }
  } catch (error) {
    if (signal?.aborted) return undefined
    throw error
  }
  const headsHash = hashOfHeads(heads.map((head) => head.hash))
  const unsigned = { number, madeAtMs: clock.now(), heads: heads.length, headsHash }
  const hash = hashOfAnchor(last?.hash ?? '', unsigned)
  const anchor = { ...unsigned, hash, mac: ring.mac(PURPOSE, hash) }
  await sql.transaction((tx) =>
    runStatements(tx, [...anchorTable.toInsert(tx, [anchor]), ...headTable.toInsert(tx, heads)]),
  )
  return anchor
}

/** The last head of every organisation of a page, through the index on id: the rows of earlier days are not read. */
const LAST_HEADS = `with recursive holder (id) as (
    select cast($1 as text)
    union all
    select (select min(h.organisation_id) from anchor_head h where h.organisation_id > holder.id and h.organisation_id <= $2)
    from holder where holder.id is not null
  )
  select ${headTable.columns()} from holder cross join anchor_head where organisation_id = holder.id
  and number = (select max(h.number) from anchor_head h where h.organisation_id = holder.id and h.number <= $3)`

export async function readLastHeads(sql: SqlQueries, organisationIds: readonly string[], untilNumber: number) {
  const rows = await sql.query(LAST_HEADS, [...pageOf(organisationIds), untilNumber])
  return new Map(rows.map(headTable.fromRow).map((head) => [head.organisationId, head]))
}

/** The accounts and the heads of the audit log of a page of organisations, by organisation. */
export async function readHeads(sql: SqlQueries, organisationIds: readonly string[]) {
  const page = pageOf(organisationIds)
  const [accounts, audits] = await Promise.all([
    accountTable.where(sql, WITHIN_PAGE, page),
    auditHeads.where(sql, WITHIN_PAGE, page),
  ])
  return {
    accounts: new Map(accounts.map((account) => [account.organisationId, account])),
    audits: new Map(audits.map((head) => [head.organisation_id, head])),
  }
}

async function headsThatMoved(
  sql: SqlQueries,
  number: number,
  organisationIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<AnchorHead[]> {
  const [{ accounts, audits }, anchored] = await Promise.all([
    readHeads(sql, organisationIds),
    readLastHeads(sql, organisationIds, number),
  ])
  const moved: AnchorHead[] = []
  for (const organisationId of organisationIds) {
    const now = positionOf(accounts.get(organisationId), audits.get(organisationId))
    const before = anchored.get(organisationId)
    if (before && isAt(before, now)) continue
    const older = before ? NOTHING_OLDER : await olderEntries(sql, organisationId, now.ledgerSeq, signal)
    const head = { number, organisationId, ...now, ...older }
    moved.push({ ...head, hash: hashOfHead(head) })
  }
  return moved
}

export function positionOf(account: Account | undefined, audit: AuditHead | undefined) {
  const { entrySeq: ledgerSeq = 0, entryHash: ledgerHash = null } = account ?? {}
  const { seq: auditSeq = 0, hash: auditHash = null } = audit ?? {}
  return { ledgerSeq, ledgerHash, auditSeq, auditHash }
}

export function isAt(head: AnchorHead, now: ReturnType<typeof positionOf>): boolean {
  return (Object.keys(now) as (keyof typeof now)[]).every((field) => head[field] === now[field])
}

const NOTHING_OLDER = { olderLedgerCount: null, olderLedgerHash: null, olderAuditCount: null, olderAuditHash: null }

async function olderEntries(
  sql: SqlQueries,
  organisationId: string,
  ledgerSeq: number,
  signal: AbortSignal | undefined,
) {
  const { count: olderLedgerCount, hash: olderLedgerHash } = await hashOlder(sql, organisationId, ledgerSeq, signal)
  const { count: olderAuditCount, hash: olderAuditHash } = await hashOlderAudit(sql, organisationId, { signal })
  return { olderLedgerCount, olderLedgerHash, olderAuditCount, olderAuditHash }
}

const ENTRIES_PER_PAGE = 500

async function hashOlder(sql: SqlQueries, organisationId: string, lastSeq: number, signal: AbortSignal | undefined) {
  let count = 0
  let hash = ''
  while (count < lastSeq) {
    // Most organisations have none: the first entry shows it.
    const limit = Math.min(count === 0 ? 1 : ENTRIES_PER_PAGE, lastSeq - count)
    const page = await readEntries(sql, { organisationId, afterSeq: count, limit })
    for (const entry of page) {
      if (entry.hash !== null) return { count, hash }
      hash = link(hash, hashedFields(entry))
      count++
    }
    if (page.length < limit) break
    await nextTurn(undefined, { signal })
  }
  return { count, hash }
}

const HOLDERS_PER_PAGE = 500
const HOLDING_TABLES = ['billing_account', 'audit_chain', 'anchor_head']

/**
 * Each table returns at most its own page, and is asked for one id after the other: an id may have thousands of rows.
 */
const nextHolders = (table: string) =>
  `select id from (
     with recursive holder (id, place) as (
       select (select min(organisation_id) from ${table} where organisation_id > $1), 1
       union all
       select (select min(organisation_id) from ${table} where organisation_id > holder.id), place + 1
       from holder where id is not null and place < ${HOLDERS_PER_PAGE}
     )
     select id from holder where id is not null
   ) as ${table}_page`

/**
 * Ids of all organisations that have a chain, or had one when anchored, page by page; the empty id is the operator's.
 */
export async function* chainHolders(sql: SqlQueries): AsyncGenerator<string[]> {
  yield ['']
  for (let afterId = ''; ; ) {
    const rows = await sql.query<{ id: string }>(
      `${HOLDING_TABLES.map(nextHolders).join(' union ')} order by id limit ${HOLDERS_PER_PAGE}`,
      [afterId],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ id }) => id)
    afterId = last.id
  }
}

/** The rows of a page of organisations, which are adjacent in the index; the values are those of pageOf. */
const WITHIN_PAGE = 'organisation_id between $1 and $2'

function pageOf(organisationIds: readonly string[]): [first: string, last: string] {
  return [organisationIds[0] ?? '', organisationIds.at(-1) ?? '']
}

export async function lastAnchor(sql: SqlQueries): Promise<Anchor | undefined> {
  return (await anchorTable.list(sql, {}, { order: 'number desc', limit: 1 }))[0]
}

export function readAnchors(sql: SqlQueries, afterNumber: number, limit: number): Promise<Anchor[]> {
  return anchorTable.where(sql, 'number > $1 order by number limit $2', [afterNumber, limit])
}

export async function* readAnchorHeads(sql: SqlQueries, number: number): AsyncGenerator<AnchorHead[]> {
  for (let afterId: string | undefined; ; ) {
    const [after, params] = afterId === undefined ? ['', [number]] : ['and organisation_id > $2', [number, afterId]]
    const clause = `number = $1 ${after} order by organisation_id limit ${HOLDERS_PER_PAGE}`
    const page: AnchorHead[] = await headTable.where(sql, clause, params)
    if (page.length > 0) yield page
    if (page.length < HOLDERS_PER_PAGE) return
    afterId = page.at(-1)?.organisationId
  }
}

export function readHeadsOf(sql: SqlQueries, organisationId: string, fromNumber: number): Promise<AnchorHead[]> {
  return headTable.where(sql, 'organisation_id = $1 and number >= $2 order by number', [organisationId, fromNumber])
}
