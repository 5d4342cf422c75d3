import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ring, Seal } from '../lib/seal.ts'

/** What OAuth does with the ring: a key for each purpose. */
export interface Sealer extends Seal {
  /** An unguessable text that belongs to `subject`. */
  tag(subject: string): string
  isTag(subject: string, tag: string): Promise<boolean>
  readonly cookies: CookieSigner
}

/** Signs the OAuth library's cookies: what it expects instead of a list of keys. */
export interface CookieSigner {
  sign(data: string): string
  verify(data: string, signature: string): boolean
  /** Which key signed: 0 or, for none, -1. */
  index(data: string, signature: string): number
}

export const OAUTH_PURPOSE = 'oauth records and keys'
const TAG_PURPOSE = 'cross-site request tokens'

export function createSealer(ring: Ring): Sealer {
  return {
    ...ring.seal(OAUTH_PURPOSE),
    cookies: signCookies(ring),
    tag: (subject) => ring.mac(TAG_PURPOSE, subject),
    async isTag(subject, tag) {
      await ring.know(tag)
      return ring.isMac(TAG_PURPOSE, subject, tag)
    },
  }
}

/**
 * With a list of keys the library would sign a cookie of a former key again, and set that signature for the whole site
 * instead of the cookie's path. So every living key counts as the first one, and a cookie stays as it is.
 */
function signCookies(ring: Ring): CookieSigner {
  const keys = ring.keys('oauth cookies')
  // The algorithm of the library's own signatures: cookies it signed before are still good.
  const signature = (key: string, data: string) => createHmac('sha1', key).update(data).digest('base64url')
  const verify = (data: string, text: string) => {
    const given = Buffer.from(text)
    return keys.some((key) => {
      const expected = Buffer.from(signature(key, data))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  }
  return {
    sign: (data) => signature(keys[0] ?? '', data),
    verify,
    index: (data, given) => (verify(data, given) ? 0 : -1),
  }
}
