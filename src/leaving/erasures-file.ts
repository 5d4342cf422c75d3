/**
 * `erasures.log`: every erasure that was done, outside the database, one line of JSON each.
 *
 *  1. A line is written before its erasure commits: an erasure that nobody can repeat after a restore is not done.
 *  2. Every start compares the file with the database. A database from before an erasure is erased again, before anybody is
 *     served; an erasure that only the database knows is added to the file.
 *  3. Backups do not hold the file: restoring an older one must not replace it.
 */
import type { SqlQueries } from '../db/sql.ts'
import { type Erasure, erasures } from '../identity/erasures.ts'
import { appendLines, readLines } from '../lib/line-file.ts'

export function readErasures(file: string): Erasure[] {
  const lines = readLines<Erasure>(file).filter(
    ({ id, kind, subject_id }) => typeof id === 'string' && typeof subject_id === 'string' && typeof kind === 'string',
  )
  return [...new Map(lines.map((line) => [line.id, line])).values()]
}

export const addErasure = (file: string, erasure: Erasure): void => appendLines(file, [erasure])

/** The list grows for ever: it is read only if there is an erasure since then. */
export async function copyErasures(sql: SqlQueries, file: string, sinceMs = 0): Promise<void> {
  const done = await erasures.where(sql, 'done_at >= $1 order by done_at, id', [sinceMs])
  if (done.length === 0) return
  const known = new Set(readErasures(file).map(({ id }) => id))
  appendLines(
    file,
    done.filter(({ id }) => !known.has(id)),
  )
}
