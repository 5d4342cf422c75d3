import { changeIn, type Sql, type SqlQueries } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { addressKey } from '../../lib/address-key.ts'
import { type Afterwards, createAfterwards } from '../../lib/afterwards.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { auditSelf, type From, strangerIn } from './audit-self.ts'
import { isKnownDevice } from './devices.ts'
import { verifyPassword } from './passwords.ts'
import { findPerson, findPersonByEmail, normaliseSignInEmail, type Person } from './people.ts'
import {
  forgetAttempts,
  type Growth,
  refuseWait,
  returnAttemptFrom,
  takeAttempt,
  takeAttemptFrom,
  takeTry,
  waitFor,
} from './throttle.ts'

/**
 * Signing in with email and password.
 *
 *  1. Attempts are counted per account and address, and per address.
 *  2. Failures of one account, from any address, delay the next attempt: longer each time, at most five minutes.
 *  3. A known browser of the person has its own count: guesses from elsewhere do not make its owner
 *     wait there, at the link for a new password, or with a passkey.
 *  4. A pending sign-in ends when the password changes: the hash is checked again in the transaction that opens the session.
 *  5. The answer, and the work until the answer, are the same for a wrong password, an unknown and a disabled account.
 *     The record of a failure is written after the answer.
 *  6. In a run of failures only the 1st, 2nd, 4th, 8th … is audited, so that guessing does not fill the audit log. Wrong second
 *     factors and passkeys form their own run.
 *  7. Failures are counted where they occur; successes when the session is opened.
 */
export const PER_ACCOUNT: Growth = {
  freeMax: 5,
  firstWaitMs: SECOND_MS,
  waitMsMax: 5 * MINUTE_MS,
  forgottenMs: 30 * MINUTE_MS,
}

export const TOO_MANY_SIGN_INS = 'There were too many attempts to sign in from this address.'

export const signInFailed = () =>
  new Problem('sign_in_failed', { detail: 'The email address or the password is wrong.' })

export interface SignIn {
  readonly email: string
  readonly password: string
  readonly ip: string
  /** SHA-256 of the cookie that identifies the browser. */
  readonly deviceDigest?: string | undefined
  readonly requestId?: string | undefined
}

/** A person who gave the correct password; `passwordHash` is the one it was compared with. */
export interface SignedIn {
  readonly person: Person
  readonly passwordHash: string
}

export type SignInFunction = (attempt: SignIn) => Promise<SignedIn>

export const SIGN_IN_OUTCOMES = ['signed_in', 'failed', 'refused_to_wait'] as const
export type CountSignIn = (outcome: (typeof SIGN_IN_OUTCOMES)[number]) => void

export interface SignInDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly afterwards?: Afterwards | undefined
  readonly countSignIn?: CountSignIn | undefined
}

export function createSignIn({ sql, clock, countSignIn, ...deps }: SignInDependencies): SignInFunction {
  const afterwards = deps.afterwards ?? createAfterwards(() => {})

  /** Rules 1 to 3; 429 while the caller must wait. */
  async function takeAttempts({ email, ip, deviceDigest }: SignIn, personId: string | undefined) {
    const account = normaliseSignInEmail(email)
    const byBoth = `sign-in ${addressKey(ip)} ${account}`
    const nowMs = clock.now()
    // The address first: without attempts left, no window for another account is written.
    const both = await waitFor(sql, byBoth, LIMITS.attempts.signInsPerAccountAndAddress, nowMs)
    const all =
      both.waitMs > 0 ? both : await takeAttemptFrom(sql, 'sign-in', ip, LIMITS.attempts.signInsPerAddress, nowMs)
    refuseWait(all.waitMs, TOO_MANY_SIGN_INS)
    const known = deviceDigest !== undefined && (await isKnownDevice(sql, personId, deviceDigest))
    const run = known ? `sign-in failures ${account} ${deviceDigest}` : `sign-in failures ${account}`
    const { waitMs, failures } = await takeTry(sql, run, PER_ACCOUNT, nowMs)
    // An attempt that is refused with a wait does not count.
    if (waitMs > 0) await returnAttemptFrom(sql, 'sign-in', ip)
    refuseWait(waitMs, 'There were many failed attempts to sign in with this email address.')
    refuseWait(
      (await takeAttempt(sql, byBoth, LIMITS.attempts.signInsPerAccountAndAddress, nowMs)).waitMs,
      TOO_MANY_SIGN_INS,
    )
    return {
      failures,
      async forget() {
        await Promise.all([
          forgetAttempts(sql, byBoth),
          forgetAttempts(sql, run),
          returnAttemptFrom(sql, 'sign-in', ip),
        ])
      },
    }
  }

  return async (attempt) => {
    const { email, password } = attempt
    const found = email.includes('\0') ? undefined : await findPersonByEmail(sql, email)
    const taken = await takeAttempts(attempt, found?.person.id).catch((error) => {
      if (error instanceof Problem && error.code === 'rate_limited') countSignIn?.('refused_to_wait')
      throw error
    })
    const right = await verifyPassword(
      password.slice(0, LIMITS.requests.passwordCharactersMax + 1),
      found?.passwordHash,
    )
    if (!found || !right || found.person.state !== 'active') {
      countSignIn?.('failed')
      if (found && isPowerOfTwo(taken.failures)) {
        afterwards.do(() => recordFailure(sql, clock, found.person, taken.failures, attempt))
      }
      throw signInFailed()
    }
    await taken.forget()
    return found
  }
}

/** No delay: the attempts themselves are bounded. */
const WRONG_FACTORS: Growth = { freeMax: 0, firstWaitMs: 0, waitMsMax: 0, forgottenMs: 30 * MINUTE_MS }
const wrongFactorsOf = (personId: string) => `wrong second factors ${personId}`

/** Rule 6, after the answer. */
export async function recordWrongFactor(sql: Sql, clock: Clock, personId: string, from: From): Promise<void> {
  const { failures } = await takeTry(sql, wrongFactorsOf(personId), WRONG_FACTORS, clock.now())
  const person = isPowerOfTwo(failures) ? await findPerson(sql, personId) : undefined
  if (person) await recordFailure(sql, clock, person, failures, from)
}

/** A success ends the run. */
export function forgetWrongFactors(sql: SqlQueries, personId: string): Promise<void> {
  return forgetAttempts(sql, wrongFactorsOf(personId))
}

const isPowerOfTwo = (n: number) => Number.isInteger(Math.log2(n))

function recordFailure(sql: Sql, clock: Clock, person: Person, failures: number, from: From): Promise<void> {
  return changeIn(sql, clock, (tx) => auditSelf(tx, person, strangerIn(from), 'session.fail', { failures }))
}
