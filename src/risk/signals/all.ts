import type { Signal } from '../signal.ts'
import { domainAdware } from './domain-adware.ts'
import { domainBrandMention } from './domain-brand-mention.ts'
import { domainBrandSubdomain } from './domain-brand-subdomain.ts'
import { domainCombosquat } from './domain-combosquat.ts'
import { domainDisposable } from './domain-disposable.ts'
import { domainDynamicDns } from './domain-dynamic-dns.ts'
import { domainFreeHosting } from './domain-free-hosting.ts'
import { domainGenerated } from './domain-generated.ts'
import { domainAcademic, domainBank, domainGovernment } from './domain-institution.ts'
import { domainKnownGood, domainOfficialBrand } from './domain-known-good.ts'
import { domainLexical, domainOrdinaryName } from './domain-lexical.ts'
import { domainListed } from './domain-listed.ts'
import { domainLookalike } from './domain-lookalike.ts'
import { domainMailProvider } from './domain-mail-provider.ts'
import { domainMixedScript } from './domain-mixed-script.ts'
import { domainParentListed } from './domain-parent-listed.ts'
import { domainParked } from './domain-parked.ts'
import { domainPopular } from './domain-popular.ts'
import { domainSinkhole } from './domain-sinkhole.ts'
import { domainSuffix, domainTrustedSuffix } from './domain-suffix.ts'
import { domainSuffixSwap } from './domain-suffix-swap.ts'
import { domainUrlShortener } from './domain-url-shortener.ts'
import { emailDisposable } from './email-disposable.ts'
import { emailDynamicDns } from './email-dynamic-dns.ts'
import { emailFreeMail } from './email-free-mail.ts'
import { emailImpersonation } from './email-impersonation.ts'
import { emailListed } from './email-listed.ts'
import { emailPrivacyRelay } from './email-privacy-relay.ts'
import { emailRandomLocal } from './email-random-local.ts'
import { emailRoleAccount } from './email-role-account.ts'
import { ipBadAsn } from './ip-bad-asn.ts'
import { ipBigProvider } from './ip-big-provider.ts'
import { ipBogon } from './ip-bogon.ts'
import { ipCdn } from './ip-cdn.ts'
import { ipHijacked } from './ip-hijacked.ts'
import { ipHosting } from './ip-hosting.ts'
import { ipHostingAsn } from './ip-hosting-asn.ts'
import { ipKnownGood } from './ip-known-good.ts'
import { ipListed } from './ip-listed.ts'
import { ipMailProvider } from './ip-mail-provider.ts'
import { ipNeighbourhood, ipNetworkDensity } from './ip-neighbourhood.ts'
import { ipNotPublic } from './ip-not-public.ts'
import { ipPrivacyRelay } from './ip-privacy-relay.ts'
import { ipProxy } from './ip-proxy.ts'
import { ipResearchScanner } from './ip-research-scanner.ts'
import { ipResolver } from './ip-resolver.ts'
import { ipScanner } from './ip-scanner.ts'
import { ipSinkhole } from './ip-sinkhole.ts'
import { ipTorExit } from './ip-tor-exit.ts'
import { ipTorRelay } from './ip-tor-relay.ts'
import { ipVpn } from './ip-vpn.ts'

/** Every signal there is. Weights, documentation and the list of codes derive from these. */

export const DOMAIN_SIGNALS = [
  domainListed,
  domainParentListed,
  domainSinkhole,
  domainLookalike,
  domainCombosquat,
  domainSuffixSwap,
  domainBrandSubdomain,
  domainBrandMention,
  domainMixedScript,
  domainGenerated,
  domainLexical,
  domainOrdinaryName,
  domainSuffix,
  domainTrustedSuffix,
  domainDisposable,
  domainDynamicDns,
  domainFreeHosting,
  domainUrlShortener,
  domainParked,
  domainAdware,
  domainPopular,
  domainBank,
  domainAcademic,
  domainGovernment,
  domainKnownGood,
  domainOfficialBrand,
  domainMailProvider,
] as const satisfies readonly Signal<'domain'>[]

export const EMAIL_SIGNALS = [
  emailListed,
  emailDisposable,
  emailPrivacyRelay,
  emailDynamicDns,
  emailFreeMail,
  emailImpersonation,
  emailRandomLocal,
  emailRoleAccount,
] as const satisfies readonly Signal<'email'>[]

export const IP_SIGNALS = [
  ipNotPublic,
  ipListed,
  ipHijacked,
  ipTorExit,
  ipTorRelay,
  ipVpn,
  ipProxy,
  ipPrivacyRelay,
  ipHosting,
  ipHostingAsn,
  ipBadAsn,
  ipNeighbourhood,
  ipNetworkDensity,
  ipScanner,
  ipResearchScanner,
  ipBogon,
  ipSinkhole,
  ipResolver,
  ipMailProvider,
  ipBigProvider,
  ipCdn,
  ipKnownGood,
] as const satisfies readonly Signal<'ip'>[]

export type DomainCode = (typeof DOMAIN_SIGNALS)[number]['code']
export type EmailCode = (typeof EMAIL_SIGNALS)[number]['code']
export type IpCode = (typeof IP_SIGNALS)[number]['code']
export type SignalCode = DomainCode | EmailCode | IpCode
