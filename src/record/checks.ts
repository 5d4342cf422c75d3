/**
 * Reading checks on record.
 *
 *  1. `organisation:read` reads every check of the organisation. Without it a caller reads what they asked themselves, of the
 *     kinds they may check, and what is assigned to them. Other checks do not exist for them.
 *  2. No read scans: a page goes along one index and looks at a bounded number of rows, however many are kept. Filters that
 *     this index does not know may leave a page short, with a cursor to go on from.
 */
import type { Caller } from '../access/caller.ts'
import { checkIdOf, type KeptCheck, keptChecks } from '../db/kept-checks.ts'
import { paddedList } from '../db/multi-row.ts'
import type { SqlQueries, SqlValue } from '../db/sql.ts'
import { notFound } from '../errors.ts'
import { startOfTime } from '../lib/ids.ts'
import { KIND_NAMES, KINDS, type Kind } from '../lib/kinds.ts'
import { type Remarks, readRemarks } from './remarks.ts'

/** Plain data: it travels to the documents thread. */
export interface Reader {
  readonly organisationId: string
  /** True with `organisation:read`. */
  readonly everybody: boolean
  readonly credentialId: string
  readonly personId: string | null
  readonly kinds: readonly Kind[]
}

export const readerOf = ({ organisationId, scopes, credentialId, userId }: Caller): Reader => ({
  organisationId,
  everybody: scopes.has('organisation:read'),
  credentialId,
  personId: userId ?? null,
  kinds: KIND_NAMES.filter((kind) => scopes.has(KINDS[kind].scope)),
})

/** A check with the names of those who asked it and review it, as they are now. */
export interface NamedCheck extends KeptCheck, Remarks {
  readonly asked_name: string | null
  readonly assigned_name: string | null
}

export interface CheckFilters {
  readonly requestId?: string | undefined
  readonly digest?: string | undefined
  readonly kind?: Kind | undefined
  readonly level?: KeptCheck['level'] | undefined
  readonly askedBy?: string | undefined
  readonly decision?: NonNullable<KeptCheck['decision']> | undefined
  readonly review?: NonNullable<KeptCheck['review']> | undefined
  readonly assignedTo?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

/** Rows that one read may look at where filters leave some out. */
const LOOKED_AT_MAX = 1000

const NAMED = `${keptChecks.columns('k')}, coalesce(p.name, a.name, c.name) as asked_name, r.name as assigned_name`
const NAMES = `left join person p on p.id = k.credential_id left join api_key a on a.id = k.credential_id
  left join oauth_client c on c.id = k.credential_id left join person r on r.id = k.assigned_to`

function namedFrom(row: object, remarks: Remarks): NamedCheck {
  const { asked_name, assigned_name } = row as Pick<NamedCheck, 'asked_name' | 'assigned_name'>
  return { ...keptChecks.fromRow(row), asked_name, assigned_name, ...remarks }
}

/** Newest first: ids are in the order of time. A page that is shorter than `limit` may have a next one. */
export async function listChecks(
  sql: SqlQueries,
  reader: Reader,
  filters: CheckFilters,
  { from, limit }: { readonly from: string | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly NamedCheck[]; readonly next: string | undefined }> {
  const reads = readsOf(reader, filters)
  const parts = await Promise.all(reads.map((read) => readAlong(sql, reader, filters, read, { from, limit })))
  // Beyond the place where the shortest read stopped, another check may belong in between.
  const stop = parts.flatMap(({ stoppedAt }) => stoppedAt ?? []).sort(newestFirst)[0]
  const found = [...new Set(parts.flatMap(({ ids }) => ids))].sort(newestFirst).filter((id) => !stop || id >= stop)
  const ids = found.slice(0, limit)
  return {
    rows: await namedChecks(sql, reader.organisationId, ids),
    next: found.length > limit ? ids.at(-1) : stop,
  }
}

const newestFirst = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0)

type Mark = (value: SqlValue) => string

/** One read goes along one index. */
interface Read {
  /** The condition that the index answers; absent: by time alone. */
  readonly along?: (mark: Mark) => string
  /** The filter that the condition stands for. */
  readonly answers?: keyof CheckFilters
  /** The checks of one indicator are listed in a table of their own. */
  readonly digest?: string
}

/** Usually one. What a clerk may see lies along two indexes. */
function readsOf({ everybody, personId }: Reader, filters: CheckFilters): readonly Read[] {
  const by = (column: string, value: SqlValue) => (mark: Mark) => `${column} = ${mark(value)}`
  const { requestId, digest, level, askedBy, decision, review, assignedTo } = filters
  if (requestId !== undefined) {
    const id = checkIdOf(requestId)
    // `.` is the character after `-`: the check, or every record of a list.
    return [{ along: (mark) => `k.id >= ${mark(id)} and k.id < ${mark(`${id}.`)}` }]
  }
  if (digest !== undefined) return [{ digest, answers: 'digest' }]
  if (!everybody && personId !== null) {
    return [{ along: by('person_id', personId) }, { along: by('assigned_to', personId) }]
  }
  if (assignedTo !== undefined) return [{ along: by('assigned_to', assignedTo), answers: 'assignedTo' }]
  if (decision !== undefined) return [{ along: by('decision', decision), answers: 'decision' }]
  if (review !== undefined) return [{ along: by('review', review), answers: 'review' }]
  if (isPerson(askedBy)) return [{ along: by('person_id', askedBy), answers: 'askedBy' }]
  if (level === undefined || level === 'low') return [{}]
  // The index has no low checks; the second condition makes it usable.
  return [{ along: (mark) => `level = ${mark(level)} and level <> 'low'`, answers: 'level' }]
}

const isPerson = (id: string | undefined): id is string => id?.startsWith('usr_') === true

async function readAlong(
  sql: SqlQueries,
  reader: Reader,
  filters: CheckFilters,
  { along: alongIndex, answers, digest }: Read,
  { from, limit }: { readonly from: string | undefined; readonly limit: number },
) {
  const params: SqlValue[] = []
  const mark: Mark = (value) => `$${params.push(value)}`
  const fitting = fittingOf(reader, answers ? { ...filters, [answers]: undefined } : filters, mark)
  const ordered = digest === undefined ? 'k' : 'd'
  const along = [`${ordered}.organisation_id = ${mark(reader.organisationId)}`]
  if (digest !== undefined) along.push(`d.digest = ${mark(digest)}`)
  if (alongIndex) along.push(alongIndex(mark))
  if (filters.fromMs !== undefined) along.push(`${ordered}.id >= ${mark(`chk_${startOfTime(filters.fromMs)}`)}`)
  if (filters.toMs !== undefined) along.push(`${ordered}.id < ${mark(`chk_${startOfTime(filters.toMs)}`)}`)
  if (from !== undefined) along.push(`${ordered}.id < ${mark(from)}`)
  const lookedAtMax = fitting.length > 0 ? Math.max(LOOKED_AT_MAX, limit + 1) : limit + 1
  const source =
    digest === undefined
      ? 'kept_check k'
      : 'kept_digest d join kept_check k on k.organisation_id = d.organisation_id and k.id = d.id'
  const lookedAt = await sql.query<{ readonly id: string; readonly fits: number }>(
    `select k.id, ${fitting.length > 0 ? `case when ${fitting.join(' and ')} then 1 else 0 end` : '1'} as fits
     from ${source} where ${along.join(' and ')} order by ${ordered}.id desc limit ${lookedAtMax}`,
    params,
  )
  return {
    ids: lookedAt.flatMap(({ id, fits }) => (fits === 1 ? [id] : [])),
    stoppedAt: lookedAt.length === lookedAtMax ? lookedAt.at(-1)?.id : undefined,
  }
}

/** The conditions of these filters and of rule 1. */
function fittingOf(reader: Reader, filters: CheckFilters, mark: Mark): string[] {
  const { digest, kind, level, askedBy, decision, review, assignedTo } = filters
  const equal = { digest, kind, level, decision, review, assigned_to: assignedTo }
  const conditions = Object.entries(equal).flatMap(([column, value]) =>
    value === undefined ? [] : [`${column} = ${mark(value)}`],
  )
  if (askedBy !== undefined) {
    conditions.push(`${isPerson(askedBy) ? 'person_id' : 'credential_id'} = ${mark(askedBy)}`)
  }
  if (!reader.everybody) conditions.push(readableBy(reader, mark))
  return conditions
}

/** Rule 1, for a reader without `organisation:read`. */
function readableBy({ credentialId, personId, kinds }: Reader, mark: Mark): string {
  const own = personId === null ? `credential_id = ${mark(credentialId)}` : `person_id = ${mark(personId)}`
  const ofKinds = kinds.length === 0 ? '1 = 0' : `kind in (${kinds.map(mark).join(', ')})`
  const assigned = personId === null ? '' : ` or assigned_to = ${mark(personId)}`
  return `((${own} and ${ofKinds})${assigned})`
}

/** These checks in this order. One that was erased in between is left out. */
async function namedChecks(sql: SqlQueries, organisationId: string, ids: readonly string[]): Promise<NamedCheck[]> {
  if (ids.length === 0) return []
  const { marks, values } = paddedList(ids, 2)
  const rows = await sql.query(
    `select ${NAMED} from kept_check k ${NAMES} where k.organisation_id = $1 and k.id in (${marks})`,
    [organisationId, ...values],
  )
  const remarksOn = await readRemarks(sql, organisationId, ids)
  const byId = new Map(rows.map((row) => [String(row.id), namedFrom(row, remarksOn(String(row.id)))]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** A check that the reader may read; 404 for every other one. */
export async function requireCheck(sql: SqlQueries, reader: Reader, id: string): Promise<NamedCheck> {
  const [check] = await namedChecks(sql, reader.organisationId, [id])
  if (!check || !mayRead(reader, check)) throw noSuchCheck(id)
  return check
}

export const noSuchCheck = (id: string) => notFound(`There is no check ${id}.`)

export type FormerCheck = Pick<KeptCheck, 'id' | 'level' | 'score'>

interface Wanted {
  readonly organisationId: string
  readonly digest: string
}

/** The last check of each of these indicators, in their order. */
export async function findLastChecks(
  sql: SqlQueries,
  wanted: readonly Wanted[],
): Promise<readonly (FormerCheck | undefined)[]> {
  // A few sizes, so that each engine prepares a handful of texts. Nothing is looked up for a null.
  const size = 2 ** Math.ceil(Math.log2(wanted.length))
  const params: SqlValue[] = []
  for (const { organisationId, digest } of wanted) params.push(organisationId, digest)
  while (params.length < 2 * size) params.push(null)
  const found: (FormerCheck | undefined)[] = wanted.map(() => undefined)
  for (const { place, last } of await sql.query<{ place: number; last: string | null }>(lastChecksText(size), params)) {
    const [id = '', level, score] = last?.split(' ') ?? []
    if (id !== '') found[place] = { id, level: level as FormerCheck['level'], score: Number(score) }
  }
  return found
}

const lastChecksTexts: string[] = []

/** The columns as one text: PostgreSQL would read all checks for a join with some of them. */
function lastChecksText(size: number): string {
  lastChecksTexts[size] ??= `with wanted (place, organisation_id, digest) as (values ${Array.from(
    { length: size },
    (_, i) => `(${i}, $${2 * i + 1}, $${2 * i + 2})`,
  )})
    select place, (select d.id || ' ' || coalesce(d.level || ' ' || d.score, (select k.level || ' ' || k.score
        from kept_check k where k.organisation_id = d.organisation_id and k.id = d.id))
      from kept_digest d where d.organisation_id = w.organisation_id and d.digest = w.digest order by d.id desc limit 1) as last
    from wanted w`
  return lastChecksTexts[size]
}

/** Rule 1. */
export function mayRead({ everybody, credentialId, personId, kinds }: Reader, check: KeptCheck): boolean {
  if (everybody || (personId !== null && check.assigned_to === personId)) return true
  const own = personId === null ? check.credential_id === credentialId : check.person_id === personId
  return own && kinds.includes(check.kind)
}
