/**
 * Runs before each file of tests with a server. A hash of a password takes 40 ms of a processor on purpose, and hundreds
 * of people of the tests sign up or change theirs. Here every hash takes a small part of its memory, the cheaper ones
 * still the less, so that a hash is only known by the cost that stands in it. The real cost is up to passwords.test.ts.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const MEMORY_PART = 256
const MEMORY_KIB_MIN = 8

const real = crypto.argon2

function cheapArgon2(...[algorithm, parameters, callback]: Parameters<typeof real>): void {
  const memory = Math.max(MEMORY_KIB_MIN, Math.floor(parameters.memory / MEMORY_PART))
  real(algorithm, { ...parameters, memory }, callback)
}

// Files share a process, and this runs for each of them.
if (real.name !== cheapArgon2.name) {
  crypto.argon2 = cheapArgon2
  syncBuiltinESMExports()
}
