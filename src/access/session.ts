import type { FastifyRequest } from 'fastify'
import type { OrganisationState, StateReason } from './organisation-state.ts'
import type { Role } from './roles.ts'

/** People signed in to this server's pages. */

export interface Person {
  readonly id: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly state: 'active' | 'disabled'
  readonly created_at: number
  readonly updated_at: number
}

export interface OwnOrganisation {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly state: OrganisationState
  readonly state_reason: StateReason | null
  /** Only members signed in with a second factor may act here. */
  readonly requires_second_factor: boolean
  readonly created_at: number
}

/** Authentication methods, as in RFC 8176. */
export type AuthenticationMethod = 'pwd' | 'otp' | 'hwk' | 'swk' | 'user' | 'mfa'

export interface FoundSession {
  readonly person: Person
  /** Not secret: identifies the session to end. */
  readonly id: string
  readonly signedInAtMs: number
  readonly provedAtMs: number
  readonly amr: readonly AuthenticationMethod[]
  readonly expiresAtMs: number
}

export const isTwoFactor = ({ amr }: Pick<FoundSession, 'amr'>): boolean => amr.includes('mfa')

export interface SignedIn extends FoundSession {
  /** False when the person last authenticated too long ago for sensitive changes. */
  readonly proved: boolean
  readonly organisations: readonly OwnOrganisation[]
  readonly csrf: string
}

/** The signed-in person. Every request except reads must carry the page's CSRF token; throws 401 or 403. */
export type RequireSession = (request: FastifyRequest) => Promise<SignedIn>
