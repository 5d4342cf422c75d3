import { SCOPE_NAMES, SCOPES, type Scope } from './scopes.ts'

const EVERYTHING: readonly Scope[] = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
const CHECKS: readonly Scope[] = EVERYTHING.filter((scope) => scope.startsWith('risk:'))

/** What each role may do in the organisation where it is held. */
export const ROLES = {
  owner: { about: 'Everything, and makes owners', scopes: EVERYTHING },
  admin: { about: 'Everything but owners', scopes: EVERYTHING },
  developer: {
    about: 'Checks, reading, keys and applications',
    scopes: [...CHECKS, 'billing:read', 'organisation:read'],
  },
  checker: { about: 'Checks and usage, no keys', scopes: [...CHECKS, 'billing:read'] },
  viewer: { about: 'Reading', scopes: ['billing:read', 'organisation:read'] },
} as const satisfies Record<string, { about: string; scopes: readonly Scope[] }>

export type Role = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** Roles that make and end keys and applications, although they may not change the organisation itself. */
export const KEY_MAKERS: readonly Role[] = ['owner', 'admin', 'developer']

export function roleMay(role: Role, scope: Scope): boolean {
  const scopes: readonly Scope[] = ROLES[role].scopes
  return scopes.includes(scope)
}
