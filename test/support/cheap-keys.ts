/**
 * Loaded before the tests of the project `service`: keys are derived from passwords and passphrases at the lowest cost.
 * At the real cost a run spends minutes of processor time on them. The real cost is tested in the project `pure`
 * (passwords.test.ts), and by the processes that tests start.
 */
import crypto, { type Argon2Parameters, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { argon2, scrypt } = crypto
const CHEAP_ARGON2 = { memory: 8, passes: 1 }
const CHEAP_SCRYPT = { N: 2 }

Object.assign(crypto, {
  argon2: (
    algorithm: Parameters<typeof argon2>[0],
    parameters: Argon2Parameters,
    callback: Parameters<typeof argon2>[2],
  ) => argon2(algorithm, { ...parameters, ...CHEAP_ARGON2 }, callback),
  scrypt: (
    password: string,
    salt: Uint8Array,
    length: number,
    options: ScryptOptions,
    callback: (error: Error | null, key: Buffer) => void,
  ) => scrypt(password, salt, length, { ...options, ...CHEAP_SCRYPT }, callback),
})
syncBuiltinESMExports()
