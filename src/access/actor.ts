import type { Caller } from './caller.ts'
import type { Role } from './roles.ts'
import { SCOPE_NAMES, type Scope } from './scopes.ts'

export const ACTOR_KINDS = ['api_key', 'application', 'person', 'operator', 'system'] as const

/** The actor of a change in an organisation: its rights, and its name in the audit log. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number]
  readonly id: string
  readonly organisationId: string
  readonly scopes: ReadonlySet<Scope>
  /** For a signed-in person: their role in the organisation. */
  readonly role: Role | undefined
  /** False when the person last authenticated too long ago for sensitive changes. */
  readonly proved: boolean
  readonly ip: string | null
  readonly requestId: string | null
}

const ALL_RIGHTS = { scopes: new Set<Scope>(SCOPE_NAMES) as ReadonlySet<Scope>, role: undefined, proved: true }
const VERB = { id: 'operator', ip: null, requestId: null }

/** The operator acting in an organisation, through a verb or (with `from`) on the operator's pages. */
export function operatorIn(organisationId: string, from: Pick<Actor, 'id' | 'ip' | 'requestId'> = VERB): Actor {
  return { kind: 'operator', organisationId, ...ALL_RIGHTS, ...from }
}

/** The program itself: month ends, payments that arrived. */
export function systemIn(organisationId: string, from: { id?: string; ip?: string; requestId?: string } = {}): Actor {
  return { kind: 'system', id: 'system', organisationId, ...ALL_RIGHTS, ip: null, requestId: null, ...from }
}

/** A person who joins, signs up or changes their own data: needs no right in the organisation. */
export function themselvesIn(organisationId: string, from: { id: string; ip: string; requestId: string }): Actor {
  return { kind: 'person', organisationId, scopes: new Set(), role: undefined, proved: true, ...from }
}

/** The operator and the program itself are limited by the other rules, not by scopes. */
export function isUnlimited(actor: { readonly kind: string }): boolean {
  return actor.kind === 'operator' || actor.kind === 'system'
}

export const KIND_OF_CALLER = { api_key: 'api_key', bearer: 'application', session: 'person' } as const

export function actorOf({ caller, ip, id: requestId }: { caller: Caller | undefined; ip: string; id: string }): Actor {
  if (!caller) throw new Error('a change without a caller cannot be audited')
  return {
    kind: KIND_OF_CALLER[caller.method],
    id: caller.credentialId,
    organisationId: caller.organisationId,
    scopes: caller.scopes,
    role: caller.role,
    proved: caller.method !== 'session' || caller.proved === true,
    ip,
    requestId,
  }
}
