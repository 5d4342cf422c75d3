import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Keys derived from the server's secret, one per purpose, and what is done with them. */
export interface Sealer {
  /** AES-256-GCM; `context` is bound in, so a sealed text cannot be moved to another place. */
  seal(plain: string, context: string): string
  /** Throws when the text was altered, moved, or sealed under another secret. */
  open(sealed: string, context: string): string
  /** An unguessable text that belongs to `subject`. */
  tag(subject: string): string
  /** Signs the OAuth library's cookies. */
  readonly cookieKey: string
}

const IV_BYTES = 12
const TAG_BYTES = 16

export function createSealer(secret: string): Sealer {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'assay', purpose, 32))
  const sealKey = derive('oauth records and keys')
  const tagKey = derive('cross-site request tokens')
  return {
    cookieKey: derive('oauth cookies').toString('base64url'),
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    tag(subject) {
      return createHmac('sha256', tagKey).update(subject).digest('base64url')
    },
  }
}
