import { BRAND_SIGNALS } from './domain-brand.ts'
import { KNOWN_DOMAIN_SIGNALS } from './domain-known.ts'
import { NAME_SIGNALS } from './domain-name.ts'
import { EMAIL_EVIDENCE_SIGNALS, LOCAL_PART_SIGNALS } from './email.ts'
import { IP_SIGNALS } from './ip.ts'
import { LIVE_DOMAIN_SIGNALS, LIVE_EMAIL_SIGNALS } from './live-domain.ts'
import { LIVE_IP_SIGNALS } from './live-ip.ts'
import { OWN_SIGNALS } from './own.ts'
import { ownElseAbove, type Signal, THREATS, tagSignal } from './signal.ts'
import { domainDisposable } from './throw-away.ts'

/** Every signal. Weights, documentation and the list of codes derive from these. */

export const DOMAIN_SIGNALS = [
  tagSignal('domain.listed', 'listing', THREATS, 'Listed by a threat feed'),
  tagSignal(
    'domain.parent_listed',
    'listing',
    THREATS,
    'A domain above this name, of the same owner, is listed by a threat feed',
    ({ above }) => above,
  ),
  tagSignal('domain.sinkhole', 'listing', 'sinkhole', 'Taken over by security researchers after abuse', ownElseAbove),
  ...BRAND_SIGNALS,
  ...NAME_SIGNALS,
  domainDisposable,
  ...KNOWN_DOMAIN_SIGNALS,
] as const satisfies readonly Signal<'domain'>[]

export const EMAIL_SIGNALS = [...EMAIL_EVIDENCE_SIGNALS, ...LOCAL_PART_SIGNALS] as const

export const ALL_SIGNALS = [
  ...LIVE_DOMAIN_SIGNALS,
  ...LIVE_EMAIL_SIGNALS,
  ...LIVE_IP_SIGNALS,
  ...DOMAIN_SIGNALS,
  ...EMAIL_SIGNALS,
  ...IP_SIGNALS,
  ...OWN_SIGNALS,
] as const

export type SignalCode = (typeof ALL_SIGNALS)[number]['code']
