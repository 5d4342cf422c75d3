/**
 * Imports of many counterparties, such as the vendor master of an accounting system.
 *
 *  1. The rows of a file come in parts, each a short transaction, and fill a set of their own (register.ts, rule 1).
 *     Until the import is applied, nothing of it can be seen; so nothing is ever half imported.
 *  2. A row with an error is not stored: its number and the reasons are. By default one such row stops the import; where
 *     such rows are skipped, a counterparty that they name stays as it is.
 *  3. Rows with the same reference (or without one, the same name) are one counterparty: lists are joined, and of
 *     other fields the first filled one counts.
 *  4. The file decides about the fields that it has, and leaves the others as they are.
 *  5. Applying copies the counterparties that are not in the file, some hundred in each step, then takes the set into use.
 *  6. A change of the register since the import began refuses it, because its differences would not be true any more.
 *  7. The last import can be undone for some days: the former set is still there.
 */
import type { Actor } from '../../access/actor.ts'
import { requireProof } from '../../access/rights.ts'
import { runStatements } from '../../db/routine.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import {
  defineTable,
  type EntityOf,
  flag,
  integer,
  json,
  orNull,
  type Page,
  type PageOptions,
  text,
} from '../../db/table.ts'
import { conflict, type FieldError, invalidField, orNotFound, Problem } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { idSeries, newId } from '../../lib/ids.ts'
import type { Ring } from '../../lib/seal.ts'
import { LIMITS } from '../../limits.ts'
import { accountDigest } from '../accounts/digest.ts'
import {
  type Content,
  type GivenContent,
  hasAccounts,
  LIST_LENGTHS,
  LISTS,
  matchKeyOf,
  readContent,
  requireRoom,
  sizeOf,
  termOf,
} from './content.ts'
import { type ContentField, changedFields, lockForChange } from './counterparties.ts'
import {
  type Counterparty,
  changeRegister,
  counterparties,
  discardGeneration,
  findByKeys,
  findByTerms,
  forgetFormer,
  lockRegister,
  type Register,
  type RowSet,
  readRegister,
  writeRows,
} from './register.ts'

export const GONE = ['keep', 'former', 'delete'] as const
export const INVALID_ROWS = ['refuse', 'skip'] as const
export const IMPORT_STATES = ['open', 'applying', 'applied', 'undone', 'discarded'] as const

/** A column of the file, and the field that it became; null for a column that is not used. */
export interface ImportColumn {
  readonly title: string
  readonly field: ContentField | null
}

export const SEPARATORS = [',', ';', '\t', '|'] as const
export const DAY_FORMS = ['yyyy-mm-dd', 'dd.mm.yyyy'] as const
/** How a file is written. Absent: with commas, and days as in the API. */
export interface FileFormat {
  readonly separator?: (typeof SEPARATORS)[number] | undefined
  readonly days?: (typeof DAY_FORMS)[number] | undefined
}

interface Counts {
  readonly received: number
  readonly new: number
  readonly changed: number
  readonly same: number
  /** Rows that were joined with an earlier one. */
  readonly merged: number
  readonly invalid: number
  /** Rows with stored remarks, of which at most `importRemarksMax` are kept. */
  readonly remarked: number
}

const imports = defineTable({
  name: 'counterparty_import',
  key: ['id'],
  fixed: ['organisation_id', 'created_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    generation: integer(),
    state: text<(typeof IMPORT_STATES)[number]>(),
    file_name: orNull(text()),
    columns: json<readonly ImportColumn[]>(),
    format: json<FileFormat>(),
    gone: text<(typeof GONE)[number]>(),
    invalid_rows: text<(typeof INVALID_ROWS)[number]>(),
    rows_announced: integer(),
    counts: json<Counts>(),
    counterparty_changes: integer(),
    copied: integer(),
    copied_to: text(),
    former_counterparties: orNull(integer()),
    size: integer(),
    replaced_size: integer(),
    former_size: orNull(integer()),
    created_at: integer(),
    updated_at: integer(),
  },
})
export type Import = EntityOf<typeof imports>

const remarks = defineTable({
  name: 'counterparty_import_remark',
  key: ['import_id', 'row_number'],
  columns: { import_id: text(), row_number: integer(), invalid: flag(), remarks: json<readonly FieldError[]>() },
})
export type RowRemarks = EntityOf<typeof remarks>

export interface NewImport {
  readonly rows: number
  readonly fileName?: string | undefined
  readonly columns?: readonly ImportColumn[] | undefined
  readonly format?: FileFormat | undefined
  readonly gone?: Import['gone'] | undefined
  readonly invalidRows?: Import['invalid_rows'] | undefined
}

/** Begins an import; one that is still open ends. */
export async function beginImport(tx: Tx, actor: Actor, input: NewImport): Promise<Import> {
  const register = await lockForChange(tx, actor)
  if (input.rows > LIMITS.counts.counterpartiesMax) throw tooMany(`The file has ${input.rows} rows`)
  for (const state of ['open', 'applying'] as const) {
    const open = await imports.list(
      tx,
      { organisation_id: actor.organisationId, state },
      { order: 'created_at', limit: 100 },
    )
    for (const one of open) await endImport(tx, one, 'discarded')
  }
  const [last] = await tx.query<{ generation: number | null }>(
    'select max(generation) as generation from counterparty_import where organisation_id = $1',
    [actor.organisationId],
  )
  return imports.insert(tx, {
    id: newId('imp'),
    organisation_id: actor.organisationId,
    generation: Math.max(register.generation, last?.generation ?? 0) + 1,
    state: 'open',
    file_name: input.fileName ?? null,
    // A title is one line of an export.
    columns: (input.columns ?? []).map(({ title, field }) => ({ title: title.replace(/\s+/g, ' ').trim(), field })),
    format: input.format ?? {},
    gone: input.gone ?? 'keep',
    invalid_rows: input.invalidRows ?? 'refuse',
    rows_announced: input.rows,
    counts: { received: 0, new: 0, changed: 0, same: 0, merged: 0, invalid: 0, remarked: 0 },
    counterparty_changes: register.counterparty_changes,
    copied: 0,
    copied_to: '',
    former_counterparties: null,
    size: 0,
    replaced_size: 0,
    former_size: null,
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
  })
}

export interface ImportRow extends GivenContent {
  readonly row: number
}

/** Rules 1 to 4. Returns the import, and the remarks about these rows. */
export async function addRows(tx: Tx, actor: Actor, ring: Ring, importId: string, rows: readonly ImportRow[]) {
  const register = await lockForChange(tx, actor)
  const one = await requireImport(tx, actor.organisationId, importId)
  requireState(one, ['open'])
  const counts: { -readonly [Name in keyof Counts]: number } = { ...one.counts }
  counts.received += rows.length
  if (counts.received > one.rows_announced) {
    throw invalidField('/rows', `The import was begun with ${one.rows_announced} rows; these would be more.`)
  }
  const digestOf = rows.some(hasAccounts) ? await accountDigest(tx, ring, actor.organisationId) : undefined
  const keys = rows.map(keyOf)
  const [current, staged] = await Promise.all([
    findByKeys(tx, register, keys),
    findByKeys(tx, { ...register, generation: one.generation }, keys),
  ])
  const nextId = idSeries('cpy')
  const stored = new Map<string, Counterparty>()
  const replaced = new Map<string, Counterparty>()
  const numbers = new Map<string, number>()
  const found: RowRemarks[] = []
  for (const [at, row] of rows.entries()) {
    const key = keys[at]!
    const before = current.get(key)
    const already = stored.get(key) ?? staged.get(key)
    const read = readContent(row, before, digestOf)
    const { content, errors } = already ? joined(already, read) : read
    if (errors.length > 0) {
      counts.invalid++
      found.push({ import_id: one.id, row_number: row.row, invalid: true, remarks: errors })
      // The counterparty is in the file, so it is not gone: it stays as it is.
      if (before && !already) {
        counts.same++
        stored.set(key, { ...before, generation: one.generation, difference: 'same' })
      }
      continue
    }
    const difference = !before ? 'new' : changedFields(before, content).length === 0 ? 'same' : 'changed'
    if (already) {
      counts.merged++
      counts[already.difference as 'new' | 'changed' | 'same']--
      if (staged.has(key)) replaced.set(key, staged.get(key)!)
    }
    counts[difference]++
    numbers.set(key, row.row)
    stored.set(key, {
      organisation_id: one.organisation_id,
      generation: one.generation,
      id: already?.id ?? before?.id ?? nextId(),
      ...content,
      difference,
      created_at: before?.created_at ?? already?.created_at ?? tx.nowMs,
      updated_at: difference === 'same' ? before!.updated_at : tx.nowMs,
    })
  }
  if (countAfter(register, one, counts) > LIMITS.counts.counterpartiesMax) {
    throw tooMany('With these rows there would be more')
  }
  let { size, replaced_size } = one
  for (const [key, row] of stored) {
    const already = staged.get(key)
    const before = current.get(key)
    size += sizeOf(row) - (already ? sizeOf(already) : 0)
    if (before && !already) replaced_size += sizeOf(before)
  }
  requireRoom(sizeAfter(register, { ...one, size, replaced_size }), 'too_many_records')
  const values = valuesIn([...stored.values()])
  if (values > LIMITS.counts.importValuesMax) {
    throw new Problem('too_many_records', {
      detail: `These rows, with the rows that they are joined with, have ${values} values; at most ${LIMITS.counts.importValuesMax} in one request. Send fewer rows at a time.`,
    })
  }
  await writeRows(tx, [...stored.values()], [...replaced.values()])
  found.push(...(await sharedDomains(tx, register, one, stored, numbers)))
  const kept = found.slice(0, Math.max(0, LIMITS.counts.importRemarksMax - counts.remarked))
  counts.remarked += kept.length
  await runStatements(tx, remarks.toInsert(tx, kept, 'on conflict do nothing'))
  return {
    import: await imports.update(tx, one, { counts, size, replaced_size, updated_at: tx.nowMs }),
    remarks: found,
  }
}

const valuesIn = (rows: readonly Content[]): number =>
  rows.reduce((sum, row) => LISTS.reduce((all, field) => all + row[field].length, sum), 0)

/** Without U+0000, which no database can look up; such a row is refused. */
const keyOf = ({ reference, name }: ImportRow): string =>
  matchKeyOf({ reference: reference?.trim() || null, name: name ?? '' }).replaceAll('\0', '')

/** Rule 3. */
function joined(
  first: Content,
  { content, errors }: { readonly content: Content; readonly errors: readonly FieldError[] },
): { readonly content: Content; readonly errors: readonly FieldError[] } {
  const all = <T>(a: readonly T[], b: readonly T[]): readonly T[] => [
    ...new Map([...a, ...b].map((one) => [JSON.stringify(one), one])).values(),
  ]
  const both: Content = {
    ...content,
    name: first.name,
    since: first.since ?? content.since,
    note: first.note ?? content.note,
    state: first.state === 'active' ? content.state : first.state,
    ...Object.fromEntries(LISTS.map((field) => [field, all<unknown>(first[field], content[field])])),
  }
  const tooLong = LISTS.filter((field) => both[field].length > LIST_LENGTHS[field])
  const more = tooLong.map((field) => ({
    pointer: `/${field}`,
    code: 'too_many',
    detail: `With the rows of the same counterparty above there are ${both[field].length} ${field}; at most ${LIST_LENGTHS[field]}.`,
  }))
  return { content: both, errors: [...errors, ...more] }
}

async function sharedDomains(
  tx: Tx,
  register: Register,
  one: Import,
  stored: ReadonlyMap<string, Counterparty>,
  numbers: ReadonlyMap<string, number>,
): Promise<RowRemarks[]> {
  const domainsOf = Map.groupBy(
    [...stored.values()].flatMap(({ id, domains }) => domains.map((domain) => ({ id, domain }))),
    ({ domain }) => domain,
  )
  const terms = [...domainsOf.keys()].map(termOf)
  const own = new Set([...stored.values()].map(({ id }) => id))
  const sets = [one.generation, ...(one.gone === 'delete' ? [] : [register.generation])]
  const found = await Promise.all(
    sets.map((generation) => findByTerms(tx, { ...register, generation }, terms, { perTerm: 1, except: own })),
  )
  const others = [...stored.values(), ...found.flat()]
  return [...stored].flatMap(([key, { id, domains }]) => {
    // A counterparty that stays as it is, because its row is refused.
    const row = numbers.get(key)
    if (row === undefined) return []
    const shared = domains.flatMap((domain, at): FieldError[] => {
      // Most domains are one row's alone: nothing is searched for them.
      const alone = domainsOf.get(domain)?.length === 1 && found.every((rows) => rows.length === 0)
      const other = alone ? undefined : others.find((row) => row.id !== id && row.domains.includes(domain))
      const detail = `${domain} is also a domain of ${other?.name}.`
      return other ? [{ pointer: `/domains/${at}`, code: 'shared_domain', detail }] : []
    })
    return shared.length === 0 ? [] : [{ import_id: one.id, row_number: row, invalid: false, remarks: shared }]
  })
}

/** Counterparties of the register that are not in the file. */
export const goneCount = (register: Register, { counts }: Pick<Import, 'counts'>): number =>
  register.counterparties - counts.changed - counts.same

function countAfter(register: Register, { gone }: Import, counts: Counts): number {
  const inFile = counts.new + counts.changed + counts.same
  return gone === 'delete' ? inFile : inFile + goneCount(register, { counts })
}

const sizeAfter = (register: Register, { gone, size, replaced_size }: Import): number =>
  gone === 'delete' ? size : size + register.counterparty_size - replaced_size

const COPIED_AT_ONCE = 500

/** Rule 5. One step; call it again until the state is `applied`. */
export async function applyImport(tx: Tx, actor: Actor, importId: string): Promise<Import> {
  const register = await lockForChange(tx, actor)
  requireProof(actor)
  const one = await requireImport(tx, actor.organisationId, importId)
  if (one.state === 'applied') return one
  requireState(one, ['open', 'applying'])
  requireComplete(one, register)
  if (one.gone !== 'delete') {
    const rows = await goneRows(tx, register, one, { after: one.copied_to, limit: COPIED_AT_ONCE })
    await writeRows(
      tx,
      rows.gone.map((row) => ({
        ...row,
        generation: one.generation,
        difference: 'kept' as const,
        state: one.gone === 'former' && row.state === 'active' ? 'former' : row.state,
      })),
    )
    const copied = one.copied + rows.gone.length
    if (rows.last !== undefined) {
      return imports.update(tx, one, { state: 'applying', copied, copied_to: rows.last, updated_at: tx.nowMs })
    }
  }
  const applied = await changeRegister(tx, register, {
    generation: one.generation,
    former_generation: register.generation,
    former_since: tx.nowMs,
    counterparties: countAfter(register, one, one.counts),
    counterparty_size: sizeAfter(register, one),
  })
  await discardGeneration(tx, actor.organisationId, register.former_generation)
  const { file_name, gone, counts } = one
  await audit(tx, actor, 'counterparty.import', one.id, {
    file_name,
    ...counts,
    gone: goneCount(register, one),
    those: gone,
  })
  return imports.update(tx, one, {
    state: 'applied',
    copied: one.gone === 'delete' ? 0 : goneCount(register, one),
    counterparty_changes: applied.counterparty_changes,
    former_counterparties: register.counterparties,
    former_size: register.counterparty_size,
    updated_at: tx.nowMs,
  })
}

function requireComplete(one: Import, register: Register): void {
  const { counts, rows_announced } = one
  if (counts.received < rows_announced) {
    throw conflict(`${counts.received} of ${rows_announced} rows have arrived. Send the others.`)
  }
  if (counts.invalid > 0 && one.invalid_rows === 'refuse') {
    throw conflict(
      `${counts.invalid} rows are not valid: read the remarks. Correct the file, or begin the import with invalid_rows "skip".`,
    )
  }
  // Rule 6.
  if (register.counterparty_changes !== one.counterparty_changes) {
    throw conflict(
      'Counterparties were changed since the import began, so its differences are not true any more. Begin it again.',
    )
  }
}

/** Rule 7. */
export async function undoImport(
  tx: Tx,
  actor: Actor,
  importId: string,
  { discardChanges = false }: { readonly discardChanges?: boolean | undefined } = {},
): Promise<Import> {
  const register = await lockForChange(tx, actor)
  requireProof(actor)
  const one = await requireImport(tx, actor.organisationId, importId)
  if (!canUndo(one, register)) {
    throw conflict(`Only the last applied import can be undone, within ${LIMITS.counts.importUndoDays} days.`)
  }
  const changes = register.counterparty_changes - one.counterparty_changes
  if (changes > 0 && !discardChanges) {
    const detail = `The undo would lose ${changes} ${changes === 1 ? 'change' : 'changes'} made after the import. Accept that with discard_changes: true, on the command line with --discard-changes.`
    throw new Problem('conflict', { detail, errors: [{ pointer: '/discard_changes', code: 'required', detail }] })
  }
  await changeRegister(tx, register, {
    generation: register.former_generation!,
    former_generation: null,
    former_since: null,
    counterparties: one.former_counterparties!,
    counterparty_size: one.former_size!,
  })
  await audit(tx, actor, 'counterparty.undo', one.id, { file_name: one.file_name, discarded_changes: changes })
  return endImport(tx, one, 'undone')
}

export const canUndo = (one: Import, register: Register): boolean =>
  one.state === 'applied' && one.generation === register.generation && register.former_generation !== null

export async function discardImport(tx: Tx, actor: Actor, importId: string): Promise<Import> {
  await lockForChange(tx, actor)
  const one = await requireImport(tx, actor.organisationId, importId)
  requireState(one, ['open', 'applying'])
  return endImport(tx, one, 'discarded')
}

async function endImport(tx: Tx, one: Import, state: 'undone' | 'discarded'): Promise<Import> {
  await discardGeneration(tx, one.organisation_id, one.generation)
  return imports.update(tx, one, { state, updated_at: tx.nowMs })
}

/** Ends imports that were begun and not touched since; a few at a time. */
export async function endOldImports(tx: Tx, beforeMs: number): Promise<void> {
  for (const state of ['open', 'applying'] as const) {
    const old = `state = $1 and updated_at < $2 order by updated_at limit 100${tx.forUpdateSkipLocked}`
    for (const one of await imports.where(tx, old, [state, beforeMs])) await endImport(tx, one, 'discarded')
  }
}

/** Ends the time in which imports applied before this time can be undone. */
export async function forgetFormerSets(tx: Tx, beforeMs: number): Promise<void> {
  const rows = await tx.query<{ organisation_id: string }>(
    'select organisation_id from own_knowledge where former_since < $1 order by former_since limit 100',
    [beforeMs],
  )
  for (const { organisation_id } of rows) {
    const register = await lockRegister(tx, organisation_id)
    await discardGeneration(tx, organisation_id, register.former_generation)
    await forgetFormer(tx, register)
  }
}

function requireState(one: Import, states: readonly Import['state'][]): void {
  if (states.includes(one.state)) return
  throw conflict(`The import is ${one.state}. Begin another one.`)
}

const tooMany = (what: string) =>
  new Problem('too_many_records', {
    detail: `${what}; an organisation may have ${LIMITS.counts.counterpartiesMax} counterparties.`,
  })

export const requireImport = (sql: SqlQueries, organisationId: string, id: string) =>
  orNotFound(imports.find(sql, { id, organisation_id: organisationId }), 'There is no such import.')

/** Newest first, without discarded ones: many dry runs would hide the import that can be undone. */
export const listImports = (sql: SqlQueries, organisationId: string, page: PageOptions): Promise<Page<Import>> =>
  imports.page(
    sql,
    { organisation_id: organisationId },
    { ...page, newestFirst: true, among: { state: IMPORT_STATES.filter((state) => state !== 'discarded') } },
  )

/** The import whose set is in use: its columns and its format are those of an export. */
export async function lastApplied(sql: SqlQueries, organisationId: string): Promise<Import | undefined> {
  const { generation } = await readRegister(sql, organisationId)
  return imports.find(sql, { organisation_id: organisationId, generation, state: 'applied' })
}

export async function readRemarks(
  sql: SqlQueries,
  importId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly RowRemarks[]> {
  const clause = `import_id = $1 and row_number > $2 order by row_number limit ${limit}`
  return remarks.where(sql, clause, [importId, after])
}

/** Rows of the set before the import, by id, that are not in its file; `last` is undefined at the end. */
async function goneRows(
  sql: SqlQueries,
  { organisation_id, generation }: RowSet,
  one: Import,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly gone: readonly Counterparty[]; readonly last: string | undefined }> {
  const rows = await sql.query<{ id: string; in_file: number | null }>(
    `select ${counterparties.columns('c')}, (select 1 from counterparty n where n.organisation_id = c.organisation_id
       and n.generation = $3 and n.id = c.id and n.difference <> 'kept') as in_file
     from counterparty c where c.organisation_id = $1 and c.generation = $2 and c.id > $4 order by c.id limit ${limit}`,
    [organisation_id, generation, one.generation, after],
  )
  const gone = rows.filter(({ in_file }) => in_file === null).map(counterparties.fromRow)
  // As many as one request may write, and at least one.
  let values = 0
  const some = gone.findIndex((row, at) => {
    values += valuesIn([row])
    return at > 0 && values > LIMITS.counts.importValuesMax
  })
  if (some > 0) return { gone: gone.slice(0, some), last: gone[some - 1]!.id }
  return { gone, last: rows.length === limit ? rows.at(-1)!.id : undefined }
}

export const DIFFERENCES = ['new', 'changed', 'gone'] as const

export interface ImportDifference {
  readonly difference: (typeof DIFFERENCES)[number]
  /** Null for a new one. */
  readonly before: Counterparty | null
  /** Null for one that is not in the file. */
  readonly after: Counterparty | null
}

/** The differences of one kind between the file and the set before it, by id. */
export async function readDifferences(
  sql: SqlQueries,
  { organisationId, importId, difference }: DifferenceQuery,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly rows: readonly ImportDifference[]; readonly next: string | undefined }> {
  const one = await requireImport(sql, organisationId, importId)
  const register = await readRegister(sql, organisationId)
  const former = one.state === 'applied' ? register.former_generation : register.generation
  // Its set is deleted, or the one before it.
  if (former === null || one.state === 'undone' || one.state === 'discarded') return { rows: [], next: undefined }
  const base = { organisation_id: organisationId, generation: former }
  if (difference === 'gone') {
    const { gone, last } = await goneRows(sql, base, one, { after, limit })
    return { rows: gone.map((row) => ({ difference, before: row, after: null })), next: last }
  }
  const found = await counterparties.where(
    sql,
    `organisation_id = $1 and generation = $2 and difference = $3 and id > $4 order by id limit ${limit}`,
    [organisationId, one.generation, difference, after],
  )
  const before = await findByKeys(sql, base, difference === 'new' ? [] : found.map(matchKeyOf))
  return {
    rows: found.map((row) => ({ difference, before: before.get(matchKeyOf(row)) ?? null, after: row })),
    next: found.length === limit ? found.at(-1)!.id : undefined,
  }
}

export interface DifferenceQuery {
  readonly organisationId: string
  readonly importId: string
  readonly difference: (typeof DIFFERENCES)[number]
}
