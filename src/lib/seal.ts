import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Text that only this service can read again: AES-256-GCM under a key derived from the server's secret. */
export interface Seal {
  /** `place` is bound in, so that a sealed text cannot be moved elsewhere. */
  seal(plain: string, place: string): string
  /** Throws when the text was altered, moved, or sealed under another secret. */
  open(sealed: string, place: string): string
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** A key of its own for each purpose. */
export function derivedKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'assay', purpose, 32))
}

export function createSeal(secret: string, purpose: string): Seal {
  const key = derivedKey(secret, purpose)
  return {
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
