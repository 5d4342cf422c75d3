import { RISK_SCOPES, SCOPE_NAMES, SCOPES, type Scope } from './scopes.ts'

const EVERYTHING: readonly Scope[] = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)

export const ROLES = {
  owner: { about: 'Everything, including adding owners', scopes: EVERYTHING, makesKeys: true },
  admin: { about: 'Everything except adding owners', scopes: EVERYTHING, makesKeys: true },
  developer: {
    about: 'Checks, reads, creates keys and applications',
    scopes: [...RISK_SCOPES, 'billing:read', 'organisation:read'],
    makesKeys: true,
  },
  checker: {
    about: 'Checks, reads usage and counterparties, creates no keys',
    scopes: [...RISK_SCOPES, 'billing:read'],
    makesKeys: false,
  },
  viewer: { about: 'Reads', scopes: ['billing:read', 'organisation:read'], makesKeys: false },
} as const satisfies Record<string, { about: string; scopes: readonly Scope[]; makesKeys: boolean }>

export type Role = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** Roles that create and end keys and applications, although they may not change the organisation itself. */
export const KEY_MAKERS: readonly Role[] = ROLE_NAMES.filter((role) => ROLES[role].makesKeys)

export function roleMay(role: Role, scope: Scope): boolean {
  const scopes: readonly Scope[] = ROLES[role].scopes
  return scopes.includes(scope)
}
