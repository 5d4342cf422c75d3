/**
 * Loaded before the tests of the project `service`: passwords are hashed there at the lowest cost. The real cost is
 * tested in the project `pure` (passwords.test.ts), and used by the processes that tests start.
 */
import crypto, { type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { argon2 } = crypto
const CHEAP = { memory: 8, passes: 1 }
let isReal = false

/** For a file with passwords that were hashed at the real cost. It takes the low cost again at its end. */
export function hashAtRealCost(real: boolean): void {
  isReal = real
}

Object.assign(crypto, {
  argon2: (
    algorithm: Parameters<typeof argon2>[0],
    parameters: Argon2Parameters,
    callback: Parameters<typeof argon2>[2],
  ) => argon2(algorithm, isReal ? parameters : { ...parameters, ...CHEAP }, callback),
})
syncBuiltinESMExports()
