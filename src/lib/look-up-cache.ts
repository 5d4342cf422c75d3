import type { Clock } from './clock.ts'
import type { Maybe } from './maybe.ts'

/**
 * Cache of recent look-ups, so that a value requested often is looked up only now and then.
 *
 *  1. An answer is at most `ttlMs` old, by ticks: setting the clock back does not make it live longer.
 *  2. Concurrent look-ups of one key share one look-up. A failed look-up is not cached.
 *  3. A value read before a forget() that covers it is neither cached nor given to later callers.
 *  4. Memory is bounded: the oldest answers are dropped first.
 */
export interface LookUpCache<V> {
  /** Synchronous where the value is cached. */
  find(key: string): Maybe<V>
  /** From now on these answers, or all, are looked up again. */
  forget(isGone?: (value: V) => boolean): void
}

export function cacheLookUps<V>(
  lookUp: (key: string) => Promise<V>,
  { clock, ttlMs, entriesMax }: { readonly clock: Clock; readonly ttlMs: number; readonly entriesMax: number },
): LookUpCache<V> {
  const fresh = new Map<string, { readonly value: V; readonly untilTicks: number }>()
  const pending = new Map<string, Promise<V>>()
  let changes = 0

  function remember(key: string, value: V): void {
    fresh.delete(key)
    fresh.set(key, { value, untilTicks: clock.ticks() + ttlMs })
    if (fresh.size > entriesMax) fresh.delete(fresh.keys().next().value!)
  }

  function look(key: string): Promise<V> {
    const running = pending.get(key)
    if (running) return running
    const before = changes
    const started = lookUp(key)
      .then((value) => {
        if (before === changes) remember(key, value)
        return value
      })
      .finally(() => {
        if (pending.get(key) === started) pending.delete(key)
      })
    pending.set(key, started)
    return started
  }

  return {
    find(key) {
      const entry = fresh.get(key)
      return entry && entry.untilTicks > clock.ticks() ? entry.value : look(key)
    },
    forget(isGone) {
      changes++
      pending.clear()
      if (!isGone) fresh.clear()
      else for (const [key, { value }] of fresh) if (isGone(value)) fresh.delete(key)
    },
  }
}
