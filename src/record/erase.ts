/**
 * Erasing checks on record, and ending them after their days.
 *
 *  1. Rows go in short transactions, because others write meanwhile. Every row goes with its digest, its text and the answer
 *     that is stored for a retry of its request.
 *  2. The ledger stays: it holds numbers and no indicator.
 *  3. Entries of own lists that feedback about the erased checks made go with the checks of a person and with all. Those that
 *     name an erased indicator are rules of their own: they are counted, and go if that is asked for.
 */
import type { Actor } from '../access/actor.ts'
import { requireProof, requireWriter } from '../access/rights.ts'
import { placeOfText, readText, textOf } from '../db/kept-checks.ts'
import { paddedList } from '../db/multi-row.ts'
import { changeIn, type Sql, type SqlQueries, type SqlTransaction, type Tx } from '../db/sql.ts'
import { audit } from '../identity/audit.ts'
import { requireOrganisation } from '../identity/organisation/organisations.ts'
import { type Clock, DAY_MS } from '../lib/clock.ts'
import { startOfTime } from '../lib/ids.ts'
import type { Ring } from '../lib/seal.ts'
import { countEntriesOf, eraseEntries } from '../own/lists/entries.ts'
import { announceOwnChange } from '../own/version.ts'
import { type Indicator, indicatorText } from '../risk/indicator.ts'
import { indexDigests } from './follow-up.ts'
import { digestOfIndicator } from './indicator.ts'
import { makeRecordsOf } from './lists.ts'
import { findIndicatorDigest, lockDigests, sealOfChecks } from './sealed.ts'

export type ToErase =
  | { readonly by: 'indicator'; readonly indicator: Indicator; readonly ownLists?: boolean | undefined }
  | { readonly by: 'person'; readonly person: string }
  | { readonly by: 'all' }

interface KeptRows {
  readonly sql: Sql
  readonly ring: Ring
}

export interface EraseDependencies extends KeptRows {
  readonly clock: Clock
}

const ROWS_AT_ONCE = 500

interface Gone {
  readonly id: string
  readonly digest: string
  readonly repeat_key: string | null
  readonly text_id: string
  readonly text_place: number
}

export interface Erased {
  readonly erased: number
  /** Rule 3: entries that still name the indicator, and those that were removed. */
  readonly own_list_entries: number
  readonly own_list_entries_erased: number
}

export async function eraseChecks(deps: EraseDependencies, actor: Actor, what: ToErase): Promise<Erased> {
  const { sql, clock } = deps
  const { organisationId } = actor
  requireWriter(actor)
  requireProof(actor)
  await requireOrganisation(sql, organisationId)
  // A check to erase may still be in a list, or wait for its digest.
  await makeRecordsOf(deps, organisationId)
  await indexDigests(sql, organisationId)
  const found = await conditionOf(deps, organisationId, what)
  const gone = found ? await eraseFound(deps, organisationId, found) : { erased: 0, entries: 0 }
  const named = what.by === 'indicator' ? indicatorText(what.indicator) : ''
  const erased = await changeIn(sql, clock, async (tx): Promise<Erased> => {
    const removed = await eraseOthers(tx, organisationId, what, named)
    // Answers to checks that were not kept are stored for a day, too.
    if (what.by === 'all') await tx.query('delete from stored_response where organisation_id = $1', [organisationId])
    // Without the indicator: it would be on record again.
    const person = what.by === 'person' ? { person: what.person } : {}
    const entries = gone.entries + removed
    const also = entries === 0 ? {} : { own_list_entries: entries }
    await audit(tx, actor, 'check.erase', null, { by: what.by, ...person, erased: gone.erased, ...also })
    const left = await countEntriesOf(tx, organisationId, named)
    return { erased: gone.erased, own_list_entries: left, own_list_entries_erased: entries }
  })
  if (erased.own_list_entries_erased > 0) await announceOwnChange(sql, organisationId)
  await sql.dropTraces()
  return erased
}

/** Rule 3, for entries whose check is not known any more. */
async function eraseOthers(tx: Tx, organisationId: string, what: ToErase, named: string): Promise<number> {
  if (what.by === 'all') return eraseEntries(tx, 'check_id is not null', [organisationId])
  return what.by === 'indicator' && what.ownLists ? eraseEntries(tx, 'indicator = $2', [organisationId, named]) : 0
}

/** Selects checks, after `$1`, the organisation. */
interface Condition {
  /** Rule 3. */
  readonly withEntries?: boolean
  readonly from: string
  readonly condition: string
  readonly params: readonly string[]
}

/** Undefined if there can be none. */
async function conditionOf({ sql, ring }: EraseDependencies, organisationId: string, what: ToErase) {
  if (what.by === 'all') return { from: 'kept_check k', condition: '1 = 1', params: [] }
  if (what.by === 'person')
    return { from: 'kept_check k', condition: 'k.person_id = $2', params: [what.person], withEntries: true }
  const digest = await findIndicatorDigest(sql, ring, organisationId)
  return (
    digest && {
      from: 'kept_digest d join kept_check k on k.organisation_id = d.organisation_id and k.id = d.id',
      condition: 'd.organisation_id = $1 and d.digest = $2',
      params: [digestOfIndicator(digest, what.indicator)],
    }
  )
}

async function eraseFound({ sql, ring }: KeptRows, organisationId: string, found: Condition) {
  for (let [erased, entries] = [0, 0]; ; ) {
    const gone = await sql.transaction((tx) => eraseSome(tx, ring, organisationId, found))
    erased += gone.erased
    entries += gone.entries
    if (gone.erased < ROWS_AT_ONCE) return { erased, entries }
  }
}

async function eraseSome(
  tx: SqlTransaction,
  ring: Ring,
  organisationId: string,
  { from, condition, params, withEntries }: Condition,
): Promise<{ readonly erased: number; readonly entries: number }> {
  await lockDigests(tx, organisationId)
  const gone = await tx.query<Gone>(
    `select k.id, k.digest, k.repeat_key, k.text_id, k.text_place from ${from}
     where k.organisation_id = $1 and ${condition} limit ${ROWS_AT_ONCE}`,
    [organisationId, ...params],
  )
  for (const [textId, places] of Map.groupBy(gone, (row) => row.text_id)) {
    await blank(
      tx,
      ring,
      { organisationId, textId },
      places.map(({ text_place }) => text_place),
    )
  }
  await deleteRows(tx, organisationId, gone)
  if (!withEntries || gone.length === 0) return { erased: gone.length, entries: 0 }
  const { marks, values } = paddedList(
    gone.map(({ id }) => id),
    2,
  )
  return { erased: gone.length, entries: await eraseEntries(tx, `check_id in (${marks})`, [organisationId, ...values]) }
}

/** Takes these checks out of a text that others share. A text that is empty then, or that no key opens, is deleted. */
async function blank(
  tx: SqlTransaction,
  ring: Ring,
  { organisationId, textId }: { readonly organisationId: string; readonly textId: string },
  places: readonly number[],
): Promise<void> {
  const key = [organisationId, textId]
  const ofKey = 'where organisation_id = $1 and id = $2'
  const [row] = await tx.query<{ sealed: string }>(`select sealed from kept_text ${ofKey}${tx.forUpdate}`, key)
  if (!row) return
  const place = placeOfText(organisationId, textId)
  const seal = sealOfChecks(ring)
  const checks = await seal.open(row.sealed, place).then(readText, () => [])
  for (const one of places) checks[one] = undefined
  if (checks.every((one) => one === undefined)) await tx.query(`delete from kept_text ${ofKey}`, key)
  else await tx.query(`update kept_text set sealed = $3 ${ofKey}`, [...key, seal.seal(textOf(checks), place)])
}

async function deleteRows(tx: SqlQueries, organisationId: string, gone: readonly Gone[]): Promise<void> {
  const remove = async (table: string, column: string, values: readonly string[]) => {
    if (values.length === 0) return
    const { marks, values: padded } = paddedList(values, 2)
    const text = `delete from ${table} where organisation_id = $1 and ${column} in (${marks})`
    await tx.query(text, [organisationId, ...padded])
  }
  const pairs = new Set(gone.map(({ digest }) => digest))
  const ids = gone.map(({ id }) => id)
  if (ids.length > 0) {
    const digests = paddedList([...pairs], 2)
    const { marks, values } = paddedList(ids, 2 + digests.values.length)
    const ofDigests = `digest in (${digests.marks}) and id in (${marks})`
    await tx.query(`delete from kept_digest where organisation_id = $1 and ${ofDigests}`, [
      organisationId,
      ...digests.values,
      ...values,
    ])
  }
  const keys = gone.flatMap(({ repeat_key }) => repeat_key ?? [])
  await remove('stored_response', 'key', [...new Set(keys)])
  await remove('waiting_review', 'id', ids)
  await remove('kept_check', 'id', ids)
}

/** Deletes the checks whose days are over; returns how many. */
export async function purgeChecks(deps: KeptRows, nowMs: number): Promise<number> {
  let deleted = 0
  for (let after = ''; ; ) {
    const organisations = await deps.sql.query<{ id: string; days: number }>(
      `select o.id, o.history_days as days from history_key k join organisation o on o.id = k.organisation_id
       where k.organisation_id > $1 order by k.organisation_id limit 100`,
      [after],
    )
    for (const { id, days } of organisations) {
      const before = `chk_${startOfTime(nowMs - days * DAY_MS)}`
      const over = { from: 'kept_check k', condition: 'k.id < $2', params: [before] }
      deleted += (await eraseFound(deps, id, over)).erased
    }
    const last = organisations.at(-1)
    if (!last) return deleted
    after = last.id
  }
}
