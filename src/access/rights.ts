/**
 * Rights: nobody can grant, change or end a right they do not have. Routes, verbs, jobs and consent all ask here.
 * 1. Only an actor with all scopes of a credential may create, change, replace or end it. Scopes that no key can have
 *    (openid, profile and the like) are no rights in an organisation and are not required.
 * 2. Only an actor with all scopes of a role may give or take it.
 * 3. Only signed-in owners and the operator may add or remove owners.
 * 4. Members are invited, changed and removed with `organisation:write`; keys and applications also by some roles.
 * 5. An unused grant (an invitation) is valid only while its creator could create it again.
 * 6. An application may do for a person only what the person's role allows.
 * 7. Sensitive changes (`organisation:write`, `billing:write` and the roles with them, members, the subscription) need
 *    a person who authenticated within the last 15 minutes: a screen left open is not enough. Keys and applications are
 *    exempt.
 */
import { forbidden, Problem } from '../errors.ts'
import { MINUTE_MS } from '../lib/clock.ts'
import { isUnlimited } from './actor.ts'
import { KEY_MAKERS, ROLES, type Role, roleMay } from './roles.ts'
import { SCOPES, type Scope } from './scopes.ts'

export interface Holder {
  readonly kind: string
  readonly scopes: ReadonlySet<Scope>
  readonly role: Role | undefined
}

/** The holder of rights who makes the current request. */
export interface ActingHolder extends Holder {
  readonly proved: boolean
}

/** How long an authentication counts as recent. */
export const PROOF_MS = 15 * MINUTE_MS

const SENSITIVE: ReadonlySet<Scope> = new Set<Scope>(['organisation:write', 'billing:write'])

/** Rule 7. */
export function requireProof(holder: { readonly proved: boolean }): void {
  if (holder.proved) return
  throw new Problem('proof_needed', {
    detail: 'Confirm your identity with your password, a passkey or a code. Then repeat the request.',
  })
}

/** True for scopes that are rights in an organisation; an application may ask for others too. */
const isRight = (scope: Scope): boolean => SCOPES[scope].apiKey

export function lackedScopes(holder: Holder, scopes: readonly Scope[]): Scope[] {
  return isUnlimited(holder) ? [] : scopes.filter((scope) => isRight(scope) && !holder.scopes.has(scope))
}

/** Rules 1 and 7. */
export function requireGrantable(holder: ActingHolder, scopes: readonly Scope[]): void {
  const lacked = lackedScopes(holder, scopes)
  if (lacked.length === 0) {
    if (scopes.some((scope) => SENSITIVE.has(scope))) requireProof(holder)
    return
  }
  throw forbidden(
    `You lack ${lacked.join(' and ')} yourself, so you cannot grant, change or revoke it. Ask an owner or admin.`,
  )
}

/** Rules 2 and 3. */
function mayHandOutRole(holder: Holder, role: Role): boolean {
  if (isUnlimited(holder)) return true
  if (role === 'owner' && holder.role !== 'owner') return false
  return lackedScopes(holder, ROLES[role].scopes).length === 0
}

/** Rules 2, 3 and 7. */
export function requireRole(holder: ActingHolder, role: Role): void {
  if (!mayHandOutRole(holder, role) && role === 'owner') {
    throw forbidden('Only a signed-in owner may add or change owners.')
  }
  requireGrantable(holder, ROLES[role].scopes)
}

/** Rule 4, for keys and applications. */
export function requireKeyMaker(holder: Holder): void {
  if (mayWrite(holder) || (holder.role !== undefined && KEY_MAKERS.includes(holder.role))) return
  throw forbidden('Your role cannot create or revoke keys. Ask an owner or admin.')
}

/** Rule 4, for the organisation and its members. */
export function requireWriter(holder: Holder): void {
  if (mayWrite(holder)) return
  throw forbidden('Changing the organisation or its members needs organisation:write.')
}

/** Rules 4 and 5: true if the holder could invite a member with `role` now. */
export const mayInvite = (holder: Holder, role: Role): boolean => mayWrite(holder) && mayHandOutRole(holder, role)

const mayWrite = (holder: Holder): boolean => isUnlimited(holder) || holder.scopes.has('organisation:write')

/** Rule 6. */
export const mayConsent = (role: Role, scope: Scope): boolean => !isRight(scope) || roleMay(role, scope)
