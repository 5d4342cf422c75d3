import type { Ring, Seal } from '../lib/seal.ts'

/** What OAuth does with the ring: a key for each purpose. */
export interface Sealer extends Seal {
  /** An unguessable text that belongs to `subject`. */
  tag(subject: string): string
  isTag(subject: string, tag: string): Promise<boolean>
  /** They sign the OAuth library's cookies: the first one signs, all are accepted. Changed in place with the ring. */
  readonly cookieKeys: string[]
}

export const OAUTH_PURPOSE = 'oauth records and keys'
const TAG_PURPOSE = 'cross-site request tokens'

export function createSealer(ring: Ring): Sealer {
  return {
    ...ring.seal(OAUTH_PURPOSE),
    cookieKeys: ring.keys('oauth cookies'),
    tag: (subject) => ring.mac(TAG_PURPOSE, subject),
    async isTag(subject, tag) {
      await ring.know(tag)
      return ring.isMac(TAG_PURPOSE, subject, tag)
    },
  }
}
