/** The audit log as one hash chain per organisation: writing and reading of entries. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { rowsToInsert } from '../db/multi-row.ts'
import { runStatements, type Statement } from '../db/routine.ts'
import type { SqlQueries, SqlTransaction } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, text } from '../db/table.ts'
import { link } from '../lib/hash-chain.ts'

/** The columns of an entry, in the order of hashing. */
export const auditColumns = {
  id: text(),
  organisation_id: text(),
  created_at: integer(),
  actor_kind: text(),
  actor_id: text(),
  actor_name: orNull(text()),
  action: text(),
  target_id: orNull(text()),
  /** JSON. */
  detail: text(),
  ip: orNull(text()),
  request_id: orNull(text()),
}

const entries = defineTable({
  name: 'audit_entry',
  key: ['id'],
  // The number among the entries of the organisation, and the hash; null in entries from before there were any.
  // `erased_by` is the erasure that took its personal fields away (audit-erase.ts).
  columns: { ...auditColumns, seq: orNull(integer()), hash: orNull(text()), erased_by: orNull(text()) },
})
export type StoredAudit = EntityOf<typeof entries>
type Unnumbered = Omit<StoredAudit, 'seq' | 'hash' | 'erased_by'>

export const auditHeads = defineTable({
  name: 'audit_chain',
  key: ['organisation_id'],
  columns: { organisation_id: text(), seq: integer(), hash: orNull(text()) },
})
export type AuditHead = EntityOf<typeof auditHeads>

const HASHED = Object.keys(auditColumns) as (keyof Unnumbered)[]

/** All fields except the hash, in the order of hashing. Changing the order would change the hash. */
export function hashedAuditFields(entry: Unnumbered, seq: number | null): (string | number | null)[] {
  return [seq, ...HASHED.map((field) => entry[field])]
}

/** Numbers, hashes and writes entries. Runs last in the transaction: see Tx.lastly. */
export async function writeAudit(tx: SqlTransaction, added: readonly Unnumbered[]): Promise<void> {
  const organisationIds = [...new Set(added.map((entry) => entry.organisation_id))].sort()
  const heads = new Map((await lockHeads(tx, organisationIds)).map((head) => [head.organisation_id, head]))
  const chained = added.map((entry): StoredAudit => {
    const { organisation_id } = entry
    const last = heads.get(organisation_id)
    const seq = (last?.seq ?? 0) + 1
    const hash = link(last?.hash ?? '', hashedAuditFields(entry, seq))
    heads.set(organisation_id, { organisation_id, seq, hash })
    return { ...entry, seq, hash, erased_by: null }
  })
  await runStatements(tx, [...entries.toInsert(tx, chained), ...auditHeads.toUpsert(tx, [...heads.values()])])
}

/** Locks the heads in id order and creates missing ones. */
async function lockHeads(tx: SqlTransaction, organisationIds: readonly string[]): Promise<AuditHead[]> {
  const statements: Statement[] = rowsToInsert(tx, {
    table: 'audit_chain',
    columns: [
      { name: 'organisation_id', type: 'text', of: (id: string) => id },
      { name: 'seq', type: 'bigint', of: () => 0 },
    ],
    rows: organisationIds,
    onConflict:
      'on conflict (organisation_id) do update set seq = audit_chain.seq returning organisation_id, seq, hash',
  })
  const rows = await Promise.all(statements.map(({ text, params }) => tx.query(text, params)))
  return rows.flat().map(auditHeads.fromRow)
}

/** Numbered entries of one organisation after `afterSeq`, oldest first. */
export function readAuditChain(
  sql: SqlQueries,
  { organisationId, afterSeq, limit }: { organisationId: string; afterSeq: number; limit: number },
): Promise<StoredAudit[]> {
  return entries.where(sql, 'organisation_id = $1 and seq > $2 order by seq limit $3', [
    organisationId,
    afterSeq,
    limit,
  ])
}

/** The entries of one erasure between these numbers. */
export const readErasedAudit = (
  sql: SqlQueries,
  of: { organisationId: string; afterSeq: number; last: number; erasureId: string },
): Promise<StoredAudit[]> =>
  entries.where(sql, 'organisation_id = $1 and seq > $2 and seq <= $3 and erased_by = $4 order by seq', [
    of.organisationId,
    of.afterSeq,
    of.last,
    of.erasureId,
  ])

const OLDER_PER_PAGE = 500

/** Entries without a number, in an order that every database has, each with the hash over all up to it. */
export async function* olderAudit(sql: SqlQueries, organisationId: string) {
  const id = sql.engine === 'postgres' ? 'id collate "C"' : 'id collate binary'
  let hash = ''
  let after = { createdAtMs: Number.MIN_SAFE_INTEGER, id: '' }
  for (;;) {
    const rows = await entries.where(
      sql,
      `organisation_id = $1 and seq is null and created_at >= $2
       and (created_at > $2 or ${id} > $3) order by created_at, ${id} limit ${OLDER_PER_PAGE}`,
      [organisationId, after.createdAtMs, after.id],
    )
    const page = rows.map((entry) => {
      hash = (entry.erased_by && entry.hash) ?? link(hash, hashedAuditFields(entry, null))
      after = { createdAtMs: entry.created_at, id: entry.id }
      return { entry, hash }
    })
    yield page
    if (rows.length < OLDER_PER_PAGE) return
  }
}

/**
 * How many entries have no number, and a hash over them. After every page other work of this thread gets a turn; throws
 * there when the signal says to stop.
 */
export async function hashOlderAudit(
  sql: SqlQueries,
  organisationId: string,
  { signal, see }: { readonly signal?: AbortSignal | undefined; readonly see?: (entry: StoredAudit) => unknown } = {},
) {
  let count = 0
  let hash = ''
  for await (const page of olderAudit(sql, organisationId)) {
    for (const { entry } of page) see?.(entry)
    count += page.length
    hash = page.at(-1)?.hash ?? hash
    await nextTurn(undefined, { signal })
  }
  return { count, hash }
}
