import { server, withCsrf } from './client.ts'

/** Sign-in and consent on behalf of an application: one interaction, known by its uid and a cookie. */

export interface ScopeWords {
  readonly name: string
  readonly words: string
}

export type OrganisationState = 'active' | 'disabled' | 'inactive'

export interface OrganisationChoice {
  readonly id: string
  readonly name: string
  readonly state: OrganisationState
  /** The role held there. */
  readonly role: string
  /** What is asked for and that role does not allow. */
  readonly left_out: readonly ScopeWords[]
}

export interface Interaction {
  readonly kind: 'login' | 'consent'
  readonly csrf: string
  readonly client: { readonly id: string; readonly name: string; readonly kind: string }
  readonly login_hint: string | null
  readonly user: { readonly email: string; readonly name: string | null } | null
  readonly scopes: readonly ScopeWords[]
  readonly organisations: readonly OrganisationChoice[]
  readonly redirect_host: string | null
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface GoOn {
  readonly redirect_to: string
}

export function readInteraction(uid: string, signal: AbortSignal): Promise<Interaction> {
  return server.call('GET /api/interaction/{uid}', { path: { uid }, signal })
}

export function signInTo(uid: string, credentials: Credentials, csrf: string): Promise<GoOn> {
  return server.call('POST /api/interaction/{uid}/login', { path: { uid }, body: credentials, ...withCsrf(csrf) })
}

export type Consent = { readonly decision: 'allow'; readonly organisation_id?: string } | { readonly decision: 'deny' }

export function decide(uid: string, consent: Consent, csrf: string): Promise<GoOn> {
  return server.call('POST /api/interaction/{uid}/consent', { path: { uid }, body: consent, ...withCsrf(csrf) })
}
