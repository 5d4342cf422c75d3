import { existsSync } from 'node:fs'
import type { Sql, SqlTransaction } from '../db/sql.ts'
import { defineTable, type EntityOf, flag, integer, json, named, orNull, text } from '../db/table.ts'
import { asOfMs, checkFeed, type Feed } from './catalogue.ts'
import { digestOf } from './files.ts'
import type { JunkReason } from './parse/report.ts'
import { joinParts, partsOf, putParts } from './stored-parts.ts'

export type FeedState = Readonly<ReturnType<typeof stateOf>>

/** Per document, by its address or file name. `added_after` is TAXII's. */
export type Validators = Readonly<Record<string, Validator>>

interface Validator {
  readonly etag?: string
  readonly last_modified?: string
  readonly added_after?: string
  /** The content of the last copy and its date: the same content again keeps the date. */
  readonly sha256?: string
  readonly as_of?: string
}

export interface Held {
  readonly rows: number
  readonly previous_rows: number
  readonly at_ms: number
}

const feeds = defineTable({
  name: 'feed',
  key: ['id'],
  columns: {
    id: text(),
    definition: json<unknown>(),
    baseDir: named('base_dir', orNull(text())),
    enabled: flag(),
    rows: orNull(integer()),
    junk: orNull(json<Partial<Record<JunkReason, number>>>()),
    fetchedAtMs: named('fetched_at', orNull(integer())),
    checkedAtMs: named('checked_at', orNull(integer())),
    validators: orNull(json<Validators>()),
    failures: integer(),
    lastError: named('last_error', orNull(text())),
    lastErrorAtMs: named('last_error_at', orNull(integer())),
    held: orNull(json<Held>()),
    nextDueAtMs: named('next_due_at', integer()),
  },
})

const ERROR_CHARACTERS_MAX = 1000

export function createFeedStore(sql: Sql) {
  return {
    async list(): Promise<FeedState[]> {
      const rows = await sql.query(`select ${feeds.columns()} from feed order by id`)
      return rows.map((row) => stateOf(feeds.fromRow(row)))
    },

    async find(id: string): Promise<FeedState | undefined> {
      const found = await feeds.find(sql, { id })
      return found && stateOf(found)
    },

    /**
     * Adds feeds or updates their definitions. A feed that the operator switched on or off stays so; other feeds follow
     * the default of the new definition. `keepLocal` does not change feeds that were loaded from a folder, for a start
     * of the server that knows no folder.
     */
    async save(
      given: readonly Feed[],
      baseDir: string | undefined,
      nowMs: number,
      options: { readonly keepLocal?: boolean } = {},
    ): Promise<void> {
      await sql.transaction(async (tx) => {
        for (const feed of given) {
          const known = await feeds.find(tx, { id: feed.id })
          if (known && options.keepLocal && known.baseDir !== null) continue
          const isSwitched = known !== undefined && known.enabled !== (known.definition as Feed).enabled
          const enabled = isSwitched ? known.enabled : feed.enabled
          await tx.query(
            `insert into feed (id, definition, base_dir, enabled, failures, next_due_at, updated_at)
             values ($1, $2, $3, $4, 0, $5, $5)
             on conflict (id) do update set definition = excluded.definition, base_dir = excluded.base_dir,
               enabled = excluded.enabled, updated_at = excluded.updated_at`,
            [feed.id, JSON.stringify(feed), baseDir ?? null, enabled ? 1 : 0, nowMs],
          )
        }
      })
    },

    async setEnabled(id: string, enabled: boolean, nowMs: number): Promise<boolean> {
      const rows = await sql.query(
        'update feed set enabled = $2, next_due_at = $3, updated_at = $3 where id = $1 returning id',
        [id, enabled ? 1 : 0, nowMs],
      )
      return rows.length > 0
    },

    async recordCopy(
      id: string,
      copy: { file: string; rows: number; junk: object; validators: Validators; nextDueAtMs: number; nowMs: number },
    ): Promise<void> {
      await sql.transaction(async (tx) => {
        await tx.query(
          `update feed set rows = $2, junk = $3, validators = $4, next_due_at = $5, fetched_at = $6, checked_at = $6,
             failures = 0, last_error = null, last_error_at = null, held = null, updated_at = $6 where id = $1`,
          [id, copy.rows, JSON.stringify(copy.junk), JSON.stringify(copy.validators), copy.nextDueAtMs, copy.nowMs],
        )
        if (tx.engine === 'postgres') await shareCopy(tx, id, copy.file, copy.nowMs)
      })
    },

    /**
     * Makes the file the copy that the feed's row describes: another node may have fetched it. False if there is no such
     * copy, or only a damaged one.
     */
    async bringCopy({ feed, fetchedAtMs }: FeedState, file: string): Promise<boolean> {
      if (sql.engine !== 'postgres') return existsSync(file)
      const [stored] = await sql.query<{ sha256: string; parts: number }>(
        'select sha256, parts from feed_copy where feed_id = $1 and fetched_at = $2 limit 1',
        [feed.id, fetchedAtMs ?? null],
      )
      if (!stored) return false
      if (existsSync(file) && (await digestOf(file)) === stored.sha256) return true
      return joinParts(file, stored, async (number) => {
        const [part] = await sql.query<{ data: Uint8Array }>(
          'select data from feed_copy where feed_id = $1 and number = $2',
          [feed.id, number],
        )
        return part?.data ?? new Uint8Array()
      })
    },

    async recordUnchanged(id: string, at: { nextDueAtMs: number; nowMs: number }): Promise<void> {
      await sql.query(
        `update feed set checked_at = $3, next_due_at = $2, failures = 0, last_error = null, last_error_at = null,
           updated_at = $3 where id = $1`,
        [id, at.nextDueAtMs, at.nowMs],
      )
    },

    async recordHeld(id: string, held: Held, at: { nextDueAtMs: number; nowMs: number }): Promise<void> {
      const update = 'update feed set held = $2, checked_at = $4, next_due_at = $3, updated_at = $4 where id = $1'
      await sql.query(update, [id, JSON.stringify(held), at.nextDueAtMs, at.nowMs])
    },

    async recordFailure(id: string, error: string, at: { nextDueAtMs: number; nowMs: number }): Promise<void> {
      await sql.query(
        `update feed set failures = failures + 1, last_error = $2, last_error_at = $4, next_due_at = $3,
           updated_at = $4 where id = $1`,
        [id, error.slice(0, ERROR_CHARACTERS_MAX), at.nextDueAtMs, at.nowMs],
      )
    },
  }
}

async function shareCopy(tx: SqlTransaction, id: string, file: string, fetchedAtMs: number): Promise<void> {
  const [sha256, parts] = [await digestOf(file), partsOf(file)]
  await tx.query('delete from feed_copy where feed_id = $1', [id])
  await putParts(file, (number, data) =>
    tx.query(
      'insert into feed_copy (feed_id, number, fetched_at, sha256, parts, data) values ($1, $2, $3, $4, $5, $6)',
      [id, number, fetchedAtMs, sha256, parts, data],
    ),
  )
}

/** The date of the feed's copy; undefined if there is none. */
export function listDateOf({ feed, fetchedAtMs, validators }: FeedState): number | undefined {
  return fetchedAtMs === undefined ? undefined : asOfMs(feed, fetchedAtMs, Object.values(validators))
}

export type FeedStore = ReturnType<typeof createFeedStore>

function stateOf({ id, definition, ...row }: EntityOf<typeof feeds>) {
  const checked = checkFeed(definition)
  if ('problems' in checked) throw new Error(`The stored feed ${id} is not valid: ${checked.problems.join('; ')}.`)
  return {
    feed: checked.feed,
    baseDir: row.baseDir ?? undefined,
    enabled: row.enabled,
    rows: row.rows ?? undefined,
    junk: row.junk ?? {},
    fetchedAtMs: row.fetchedAtMs ?? undefined,
    checkedAtMs: row.checkedAtMs ?? undefined,
    validators: row.validators ?? {},
    failures: row.failures,
    lastError: row.lastError ?? undefined,
    lastErrorAtMs: row.lastErrorAtMs ?? undefined,
    held: row.held ?? undefined,
    nextDueAtMs: row.nextDueAtMs,
  }
}
