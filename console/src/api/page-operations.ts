import type { Kind, ROLES, Signal } from '@assay/sdk'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { OperatorOperations } from './operator-operations.ts'

/** What only the pages ask of the server, beside the operations of the public interface. */
export interface PageOperations extends OperatorOperations {
  'GET /api/session': Read<Session>
  'POST /api/session': Write<Credentials, Session | SecondStep>
  'POST /api/session/second-factor': Write<{ readonly ticket: string } & Proof, Session>
  'POST /api/session/passkey/begin': Write<Record<never, never>, PasskeyAsked>
  'POST /api/session/passkey': Write<{ readonly ticket: string; readonly passkey: unknown }, Session>
  'POST /api/session/prove/begin': Write<Record<never, never>, SecondStep['second_factor']>
  'POST /api/session/prove': Write<{ readonly ticket: string } & (Proof | { readonly password: string }), undefined>
  'GET /api/factors': Read<Factors>
  'POST /api/factors/passkeys/begin': Write<Record<never, never>, PasskeyOffered>
  'POST /api/factors/passkeys': Write<
    { readonly ticket: string; readonly name: string; readonly passkey: unknown },
    Passkey & NewRecoveryCodes
  >
  'POST /api/factors/passkeys/rename': Write<{ readonly id: string; readonly name: string }, Passkey>
  'POST /api/factors/passkeys/remove': Write<{ readonly id: string }, undefined>
  'POST /api/factors/codes/begin': Write<Record<never, never>, { readonly secret: string; readonly uri: string }>
  'POST /api/factors/codes': Write<{ readonly code: string }, NewRecoveryCodes>
  'DELETE /api/factors/codes': Write<undefined, undefined>
  'POST /api/factors/recovery-codes': Write<Record<never, never>, { readonly recovery_codes: readonly string[] }>
  'DELETE /api/session': Write<undefined, undefined>
  'GET /api/account': Read<Account>
  'POST /api/account/name': Write<{ readonly name: string }, { readonly name: string }>
  'POST /api/account/password': Write<PasswordChange, undefined>
  'POST /api/account/verify': Write<Nothing, { readonly sent_to: string }>
  'POST /api/account/organisations/{organisation_id}/leave': Write<Nothing, undefined> & {
    path: { readonly organisation_id: string }
  }
  'GET /api/account/sessions': Read<{ readonly data: readonly OwnSession[] }>
  'POST /api/account/sessions/{session_id}/end': Write<Nothing, undefined> & { path: { readonly session_id: string } }
  'POST /api/account/end-other-sessions': Write<Nothing, undefined>
  'GET /api/forgot-password': Read<{ readonly sends_mail: boolean }>
  'POST /api/forgot-password': Write<{ readonly email: string }, Nothing>
  'POST /api/reset-password/lookup': Write<LinkToken, { readonly email: string }>
  'POST /api/reset-password': Write<LinkToken & { readonly password: string }, { readonly email: string }>
  'POST /api/verify-address/lookup': Write<LinkToken, { readonly email: string }>
  'POST /api/verify-address': Write<LinkToken, { readonly email: string }>
  'POST /api/confirm-sign-up/lookup': Write<LinkToken, WaitingSignUp>
  'POST /api/confirm-sign-up': Write<LinkToken & { readonly password?: string }, ConfirmedSignUp>
  'GET /api/sign-up': Read<Offer>
  'GET /api/samples': Read<Samples>
  'GET /api/intelligence': Read<Intelligence>
  'GET /api/interaction/{uid}': Read<Interaction> & OfInteraction
  'POST /api/interaction/{uid}/login': Write<Credentials | Nothing, GoOn | SecondStep> & OfInteraction
  'POST /api/interaction/{uid}/consent': Write<Consent, GoOn> & OfInteraction
  'GET /api/account/applications': Read<{ readonly applications: readonly ConnectedApplication[] }>
  'DELETE /api/account/applications/{consent_id}': Write<undefined, undefined> & {
    path: { readonly consent_id: string }
  }
  'GET /api/device': Read<{ readonly csrf: string }>
  'POST /api/device/lookup': Write<{ readonly user_code: string }, DeviceRequest>
  'POST /api/device/confirm': Write<{ readonly user_code: string; readonly decision: 'allow' | 'deny' }, DeviceAnswer>
}

interface Read<Response, Query = Record<never, never>> {
  path: unknown
  query: Query
  body: undefined
  response: Response
}

interface Write<Body, Response> {
  path: unknown
  query: Record<never, never>
  body: Body
  response: Response
}

interface OfInteraction {
  path: { readonly uid: string }
}

type Nothing = Record<string, never>

/** What stands behind # in a mailed link. */
interface LinkToken {
  readonly token: string
}

/** The account of whoever is signed in. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly sends_mail: boolean
}

export interface PasswordChange {
  readonly present: string
  readonly password: string
  /** Whether what applications were allowed to do ends as well. */
  readonly disconnect: boolean
}

export interface OwnSession {
  readonly id: string
  readonly present: boolean
  readonly ip: string | null
  readonly place: string | null
  readonly device: string
  readonly signed_in_at: string
  readonly seen_at: string
}

export interface WaitingSignUp {
  readonly email: string
  readonly organisation: string
  readonly has_account: boolean
}

export interface ConfirmedSignUp {
  readonly email: string
  readonly organisation_id: string
  readonly is_new: boolean
}

/** Who may sign up here, for which plans, and whether by card. */
export interface Offer {
  readonly sign_up: 'open' | 'approval' | 'closed'
  readonly plans: readonly string[]
  readonly by_card: boolean
}

/** Answers of this server's engine to fixed questions. */
interface Samples {
  readonly samples: readonly Sample[]
  readonly intelligence: { readonly version: string; readonly built_at: string }
}

export interface Sample {
  readonly kind: Kind
  readonly indicator: string
  readonly risk: 'low' | 'medium' | 'high'
  readonly risk_score: number
  readonly recommended_action: string
  readonly summary: string
  readonly signals: readonly Signal[]
}

export interface Source {
  readonly id: string
  readonly name: string
  readonly licence: string
  readonly rows: number
  readonly as_of: string | null
  readonly state: 'bundled' | 'fresh' | 'failing' | 'held' | 'off'
  readonly last_error: string | null
  readonly last_error_at: string | null
  readonly next_due_at: string | null
}

export interface Intelligence {
  readonly version: string | null
  readonly built_at: string | null
  readonly counts: Readonly<Record<'domains' | 'emails' | 'ipv4' | 'ipv6', number>> | null
  readonly sources: readonly Source[]
}

export interface Membership {
  readonly id: string
  readonly name: string
  readonly role: keyof typeof ROLES
  readonly state: OrganisationState
  /** Only who has given a second factor acts there. */
  readonly requires_second_factor?: boolean
}

/** Who is signed in to the console. */
export interface Session {
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null }
  readonly organisations: readonly Membership[]
  /** Looks after every organisation. */
  readonly operator?: boolean
  /** How they can give a second factor, and whether they have. */
  readonly second_factor?: { readonly ways: readonly Way[]; readonly given: boolean }
  readonly csrf: string
}

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

/** An application that asks for something. */
export interface Application {
  readonly id: string
  readonly name: string
  readonly kind: string
  /** Null: part of this server. `yours` is null while nobody has signed in. */
  readonly owner: { readonly name: string; readonly yours: boolean | null } | null
  readonly policy_uri: string | null
  readonly terms_uri: string | null
}

/** What it asks for, by what that means to the person. */
export interface AskedFor {
  readonly charged: readonly ScopeWords[]
  readonly about_you: readonly ScopeWords[]
  /** How long it stays connected; null: it does not ask for that. */
  readonly stays_days: number | null
}

export interface Interaction {
  readonly kind: 'login' | 'consent' | 'select_account'
  readonly csrf: string
  readonly client: Application
  readonly login_hint: string | null
  readonly user: { readonly email: string; readonly name: string | null } | null
  readonly asked: AskedFor
  readonly organisations: readonly OrganisationChoice[]
  readonly redirect_host: string | null
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** A second proof of who somebody is. */
export type Way = 'passkey' | 'code' | 'recovery_code'
export type Proof = { readonly passkey: unknown } | { readonly code: string } | { readonly recovery_code: string }

/** The password was right; this is still to be proved. */
export interface SecondStep {
  readonly second_factor: {
    readonly ways: readonly Way[]
    readonly ticket: string
    readonly passkey: PublicKeyCredentialRequestOptionsJSON | null
  }
}

interface PasskeyAsked {
  readonly ticket: string
  readonly passkey: PublicKeyCredentialRequestOptionsJSON
}

interface PasskeyOffered {
  readonly ticket: string
  readonly passkey: PublicKeyCredentialCreationOptionsJSON
}

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly backed_up: boolean
  readonly created_at: string
  readonly used_at: string | null
}

/** Shown this once; null where there were some already. */
interface NewRecoveryCodes {
  readonly recovery_codes: readonly string[] | null
}

export interface Factors {
  readonly passkeys: readonly Passkey[]
  readonly codes: { readonly since: string } | null
  readonly recovery_codes: { readonly left: number; readonly made_at: string } | null
  /** False where browsers know no passkeys: without TLS, or at an address without a name. */
  readonly passkeys_work: boolean
  /** Names of organisations that require a factor. */
  readonly required_by: readonly string[]
}

export interface GoOn {
  readonly redirect_to: string
}

export type Consent = { readonly decision: 'allow'; readonly organisation_id?: string } | { readonly decision: 'deny' }

/** Connecting a device by the short code it shows (RFC 8628). */
export interface DeviceRequest {
  readonly user_code: string
  readonly client: Application
  readonly asked: AskedFor
  /** Where, when and with what the code was asked for. */
  readonly request: {
    readonly at: string
    readonly address: string | null
    readonly place: string | null
    readonly program: string
  }
}

/** What a person lets an application do in one organisation. */
export interface ConnectedApplication {
  readonly id: string
  readonly client: { readonly id: string; readonly name: string }
  readonly owner: { readonly name: string; readonly yours: boolean } | null
  /** The organisation that is charged. */
  readonly organisation: { readonly id: string; readonly name: string }
  readonly scopes: readonly ScopeWords[]
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string
}

export type DeviceAnswer = { readonly redirect_to: string } | { readonly done: 'denied' }
