/**
 * The counterparties of an organisation: its register.
 *
 *  1. A register is a set of rows of one generation. An import fills the next generation in short transactions; one
 *     update of `own_knowledge` takes it into use, and the same update backwards is the undo.
 *  2. Every change locks the row of `own_knowledge` first, so changes and imports of an organisation are serialised.
 *  3. Each row has its terms in `counterparty_term`, written and deleted with it.
 */

import { paddedList } from '../../db/multi-row.ts'
import { runStatements } from '../../db/routine.ts'
import type { SqlQueries, SqlTransaction, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, json, orNull, text, words } from '../../db/table.ts'
import type { KeptAccount } from '../accounts/digest.ts'
import { touch } from '../version.ts'
import { type CounterpartyState, matchKeyOf, termsOf } from './content.ts'

export const counterparties = defineTable({
  name: 'counterparty',
  key: ['organisation_id', 'generation', 'id'],
  fixed: ['created_at'],
  columns: {
    organisation_id: text(),
    generation: integer(),
    id: text(),
    match_key: text(),
    name: text(),
    reference: orNull(text()),
    since: orNull(text()),
    note: orNull(text()),
    state: text<CounterpartyState>(),
    domains: words(),
    emails: words(),
    networks: words(),
    accounts: json<readonly KeptAccount[]>(),
    difference: orNull(text<Difference>()),
    created_at: integer(),
    updated_at: integer(),
  },
})
export type Counterparty = Omit<EntityOf<typeof counterparties>, 'match_key'>

/** How a row of an import differs from the register in use; `kept` rows are not in the file. */
export type Difference = 'new' | 'changed' | 'same' | 'kept'

const registers = defineTable({
  name: 'own_knowledge',
  key: ['organisation_id'],
  fixed: ['version'],
  columns: {
    organisation_id: text(),
    version: integer(),
    generation: integer(),
    former_generation: orNull(integer()),
    former_since: orNull(integer()),
    counterparty_changes: integer(),
    counterparties: integer(),
    counterparty_size: integer(),
  },
})
export type Register = EntityOf<typeof registers>

export type RowSet = Pick<Register, 'organisation_id' | 'generation'>

const EMPTY = {
  version: 0,
  generation: 0,
  former_generation: null,
  former_since: null,
  counterparty_changes: 0,
  counterparties: 0,
  counterparty_size: 0,
}

export async function readRegister(sql: SqlQueries, organisationId: string): Promise<Register> {
  const register = await registers.find(sql, { organisation_id: organisationId })
  return register ?? { organisation_id: organisationId, ...EMPTY }
}

/** Rule 2. */
export async function lockRegister(tx: SqlTransaction, organisationId: string): Promise<Register> {
  await registers.insertIfNew(tx, { organisation_id: organisationId, ...EMPTY })
  return (await registers.lock(tx, { organisation_id: organisationId }))!
}

/** Writes a change of the register in use; its checks see the new version. */
export async function changeRegister(
  tx: SqlTransaction,
  register: Register,
  changed: Partial<Omit<Register, 'organisation_id' | 'version' | 'counterparty_changes'>> = {},
): Promise<Register> {
  await touch(tx, register.organisation_id)
  return registers.update(tx, register, { ...changed, counterparty_changes: register.counterparty_changes + 1 })
}

/** The import can no longer be undone: no change for checks. */
export const forgetFormer = (tx: SqlTransaction, register: Register): Promise<Register> =>
  registers.update(tx, register, { former_generation: null, former_since: null })

const terms = defineTable({
  name: 'counterparty_term',
  key: ['organisation_id', 'generation', 'term', 'counterparty_id'],
  columns: { organisation_id: text(), generation: integer(), term: text(), counterparty_id: text() },
})

const termRows = (one: Counterparty) => {
  const { organisation_id, generation, id: counterparty_id } = one
  return termsOf(one).map((term) => ({ organisation_id, generation, term, counterparty_id }))
}

/** Writes rows and their terms. `before` are the rows of the same ids that they replace. */
export async function writeRows(
  tx: SqlTransaction,
  rows: readonly Counterparty[],
  before: readonly Counterparty[] = [],
): Promise<void> {
  await deleteTerms(tx, before)
  await counterparties.upsert(
    tx,
    rows.map((row) => ({ ...row, match_key: storedKey(row, matchKeyOf(row)) })),
  )
  await runStatements(tx, terms.toInsert(tx, rows.flatMap(termRows), 'on conflict do nothing'))
}

export async function deleteRow(tx: SqlTransaction, row: Counterparty): Promise<void> {
  await deleteTerms(tx, [row])
  const { organisation_id, generation, id } = row
  await counterparties.delete(tx, { organisation_id, generation, id })
}

async function deleteTerms(tx: SqlTransaction, rows: readonly Counterparty[]): Promise<void> {
  for (const row of rows) {
    const old = paddedList(termsOf(row), 4)
    await tx.query(
      `delete from counterparty_term where organisation_id = $1 and generation = $2 and counterparty_id = $3
       and term in (${old.marks})`,
      [row.organisation_id, row.generation, row.id, ...old.values],
    )
  }
}

/** The key within all sets, so that one index alone can find it: the others would read a whole fresh set. */
const storedKey = ({ organisation_id, generation }: RowSet, key: string) => `${organisation_id} ${generation} ${key}`

/** Rows of a set by their keys (`matchKeyOf`). */
export async function findByKeys(sql: SqlQueries, set: RowSet, keys: readonly string[]) {
  if (keys.length === 0) return new Map()
  const list = paddedList(
    [...new Set(keys)].map((key) => storedKey(set, key)),
    1,
  )
  const rows = await counterparties.where(sql, `match_key in (${list.marks})`, list.values)
  return new Map(rows.map((row): [string, Counterparty] => [matchKeyOf(row), row]))
}

/** For each of these terms some rows of the set that have it, without the rows of `except`. */
export async function findByTerms(
  sql: SqlQueries,
  { organisation_id, generation }: RowSet,
  terms: readonly string[],
  { perTerm, except = new Set() }: { readonly perTerm: number; readonly except?: ReadonlySet<string> },
): Promise<Counterparty[]> {
  if (terms.length === 0) return []
  const list = paddedList(terms, 3)
  // Not joined: a database without statistics of a fresh set would read all of it.
  const found = await sql.query<{ term: string; counterparty_id: string }>(
    `select term, counterparty_id from counterparty_term where organisation_id = $1 and generation = $2
     and term in (${list.marks}) order by term, counterparty_id limit ${4 * terms.length + 200}`,
    [organisation_id, generation, ...list.values],
  )
  const others = found.filter((one) => !except.has(one.counterparty_id))
  const some = Map.groupBy(others, ({ term }) => term)
    .values()
    .flatMap((pairs) => pairs.slice(0, perTerm))
  const ids = new Set(some.map((one) => one.counterparty_id))
  if (ids.size === 0) return []
  const wanted = paddedList([...ids], 3)
  const clause = `organisation_id = $1 and generation = $2 and id in (${wanted.marks})`
  return counterparties.where(sql, clause, [organisation_id, generation, ...wanted.values])
}

/** A set that is no longer needed is deleted later, a few rows at a time. */
export async function discardGeneration(tx: Tx, organisationId: string, generation: number | null): Promise<void> {
  if (generation === null) return
  await tx.query(
    'insert into counterparty_garbage (organisation_id, generation) values ($1, $2) on conflict do nothing',
    [organisationId, generation],
  )
}
