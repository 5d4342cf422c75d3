/**
 * Encrypts a stream under a passphrase: AES-256-GCM in chunks. The number of a chunk and its last-chunk flag are part
 * of its nonce, so chunks that were exchanged, left out or cut off do not open. The salt gives every file its own key.
 */
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto'

export interface KeyMaking {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  /** Base64. */
  readonly salt: string
}

export const KEY_COST = { kdf: 'scrypt', n: 2 ** 17, r: 8, p: 1 } as const
const KEY_BYTES = 32
const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16

/** The chunk does not open: a wrong passphrase, or an altered file. */
export class ChunkRefused extends Error {
  readonly number: number
  constructor(number: number) {
    super(`chunk ${number} does not open`)
    this.name = 'ChunkRefused'
    this.number = number
  }
}

export function keyOf(passphrase: string, { n, r, p, salt }: KeyMaking): Promise<Buffer> {
  // The key cost in the file is limited: it is read before anything in the file is known to be genuine.
  if (n > 2 ** 20 || r > 16 || p > 4) throw new RangeError('the key derivation cost is not supported')
  return new Promise((resolve, reject) =>
    scrypt(passphrase, Buffer.from(salt, 'base64'), KEY_BYTES, { N: n, r, p, maxmem: 256 * n * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce[11] = last ? 1 : 0
  return nonce
}

/** `about` is authenticated: the same chunks under another heading do not open. */
export function sealChunks(key: Buffer, about: Uint8Array) {
  return inChunks(CHUNK_BYTES, (chunk, number, last) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, last)).setAAD(about)
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  })
}

export function openChunks(key: Buffer, about: Uint8Array) {
  return inChunks(CHUNK_BYTES + TAG_BYTES, (chunk, number, last) => {
    if (chunk.length < TAG_BYTES) throw new ChunkRefused(number)
    const text = chunk.subarray(0, -TAG_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, last), { authTagLength: TAG_BYTES })
    decipher.setAAD(about).setAuthTag(chunk.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(text), decipher.final()])
    } catch {
      throw new ChunkRefused(number)
    }
  })
}

/** Cuts a stream into chunks of one size; the last chunk is marked as such and may be shorter, or empty. */
function inChunks(size: number, work: (chunk: Buffer, number: number, last: boolean) => Buffer) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let rest: Buffer = Buffer.alloc(0)
    let number = 0
    for await (const bytes of source) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      for (; rest.length > size; rest = rest.subarray(size)) yield work(rest.subarray(0, size), number++, false)
    }
    yield work(rest, number, true)
  }
}
