import type { Clock } from '../lib/clock.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { thenSync } from '../lib/maybe.ts'
import type { Caller, FindCaller } from './caller.ts'

/**
 * Caches recent callers, so that a busy key costs no database look-up per request. A revoked key or disabled
 * organisation is noticed within `ttlMs`; an expired credential is never served, even from a fresh cache entry. Unknown
 * credentials are cached too, so that repeated requests with a wrong one do not reach the database.
 */
export function cacheCallers(
  find: (credential: string) => Promise<Caller | undefined>,
  options: { readonly clock: Clock; readonly ttlMs: number; readonly entriesMax: number },
): { find: FindCaller; forget(): void } {
  const callers = cacheLookUps(find, options)
  return {
    find: (credential) =>
      thenSync(callers.find(credential), (caller) =>
        // Most never expire, and the time would be one more reading of the clock for every request.
        caller && (caller.expiresAtMs === Number.POSITIVE_INFINITY || caller.expiresAtMs > options.clock.now())
          ? caller
          : undefined,
      ),
    forget: () => callers.forget(),
  }
}
