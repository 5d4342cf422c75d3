import type { Sql } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { MINUTE_MS } from '../../lib/clock.ts'
import { PASSWORD_LENGTH_MAX } from './password-choice.ts'
import { verifyPassword } from './passwords.ts'
import { findPersonByEmail, normaliseSignInEmail, type Person } from './people.ts'
import {
  addressKey,
  forgetAttempts,
  type Limit,
  refuseWait,
  returnAttemptFrom,
  takeAttempt,
  takeAttemptFrom,
  waitFor,
} from './throttle.ts'

/**
 * Signing in with email and password.
 *
 *  1. Attempts are counted per account and address, and per address; never per account alone, so that nobody can
 *     lock another out by guessing at their account from elsewhere.
 *  2. A sign-in under way ends with the password it knew: what it opens is asked for again, in one step with that.
 *  3. The answer, and the time it takes, are the same for a wrong password, an unknown and a disabled account.
 */
const PER_ACCOUNT_AND_ADDRESS: Limit = { attemptsMax: 10, windowMs: 15 * MINUTE_MS }
const PER_ADDRESS: Limit = { attemptsMax: 100, windowMs: 15 * MINUTE_MS }

export const signInFailed = () =>
  new Problem('sign_in_failed', { detail: 'The email address or the password is wrong.' })

export interface SignIn {
  readonly email: string
  readonly password: string
  readonly ip: string
}

/** Somebody who knew the password; `passwordHash` is the one it was compared with. */
export interface SignedIn {
  readonly person: Person
  readonly passwordHash: string
}

export type SignInFunction = (attempt: SignIn) => Promise<SignedIn>

export function createSignIn({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): SignInFunction {
  return async ({ email, password, ip }) => {
    const byBoth = `sign-in ${addressKey(ip)} ${normaliseSignInEmail(email)}`
    const nowMs = clock.now()
    // The address first: when it has no attempts left, no window is written for yet another account.
    const both = await waitFor(sql, byBoth, PER_ACCOUNT_AND_ADDRESS, nowMs)
    const all = both.waitMs > 0 ? both : await takeAttemptFrom(sql, 'sign-in', ip, PER_ADDRESS, nowMs)
    const account = all.waitMs > 0 ? all : await takeAttempt(sql, byBoth, PER_ACCOUNT_AND_ADDRESS, nowMs)
    refuseWait(account.waitMs, 'There were too many attempts to sign in from this address.')
    const found = email.includes('\0') ? undefined : await findPersonByEmail(sql, email)
    const right = await verifyPassword(password.slice(0, PASSWORD_LENGTH_MAX + 1), found?.passwordHash)
    if (!found || !right || found.person.state !== 'active') {
      throw signInFailed()
    }
    await Promise.all([forgetAttempts(sql, byBoth), returnAttemptFrom(sql, 'sign-in', ip)])
    return found
  }
}
