/**
 * Decides which checks go on record, and with which content. The row itself is written with the charge (db/kept-checks.ts).
 *
 *  1. `all` keeps every check, `console` what signed-in people ask, `off` none.
 *  2. The mode comes from a cache: a check that is not kept costs no query.
 */
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Caller } from '../access/caller.ts'
import { checkIdOf } from '../db/kept-checks.ts'
import type { Sql } from '../db/sql.ts'
import type { HISTORY_MODES } from '../identity/organisation/organisations.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { gatherLookUps } from '../lib/gather.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { type Maybe, thenSync } from '../lib/maybe.ts'
import type { Ring } from '../lib/seal.ts'
import type { Keeper } from '../risk/keeper.ts'
import { changedSince, withChanges } from './changed-since.ts'
import { openTextsOf } from './check-log.ts'
import { findLastChecks } from './checks.ts'
import { type ListContent, listText } from './lists.ts'
import { type IndicatorDigest, indicatorDigest, keysOfChecks, openDigest, placeOfList, sealOfChecks } from './sealed.ts'

interface History {
  readonly mode: (typeof HISTORY_MODES)[number]
  /** Undefined before the first check is kept. */
  digest: IndicatorDigest | undefined
}

/** Changes of the settings are announced to every node; this bounds the delay where an announcement is lost. */
const MODE_TTL_MS = 10 * SECOND_MS
const ORGANISATIONS_MAX = 50_000
const deflated = promisify(deflate)

export function createRecorder(deps: {
  readonly sql: Sql
  readonly ring: Ring
  readonly clock: Clock
  /** A check will be kept that leaves work (follow-up.ts). */
  readonly onWorkLeft: () => void
  /** A list was charged for: its records want rows of their own. */
  readonly onListKept: (list: { readonly organisationId: string; readonly id: string }) => void
}) {
  const { sql, ring, clock } = deps
  const seal = sealOfChecks(ring)
  const keys = keysOfChecks(ring)
  const findLast = gatherLookUps(findLastChecks.bind(undefined, sql))

  async function readHistory(organisationId: string): Promise<History> {
    const [row] = await sql.query<{ history: History['mode']; sealed: string | null }>(
      `select o.history, k.sealed from organisation o left join history_key k on k.organisation_id = o.id where o.id = $1`,
      [organisationId],
    )
    const digest = row?.sealed ? await openDigest(ring, organisationId, row.sealed) : undefined
    return { mode: row?.history ?? 'off', digest }
  }
  const histories = cacheLookUps(readHistory, { clock, ttlMs: MODE_TTL_MS, entriesMax: ORGANISATIONS_MAX })

  function keeper(caller: Caller, requestId: string, digest: IndicatorDigest): Keeper {
    const { organisationId } = caller
    const id = checkIdOf(requestId)
    /** The digest of the indicator: a keeper is for one request. */
    let made: string | undefined
    const asked = { channel: caller.method === 'session' ? 'console' : 'api', personId: caller.userId ?? null } as const
    return {
      checkId: id,
      keep(check, normal, text) {
        if (asked.channel === 'api' || check.outcome === 'review') deps.onWorkLeft()
        made ??= digest(check.kind, normal)
        return { row: { ...check, channel: asked.channel, personId: asked.personId, digest: made }, text }
      },
      async changedSince(kind, normal, now) {
        made = digest(kind, normal)
        const former = await findLast({ organisationId, digest: made })
        if (!former) return undefined
        // The same score has the same reasons: no text is opened.
        if (former.score === now.score) return changedSince(former, undefined, now)
        const textOf = await openTextsOf(sql, keys, organisationId, [former.id])
        return changedSince(former, textOf(former.id), now)
      },
      withChanges: (kind, results) => withChanges({ sql, keys, digest }, { organisationId, kind, results }),
      async keepList({ kind, intelligence, ...content }) {
        const packed = await deflated(listText(content satisfies ListContent), { level: 1 })
        const text = seal.seal(packed.toString('base64'), placeOfList(organisationId, id))
        return { row: { kind, intelligence, ...asked }, text }
      },
      listKept: () => deps.onListKept({ organisationId, id }),
    }
  }

  return {
    /** Undefined if the caller's checks are not kept. */
    keeperOf(caller: Caller, requestId: string) {
      const { organisationId, method } = caller
      return thenSync(histories.find(organisationId), (history): Maybe<Keeper | undefined> => {
        if (history.mode === 'off' || (history.mode === 'console' && method !== 'session')) return undefined
        if (history.digest) return keeper(caller, requestId, history.digest)
        return indicatorDigest(sql, ring, organisationId).then((digest) => {
          history.digest = digest
          return keeper(caller, requestId, digest)
        })
      })
    },
    forget: () => histories.forget(),
  }
}
