import type Provider from 'oidc-provider'
import type { Session } from 'oidc-provider'
import type { FoundSession } from '../access/session.ts'
import { isTwoFactor } from '../identity/people/sessions.ts'
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
 * Makes the library's session follow the one session of the browser: who is signed in, since when and how is always
 * asked there. What the library adds (which applications were signed in to) is kept under an id that derives from that
 * session, so it never outlives it and is never taken over by the next one.
 */
export function followSession(
  provider: Provider,
  { service, clock }: { readonly service: SignInService; readonly clock: Clock },
): void {
  replaceSessionGet(provider, async (ctx, find) => {
    const present = await service.present(ctx.req.headers.cookie)
    const known = await find(ctx)
    if (ctx.oidc?.route === 'end_session_confirm') return endsBoth(known, ctx)
    if (!present) return known.accountId === undefined ? known : replace(known, ctx)
    const uid = shadowUid(present.id)
    const session = known.uid === uid ? known : await replace(known, ctx)
    const proof = proofOf(present, clock)
    if (session.accountId !== proof.accountId || session.loginTs !== proof.loginTs || session.acr !== proof.acr) {
      session.uid = uid
      session.loginAccount(proof)
      markChanged(session)
    }
    return session
  })

  /**
   * One sign-out. The browser's session ends first: if the store goes away between the two, the library still knows what
   * was to be confirmed, and the same form can be sent again.
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

/** What a session proves, in the library's terms. */
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

/** What the library's session is called that follows this one. */
export function shadowUid(sessionId: string): string {
  return sha256Hex(`oauth ${sessionId}`)
}

export const ACR = { oneFactor: 'urn:assay:acr:one-factor', twoFactor: 'urn:assay:acr:two-factor' } as const
