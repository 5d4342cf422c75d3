/**
 * Key rotation: seals again all rows that are sealed under a former key. Each module lists its sealed columns. Rotation
 * works on a few rows at a time while nodes continue to write: a row that changed in between is left to the next pass.
 */
import { type ChangeableRing, prefixOf, type Ring } from '../lib/seal.ts'
import { runStatements } from './routine.ts'
import type { Sql, SqlValue } from './sql.ts'

/** One column that holds texts sealed under the ring, or signatures made under it. */
export interface SealedColumn {
  /** The name of the content, for the operator: `signing keys`. */
  readonly about: string
  readonly table: string
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** The column; its text begins with the number of its key. */
  readonly column: string
  /** Other columns that `reseal` reads. */
  readonly reads?: readonly string[]
  /** SQL condition for the sealed rows; default all. */
  readonly where?: string
  /** The text under the current key. Throws when the former text cannot be opened, or is not a signature of ours. */
  reseal(row: Readonly<Record<string, SqlValue>>, ring: Ring): Promise<string>
}

export async function resealed(ring: Ring, purpose: string, text: SqlValue | undefined, place: string) {
  const seal = ring.seal(purpose)
  return seal.seal(await seal.open(String(text), place), place)
}

const ROWS_AT_ONCE = 100

/** Repeats passes until no row is left under a former key. `settled`: every node seals with the current key. */
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
  readonly resealed: number
  /** Rows that no key of the ring opens: they were already unreadable. */
  readonly unreadable: number
}

/** One pass over the rows of a column that are not under the current key. */
export async function resealColumn(
  sql: Sql,
  ring: ChangeableRing,
  sealed: SealedColumn,
  onProgress: (resealed: number) => void = () => {},
): Promise<Pass> {
  const { table, key, column } = sealed
  const others = [...new Set([...key, ...(sealed.reads ?? [])])].join(', ')
  const marks = (first: number) => key.map((_, i) => `$${first + i}`).join(', ')
  const current = prefixOf(ring.current)
  const isSought = `substr(${column}, 1, ${current.length}) <> $1 and (${sealed.where ?? '1 = 1'})`
  let after: SqlValue[] | undefined
  let resealed = 0
  let unreadable = 0
  for (;;) {
    // Page by the primary key alone: a search for such rows would scan the whole table when none are left, and meet its
    // time limit. For the other rows the text is not read.
    const page = await sql.query<Record<string, SqlValue>>(
      `select ${others}, case when ${isSought} then ${column} end as ${column} from ${table}
       ${after ? `where (${key.join(', ')}) > (${marks(2)})` : ''}
       order by ${key.join(', ')} limit ${ROWS_AT_ONCE}`,
      [current, ...(after ?? [])],
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
    // Update only the text that was read: a row that changed since is under the current key, or the next pass finds it.
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
