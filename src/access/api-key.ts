import { crc32 } from 'node:zlib'
import { sha256Hex } from '../lib/hashing.ts'
import { type RandomBytes, randomBase62, toBase62 } from '../lib/ids.ts'

/** `ask_`, 32 base-62 characters, and 6 of checksum: a typo or a leaked key is recognised without a look-up. */
/** A string of another length cannot be a key: neither cache it nor look it up. */
export const API_KEY_LENGTH = 42

const FORM = /^ask_[0-9A-Za-z]{38}$/

export function newApiKey(random?: RandomBytes): string {
  const body = `ask_${randomBase62(32, random)}`
  return body + checksum(body)
}

export function isWellFormedApiKey(key: string): boolean {
  return FORM.test(key) && key.slice(36) === checksum(key.slice(0, 36))
}

/** Stored in place of the key. The key has full entropy, so a plain digest is enough. */
export const apiKeyDigest = (key: string): string => sha256Hex(key)

/** Enough to recognise a key, too little to guess it. */
export const apiKeyHint = (key: string): string => key.slice(0, 8)

const checksum = (body: string): string => toBase62(crc32(body), 6)
