import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../../errors.ts'
import { randomBase62 } from '../../lib/ids.ts'
import { LIMITS } from '../../limits.ts'

/** Argon2id in PHC form, with the memory and passes that OWASP recommends. A hash takes tens of milliseconds. */
const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_BYTES = 32

/** 119 random bits, for an operator to hand over. */
export const newPassword = (): string => randomBase62(20)

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= LIMITS.queues.passwordsHashedMax) {
    if (waiting.length >= LIMITS.queues.passwordsWaitingMax) {
      throw new Problem('rate_limited', {
        detail: 'Too many people are signing in now. Try again in a few seconds.',
        headers: { 'retry-after': '5' },
      })
    }
    await new Promise<void>((go) => waiting.push(go))
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    // Pass the slot on to the next waiter, so that newcomers cannot overtake.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function derive(password: string, nonce: Uint8Array, cost: { memory: number; passes: number }): Promise<Buffer> {
  // NFKC: the same password typed on another system's keyboard is the same password.
  const message = Buffer.from(password.normalize('NFKC'))
  const parameters = { message, nonce, parallelism: 1, tagLength: TAG_BYTES, ...cost }
  return inTurn(() => promisify(argon2)('argon2id', parameters))
}

const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive(password, salt, { memory: MEMORY_KIB, passes: PASSES })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(salt)}$${unpadded(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=1\$([A-Za-z0-9+/]{1,128})\$([A-Za-z0-9+/]{43})$/
let decoy: Promise<string> | undefined

/** Returns true if the password matches the hash. Without a hash (unknown person) it takes the same time and returns false. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  decoy ??= hashPassword(randomBase62(20))
  const parts = PHC.exec(stored ?? (await decoy))
  if (!parts) throw new Error('a stored password hash is not in the form this version writes')
  const expected = Buffer.from(parts[4] ?? '', 'base64')
  const actual = await derive(password, Buffer.from(parts[3] ?? '', 'base64'), {
    memory: Number(parts[1]),
    passes: Number(parts[2]),
  })
  return timingSafeEqual(actual, expected) && stored !== undefined
}
