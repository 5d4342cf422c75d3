import { argon2Sync } from 'node:crypto'

export const PASSWORD = 'correct horse battery staple'

const SALT = Buffer.from('salt of the tests')
const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/**
 * A hash of the same form as the service's own, at the least cost there is. The service reads the cost from the hash,
 * so that people of the tests sign in at once; what a real hash costs is up to the tests of passwords.
 */
function cheapHash(password: string): string {
  const cost = { parallelism: 1, memory: 8, passes: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: Buffer.from(password), nonce: SALT, ...cost })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${unpadded(SALT)}$${unpadded(tag)}`
}

export const PASSWORD_HASH = cheapHash(PASSWORD)
