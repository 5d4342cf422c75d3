const RIGHT_OF_ALL = { clientCredentials: true, user: true, apiKey: true } as const
const RIGHT_OF_PROGRAMS = { clientCredentials: true, user: false, apiKey: true } as const
const ABOUT_A_PERSON = { clientCredentials: false, user: true, apiKey: false } as const

/**
 * The scope table: the meaning of each scope, in words a person can consent to, and the flows that may ask for it.
 * Client registration, token requests, API keys, the consent page, discovery and the docs derive from it.
 */
export const SCOPES = {
  'risk:payment': { words: 'Check email addresses before payments', ...RIGHT_OF_ALL },
  'risk:supply-chain': { words: 'Check the domains of suppliers', ...RIGHT_OF_ALL },
  'risk:infrastructure': { words: 'Check IP addresses', ...RIGHT_OF_ALL },
  'risk:bulk': { words: 'Check whole lists', ...RIGHT_OF_ALL },
  'billing:read': { words: 'See credit, usage and statements', ...RIGHT_OF_PROGRAMS },
  'billing:write': { words: 'Buy credit and change the plan', ...RIGHT_OF_PROGRAMS },
  'organisation:read': {
    words: 'See members, keys, applications and what the organisation knows',
    ...RIGHT_OF_PROGRAMS,
  },
  'organisation:write': {
    words: 'Change members, keys, applications and what the organisation knows',
    ...RIGHT_OF_PROGRAMS,
  },
  openid: { words: 'Know who you are', ...ABOUT_A_PERSON },
  profile: { words: 'See your name', ...ABOUT_A_PERSON },
  email: { words: 'See your email address', ...ABOUT_A_PERSON },
  offline_access: { words: 'Stay connected while you are away', ...ABOUT_A_PERSON },
} as const

export type Scope = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

/** Each of these scopes allows checks, and shows what a check costs and which organisation pays. */
export const RISK_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((scope) => scope.startsWith('risk:'))

export const isScope = (name: string): name is Scope => Object.hasOwn(SCOPES, name)

export const KEY_SCOPE_NAMES: readonly Scope[] = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
