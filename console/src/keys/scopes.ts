/** What a key or an application may be let do, in words for whoever lets it. */
export const SCOPE_WORDS: Readonly<Record<string, string>> = {
  'risk:payment': 'Check email addresses',
  'risk:supply-chain': 'Check domains',
  'risk:infrastructure': 'Check IP addresses',
  'risk:bulk': 'Check whole lists',
  'billing:read': 'See credit, usage and statements',
  'billing:write': 'Buy credit and change the plan',
  'organisation:read': 'See members, keys and applications',
  'organisation:write': 'Change members, keys and applications',
  openid: 'Know who the user is',
  profile: 'See their name',
  email: 'See their email address',
  offline_access: 'Stay connected while they are away',
}

export const RISK_SCOPES = ['risk:payment', 'risk:supply-chain', 'risk:infrastructure', 'risk:bulk']
export const SERVICE_SCOPES = [
  ...RISK_SCOPES,
  'billing:read',
  'billing:write',
  'organisation:read',
  'organisation:write',
]
export const USER_SCOPES = ['openid', 'profile', 'email', 'offline_access', ...RISK_SCOPES]

export const scopeWords = (scope: string) => SCOPE_WORDS[scope] ?? scope
