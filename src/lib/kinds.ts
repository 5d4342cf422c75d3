/** The three kinds of indicator and all their differences: one table, the rest derives from it. */
export const KINDS = {
  email: { family: 'payment-risk', plural: 'emails', sourceType: 'payment_scan', scope: 'risk:payment' },
  domain: {
    family: 'supply-chain-risk',
    plural: 'domains',
    sourceType: 'supply-chain_scan',
    scope: 'risk:supply-chain',
  },
  ip: { family: 'infrastructure-risk', plural: 'ips', sourceType: 'infrastructure_scan', scope: 'risk:infrastructure' },
} as const

export type Kind = keyof typeof KINDS
export type Family = (typeof KINDS)[Kind]['family']
export const KIND_NAMES = Object.keys(KINDS) as Kind[]
export const FAMILIES = KIND_NAMES.map((kind) => KINDS[kind].family)
