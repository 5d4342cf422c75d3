/**
 * The scope table: the meaning of each scope, in words a person can consent to, and the flows that may ask for it.
 * Client registration, token requests, API keys, the consent page, discovery and the docs derive from it.
 */
export const SCOPES = {
  'risk:payment': { words: 'Check email addresses before payments', clientCredentials: true, user: true, apiKey: true },
  'risk:supply-chain': { words: 'Check the domains of suppliers', clientCredentials: true, user: true, apiKey: true },
  'risk:infrastructure': { words: 'Check IP addresses', clientCredentials: true, user: true, apiKey: true },
  'risk:bulk': { words: 'Check whole lists at a time', clientCredentials: true, user: true, apiKey: true },
  'billing:read': { words: 'See credit, usage and statements', clientCredentials: true, user: false, apiKey: true },
  'billing:write': { words: 'Buy credit and change the plan', clientCredentials: true, user: false, apiKey: true },
  'organisation:read': {
    words: 'See members, keys and applications',
    clientCredentials: true,
    user: false,
    apiKey: true,
  },
  'organisation:write': {
    words: 'Change members, keys and applications',
    clientCredentials: true,
    user: false,
    apiKey: true,
  },
  openid: { words: 'Know who you are', clientCredentials: false, user: true, apiKey: false },
  profile: { words: 'See your name', clientCredentials: false, user: true, apiKey: false },
  email: { words: 'See your email address', clientCredentials: false, user: true, apiKey: false },
  offline_access: { words: 'Stay connected while you are away', clientCredentials: false, user: true, apiKey: false },
} as const

export type Scope = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

/** Each of these scopes allows checks, and shows what a check costs and which organisation pays. */
export const RISK_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((scope) => scope.startsWith('risk:'))

/** The default scopes of a new API key. */
export const DEFAULT_KEY_SCOPES: readonly Scope[] = [...RISK_SCOPES]

export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name)
}

/** Scopes an API key can have. */
export const KEY_SCOPE_NAMES: readonly Scope[] = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
