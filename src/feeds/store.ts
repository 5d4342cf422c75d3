import type { Sql } from '../db/sql.ts'
import { checkFeed, type Feed } from './catalogue.ts'
import type { JunkReason } from './parse/report.ts'

/** The state of a feed in the database. */
export interface FeedState {
  readonly feed: Feed
  readonly baseDir: string | undefined
  readonly enabled: boolean
  readonly rows: number | undefined
  readonly junk: Partial<Record<JunkReason, number>>
  readonly fetchedAtMs: number | undefined
  readonly checkedAtMs: number | undefined
  readonly validators: Validators
  readonly failures: number
  readonly lastError: string | undefined
  readonly lastErrorAtMs: number | undefined
  readonly held: Held | undefined
  readonly nextDueAtMs: number
}

/** Per address; `added_after` is TAXII's. */
export type Validators = Readonly<Record<string, { etag?: string; last_modified?: string; added_after?: string }>>

export interface Held {
  readonly rows: number
  readonly previous_rows: number
  readonly at_ms: number
}

interface FeedRecord {
  id: string
  definition: string
  base_dir: string | null
  enabled: number
  rows: number | null
  junk: string | null
  fetched_at: number | null
  checked_at: number | null
  validators: string | null
  failures: number
  last_error: string | null
  last_error_at: number | null
  held: string | null
  next_due_at: number
}

const COLUMNS = `id, definition, base_dir, enabled, rows, junk, fetched_at, checked_at, validators, failures,
  last_error, last_error_at, held, next_due_at`

const ERROR_CHARACTERS_MAX = 1000

export function createFeedStore(sql: Sql) {
  return {
    async list(): Promise<FeedState[]> {
      const records = await sql.query<FeedRecord>(`select ${COLUMNS} from feed order by id`)
      return records.map(stateOf)
    },

    async find(id: string): Promise<FeedState | undefined> {
      const [record] = await sql.query<FeedRecord>(`select ${COLUMNS} from feed where id = $1`, [id])
      return record && stateOf(record)
    },

    /**
     * Adds feeds or updates their definitions. A feed that the operator switched on or off stays so; other feeds follow
     * the default of the new definition. `keepLocal` does not change feeds that were loaded from a folder, for a start
     * of the server that knows no folder.
     */
    async save(
      feeds: readonly Feed[],
      baseDir: string | undefined,
      nowMs: number,
      options: { readonly keepLocal?: boolean } = {},
    ): Promise<void> {
      await sql.transaction(async (tx) => {
        for (const feed of feeds) {
          const [known] = await tx.query<Pick<FeedRecord, 'definition' | 'enabled' | 'base_dir'>>(
            'select definition, enabled, base_dir from feed where id = $1',
            [feed.id],
          )
          if (known && options.keepLocal && known.base_dir !== null) continue
          const usual = known && (JSON.parse(known.definition) as Feed).enabled
          const switched = known !== undefined && (Number(known.enabled) === 1) !== usual
          const enabled = switched ? Number(known.enabled) : feed.enabled ? 1 : 0
          await tx.query(
            `insert into feed (id, definition, base_dir, enabled, failures, next_due_at, updated_at)
             values ($1, $2, $3, $4, 0, $5, $5)
             on conflict (id) do update set definition = excluded.definition, base_dir = excluded.base_dir,
               enabled = excluded.enabled, updated_at = excluded.updated_at`,
            [feed.id, JSON.stringify(feed), baseDir ?? null, enabled, nowMs],
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
      copy: { rows: number; junk: object; validators: Validators; nextDueAtMs: number; nowMs: number },
    ): Promise<void> {
      await sql.query(
        `update feed set rows = $2, junk = $3, validators = $4, next_due_at = $5, fetched_at = $6, checked_at = $6,
           failures = 0, last_error = null, last_error_at = null, held = null, updated_at = $6 where id = $1`,
        [id, copy.rows, JSON.stringify(copy.junk), JSON.stringify(copy.validators), copy.nextDueAtMs, copy.nowMs],
      )
    },

    async recordUnchanged(id: string, at: { nextDueAtMs: number; nowMs: number }): Promise<void> {
      await sql.query(
        `update feed set checked_at = $3, next_due_at = $2, failures = 0, last_error = null, last_error_at = null,
           updated_at = $3 where id = $1`,
        [id, at.nextDueAtMs, at.nowMs],
      )
    },

    async recordHeld(id: string, held: Held, at: { nextDueAtMs: number; nowMs: number }): Promise<void> {
      await sql.query('update feed set held = $2, checked_at = $4, next_due_at = $3, updated_at = $4 where id = $1', [
        id,
        JSON.stringify(held),
        at.nextDueAtMs,
        at.nowMs,
      ])
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

export type FeedStore = ReturnType<typeof createFeedStore>

function stateOf(record: FeedRecord): FeedState {
  const checked = checkFeed(JSON.parse(record.definition))
  if ('problems' in checked) {
    throw new Error(`The stored feed ${record.id} is not valid: ${checked.problems.join('; ')}.`)
  }
  const time = (value: number | null) => (value === null ? undefined : Number(value))
  return {
    feed: checked.feed,
    baseDir: record.base_dir ?? undefined,
    enabled: Number(record.enabled) === 1,
    rows: time(record.rows),
    junk: record.junk === null ? {} : (JSON.parse(record.junk) as FeedState['junk']),
    fetchedAtMs: time(record.fetched_at),
    checkedAtMs: time(record.checked_at),
    validators: record.validators === null ? {} : (JSON.parse(record.validators) as Validators),
    failures: Number(record.failures),
    lastError: record.last_error ?? undefined,
    lastErrorAtMs: time(record.last_error_at),
    held: record.held === null ? undefined : (JSON.parse(record.held) as Held),
    nextDueAtMs: Number(record.next_due_at),
  }
}
