import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { type Maybe, thenSync } from '../../lib/maybe.ts'
import { LIMITS } from '../../limits.ts'
import { EngineUnavailable } from '../engine.ts'
import { compileOwn } from './compile.ts'
import { IndexCache } from './index-cache.ts'
import type { OwnKnowledgeSource } from './knowledge.ts'
import { OwnIndex } from './own-index.ts'

/**
 * The compiled knowledge of organisations, on demand.
 * 1. A check never waits for another organisation: every index is compiled in short turns beside the others.
 * 2. An answer uses the version that the source names. Only while a long register is compiled again, answers use the
 *    version before it for up to `STALE_MS_MAX`; the source's own delay included, that is less than 5 s.
 * 3. The indexes together use at most `bytesMax`; the least recently used leaves first.
 * 4. An index is used in the turn of the event loop in which it was found. The memory of one that left is freed in the next.
 * 5. Knowledge that cannot be read makes the engine unavailable: an answer without an own block list would be wrong.
 */
export type OwnIndexes = Readonly<ReturnType<typeof createOwnIndexes>>

/** The newest version that is not compiled yet, when it was first asked for, and its index. */
interface Pending {
  readonly version: number
  readonly sinceMs: number
  readonly index: Promise<OwnIndex>
}

const STALE_MS_MAX = 2000
/** Two for each counterparty. Fewer items are compiled within a few turns: no check needs an older version. */
const LONG_ITEMS_MIN = 6000
const TURN_MS_MAX = 2

export function createOwnIndexes(options: {
  readonly source: OwnKnowledgeSource
  readonly bytesMax?: number
  readonly clock?: Pick<Clock, 'ticks'>
}) {
  const { source, bytesMax = LIMITS.counts.ownIndexBytesMax, clock = systemClock } = options
  const kept = new IndexCache(bytesMax, (index) => setImmediate(() => index.free()))
  const pending = new Map<string, Pending>()

  function at(organisationId: string, version: number): Maybe<OwnIndex | undefined> {
    if (version === 0) {
      kept.delete(organisationId)
      return undefined
    }
    const index = kept.get(organisationId)
    if (index && index.version >= version) return index
    const under = pending.get(organisationId)
    const next = under && under.version >= version ? under : begin(organisationId, version, under)
    const isLong = index !== undefined && index.items >= LONG_ITEMS_MIN
    return isLong && clock.ticks() - next.sinceMs < STALE_MS_MAX ? index : next.index
  }

  /** One after the other for one organisation: a register that changes all the time is not compiled twice at once. */
  function begin(organisationId: string, version: number, before: Pending | undefined): Pending {
    const compile = async () => {
      const already = await before?.index.catch(() => undefined)
      if (already && already.version >= version) return already
      const index = new OwnIndex(await inTurns(compileOwn(await source.read(organisationId))))
      kept.set(organisationId, index)
      return index
    }
    const next: Pending = { version, sinceMs: before?.sinceMs ?? clock.ticks(), index: compile() }
    pending.set(organisationId, next)
    const done = () => {
      if (pending.get(organisationId) === next) pending.delete(organisationId)
    }
    next.index.then(done, done)
    return next
  }

  return {
    /** Undefined for an organisation that knows nothing. Synchronous if its index is compiled. */
    find(organisationId: string): Maybe<OwnIndex | undefined> {
      const found = thenSync(source.version(organisationId), (version) => at(organisationId, version))
      return found instanceof Promise ? found.catch(unreadable) : found
    },
    /** The bytes of all indexes in memory. */
    bytes: () => kept.bytes,
  }
}

function unreadable(cause: unknown): never {
  throw new EngineUnavailable('What the organisation knows could not be read.', { cause })
}

/** Runs a long calculation in turns of a few milliseconds. */
async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const endMs = performance.now() + TURN_MS_MAX
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (performance.now() < endMs)
    await nextTurn()
  }
}
