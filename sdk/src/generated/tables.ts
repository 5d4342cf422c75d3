// Written by `npm run generate` from the tables of the server. Changes belong there.

/** The kinds of indicator, and what the service calls each. */
export const KINDS = {
  email: { family: 'payment-risk', plural: 'emails', sourceType: 'payment_scan', scope: 'risk:payment' },
  domain: { family: 'supply-chain-risk', plural: 'domains', sourceType: 'supply-chain_scan', scope: 'risk:supply-chain' },
  ip: { family: 'infrastructure-risk', plural: 'ips', sourceType: 'infrastructure_scan', scope: 'risk:infrastructure' },
} as const

/** Every scope: what it grants, and by which flows and credentials it can be had. */
export const SCOPES = {
  'risk:payment': { words: 'Check email addresses before payments', clientCredentials: true, user: true, apiKey: true },
  'risk:supply-chain': { words: 'Check the domains of suppliers', clientCredentials: true, user: true, apiKey: true },
  'risk:infrastructure': { words: 'Check IP addresses', clientCredentials: true, user: true, apiKey: true },
  'risk:bulk': { words: 'Check whole lists at a time', clientCredentials: true, user: true, apiKey: true },
  'billing:read': { words: 'See credit, usage and statements', clientCredentials: true, user: false, apiKey: true },
  'billing:write': { words: 'Buy credit and change the plan', clientCredentials: true, user: false, apiKey: true },
  'organisation:read': { words: 'See members, keys and applications', clientCredentials: true, user: false, apiKey: true },
  'organisation:write': { words: 'Change members, keys and applications', clientCredentials: true, user: false, apiKey: true },
  openid: { words: 'Know who you are', clientCredentials: false, user: true, apiKey: false },
  profile: { words: 'See your name', clientCredentials: false, user: true, apiKey: false },
  email: { words: 'See your email address', clientCredentials: false, user: true, apiKey: false },
  offline_access: { words: 'Stay connected while you are away', clientCredentials: false, user: true, apiKey: false },
} as const

/** The roles of members: what each may do in its organisation, with the scopes separated by blanks. */
export const ROLES = {
  owner: { about: 'Everything, and makes owners', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read billing:write organisation:read organisation:write', makesKeys: true },
  admin: { about: 'Everything but making owners', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read billing:write organisation:read organisation:write', makesKeys: true },
  developer: { about: 'Checks, reads, makes keys and applications', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read organisation:read', makesKeys: true },
  checker: { about: 'Checks and reads usage, makes no keys', scopes: 'risk:payment risk:supply-chain risk:infrastructure risk:bulk billing:read', makesKeys: false },
  viewer: { about: 'Reads', scopes: 'billing:read organisation:read', makesKeys: false },
} as const
