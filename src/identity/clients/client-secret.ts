import { timingSafeEqual } from 'node:crypto'
import { sha256Hex } from '../../lib/hashing.ts'
import { randomBase62 } from '../../lib/ids.ts'

/** 256 random bits; a leaked secret is recognised by its prefix. */
export const newClientSecret = (): string => `acs_${randomBase62(43)}`

/** Compared in constant time. The secret has full entropy, so a plain digest is enough. */
export function isClientSecret(secret: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(digest.padEnd(64).slice(0, 64)))
}

export interface ClientSecrets {
  readonly digest: string | null | undefined
  readonly formerDigest: string | null | undefined
  readonly formerUntilMs: number | null | undefined
}

/** Returns true for the current secret, and for the former one while it works. Takes the same time for either. */
export function isSecretOf(secret: string, { digest, formerDigest, formerUntilMs }: ClientSecrets, nowMs: number) {
  const current = isClientSecret(secret, digest ?? '')
  const former = isClientSecret(secret, formerDigest ?? '')
  return current || (former && (formerUntilMs ?? 0) > nowMs)
}
