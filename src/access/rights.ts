/**
 * Rights: nobody hands out, changes or ends what they lack themselves. Routes, verbs, jobs and consent all ask here.
 *
 *  1. A credential with some scopes is made, changed, replaced or ended only by somebody who has all of them. Scopes
 *     that no key can have (openid, profile and the like) are no rights in an organisation and need not be held.
 *  2. A role is given or taken only by somebody who has all of its scopes.
 *  3. Owners are made and unmade by owners who are signed in, and by the operator.
 *  4. Members are invited, changed and removed with `organisation:write`; keys and applications also by some roles.
 *  5. What somebody handed out unused (an invitation) is worth something only while they could hand it out again.
 *  6. An application may do for a person only what the person's role allows.
 *  7. Sensitive changes (`organisation:write`, `billing:write` and the roles with them, members, the subscription) need a
 *     person who confirmed within the last 15 minutes who they are: a screen left open is not enough. Keys and
 *     applications are not asked.
 */
import { Problem } from '../errors.ts'
import { MINUTE_MS } from '../lib/clock.ts'
import { isUnlimited } from './actor.ts'
import { KEY_MAKERS, ROLES, type Role, roleMay } from './roles.ts'
import { SCOPES, type Scope } from './scopes.ts'

/** Whoever acts, as far as rights go. */
export interface Holder {
  readonly kind: string
  readonly scopes: ReadonlySet<Scope>
  readonly role: Role | undefined
}

/** Whoever acts at this moment. */
export interface ActingHolder extends Holder {
  readonly proved: boolean
}

/** How long a proof of who somebody is counts. */
export const PROOF_MS = 15 * MINUTE_MS

const SENSITIVE: ReadonlySet<Scope> = new Set<Scope>(['organisation:write', 'billing:write'])

/** Rule 7. */
export function requireProof(holder: { readonly proved: boolean }): void {
  if (holder.proved) return
  throw new Problem('proof_needed', {
    detail: 'Confirm that it is you, with your password, a passkey or a code. Then repeat the request.',
  })
}

/** Scopes that are rights in an organisation, of all that an application may ask for. */
function isRight(scope: Scope): boolean {
  return SCOPES[scope].apiKey
}

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
  throw new Problem('forbidden', {
    detail: `You lack ${lacked.join(' and ')} yourself, so you cannot give, change or end it. Ask an owner or admin.`,
  })
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
    throw new Problem('forbidden', { detail: 'Only an owner who is signed in may make or change owners.' })
  }
  requireGrantable(holder, ROLES[role].scopes)
}

/** Rule 4, for keys and applications. */
export function requireKeyMaker(holder: Holder): void {
  if (mayWrite(holder) || (holder.role !== undefined && KEY_MAKERS.includes(holder.role))) return
  throw new Problem('forbidden', { detail: 'Your role does not let you make or end keys. Ask an owner or admin.' })
}

/** Rule 4, for the organisation and its members. */
export function requireWriter(holder: Holder): void {
  if (mayWrite(holder)) return
  throw new Problem('forbidden', { detail: 'Changing the organisation or its members needs organisation:write.' })
}

/** Rules 4 and 5: whether this one could invite somebody as `role` now. */
export function mayInvite(holder: Holder, role: Role): boolean {
  return mayWrite(holder) && mayHandOutRole(holder, role)
}

function mayWrite(holder: Holder): boolean {
  return isUnlimited(holder) || holder.scopes.has('organisation:write')
}

/** Rule 6. */
export function mayConsent(role: Role, scope: Scope): boolean {
  return !isRight(scope) || roleMay(role, scope)
}
