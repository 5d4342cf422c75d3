/**
 * Sealing anew whatever is kept under a former key. A part names what it keeps sealed; rotation does the rest, a few
 * rows at a time, while nodes go on writing: a row that somebody changed meanwhile is left to the next pass.
 */
import { type ChangeableRing, prefixOf, type Ring } from '../lib/seal.ts'
import { runStatements } from './routine.ts'
import type { Sql, SqlValue } from './sql.ts'

/** One column that holds texts sealed, or signatures made, under the ring. */
export interface SealedColumn {
  /** What it is, for the operator who watches: `signing keys`. */
  readonly about: string
  readonly table: string
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** The column, which begins with the number of its key. */
  readonly column: string
  /** Other columns that `reseal` reads. */
  readonly reads?: readonly string[]
  /** Which rows are sealed, as SQL; default all. */
  readonly where?: string
  /** The text under the present key. Throws when the former one cannot be opened, or is not a signature of ours. */
  reseal(row: Readonly<Record<string, SqlValue>>, ring: Ring): Promise<string>
}

const ROWS_AT_ONCE = 100

/**
 * Passes over all columns until nothing is left under a former key. `settled` says whether every node seals with the
 * present key by now: until then a pass that found nothing proves nothing.
 */
export async function resealAll(
  sql: Sql,
  ring: ChangeableRing,
  columns: readonly SealedColumn[],
  options: {
    readonly settled: () => Promise<boolean>
    readonly onProgress?: (about: string, resealed: number) => void
  },
): Promise<Record<string, Pass>> {
  const total: Record<string, Pass> = Object.fromEntries(
    columns.map(({ about }) => [about, { resealed: 0, unreadable: 0 }]),
  )
  for (;;) {
    const last = await options.settled()
    let found = 0
    for (const column of columns) {
      const before = total[column.about]?.resealed ?? 0
      const pass = await resealColumn(sql, ring, column, (resealed) =>
        options.onProgress?.(column.about, before + resealed),
      )
      found += pass.resealed
      total[column.about] = { resealed: before + pass.resealed, unreadable: pass.unreadable }
    }
    if (last && found === 0) return total
  }
}

export interface Pass {
  /** Sealed anew. */
  readonly resealed: number
  /** Rows that no key of the ring opens: they were unreadable before. */
  readonly unreadable: number
}

/** One pass over the rows of a column that are not under the present key. */
export async function resealColumn(
  sql: Sql,
  ring: ChangeableRing,
  sealed: SealedColumn,
  onProgress: (resealed: number) => void = () => {},
): Promise<Pass> {
  const { table, key, column } = sealed
  const others = [...new Set([...key, ...(sealed.reads ?? [])])].join(', ')
  const marks = (first: number) => key.map((_, i) => `$${first + i}`).join(', ')
  const present = prefixOf(ring.present)
  const isSought = `substr(${column}, 1, ${present.length}) <> $1 and (${sealed.where ?? '1 = 1'})`
  let after: SqlValue[] | undefined
  let resealed = 0
  let unreadable = 0
  for (;;) {
    // By the key alone: a statement that looked for such rows would walk the whole table when none are left, and meet
    // its time limit. A row that is not sought comes without its text.
    const page = await sql.query<Record<string, SqlValue>>(
      `select ${others}, case when ${isSought} then ${column} end as ${column} from ${table}
       ${after ? `where (${key.join(', ')}) > (${marks(2)})` : ''}
       order by ${key.join(', ')} limit ${ROWS_AT_ONCE}`,
      [present, ...(after ?? [])],
    )
    const last = page.at(-1)
    if (!last) return { resealed, unreadable }
    after = key.map((name) => last[name] ?? null)
    const rows = page.filter((row) => row[column] !== null)
    if (rows.length === 0) continue
    const anew: { readonly row: Record<string, SqlValue>; readonly text: string }[] = []
    for (const row of rows) {
      try {
        anew.push({ row, text: await sealed.reseal(row, ring) })
      } catch {
        unreadable++
      }
    }
    // Only what was read: a row that was written since is under the present key, or found by the next pass.
    const update = `update ${table} set ${column} = $1 where ${column} = $2 and (${key.join(', ')}) = (${marks(3)})`
    await sql.transaction((tx) =>
      runStatements(
        tx,
        anew.map(({ row, text }) => ({
          text: update,
          params: [text, row[column] ?? null, ...key.map((name) => row[name] ?? null)],
        })),
      ),
    )
    resealed += anew.length
    onProgress(resealed)
  }
}
