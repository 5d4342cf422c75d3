import type Provider from 'oidc-provider'
import type { Session } from 'oidc-provider'
import { type FoundSession, isTwoFactor } from '../access/session.ts'
import type { SignInService } from '../identity/sessions/sign-in-service.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import {
  libraryBehindSeconds,
  markChanged,
  replaceSessionGet,
  type SessionContext,
  startSession,
} from './library-internals.ts'

/**
 * Makes the library's session follow the browser's one session, which always decides who is signed in, since when and
 * how. The library's own data (the applications signed in to) is stored under an id derived from that session, so it
 * never outlives the session and the next session never inherits it.
 */
export function followSession(provider: Provider, service: SignInService, clock: Clock): void {
  replaceSessionGet(provider, async (ctx, find) => {
    const current = await service.current(ctx.req.headers.cookie)
    const known = await find(ctx)
    if (ctx.oidc?.route === 'end_session_confirm') return endsBoth(known, ctx)
    if (!current) return known.accountId === undefined ? known : replace(known, ctx)
    const uid = shadowUid(current.id)
    const session = known.uid === uid ? known : await replace(known, ctx)
    const proof = proofOf(current, clock)
    if (session.accountId !== proof.accountId || session.loginTs !== proof.loginTs || session.acr !== proof.acr) {
      session.uid = uid
      session.loginAccount(proof)
      markChanged(session)
    }
    return session
  })

  /**
   * One sign-out ends both sessions. The browser's session ends first: if the store fails between the two, the library
   * still knows what to confirm, and the same form can be sent again.
   */
  function endsBoth(known: Session, ctx: SessionContext): Session {
    const destroy = known.destroy.bind(known)
    known.destroy = async () => {
      await service.signOut(ctx.req.headers.cookie)
      await destroy()
    }
    return known
  }

  async function replace(known: Session, ctx: SessionContext): Promise<Session> {
    if (known.accountId !== undefined) await known.destroy()
    return startSession(provider, ctx)
  }
}

/** The proofs of a session, in the library's terms. */
export function proofOf({ person, provedAtMs, amr }: FoundSession, clock: Clock) {
  return {
    accountId: person.id,
    loginTs: Math.floor(provedAtMs / SECOND_MS) - libraryBehindSeconds(clock),
    amr: [...amr],
    acr: acrOf({ amr }),
  }
}

export function acrOf(session: Pick<FoundSession, 'amr'>): string {
  return isTwoFactor(session) ? ACR.twoFactor : ACR.oneFactor
}

/** The id of the library's session that follows this one. */
export const shadowUid = (sessionId: string): string => sha256Hex(`oauth ${sessionId}`)

export const ACR = { oneFactor: 'urn:assay:acr:one-factor', twoFactor: 'urn:assay:acr:two-factor' } as const
