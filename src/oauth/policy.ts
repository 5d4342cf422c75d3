import { mayConsent } from '../access/rights.ts'
import type { Role } from '../access/roles.ts'
import { isScope, SCOPE_NAMES, SCOPES, type Scope } from '../access/scopes.ts'

/** The meaning of the scope table in src/access/scopes.ts for each flow. */
export type Flow = 'clientCredentials' | 'user'

export const scopesOfFlow = (flow: Flow): Scope[] => SCOPE_NAMES.filter((scope) => SCOPES[scope][flow])

/** The first requested scope that this client may not have in this flow. */
export function refusedScope(asked: string | undefined, registered: string | undefined, flow: Flow) {
  const allowed = new Set(registered?.split(' '))
  const ofFlow = new Set<string>(scopesOfFlow(flow))
  return scopesIn(asked).find((scope) => !allowed.has(scope) || !ofFlow.has(scope))
}

/** RFC 6749 §3.3: the scope of a request that names none: all registered ones that need not be asked for by name. */
export function defaultScope(registered: string | undefined, flow: Flow): string {
  const named = new Set(['openid', 'profile', 'email', 'offline_access'])
  const ofFlow = new Set<string>(scopesOfFlow(flow))
  return scopesIn(registered)
    .filter((scope) => ofFlow.has(scope) && !named.has(scope))
    .join(' ')
}

export function scopesIn(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(' ').filter((scope) => scope !== '')
}

/** Keeps the first occurrence of each scope; everything else as it was sent. */
export function withoutRepeats(text: string): string {
  const seen = new Set<string>()
  return text
    .split(' ')
    .filter((scope) => scope === '' || (!seen.has(scope) && seen.add(scope)))
    .join(' ')
}

export function scopesInWords(text: string | undefined): { name: string; words: string }[] {
  return inWords(scopesIn(text).filter(isScope))
}

export function inWords(scopes: readonly Scope[]): { name: string; words: string }[] {
  return scopes.map((name) => ({ name, words: SCOPES[name].words }))
}

/** Splits the requested scopes into those that a person with this role can allow, and the others. */
export function splitByRole(asked: string | undefined, role: Role): { allowed: Scope[]; refused: Scope[] } {
  const scopes = scopesIn(asked).filter(isScope)
  return {
    allowed: scopes.filter((scope) => mayConsent(role, scope)),
    refused: scopes.filter((scope) => !mayConsent(role, scope)),
  }
}
