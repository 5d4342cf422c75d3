import type { Dialect, Statement } from './routine.ts'
import { type SqlValue, valuesList } from './sql.ts'

/** Statements have sizes of powers of two, so that each engine prepares a handful of texts and not one per size. */
const CHUNK_ROWS_MAX = 64

/** Powers of two that add up to `count`, largest first, none above 64. */
function chunkSizes(count: number): number[] {
  const sizes: number[] = []
  let left = count
  for (let size = CHUNK_ROWS_MAX; size >= 1; size /= 2) {
    while (left >= size) {
      sizes.push(size)
      left -= size
    }
  }
  return sizes
}

/** For `in (…)`: the values, the last one repeated up to a power of two, and their marks numbered from `first`. */
export function paddedList(values: readonly string[], first: number): { marks: string; values: string[] } {
  const padded = [...values]
  const last = values.at(-1)
  if (last === undefined) throw new RangeError('a list of values must not be empty')
  while (!Number.isInteger(Math.log2(padded.length))) padded.push(last)
  return { marks: padded.map((_, i) => `$${first + i}`).join(','), values: padded }
}

/** A column of an insert: its name, its type, and where its value comes from. */
export interface Column<Row> {
  readonly name: string
  readonly type: 'text' | 'bigint'
  readonly of: (row: Row) => string | number | null
}

/**
 * Inserts any number of rows; `onConflict` is the conflict clause. PostgreSQL gets one statement with an array for each
 * column, because a statement costs more than a row there. SQLite has no arrays and gets a few sizes of `values`.
 */
export function rowsToInsert<Row>(dialect: Pick<Dialect, 'engine'>, insert: RowsToInsert<Row>): Statement[] {
  const { table, columns, rows, onConflict = '' } = insert
  if (rows.length === 0) return []
  const into = () => `insert into ${table} (${columns.map(({ name }) => name).join(', ')})`
  if (dialect.engine === 'postgres') {
    const text = knownText(insert, 0, () => {
      const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`)
      // Without `where true` a conflict clause would be read as part of a join.
      return `${into()} select * from unnest(${arrays.join(', ')}) where true ${onConflict}`
    })
    return [{ text, params: columns.map(({ of }) => arrayLiteral(rows, of)) }]
  }
  let from = 0
  return chunkSizes(rows.length).map((size) => {
    const params: SqlValue[] = []
    for (let i = from; i < from + size; i++) for (const { of } of columns) params.push(of(rows[i]!))
    from += size
    const make = () => `${into()} values ${valuesList(size, columns.length)} ${onConflict}`
    return { text: knownText(insert, size, make), params }
  })
}

const texts = new WeakMap<readonly Column<never>[], { table: string; onConflict: string; bySize: string[] }>()

/** The text for 64 rows has 10 kB: build it once. The cached string object is then found again without reading it. */
function knownText<Row>({ table, columns, onConflict = '' }: RowsToInsert<Row>, size: number, make: () => string) {
  let known = texts.get(columns)
  if (known?.table !== table || known.onConflict !== onConflict) {
    known = { table, onConflict, bySize: [] }
    texts.set(columns, known)
  }
  known.bySize[size] ??= make()
  return known.bySize[size]
}

export interface RowsToInsert<Row> {
  readonly table: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly onConflict?: string
}

/** One column as a PostgreSQL array literal: text is always quoted, so that the text `NULL` is not null. */
function arrayLiteral<Row>(rows: readonly Row[], of: Column<Row>['of']): string {
  let text = '{'
  for (let i = 0; i < rows.length; i++) {
    const value = of(rows[i]!)
    if (i > 0) text += ','
    if (value === null) text += 'NULL'
    else text += typeof value === 'number' ? exact(value) : `"${escaped(value)}"`
  }
  return `${text}}`
}

function escaped(text: string): string {
  return text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text
}

/** Values that checkParams would refuse as parameters must not pass inside a literal. */
function exact(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a number the store cannot represent exactly: ${value}`)
  return value
}
