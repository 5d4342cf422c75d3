import { SCOPES } from '@assay/sdk'

type Scope = keyof typeof SCOPES
type KeyScope = { [Name in Scope]: (typeof SCOPES)[Name]['apiKey'] extends true ? Name : never }[Scope]

// The table addresses the user who consents; here another person reads the words.
const ABOUT_THE_USER: Partial<Record<Scope, string>> = {
  openid: 'Know who the user is',
  profile: "See the user's name",
  email: "See the user's email address",
  offline_access: 'Stay connected while the user is away',
}

const NAMES = Object.keys(SCOPES) as Scope[]
export const RISK_SCOPES: string[] = NAMES.filter((name) => name.startsWith('risk:'))
export const KEY_SCOPES: KeyScope[] = NAMES.filter((name): name is KeyScope => SCOPES[name].apiKey)
export const SERVICE_SCOPES: string[] = NAMES.filter((name) => SCOPES[name].clientCredentials)
export const USER_SCOPES: string[] = NAMES.filter((name) => SCOPES[name].user)

export function scopeWords(name: string): string {
  return Object.hasOwn(SCOPES, name) ? (ABOUT_THE_USER[name as Scope] ?? SCOPES[name as Scope].words) : name
}
