import type { Clock } from '../lib/clock.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { thenSync } from '../lib/maybe.ts'
import type { Caller, FindCaller } from './caller.ts'

/**
 * Callers seen lately, so that a busy key costs no database look-up per request. A revoked key or disabled organisation
 * is noticed within `ttlMs`; a credential past its own expiry is never served, however fresh the answer. Unknown
 * credentials are remembered too, so that hammering with a wrong one does not reach the database.
 */
export function cacheCallers(
  find: (credential: string) => Promise<Caller | undefined>,
  options: { readonly clock: Clock; readonly ttlMs: number; readonly entriesMax: number },
): { find: FindCaller; forget(): void } {
  const callers = cacheLookUps(find, options)
  return {
    find: (credential) =>
      thenSync(callers.find(credential), (caller) =>
        caller && caller.expiresAtMs > options.clock.now() ? caller : undefined,
      ),
    forget: () => callers.forget(),
  }
}
