import { systemEffects } from './effects.ts'
import { createKeyedHash } from './keyed-hash.ts'
import type { Kind } from './kinds.ts'
import { dedupeKey } from './normalise.ts'
import { createSeen } from './seen.ts'

/** Detects repeated records, with the same rules and memory limit as `checkMany`. */
export function createDistinct(kind: Kind): { isNew(record: string): boolean } {
  const hash = createKeyedHash(systemEffects.randomWords(2))
  const seen = createSeen()
  return {
    isNew(record) {
      hash.update(dedupeKey(kind, record))
      if (seen.find(hash.high, hash.low) !== undefined) return false
      seen.set(hash.high, hash.low, 0)
      return true
    },
  }
}
