/** One definition of columns gives the row type, the select list, insert, update, upsert and pages. */
import type { TimePosition } from '../lib/time-position.ts'
import { type Column, rowsToInsert } from './multi-row.ts'
import { type Dialect, type Rows, runStatements, type Statement } from './routine.ts'
import type { SqlQueries, SqlTransaction, SqlValue } from './sql.ts'

export interface Codec<T> {
  readonly type: 'text' | 'bigint'
  /** The column name where it differs from the property's name. */
  readonly column?: string
  read(value: SqlValue): T
  write(value: T): string | number | null
}

const asIs = { read: (value: SqlValue) => value, write: (value: unknown) => value } as unknown as Codec<never>

/** Text; `text<'open' | 'paid'>()` where the table allows only these words. */
export const text = <T extends string = string>(): Codec<T> => ({ ...asIs, type: 'text' }) as unknown as Codec<T>
export const integer = (): Codec<number> => ({ ...asIs, type: 'bigint' }) as unknown as Codec<number>
export const flag = (): Codec<boolean> => ({
  type: 'bigint',
  read: (value) => value === 1,
  write: (value) => (value ? 1 : 0),
})
/** Words separated by single blanks. */
export const words = <T extends string>(): Codec<readonly T[]> => ({
  type: 'text',
  read: (value) => (value === '' ? [] : (String(value).split(' ') as T[])),
  write: (value) => value.join(' '),
})
export const json = <T>(): Codec<T> => ({
  type: 'text',
  read: (value) => JSON.parse(String(value)) as T,
  write: (value) => JSON.stringify(value),
})
export const orNull = <T>(codec: Codec<T>): Codec<T | null> => ({
  ...codec,
  read: (value) => (value === null ? null : codec.read(value)),
  write: (value) => (value === null ? null : codec.write(value)),
})
export const named = <T>(column: string, codec: Codec<T>): Codec<T> => ({ ...codec, column })

export interface Table<Entity> {
  /** `a, b, c`, or `k.a, k.b, k.c` with an alias. */
  columns(alias?: string): string
  fromRow(row: object): Entity
  insert(tx: SqlQueries, entity: Entity, more?: Readonly<Record<string, SqlValue>>): Promise<Entity>
  /** Like insert; returns undefined and writes nothing when a row with one of its unique keys exists. */
  insertIfNew(tx: SqlQueries, entity: Entity, more?: Readonly<Record<string, SqlValue>>): Promise<Entity | undefined>
  /**
   * Writes these columns of a row and leaves the others as they are now, whatever was read before. `more` are columns that
   * are not part of the entity.
   */
  update(
    tx: SqlQueries,
    row: Entity,
    changes: Partial<Entity>,
    more?: Readonly<Record<string, SqlValue>>,
  ): Promise<Entity>
  /** Many rows in one round; a row with the same key is overwritten. */
  toUpsert(dialect: Pick<Dialect, 'engine'>, entities: readonly Entity[]): Statement[]
  toInsert(dialect: Pick<Dialect, 'engine'>, entities: readonly Entity[], onConflict?: string): Statement[]
  upsert(tx: SqlTransaction, entities: readonly Entity[]): Promise<void>
  find(sql: SqlQueries, where: Partial<Entity>): Promise<Entity | undefined>
  /** Like find, with the row locked until the transaction ends. */
  lock(tx: SqlTransaction, where: Partial<Entity>): Promise<Entity | undefined>
  list(sql: SqlQueries, where: Partial<Entity>, options: ListOptions): Promise<Entity[]>
  /** For other conditions: the text after `where`, with its marks. */
  where(sql: SqlQueries, clause: string, params?: readonly SqlValue[]): Promise<Entity[]>
  count(sql: SqlQueries, where: Partial<Entity>, and?: string): Promise<number>
  page(sql: SqlQueries, where: Partial<Entity>, options: PageOptions & Narrowed<Entity>): Promise<Page<Entity>>
  delete(tx: SqlQueries, where: Partial<Entity>): Promise<number>
}

export interface ListOptions {
  readonly order: string
  readonly limit: number
}

export interface PageOptions {
  /** Begins after this position. */
  readonly from?: TimePosition | undefined
  readonly limit: number
  readonly newestFirst?: boolean
}

/** Conditions on a page other than equality. */
export interface Narrowed<Entity> {
  /** The column holds one of these. */
  readonly among?: { readonly [K in keyof Entity]?: readonly Entity[K][] | undefined }
  /** At this time or later. */
  readonly sinceMs?: number | undefined
  readonly beforeMs?: number | undefined
}

export interface Page<Entity> {
  readonly rows: readonly Entity[]
  readonly next: TimePosition | undefined
}

type Columns = Readonly<Record<string, Codec<unknown>>>

type Row<C extends Columns> = { readonly [Name in keyof C]: ReturnType<C[Name]['read']> }

export type EntityOf<T> = T extends Table<infer Entity> ? Entity : never

export interface TableDefinition<C extends Columns, Entity = Row<C>> {
  /** A table, or for reading only a query in brackets with an alias: `(select …) member`. */
  readonly name: string
  readonly key: readonly (keyof Entity & string)[]
  readonly columns: C
  /** Never written again after the insert. */
  readonly fixed?: readonly (keyof Entity & string)[]
  /** The time column that orders pages, before the id. */
  readonly time?: keyof Entity & string
}

export function defineTable<const C extends Columns>(definition: TableDefinition<C>): Table<Row<C>> {
  type Entity = Row<C>
  type Name = keyof C & string
  const names = Object.keys(definition.columns) as Name[]
  const codecOf = (name: Name) => definition.columns[name] as Codec<unknown>
  const columnOf = (name: Name) => codecOf(name).column ?? name
  const list = names.map(columnOf).join(', ')
  const fixed = new Set<string>([...definition.key, ...(definition.fixed ?? [])])
  const changing = names.filter((name) => !fixed.has(name))
  const inserted: Column<Entity>[] = names.map((name) => {
    const { type, write } = codecOf(name)
    return { name: columnOf(name), type, of: (entity) => write(entity[name]) }
  })
  const overwrite = `on conflict (${definition.key.map(columnOf).join(', ')}) do update set ${changing
    .map((name) => `${columnOf(name)} = excluded.${columnOf(name)}`)
    .join(', ')}`
  const readers = names.map((name) => ({ name, column: columnOf(name), read: codecOf(name).read }))

  function fromRow(row: object): Entity {
    const values = row as Record<string, SqlValue>
    const entity: Record<string, unknown> = {}
    for (const { name, column, read } of readers) entity[name] = read(values[column] ?? null)
    return entity as Entity
  }

  /** `a = $1 and b is null`, with the values of the marks. */
  function condition(where: Partial<Entity>, params: SqlValue[]): string {
    const parts = (Object.keys(where) as Name[]).map((name) => {
      const value = codecOf(name).write(where[name])
      return value === null ? `${columnOf(name)} is null` : `${columnOf(name)} = $${params.push(value)}`
    })
    return parts.length === 0 ? '1 = 1' : parts.join(' and ')
  }

  /** `a in ($1, $2)`, for each column that may hold one of several values. */
  function membership(among: Narrowed<Entity>['among'] = {}, params: SqlValue[]): string {
    const parts = (Object.keys(among) as Name[]).flatMap((name) => {
      const marks = among[name]?.map((value) => `$${params.push(codecOf(name).write(value))}`)
      return marks ? [` and ${columnOf(name)} in (${marks.join(', ')})`] : []
    })
    return parts.join('')
  }

  function select(sql: SqlQueries, where: Partial<Entity>, tail: string): Promise<Entity[]> {
    const params: SqlValue[] = []
    return table.where(sql, `${condition(where, params)}${tail}`, params)
  }

  function add(tx: SqlQueries, entity: Entity, more: Readonly<Record<string, SqlValue>>, tail: string): Promise<Rows> {
    const values = [...inserted.map(({ of }) => of(entity)), ...Object.values(more)]
    const into = [list, ...Object.keys(more)].join(', ')
    const marks = values.map((_, i) => `$${i + 1}`).join(', ')
    return tx.query(`insert into ${definition.name} (${into}) values (${marks})${tail} returning ${list}`, values)
  }

  const keyOf = (entity: Entity) =>
    Object.fromEntries(definition.key.map((name) => [name, entity[name]])) as Partial<Entity>

  const table: Table<Entity> = {
    columns: (alias) => (alias === undefined ? list : names.map((name) => `${alias}.${columnOf(name)}`).join(', ')),
    fromRow,
    async insert(tx, entity, more = {}) {
      return fromRow((await add(tx, entity, more, ''))[0]!)
    },
    async insertIfNew(tx, entity, more = {}) {
      const [row] = await add(tx, entity, more, ' on conflict do nothing')
      return row && fromRow(row)
    },
    async update(tx, row, changes, more = {}) {
      const params: SqlValue[] = []
      const changed = changing.filter((name) => name in changes)
      const sets = [
        ...changed.map((name) => `${columnOf(name)} = $${params.push(codecOf(name).write(changes[name]))}`),
        ...Object.entries(more).map(([column, value]) => `${column} = $${params.push(value)}`),
      ]
      const rows = await tx.query(
        `update ${definition.name} set ${sets.join(', ')} where ${condition(keyOf(row), params)} returning ${list}`,
        params,
      )
      if (!rows[0]) throw new Error(`${definition.name}: a row to update is gone`)
      return fromRow(rows[0])
    },
    toInsert: (dialect, rows, onConflict = '') =>
      rowsToInsert(dialect, { table: definition.name, columns: inserted, rows, onConflict }),
    toUpsert: (dialect, entities) => table.toInsert(dialect, entities, overwrite),
    upsert: (tx, entities) => runStatements(tx, table.toUpsert(tx, entities)),
    find: async (sql, where) => (await select(sql, where, ' limit 1'))[0],
    lock: async (tx, where) => (await select(tx, where, tx.forUpdate))[0],
    async where(sql, clause, params = []) {
      return (await sql.query(`select ${list} from ${definition.name} where ${clause}`, params)).map(fromRow)
    },
    list: (sql, where, { order, limit }) => select(sql, where, ` order by ${order} limit ${limit}`),
    async count(sql, where, and = '') {
      const params: SqlValue[] = []
      const rows = await sql.query<{ count: number }>(
        `select count(*) as count from ${definition.name} where ${condition(where, params)}${and}`,
        params,
      )
      return rows[0]?.count ?? 0
    },
    async page(sql, where, { from, limit, newestFirst = false, among, sinceMs, beforeMs }) {
      const params: SqlValue[] = []
      const time = columnOf(definition.time ?? ('created_at' as Name))
      const [compare, order] = newestFirst ? ['<', 'desc'] : ['>', 'asc']
      let clause = condition(where, params) + membership(among, params)
      if (sinceMs !== undefined) clause += ` and ${time} >= $${params.push(sinceMs)}`
      if (beforeMs !== undefined) clause += ` and ${time} < $${params.push(beforeMs)}`
      if (from) clause += ` and (${time}, id) ${compare} ($${params.push(from.createdAtMs)}, $${params.push(from.id)})`
      const rows: Rows = await sql.query(
        `select ${list} from ${definition.name} where ${clause} order by ${time} ${order}, id ${order} limit ${limit + 1}`,
        params,
      )
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return {
        rows: page.map(fromRow),
        next: rows.length > limit && last ? { createdAtMs: Number(last[time]), id: String(last.id) } : undefined,
      }
    },
    async delete(tx, where) {
      const params: SqlValue[] = []
      const clause = condition(where, params)
      return (await tx.query(`delete from ${definition.name} where ${clause} returning 1 as one`, params)).length
    },
  }
  return table
}
