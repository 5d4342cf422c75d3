import { carriedIpv4, type Ip, specialAddress } from '../../lib/ip.ts'
import type { Kind } from '../../lib/kinds.ts'
import { SeenFilter, TwoGenerationCache } from '../../lib/two-generation-cache.ts'
import { type Facts, SORTS } from '../../live/facts.ts'
import { type Density, type Evidence, type Snapshot, TAGS } from '../../snapshot/types.ts'
import type { Indicator } from '../indicator.ts'
import type { Models } from '../model/load.ts'
import { type DomainSubject, lookUpDomain } from './domain.ts'
import { hasTag, joined, NO_EVIDENCE } from './evidence.ts'
import { readFacts } from './fact-reading.ts'

// Step 1 of 4. An indicator becomes a subject: all data of the snapshot, the models and the facts about it.
// `HostSignals` is step 2's cache for the domain of a mailbox.
export type LookedUp<HostSignals> = Readonly<ReturnType<ReturnType<typeof createLookUp<HostSignals>>>>

type Looked<K extends Kind> = Extract<LookedUp<unknown>, { readonly kind: K }>
/** Each kind of indicator with all data that the signals need, looked up once. */
export type Subjects = { readonly [K in Kind]: Looked<K>['subject'] }
export type EmailSubject = Subjects['email']
export type IpSubject = Subjects['ip']
/** A domain, the domain of a mailbox, or an address, with its live facts. */
export type LiveSubjects = { readonly [K in Kind]: NonNullable<Looked<K>['live']> }
export type LiveDomain = LiveSubjects['domain']

/** The domain of a mailbox. Step 2 fills `signals` at its first mailbox. */
interface MailHost<HostSignals> {
  readonly subject: DomainSubject
  signals: HostSignals | undefined
}

// Mailboxes share domains, and a payee is checked again: the domain is cached for the next address.
const HOSTS_KEPT_MAX = 8192

/** The ages of facts are relative to `nowMs`, or to the newest fact if it is absent. */
export function createLookUp<HostSignals>(snapshot: Snapshot, models: Models) {
  const hosts = new TwoGenerationCache<MailHost<HostSignals>>(HOSTS_KEPT_MAX)
  const met = new SeenFilter(HOSTS_KEPT_MAX)

  function hostOf(domain: string): MailHost<HostSignals> {
    // Do not cache domains that were seen only once.
    const wasMet = met.meet(domain)
    const kept = wasMet ? hosts.get(domain) : undefined
    if (kept) return kept
    const host: MailHost<HostSignals> = { subject: lookUpDomain(domain, snapshot, models), signals: undefined }
    if (wasMet) hosts.set(domain, host)
    return host
  }

  return (indicator: Indicator, facts?: Facts, nowMs?: number) => {
    if (indicator.kind === 'domain') {
      const subject = lookUpDomain(indicator.domain, snapshot, models)
      return { kind: 'domain' as const, subject, live: liveDomain(subject, facts, nowMs) }
    }
    if (indicator.kind === 'ip') {
      const subject = lookUpIp(indicator.ip, snapshot)
      return { kind: 'ip' as const, subject, live: facts && { subject, facts } }
    }
    const { address, local, domain } = indicator
    const host = hostOf(domain)
    const subject = { address, local, host: host.subject, models, own: snapshot.email(address) }
    return { kind: 'email' as const, subject, live: liveDomain(host.subject, facts, nowMs), host }
  }
}

const NO_DENSITY: Density = { near: 0, around: 0, asnPer10k: 0, asnAnnounced: 0 }

function lookUpIp(ip: Ip, snapshot: Snapshot) {
  /** The IPv4 address inside it, whose network and neighbours count. */
  const carried = carriedIpv4(ip)
  // An address that contains another has no network itself. A feed may still list it whole.
  const reached = carried?.binding ? carried.ip : ip
  const special = specialAddress(reached)
  // An address that is not public has no neighbours, no owner and no history, whatever a feed says.
  if (special !== undefined) return { ip, carried, own: NO_EVIDENCE, asn: undefined, density: NO_DENSITY, special }
  let own = snapshot.ip(reached)
  if (carried?.binding) own = joined(own, snapshot.ip(ip))
  else if (carried && specialAddress(carried.ip) === undefined) {
    // The holder of the prefix wrote this IPv4 address there: it may accuse, and never counts in favour.
    own = joined(
      own,
      snapshot.ip(carried.ip).filter(({ tag }) => TAGS[tag] !== 'reassuring'),
    )
  }
  return { ip, carried, own, asn: snapshot.asn(reached), density: snapshot.density(reached), special }
}

/** The domain with its facts; undefined if nothing was looked up and no list of new names has it. */
function liveDomain(subject: DomainSubject, facts: Facts | undefined, nowMs: number | undefined) {
  const isListedAsNew = hasTag(subject.own, 'newly_registered') || hasTag(subject.above, 'newly_registered')
  if (facts === undefined && !isListedAsNew) return undefined
  const believed = believable(facts ?? {}, subject)
  const atMs = facts === undefined ? 0 : (nowMs ?? newestOf(facts))
  return { subject, facts: believed, reading: readFacts(believed, atMs, isListedAsNew), nowMs: atMs }
}

/** The time of the newest fact: ages are relative to it if the caller gives no time. */
function newestOf(facts: Facts): number {
  return Math.max(0, ...SORTS.map((sort) => facts[sort]?.seenMs ?? 0))
}

/** A well-known name exists, whatever they say: some resolvers deny names that they block, and some deny everything. */
function believable(facts: Facts, { own, above }: DomainSubject): Facts {
  const { registration, zone, host, ...rest } = facts
  const isDenied = registration?.found === false || zone?.exists === false || host?.exists === false
  if (!isDenied || !(isWellKnown(own) || isWellKnown(above))) return facts
  return {
    ...rest,
    ...(registration?.found ? { registration } : {}),
    ...(zone?.exists ? { zone } : {}),
    ...(host?.exists ? { host } : {}),
  }
}

function isWellKnown(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ tag }) => TAGS[tag] === 'reassuring' || tag === 'freemail')
}
