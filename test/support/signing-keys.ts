import type { Sql } from '../../src/db/sql.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Ring } from '../../src/lib/seal.ts'
import { generateSigningKey, loadSigningKeys } from '../../src/oauth/keys.ts'
import { OAUTH_PURPOSE } from '../../src/oauth/seal.ts'

let signingKey: ReturnType<typeof generateSigningKey> | undefined
/** Shared, because creating a key takes longer than starting a server. */
const sharedSigningKey = () => (signingKey ??= generateSigningKey())

/** The first signing keys of a store that has none, as its first server would create them. */
export async function putSigningKeys(sql: Sql, ring: Ring, clock: Clock): Promise<void> {
  await loadSigningKeys(sql, ring.seal(OAUTH_PURPOSE), clock.now(), sharedSigningKey)
}
