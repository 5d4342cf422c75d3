import Type from 'typebox'
import type { Sql } from '../db/sql.ts'
import { oneOf } from '../http/operation.ts'
import { counts, orNull, type PageOperation, pageOperation, texts, textsOrNull } from '../http/page-operation.ts'
import { iso, isoOrNull } from '../lib/clock.ts'
import type { SnapshotInfo } from '../snapshot/types.ts'
import { type FeedKeys, standingOfFeed } from './keys.ts'
import { createFeedStore, type FeedState, listDateOf } from './store.ts'

/** The basis of the answers: the snapshot in use, its sources, and the state of each feed. */
export interface IntelligenceDependencies {
  readonly sql: Sql
  /** Absent where the set keys are unknown: a feed that needs a key and was never checked then counts as off. */
  readonly keys?: FeedKeys | undefined
  /** Undefined where another server holds the snapshot. */
  readonly snapshotInfo: () => SnapshotInfo | undefined
  readonly engineInfo: () => Promise<{ readonly version: string; readonly built_at: string } | undefined>
}

const SourceSchema = Type.Object(
  {
    ...texts('id', 'name', 'licence'),
    ...counts('rows'),
    state: oneOf(['bundled', 'fresh', 'unfetched', 'failing', 'held', 'off']),
    ...textsOrNull('as_of', 'last_error', 'last_error_at', 'next_due_at'),
  },
  { $id: 'Source' },
)
const IntelligenceSchema = Type.Object(
  {
    ...textsOrNull('version', 'built_at'),
    counts: orNull(Type.Object(counts('domains', 'emails', 'ipv4', 'ipv6'))),
    sources: Type.Array(SourceSchema),
  },
  { $id: 'Intelligence' },
)

export function intelligencePages(deps: IntelligenceDependencies): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/intelligence',
      access: 'person',
      answer: IntelligenceSchema,
      async handle() {
        const snapshot = deps.snapshotInfo()
        const engine = await deps.engineInfo()
        const feeds = new Map((await createFeedStore(deps.sql).list()).map((state) => [state.feed.id, state]))
        const known = new Set(snapshot?.sources.map(({ id }) => id))
        return {
          version: snapshot?.version ?? engine?.version ?? null,
          built_at: snapshot ? iso(snapshot.builtAtMs) : (engine?.built_at ?? null),
          counts: snapshot?.counts ?? null,
          sources: [
            ...(snapshot?.sources ?? []).map(({ id, name, licence, rows, asOfMs }) => {
              const view = feedView(feeds.get(id), deps.keys)
              return { id, name, licence, rows, as_of: iso(asOfMs), ...view }
            }),
            ...[...feeds.values()].flatMap((state) => {
              const { id, name, licence } = state.feed
              const as_of = isoOrNull(listDateOf(state))
              const view = { rows: state.rows ?? 0, as_of, ...feedView(state, deps.keys) }
              return known.has(id) ? [] : [{ id, name, licence, ...view }]
            }),
          ],
        }
      },
    }),
  ]
}

function feedView(state: FeedState | undefined, keys: FeedKeys | undefined) {
  if (!state) return { state: 'bundled' as const, last_error: null, last_error_at: null, next_due_at: null }
  const standing = standingOfFeed(state, keys)
  return {
    state: standing,
    last_error: state.lastError ?? null,
    last_error_at: isoOrNull(state.lastErrorAtMs),
    next_due_at: standing === 'off' ? null : isoOrNull(state.nextDueAtMs),
  }
}
