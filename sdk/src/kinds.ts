/** The three kinds of indicator and where each is checked. */
export const KINDS = {
  email: { family: 'payment-risk', plural: 'emails' },
  domain: { family: 'supply-chain-risk', plural: 'domains' },
  ip: { family: 'infrastructure-risk', plural: 'ips' },
} as const

export type Kind = keyof typeof KINDS
export type Family = (typeof KINDS)[Kind]['family']
export const KIND_NAMES = Object.keys(KINDS) as Kind[]
