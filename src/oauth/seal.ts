import type { Ring, Seal } from '../lib/seal.ts'

/** What OAuth does with the ring: a key for each purpose. */
export interface Sealer extends Seal {
  /** Stands for an address in stored rows, so that they name nobody. */
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
