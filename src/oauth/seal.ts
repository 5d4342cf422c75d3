import type { Ring, Seal } from '../lib/seal.ts'

/** OAuth's use of the ring: a key for each purpose. */
export interface Sealer extends Seal {
  /** Replaces an address in stored rows, so that they identify nobody. */
  addressTag(address: string): string
}

export const OAUTH_PURPOSE = 'oauth records and keys'
const ADDRESS_PURPOSE = 'addresses of pending requests'

export function createSealer(ring: Ring): Sealer {
  return {
    ...ring.seal(OAUTH_PURPOSE),
    addressTag: (address) => ring.mac(ADDRESS_PURPOSE, address),
  }
}
