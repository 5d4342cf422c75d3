import { argon2Sync } from 'node:crypto'

export const PASSWORD = 'correct horse battery staple'

const SALT = Buffer.from('salt of the tests')
const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/**
 * A hash in the service's format with the lowest cost. The service reads the cost from the hash, so that people in
 * tests sign in immediately; the tests of passwords use the real cost.
 */
function cheapHash(password: string): string {
  const cost = { parallelism: 1, memory: 8, passes: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: Buffer.from(password), nonce: SALT, ...cost })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${unpadded(SALT)}$${unpadded(tag)}`
}

export const PASSWORD_HASH = cheapHash(PASSWORD)
