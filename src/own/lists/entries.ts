/**
 * Own lists: what an organisation allows, blocks or wants reviewed, before feeds and models have a say.
 *
 *  1. An indicator is on a list at most once.
 *  2. An entry works from the transaction that adds it until it expires, unless it is pending.
 *  3. If the organisation asks for it, an allow entry is pending until two people agree to it: its author and
 *     another signed-in member with `organisation:write`. A key, an application and the operator are nobody: an entry
 *     that one of them adds needs two people. A later expiry needs the second person again.
 */
import type { ACTOR_KINDS, Actor } from '../../access/actor.ts'
import { requireProof } from '../../access/rights.ts'
import { containsText, type SqlQueries, type SqlTransaction, type SqlValue, type Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, flag, integer, orNull, type Page, text } from '../../db/table.ts'
import { conflict, type FieldError, forbidden, invalidField, orNotFound, Problem } from '../../errors.ts'
import { actorName, audit } from '../../identity/audit.ts'
import { lockForWriter } from '../../identity/organisation/organisations.ts'
import { takeDailyShare } from '../../identity/people/throttle.ts'
import { isoOrNull } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Kind } from '../../lib/kinds.ts'
import { nameTextProblem } from '../../lib/name-text.ts'
import type { TimePosition } from '../../lib/time-position.ts'
import { LIMITS } from '../../limits.ts'
import type { OwnEntry } from '../../risk/own/knowledge.ts'
import { claimedDomains } from '../domains/domains.ts'
import { touch } from '../version.ts'
import { type Listed, type ListName, parseListed, type Warning, warningsOf } from './listed.ts'

const entries = defineTable({
  name: 'own_list_entry',
  key: ['id'],
  fixed: [
    'organisation_id',
    'list',
    'kind',
    'indicator',
    'author_kind',
    'author_id',
    'author_name',
    'check_id',
    'created_at',
  ],
  columns: {
    id: text(),
    organisation_id: text(),
    list: text<ListName>(),
    kind: text<Kind>(),
    indicator: text(),
    reason: orNull(text()),
    expires_at: orNull(integer()),
    pending: flag(),
    author_kind: text<(typeof ACTOR_KINDS)[number]>(),
    author_id: text(),
    author_name: orNull(text()),
    /** The first person who agreed to it: its author, or the first to approve an entry of a program. */
    proposed_by: orNull(text()),
    approved_by: orNull(text()),
    approved_name: orNull(text()),
    approved_at: orNull(integer()),
    created_at: integer(),
    updated_at: integer(),
    /** The check whose answer was called wrong; null for every other entry. */
    check_id: orNull(text()),
  },
})
export type Entry = EntityOf<typeof entries>

export const ENTRY_STATES = ['active', 'pending', 'expired'] as const
export type EntryState = (typeof ENTRY_STATES)[number]

export function entryState({ expires_at, pending }: Entry, nowMs: number): EntryState {
  if (expires_at !== null && expires_at <= nowMs) return 'expired'
  return pending ? 'pending' : 'active'
}

/** How many people still have to approve it. */
export const approvalsMissing = ({ pending, proposed_by }: Entry): number => (pending ? (proposed_by ? 1 : 2) : 0)

export interface NewEntry {
  readonly indicator: string
  readonly reason: string | null
  readonly expiresAtMs: number | null
  readonly checkId?: string
}

/** 409 if the list has it already. */
export async function addEntry(tx: Tx, actor: Actor, list: ListName, input: NewEntry) {
  const writing = await beginWriting(tx, actor, list)
  const listed = parseListed(input.indicator)
  if ('problem' in listed) throw invalidField('/indicator', listed.problem)
  requireValid(input, tx.nowMs)
  const { known, ...warned } = await lookAround(tx, actor.organisationId, list, [listed])
  const twin = known.get(listed.indicator)
  if (twin) throw conflict(`${twin.indicator} is on this list already. Change that entry.`)
  await requireRoom(tx, actor.organisationId, 1)
  await takeDailyShare(tx, actor, 'entries')
  const entry = await entries.insert(tx, newEntry(writing, listed, input))
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'own_list.add', entry.id, { ...shown(entry), pending: entry.pending })
  return { entry, warnings: warningsOf(list, listed, warned) }
}

export interface EntryPlace {
  readonly list: ListName
  readonly id: string
}

/** `isAsRead` throws if somebody changed the entry since the caller read it. */
export async function changeEntry(
  tx: Tx,
  actor: Actor,
  { list, id }: EntryPlace,
  wanted: { readonly reason?: string | null | undefined; readonly expiresAtMs?: number | null | undefined },
  isAsRead: (before: Entry) => void = () => {},
): Promise<Entry> {
  const writing = await beginWriting(tx, actor, list)
  const before = await requireEntry(tx, actor.organisationId, { list, id })
  isAsRead(before)
  const { reason = before.reason, expiresAtMs = before.expires_at } = wanted
  requireValid({ reason, expiresAtMs: wanted.expiresAtMs ?? null }, tx.nowMs)
  await takeDailyShare(tx, actor, 'entries')
  const after = await entries.update(tx, before, changed(writing, before, { reason, expiresAtMs }))
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'own_list.update', id, {
    from: shown(before),
    to: { ...shown(after), pending: after.pending },
  })
  return after
}

/** Rule 3. */
export async function approveEntry(tx: Tx, actor: Actor, place: EntryPlace): Promise<Entry> {
  const { nowMs } = await beginWriting(tx, actor, place.list)
  const before = await requireEntry(tx, actor.organisationId, place)
  if (actor.kind !== 'person') throw forbidden('Only a signed-in person may approve an entry.')
  requireProof(actor)
  if (entryState(before, nowMs) !== 'pending') {
    throw conflict(`The entry is ${entryState(before, nowMs)}: there is nothing to approve.`)
  }
  if (before.proposed_by === actor.id) {
    throw forbidden('You proposed or approved this entry already. Another person must approve it.')
  }
  const second = before.proposed_by !== null
  const after = await entries.update(tx, before, {
    ...(second
      ? { pending: false, approved_by: actor.id, approved_name: await actorName(tx, actor), approved_at: nowMs }
      : { proposed_by: actor.id }),
    updated_at: nowMs,
  })
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'own_list.approve', after.id, { ...shown(after), pending: after.pending })
  return after
}

export async function removeEntry(tx: Tx, actor: Actor, place: EntryPlace): Promise<void> {
  await beginWriting(tx, actor, place.list)
  const before = await requireEntry(tx, actor.organisationId, place)
  await entries.delete(tx, { id: before.id })
  await touch(tx, actor.organisationId)
  await audit(tx, actor, 'own_list.remove', before.id, shown(before))
}

/** All rows or none. An indicator that the list has already gets the reason and expiry of its row. */
export async function importEntries(tx: Tx, actor: Actor, list: ListName, rows: readonly NewEntry[]) {
  const { organisationId } = actor
  const listed = checkedRows(rows, tx.nowMs)
  const writing = await beginWriting(tx, actor, list)
  const { known, ...warned } = await lookAround(tx, organisationId, list, listed)
  const added: Entry[] = []
  const altered: Entry[] = []
  const warnings: (Warning & { row: number })[] = []
  for (const [row, one] of listed.entries()) {
    const input = rows[row] as NewEntry
    const before = known.get(one.indicator)
    if (!before) added.push(newEntry(writing, one, input))
    else if (before.reason !== input.reason || before.expires_at !== input.expiresAtMs) {
      altered.push({ ...before, ...changed(writing, before, input) })
    }
    if (warnings.length < LIMITS.requests.errorsNamedMax) {
      warnings.push(...warningsOf(list, one, warned).map((warning) => ({ row, ...warning })))
    }
  }
  await requireRoom(tx, organisationId, added.length)
  await takeDailyShare(tx, actor, 'entries')
  await entries.upsert(tx, [...added, ...altered])
  const pending = [...added, ...altered].filter((entry) => entry.pending).length
  const counts = {
    added: added.length,
    changed: altered.length,
    unchanged: rows.length - added.length - altered.length,
  }
  await touch(tx, organisationId)
  await audit(tx, actor, 'own_list.import', null, { list, ...counts, pending })
  return { ...counts, pending, warnings }
}

function checkedRows(rows: readonly NewEntry[], nowMs: number): Listed[] {
  const errors: FieldError[] = []
  const invalid = new Set<number>()
  const seen = new Set<string>()
  const listed = rows.map((input, row): Listed => {
    const wrong = (field: string, detail: string) => {
      invalid.add(row)
      errors.push({ pointer: `/entries/${row}/${field}`, code: 'invalid', detail })
    }
    for (const [field, detail] of problemsOf(input, nowMs)) wrong(field, detail)
    const one = parseListed(input.indicator)
    if ('problem' in one) {
      wrong('indicator', one.problem)
      return { kind: 'domain', indicator: '' }
    }
    if (seen.has(one.indicator)) wrong('indicator', 'An earlier entry has the same indicator.')
    seen.add(one.indicator)
    return one
  })
  if (errors.length === 0) return listed
  const more =
    errors.length > LIMITS.requests.errorsNamedMax ? ` The first ${LIMITS.requests.errorsNamedMax} are listed.` : ''
  throw new Problem('validation_failed', {
    detail: `${invalid.size} of ${rows.length} entries are not valid. Nothing was imported.${more}`,
    errors: errors.slice(0, LIMITS.requests.errorsNamedMax),
  })
}

interface Writing {
  readonly actor: Actor
  readonly authorName: string | null
  readonly list: ListName
  /** Rule 3 applies to this list. */
  readonly needsApproval: boolean
  readonly nowMs: number
}

async function beginWriting(tx: Tx, actor: Actor, list: ListName): Promise<Writing> {
  const { allow_needs_approval } = await lockForWriter(tx, actor)
  const authorName = await actorName(tx, actor)
  return { actor, authorName, list, needsApproval: list === 'allow' && allow_needs_approval, nowMs: tx.nowMs }
}

const personIn = ({ kind, id }: Actor): string | null => (kind === 'person' ? id : null)

function newEntry(writing: Writing, listed: Listed, { reason, expiresAtMs, checkId }: NewEntry): Entry {
  const { actor, list, nowMs, needsApproval } = writing
  return {
    id: newId('own'),
    organisation_id: actor.organisationId,
    list,
    ...listed,
    reason,
    expires_at: expiresAtMs,
    pending: needsApproval,
    author_kind: actor.kind,
    author_id: actor.id,
    author_name: writing.authorName,
    proposed_by: personIn(actor),
    approved_by: null,
    approved_name: null,
    approved_at: null,
    created_at: nowMs,
    updated_at: nowMs,
    check_id: checkId ?? null,
  }
}

function changed(writing: Writing, before: Entry, wanted: Limits): Partial<Entry> {
  const after = { reason: wanted.reason, expires_at: wanted.expiresAtMs, updated_at: writing.nowMs }
  const longer = (wanted.expiresAtMs ?? Infinity) > (before.expires_at ?? Infinity)
  if (!writing.needsApproval || !longer) return after
  const unapproved = { approved_by: null, approved_name: null, approved_at: null }
  return { ...after, ...unapproved, pending: true, proposed_by: personIn(writing.actor) }
}

type Limits = Omit<NewEntry, 'indicator' | 'checkId'>

function problemsOf({ reason, expiresAtMs }: Limits, nowMs: number): [field: string, detail: string][] {
  const wrong = reason === null ? undefined : nameTextProblem(reason, LIMITS.requests.reasonCharactersMax)
  const late = Number.isNaN(expiresAtMs)
    ? 'The expiry is neither a day (2027-01-31) nor a time (2027-01-31T14:00:00Z).'
    : 'The entry would have expired already. Choose a later time, or none.'
  return [
    ...(wrong ? [['reason', `The reason ${wrong}.`] as [string, string]] : []),
    // Also of a time that is none.
    ...(expiresAtMs !== null && !(expiresAtMs > nowMs) ? [['expires_at', late] as [string, string]] : []),
  ]
}

function requireValid(input: Limits, nowMs: number): void {
  for (const [field, detail] of problemsOf(input, nowMs)) throw invalidField(`/${field}`, detail)
}

async function requireRoom(tx: Tx, organisationId: string, more: number): Promise<void> {
  const { ownEntriesMax } = LIMITS.counts
  if (more === 0 || (await entries.count(tx, { organisation_id: organisationId })) + more <= ownEntriesMax) return
  throw conflict(`Own lists have at most ${ownEntriesMax} entries together. Remove some first.`)
}

/**
 * An address belongs to a person, and the audit log is never shortened: only its domain is recorded. Of an entry that
 * feedback made only the check is, which can be erased.
 */
function shown({ list, kind, indicator, reason, expires_at, check_id }: Entry) {
  const about = { list, kind, expires_at: isoOrNull(expires_at) }
  if (check_id !== null) return { ...about, check: check_id }
  const what = kind === 'email' ? { at: indicator.slice(indicator.lastIndexOf('@') + 1) } : { indicator }
  return { ...about, ...what, reason }
}

export const requireEntry = (sql: SqlQueries, organisationId: string, { list, id }: EntryPlace) =>
  orNotFound(entries.find(sql, { id, organisation_id: organisationId, list }), 'There is no such entry on this list.')

export const countEntriesOf = (sql: SqlQueries, organisationId: string, indicator: string): Promise<number> =>
  entries.count(sql, { organisation_id: organisationId, indicator })

/** Removes entries with the history: `$1` of the condition is the organisation. Returns how many. */
export async function eraseEntries(
  tx: SqlTransaction,
  condition: string,
  [organisationId, ...more]: readonly [string, ...string[]],
): Promise<number> {
  const text = `delete from own_list_entry where organisation_id = $1 and ${condition} returning 1 as one`
  const removed = (await tx.query(text, [organisationId, ...more])).length
  if (removed > 0) await touch(tx, organisationId)
  return removed
}

/** The entries that the list has of these already, and what warnings need. */
async function lookAround(sql: SqlQueries, organisationId: string, list: ListName, listed: readonly Listed[]) {
  const params = [organisationId, list, ...listed.map(({ indicator }) => indicator)]
  const marks = listed.map((_, i) => `$${i + 3}`).join(', ')
  const clause = `organisation_id = $1 and list in ($2, 'block') and indicator in (${marks})`
  const found = await entries.where(sql, clause, params)
  return {
    known: new Map(found.filter((one) => one.list === list).map((one) => [one.indicator, one])),
    blocked: new Set(found.filter((one) => one.list === 'block').map(({ indicator }) => indicator)),
    ownDomains: await claimedDomains(sql, organisationId),
  }
}

export interface EntryQuery {
  readonly organisationId: string
  readonly list: ListName
  readonly search?: string | undefined
  readonly state?: EntryState | undefined
  readonly nowMs: number
}

const IN_STATE: Readonly<Record<EntryState, (now: string) => string>> = {
  active: (now) => `pending = 0 and (expires_at is null or expires_at > ${now})`,
  pending: (now) => `pending = 1 and (expires_at is null or expires_at > ${now})`,
  expired: (now) => `expires_at <= ${now}`,
}

/** Oldest first. */
export async function listEntries(
  sql: SqlQueries,
  { organisationId, list, search, state, nowMs }: EntryQuery,
  { from, limit }: { readonly from: TimePosition | undefined; readonly limit: number },
): Promise<Page<Entry>> {
  const params: SqlValue[] = [organisationId, list]
  const mark = (value: SqlValue) => `$${params.push(value)}`
  const wanted = ['organisation_id = $1 and list = $2']
  if (from) wanted.push(`(created_at, id) > (${mark(from.createdAtMs)}, ${mark(from.id)})`)
  if (state) wanted.push(IN_STATE[state](mark(nowMs)))
  if (search) {
    const has = (column: string) => containsText(sql, column, search, mark)
    wanted.push(`(${has('indicator')} or ${has("coalesce(reason, '')")})`)
  }
  const clause = `${wanted.join(' and ')} order by created_at, id limit ${limit + 1}`
  const rows = await entries.where(sql, clause, params)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), next: last && { createdAtMs: last.created_at, id: last.id } }
}

const ROWS_AT_ONCE = 1000

/** The approved entries, for checks; scoring itself leaves out those that have expired by then. */
export async function readEntries(sql: SqlQueries, organisationId: string): Promise<OwnEntry[]> {
  const found: OwnEntry[] = []
  for (let after: [string, string] = ['', '']; ; ) {
    const rows = await sql.query<Omit<OwnEntry, 'expiresAtMs'> & { expires_at: number | null }>(
      `select id, list, kind, indicator, reason, expires_at from own_list_entry
       where organisation_id = $1 and (list, indicator) > ($2, $3) and pending = 0
       order by list, indicator limit ${ROWS_AT_ONCE}`,
      [organisationId, ...after],
    )
    for (const { expires_at: expiresAtMs, ...row } of rows) found.push({ ...row, expiresAtMs })
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return found
    after = [last.list, last.indicator]
  }
}
