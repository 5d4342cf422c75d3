import type { Clock } from '../lib/clock.ts'
import { whenThere } from '../lib/maybe.ts'
import type { Caller, FindCaller } from './caller.ts'

/**
 * Callers seen lately, so that a busy key costs no database look-up per request.
 *
 *  1. An answer is at most `ttlMs` old: a revoked key or disabled organisation is noticed within that time.
 *  2. A credential past its own expiry is never served, however fresh the entry.
 *  3. Concurrent look-ups of one credential are one look-up.
 *  4. Memory is bounded: the oldest entries go first. Unknown credentials are remembered too, so that hammering
 *     with a wrong one does not reach the database.
 */
export function cacheCallers(
  find: (credential: string) => Promise<Caller | undefined>,
  { clock, ttlMs, entriesMax }: { readonly clock: Clock; readonly ttlMs: number; readonly entriesMax: number },
): { find: FindCaller; forget(): void } {
  const fresh = new Map<string, { caller: Caller | undefined; untilMs: number }>()
  const pending = new Map<string, Promise<Caller | undefined>>()
  let changes = 0

  function remember(credential: string, caller: Caller | undefined): void {
    fresh.delete(credential)
    fresh.set(credential, { caller, untilMs: clock.now() + ttlMs })
    if (fresh.size > entriesMax) {
      const oldest = fresh.keys().next()
      if (!oldest.done) fresh.delete(oldest.value)
    }
  }

  function look(credential: string): Promise<Caller | undefined> {
    const running = pending.get(credential)
    if (running) return running
    const before = changes
    const started = find(credential)
      .then((caller) => {
        if (before === changes) remember(credential, caller)
        return caller
      })
      .finally(() => {
        if (pending.get(credential) === started) pending.delete(credential)
      })
    pending.set(credential, started)
    return started
  }

  return {
    find(credential) {
      const entry = fresh.get(credential)
      const nowMs = clock.now()
      const known = entry && entry.untilMs > nowMs ? entry.caller : look(credential)
      return whenThere(known, (caller) => (caller && caller.expiresAtMs > nowMs ? caller : undefined))
    },
    forget() {
      changes++
      // A look-up under way may have read what has changed since: nobody new may wait for it.
      pending.clear()
      fresh.clear()
    },
  }
}
