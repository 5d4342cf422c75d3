import { createHmac } from 'node:crypto'
import { createSeal, derivedKey, type Seal } from '../lib/seal.ts'

/** What OAuth does with the server's secret: a key for each purpose. */
export interface Sealer extends Seal {
  /** An unguessable text that belongs to `subject`. */
  tag(subject: string): string
  /** Signs the OAuth library's cookies. */
  readonly cookieKey: string
}

export function createSealer(secret: string): Sealer {
  const tagKey = derivedKey(secret, 'cross-site request tokens')
  return {
    ...createSeal(secret, 'oauth records and keys'),
    cookieKey: derivedKey(secret, 'oauth cookies').toString('base64url'),
    tag: (subject) => createHmac('sha256', tagKey).update(subject).digest('base64url'),
  }
}
