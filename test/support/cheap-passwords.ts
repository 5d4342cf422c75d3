/**
 * Loaded before the tests of the project `service`: passwords are hashed there at the lowest cost. The real cost is
 * tested in the project `pure` (passwords.test.ts), and used by the processes that tests start.
 */
import crypto, { type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { argon2 } = crypto
const CHEAP = { memory: 8, passes: 1 }

/** For a file with passwords that were hashed at the real cost. It takes the low cost again at its end. */
export function hashAtRealCost(isReal: boolean): void {
  // A variable of the process: a setup file and a test do not share modules.
  if (isReal) process.env.ASSAY_TEST_REAL_COST = '1'
  else delete process.env.ASSAY_TEST_REAL_COST
}

Object.assign(crypto, {
  argon2: (
    algorithm: Parameters<typeof argon2>[0],
    parameters: Argon2Parameters,
    callback: Parameters<typeof argon2>[2],
  ) => argon2(algorithm, process.env.ASSAY_TEST_REAL_COST ? parameters : { ...parameters, ...CHEAP }, callback),
})
syncBuiltinESMExports()
