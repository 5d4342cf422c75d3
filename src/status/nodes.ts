/**
 * The running nodes. Each writes its figures into its own row every few seconds, so that any node, and a verb, can show
 * all of them.
 *
 *  1. A node that stops deletes its row. A node that died is shown as silent, for a day or until another starts in its
 *     place.
 *  2. A row that cannot be written is written at the next beat; nothing waits for it.
 *  3. At most `NODES_MAX` are shown, and the size of each row is limited.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql, SqlQueries } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, json, text } from '../db/table.ts'
import { type Clock, DAY_MS, SECOND_MS } from '../lib/clock.ts'
import type { NodeFigures } from './figures.ts'

const nodes = defineTable({
  name: 'node',
  key: ['id'],
  columns: {
    id: text(),
    /** Host and port: a node that starts where another died replaces it. */
    name: text(),
    role: text<'server' | 'engine'>(),
    version: text(),
    started_at: integer(),
    seen_at: integer(),
    figures: json<NodeFigures>(),
  },
})
export type NodeRow = EntityOf<typeof nodes>

const BEAT_MS = 10 * SECOND_MS
/** Three beats: one may be late, and one lost. */
export const SILENT_MS = 3 * BEAT_MS + 5 * SECOND_MS
const KEPT_MS = DAY_MS
const NODES_MAX = 200
/** A store that does not answer delays neither a start nor a stop for longer. */
const WAIT_MS_MAX = 2 * SECOND_MS

export type Heartbeat = ReturnType<typeof startHeartbeat>

export function startHeartbeat(deps: {
  readonly sql: Sql
  readonly clock: Pick<Clock, 'now'>
  readonly node: Pick<NodeRow, 'id' | 'name' | 'role' | 'version' | 'started_at'>
  readonly figures: () => Promise<NodeFigures>
  readonly onTrouble: (error: unknown) => void
}) {
  const { sql, clock, node } = deps
  let writing: Promise<void> | undefined
  let closed = false
  let failing = false

  async function write(): Promise<void> {
    try {
      const figures = await deps.figures()
      if (closed) return
      const nowMs = clock.now()
      await sql.transaction(async (tx) => {
        await nodes.upsert(tx, [{ ...node, seen_at: nowMs, figures }])
        const silent = 'delete from node where seen_at < $1 or (name = $2 and seen_at < $3)'
        await tx.query(silent, [nowMs - KEPT_MS, node.name, nowMs - SILENT_MS])
      })
      failing = false
    } catch (error) {
      if (!failing) deps.onTrouble(error)
      failing = true
    }
  }

  function beat(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }

  const timer = setInterval(() => void beat(), BEAT_MS).unref()
  return {
    /** Writes the row now; waits briefly for it. */
    beat: () => Promise.race([beat(), delay(WAIT_MS_MAX, undefined, { ref: false })]),
    async close() {
      clearInterval(timer)
      closed = true
      const leave = async () => {
        await writing
        await sql.query('delete from node where id = $1', [node.id]).catch(deps.onTrouble)
      }
      await Promise.race([leave(), delay(WAIT_MS_MAX, undefined, { ref: false })])
    },
  }
}

/** Running nodes first, then silent ones. */
export function listNodes(sql: SqlQueries): Promise<NodeRow[]> {
  return nodes.list(sql, {}, { order: 'seen_at desc, name', limit: NODES_MAX })
}
