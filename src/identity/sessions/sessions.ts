import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../../access/caller.ts'
import { PROOF_MS, requireProof } from '../../access/rights.ts'
import { ROLES, type Role } from '../../access/roles.ts'
import {
  type FoundSession,
  isTwoFactor,
  type OwnOrganisation,
  type RequireSession,
  type SignedIn,
} from '../../access/session.ts'
import { notFound, Problem } from '../../errors.ts'
import type { Ring } from '../../lib/seal.ts'
import { organisationsOf } from '../members/members.ts'
import { factorsOf, hasFactor } from '../people/factors/factors.ts'
import { createSignIn } from '../people/sign-in.ts'
import { type CurrentSession, createSignInService, type SignInServiceDependencies } from './sign-in-service.ts'

/** The sessions of people in their browsers: sign-in, the signed-in person, and CSRF. */
export type Sessions = ReturnType<typeof createSessions>

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const csrfSubject = ({ token }: CurrentSession) => `session ${token}`

export function createSessions(deps: Omit<SignInServiceDependencies, 'signIn'>) {
  const { sql, clock } = deps
  const csrf = createCsrf(deps.ring)
  const checkPassword = createSignIn(deps)
  const service = createSignInService({ ...deps, signIn: checkPassword })

  async function describe(session: CurrentSession): Promise<SignedIn> {
    const organisations = await organisationsOf(sql, session.person.id)
    const proved = session.provedAtMs > clock.now() - PROOF_MS
    return { ...session, organisations, proved, csrf: csrf.tag(csrfSubject(session)) }
  }

  const requireSession: RequireSession = async (request) => {
    const session = await service.current(request.headers.cookie)
    if (!session) throw new Problem('session_missing', { detail: 'Sign in first.' })
    const signedIn = await describe(session)
    if (!READING.has(request.method)) await csrf.require(request, csrfSubject(session))
    return signedIn
  }

  /** For changes of the ways into an account: a recent authentication; people with a factor must have used it. */
  const requireChanger: RequireSession = async (request) => {
    const signedIn = await requireSession(request)
    if (!isTwoFactor(signedIn) && hasFactor(await factorsOf(sql, signedIn.person.id))) {
      throw new Problem('second_factor_needed', { detail: 'First confirm with your second factor.' })
    }
    requireProof(signedIn)
    return signedIn
  }

  return {
    ...service,
    csrf,
    checkPassword,
    describe,
    requireSession,
    requireChanger,
    /** A caller of one organisation, with the scopes of the role held there; 404 for other organisations. */
    async sessionCaller(
      request: Parameters<RequireSession>[0],
      organisationId: string,
    ): Promise<Caller & { readonly role: Role }> {
      const signedIn = await requireSession(request)
      const { person, organisations, expiresAtMs, proved } = signedIn
      const membership = organisations.find(({ id }) => id === organisationId)
      if (!membership) throw notFound('There is no such organisation.')
      requireSecondFactor(membership, signedIn)
      return {
        organisationId,
        credentialId: person.id,
        method: 'session',
        scopes: new Set(ROLES[membership.role].scopes),
        state: membership.state,
        stateReason: membership.state_reason,
        expiresAtMs,
        userId: person.id,
        role: membership.role,
        proved,
      }
    },
  }
}

/** If an organisation requires a second factor, nothing is allowed in it without one. */
export function requireSecondFactor(
  organisation: Pick<OwnOrganisation, 'name' | 'requires_second_factor'>,
  session: Pick<FoundSession, 'amr'>,
): void {
  if (!organisation.requires_second_factor || isTwoFactor(session)) return
  throw new Problem('second_factor_needed', {
    detail: `${organisation.name} requires a second factor. Add a passkey or one-time codes on your account page, or confirm with your existing one.`,
  })
}

const CSRF_PURPOSE = 'cross-site request tokens'

/**
 * A page's CSRF token: a tag over the cookie, which another site can make a browser send but cannot read. `subject`
 * names the purpose too, so that one page's token is not valid on another.
 */
function createCsrf(ring: Ring) {
  return {
    tag: (subject: string) => ring.mac(CSRF_PURPOSE, subject),
    /** Throws 403 if the request does not carry the token of `subject`. */
    async require({ headers }: { readonly headers: IncomingHttpHeaders }, subject: string): Promise<void> {
      const given = headers['x-csrf-token']
      if (typeof given === 'string') await ring.know(given)
      if (typeof given === 'string' && ring.isMac(CSRF_PURPOSE, subject, given)) return
      throw new Problem('form_outdated', {
        detail: 'This form is out of date or was sent from another site. Load the page again.',
      })
    },
  }
}
