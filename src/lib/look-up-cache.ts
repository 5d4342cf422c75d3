import type { Clock } from './clock.ts'
import type { Maybe } from './maybe.ts'

/**
 * What was looked up lately, so that what is asked for again and again costs one look-up now and then.
 *
 *  1. An answer is at most `ttlMs` old, by ticks: nobody makes it live longer by setting the clock back.
 *  2. Concurrent look-ups of one key are one look-up. One that fails is not remembered.
 *  3. What was read before a change that forget() tells of is neither remembered nor given to anybody who asks later.
 *  4. Memory is bounded: the oldest answers go first.
 */
export interface LookUpCache<V> {
  /** At once where it is known. */
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
    if (fresh.size > entriesMax) {
      const oldest = fresh.keys().next()
      if (!oldest.done) fresh.delete(oldest.value)
    }
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
