import { hasTag } from '../look-up/evidence.ts'
import { domainBrandMention } from './domain-brand-mention.ts'
import { domainBrandSubdomain } from './domain-brand-subdomain.ts'
import { domainCombosquat } from './domain-combosquat.ts'
import { domainDisposable } from './domain-disposable.ts'
import { domainFreeHosting } from './domain-free-hosting.ts'
import { domainGenerated } from './domain-generated.ts'
import { domainAcademic, domainGovernment } from './domain-institution.ts'
import { domainLexical, domainOrdinaryName } from './domain-lexical.ts'
import { domainLookalike } from './domain-lookalike.ts'
import { domainLure } from './domain-lure.ts'
import { domainMailProvider } from './domain-mail-provider.ts'
import { domainMixedScript } from './domain-mixed-script.ts'
import { domainOfficialBrand } from './domain-official-brand.ts'
import { domainPopular } from './domain-popular.ts'
import { domainNotPublic, domainPublicSuffix } from './domain-public-suffix.ts'
import { domainSuffix, domainTrustedSuffix } from './domain-suffix.ts'
import { domainSuffixSwap } from './domain-suffix-swap.ts'
import { emailCannotReceive } from './email-cannot-receive.ts'
import { emailDisposable } from './email-disposable.ts'
import { emailDynamicDns } from './email-dynamic-dns.ts'
import { emailFreeMail } from './email-free-mail.ts'
import { emailImpersonation } from './email-impersonation.ts'
import { emailPrivacyRelay } from './email-privacy-relay.ts'
import { emailRandomLocal } from './email-random-local.ts'
import { emailRoleAccount } from './email-role-account.ts'
import { ipBadAsn } from './ip-bad-asn.ts'
import { ipBigProvider } from './ip-big-provider.ts'
import { ipCarried } from './ip-carried.ts'
import { ipHosting, ipHostingAsn } from './ip-hosting-asn.ts'
import { ipHijackedNetwork, ipPrivacyRelay, ipProxy, ipTorExit, ipTorRelay, ipVpn } from './ip-known.ts'
import { ipListed } from './ip-listed.ts'
import { ipNeighbourhood, ipNetworkDensity, ipSurroundings } from './ip-neighbourhood.ts'
import { ipNotPublic } from './ip-not-public.ts'
import { ipResearchScanner } from './ip-research-scanner.ts'
import { ipCrawler, ipReverseDns } from './ip-reverse-dns.ts'
import { ipScanner } from './ip-scanner.ts'
import { domainCertificate } from './live-certificate.ts'
import { domainAddresses, domainDangling, domainResolvesToListed } from './live-host.ts'
import {
  domainExpires,
  domainHeld,
  domainNewlyRegistered,
  domainRegistered,
  domainUnregistered,
} from './live-registration.ts'
import { domainMailSetup, domainNameServers, domainParkedBy } from './live-zone.ts'
import type { EvidenceSignal, LiveSignal, Signal } from './signal.ts'
import { ownElseAbove, platformElseOwn, THREATS, tagSignal } from './tagged.ts'

/**
 * Every signal. Weights, documentation and the list of codes derive from these. A signal that repeats what sources say
 * is a row here; a signal that computes something has its own file.
 */

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
  domainLookalike,
  domainCombosquat,
  domainSuffixSwap,
  domainBrandSubdomain,
  domainBrandMention,
  domainMixedScript,
  domainGenerated,
  domainLure,
  domainLexical,
  domainOrdinaryName,
  domainSuffix,
  domainTrustedSuffix,
  domainDisposable,
  tagSignal(
    'domain.dynamic_dns',
    'hosting',
    'dynamic_dns',
    'Lives under a dynamic-DNS name anyone can take in a minute',
    platformElseOwn,
  ),
  domainFreeHosting,
  tagSignal(
    'domain.url_shortener',
    'hosting',
    'url_shortener',
    'A link shortener: what stands behind a link cannot be seen',
  ),
  tagSignal('domain.parked', 'hosting', 'parked', 'Parked: registered but not in use', ownElseAbove),
  tagSignal('domain.adware', 'hosting', 'adware', 'Serves advertising or tracking', ownElseAbove),
  domainPopular,
  tagSignal('domain.bank', 'standing', 'bank', 'The site of a known bank', ownElseAbove),
  domainAcademic,
  domainGovernment,
  tagSignal(
    'domain.known_good',
    'standing',
    'known_good',
    'On a list of names that must not be taken for threats',
    ({ own, above }) => (hasTag(own, 'known_good') ? own : above),
  ),
  domainOfficialBrand,
  domainMailProvider,
  domainPublicSuffix,
  domainNotPublic,
] as const satisfies readonly Signal<'domain'>[]

/**
 * E-mail signals that need only evidence: every mailbox of a host has the same result, unless a source names the
 * mailbox.
 */
export const EMAIL_EVIDENCE_SIGNALS = [
  tagSignal('email.listed', 'listing', THREATS, 'This very address is listed by a threat feed'),
  emailDisposable,
  emailDynamicDns,
  emailFreeMail,
] as const satisfies readonly EvidenceSignal[]

/** E-mail signals that read the part before the @. A mailbox with one of these is not an ordinary customer's. */
export const LOCAL_PART_SIGNALS = [
  emailPrivacyRelay,
  emailImpersonation,
  emailRandomLocal,
  emailRoleAccount,
] as const satisfies readonly Signal<'email'>[]

export const EMAIL_SIGNALS = [...EMAIL_EVIDENCE_SIGNALS, ...LOCAL_PART_SIGNALS] as const

export const IP_SIGNALS = [
  ipNotPublic,
  ipCarried,
  ipListed,
  ipHijackedNetwork,
  ipTorExit,
  ipTorRelay,
  ipVpn,
  ipProxy,
  ipPrivacyRelay,
  ipHosting,
  ipHostingAsn,
  ipBadAsn,
  ipNeighbourhood,
  ipSurroundings,
  ipNetworkDensity,
  ipScanner,
  ipResearchScanner,
  tagSignal('ip.bogon', 'network', 'bogon', 'In address space nobody is meant to use'),
  tagSignal('ip.sinkhole', 'standing', 'sinkhole', 'A sinkhole run by security researchers'),
  tagSignal('ip.resolver', 'standing', 'resolver', 'A public DNS resolver'),
  tagSignal('ip.mail_provider', 'standing', 'mail_provider', 'Mail servers of a large mail provider'),
  ipBigProvider,
  tagSignal('ip.cdn', 'standing', 'cdn', 'Belongs to a content delivery network: many sites share it'),
  tagSignal('ip.known_good', 'standing', 'known_good', 'On a list of addresses that must not be taken for threats'),
] as const satisfies readonly Signal<'ip'>[]

/** Signals that need live facts. */
export const LIVE_DOMAIN_SIGNALS = [
  domainRegistered,
  domainNewlyRegistered,
  domainExpires,
  domainHeld,
  domainUnregistered,
  domainMailSetup,
  domainNameServers,
  domainParkedBy,
  domainAddresses,
  domainResolvesToListed,
  domainDangling,
  domainCertificate,
] as const satisfies readonly LiveSignal<'domain'>[]

export const LIVE_EMAIL_SIGNALS = [emailCannotReceive] as const satisfies readonly LiveSignal<'email'>[]

export const LIVE_IP_SIGNALS = [ipCrawler, ipReverseDns] as const satisfies readonly LiveSignal<'ip'>[]

export const ALL_SIGNALS = [
  ...LIVE_DOMAIN_SIGNALS,
  ...LIVE_EMAIL_SIGNALS,
  ...LIVE_IP_SIGNALS,
  ...DOMAIN_SIGNALS,
  ...EMAIL_SIGNALS,
  ...IP_SIGNALS,
] as const

export type SignalCode = (typeof ALL_SIGNALS)[number]['code']
