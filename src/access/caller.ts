import type { Maybe } from '../lib/maybe.ts'
import type { OrganisationState, StateReason } from './organisation-state.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

export interface Caller {
  readonly organisationId: string
  /** Id of the API key, or of the OAuth client the token belongs to. Never the credential itself. */
  readonly credentialId: string
  readonly method: 'api_key' | 'bearer' | 'session'
  readonly scopes: ReadonlySet<Scope>
  readonly state: OrganisationState
  readonly stateReason: StateReason | null
  /** When the credential expires; Infinity if never. */
  readonly expiresAtMs: number
  readonly userId?: string
  readonly role?: Role
  /** For a session: true if the person authenticated recently. */
  readonly proved?: boolean
}

/** Turns a credential into its caller; undefined when it is not valid now. */
export type FindCaller = (credential: string) => Maybe<Caller | undefined>
