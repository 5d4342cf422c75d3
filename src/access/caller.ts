import type { Maybe } from '../lib/maybe.ts'
import type { OrganisationState, StateReason } from './organisation-state.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

/** Who is asking, whatever credential they came with. */
export interface Caller {
  readonly organisationId: string
  /** Id of the API key, or of the OAuth client the token belongs to. Never the credential itself. */
  readonly credentialId: string
  readonly method: 'api_key' | 'bearer' | 'session'
  readonly scopes: ReadonlySet<Scope>
  readonly state: OrganisationState
  /** Why the organisation is not active; null while it is. */
  readonly stateReason: StateReason | null
  /** When the credential stops working; Infinity where it does not. */
  readonly expiresAtMs: number
  readonly userId?: string
  /** Of a session: the role held in the organisation. */
  readonly role?: Role
  /** Of a session: whether the person proved lately who they are. */
  readonly proved?: boolean
}

/** Turns a credential into its caller; undefined when it is not valid now. */
export type FindCaller = (credential: string) => Maybe<Caller | undefined>
