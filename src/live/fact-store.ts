import { deletePast } from '../db/purge.ts'
import { type Sql, valuesList } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, named, text } from '../db/table.ts'
import type { Sort } from './facts.ts'

/** Facts in the database: shared by all nodes, until they expire. */
export type FactRow = Omit<EntityOf<typeof facts>, 'form'>

/** Cached in memory only: an address may be a person's, the name of a domain is not. */
const UNWRITTEN: FactRow['sort'] = 'reverse'

type FactName = Pick<FactRow, 'sort' | 'name'>

/** Changes with the types in facts.ts: a node reads only facts of the form that it knows. */
const FORM = 2

const facts = defineTable({
  name: 'live_fact',
  key: ['sort', 'name'],
  columns: {
    sort: text<Sort | 'bootstrap'>(),
    name: text(),
    form: integer(),
    /** As JSON. */
    value: text(),
    seenMs: named('seen_at', integer()),
    expiresMs: named('expires_at', integer()),
  },
})

/** This batch size keeps a statement short on both engines. */
const LOOKED_UP_AT_ONCE = 256

export async function readFacts(sql: Sql, questions: readonly FactName[], nowMs: number): Promise<FactRow[]> {
  const found: FactRow[] = []
  const written = questions.filter(({ sort }) => sort !== UNWRITTEN)
  for (let at = 0; at < written.length; at += LOOKED_UP_AT_ONCE) {
    const params = written.slice(at, at + LOOKED_UP_AT_ONCE).flatMap(({ sort, name }) => [sort, name])
    // Few statement texts: the last question is repeated up to a power of two.
    while (!Number.isInteger(Math.log2(params.length))) params.push(...params.slice(-2))
    const rows = await sql.query(
      `select ${facts.columns()} from live_fact
       where expires_at > $1 and form = $2 and (sort, name) in (values ${valuesList(params.length / 2, 2, 3)})`,
      [nowMs, FORM, ...params],
    )
    for (const row of rows) found.push(facts.fromRow(row))
  }
  return found
}

export async function writeFacts(sql: Sql, rows: readonly FactRow[]): Promise<void> {
  // In one order: two nodes that write the same facts must not deadlock.
  const ordered = rows
    .filter(({ sort }) => sort !== UNWRITTEN)
    .map((row) => ({ ...row, form: FORM }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  if (ordered.length === 0) return
  await sql.transaction((tx) => facts.upsert(tx, ordered))
}

export const keyOf = ({ sort, name }: FactName) => `${sort} ${name}`

/** Deletes expired facts, and beyond `rowsMax` those that would expire first; returns their number. */
export async function purgeFacts(sql: Sql, nowMs: number, rowsMax: number): Promise<number> {
  const byExpiry = { table: 'live_fact', key: 'sort, name', time: 'expires_at' }
  const expired = await deletePast(sql, byExpiry, nowMs)
  const surplus = (await facts.count(sql, {})) - rowsMax
  if (surplus <= 0) return expired
  const [firstKept] = await sql.query<{ expires_at: number }>(
    `select expires_at from live_fact order by expires_at limit 1 offset ${surplus}`,
  )
  return expired + (await deletePast(sql, byExpiry, (firstKept?.expires_at ?? nowMs) - 1))
}

/** A batch small enough that a charge never waits long for it. */
const ROWS_AT_ONCE = 256
const WAIT_MS = 250
/** Beyond this limit facts are cached in memory only. */
const WAITING_MAX = 50_000

/** Writes facts to the database a little later, in batches: nobody waits for it, and a lost fact is looked up again. */
export function createFactWriter(options: {
  readonly sql: Sql
  readonly onTrouble?: ((error: unknown) => void) | undefined
}) {
  const waiting = new Map<string, FactRow>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let closed = false

  function schedule(): void {
    if (timer || writing || closed || waiting.size === 0) return
    timer = setTimeout(() => void flush(), WAIT_MS).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await writing
    writing = writeAll().finally(() => {
      writing = undefined
      schedule()
    })
    await writing
  }

  async function writeAll(): Promise<void> {
    for (let left = waiting.size; left > 0; left -= ROWS_AT_ONCE) {
      const rows = [...waiting.values().take(ROWS_AT_ONCE)]
      for (const row of rows) waiting.delete(keyOf(row))
      try {
        await writeFacts(options.sql, rows)
      } catch (error) {
        options.onTrouble?.(error)
        return
      }
    }
  }

  return {
    add(row: FactRow): void {
      if (closed || waiting.size >= WAITING_MAX) return
      waiting.set(keyOf(row), row)
      schedule()
    },
    flush,
    async close() {
      await flush()
      closed = true
      clearTimeout(timer)
    },
  }
}
