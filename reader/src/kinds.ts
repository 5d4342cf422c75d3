import type { Kind } from '@assay/sdk'

export const KIND_WORDS: Readonly<Record<Kind, { readonly one: string; readonly many: string }>> = {
  email: { one: 'email address', many: 'email addresses' },
  domain: { one: 'domain', many: 'domains' },
  ip: { one: 'IP address', many: 'IP addresses' },
}

export const MIXED_TITLE = 'Indicator'

export const aKind = (kind: Kind) => `${kind === 'domain' ? 'a' : 'an'} ${KIND_WORDS[kind].one}`
