/**
 * Rights: nobody hands out, changes or ends what they lack themselves. Routes, verbs, jobs and consent all ask here.
 *
 *  1. A credential with some scopes is made, changed, replaced or ended only by somebody who has all of them.
 *  2. A role is given or taken only by somebody who has all of its scopes.
 *  3. Owners are made and unmade by owners who are signed in, and by the operator.
 *  4. What somebody handed out unused (an invitation) is worth something only while they could hand it out again.
 */
import { Problem } from '../errors.ts'
import { isUnlimited } from './actor.ts'
import { ROLES, type Role } from './roles.ts'
import type { Scope } from './scopes.ts'

/** Whoever acts, as far as rights go. */
export interface Holder {
  readonly kind: string
  readonly scopes: ReadonlySet<Scope>
  readonly role: Role | undefined
}

export function lackedScopes(holder: Holder, scopes: readonly Scope[]): Scope[] {
  return isUnlimited(holder) ? [] : scopes.filter((scope) => !holder.scopes.has(scope))
}

/** Rule 1. */
export function requireGrantable(holder: Holder, scopes: readonly Scope[]): void {
  const lacked = lackedScopes(holder, scopes)
  if (lacked.length === 0) return
  throw new Problem('forbidden', {
    detail: `You lack ${lacked.join(' and ')} yourself, so you cannot give, change or end it. Ask an owner or admin.`,
  })
}

/** Rules 2 and 3. */
export function mayHandOutRole(holder: Holder, role: Role): boolean {
  if (isUnlimited(holder)) return true
  if (role === 'owner' && holder.role !== 'owner') return false
  return lackedScopes(holder, ROLES[role].scopes).length === 0
}

export function requireRole(holder: Holder, role: Role): void {
  if (mayHandOutRole(holder, role)) return
  if (role === 'owner') {
    throw new Problem('forbidden', { detail: 'Only an owner who is signed in may make or change owners.' })
  }
  requireGrantable(holder, ROLES[role].scopes)
}
