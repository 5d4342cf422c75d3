import type { HostParts } from '../lib/domain.ts'
import type { Carried, Ip } from '../lib/ip.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Facts } from '../live/facts.ts'
import type { AsnInfo, Density, Evidence, Snapshot, Tag } from '../snapshot/types.ts'
import type { BrandInFront } from './model/brand-in-front.ts'
import type { BrandMatch } from './model/brands.ts'
import type { Reading, Worths } from './model/live.ts'
import type { Models } from './model/models.ts'
import type { NameShape } from './model/name.ts'

/**
 * Glossary of scoring. A *subject* is an indicator with everything looked up about it once. A *signal* finds
 * evidence of one sort on a subject. A *finding* is one piece of that evidence. What a finding is worth stands in
 * weights.ts; how worths add up, in combine.ts.
 */

/** One piece of evidence: what a source says (snapshot Evidence is a finding as it stands) or what was worked out. */
export interface Finding {
  /** Id of the source; `model` or `rules` where it was worked out here, `rdap`, `dns` or `tls` where it was looked up. */
  readonly source: string
  readonly tag?: Tag | undefined
  readonly firstSeenMs?: number | undefined
  readonly lastSeenMs?: number | undefined
  /** 0–1: how sure the source is. For a model, its log-odds. For a count, the count. */
  readonly confidence: number
  /** Which of a signal's cases this is, where they are worth differently. */
  readonly variant?: string | undefined
  /** The sentence for this very finding, where it can say more than the signal's description. */
  readonly sentence?: string
  /** The name that this one may be taken for: where the brand really lives. */
  readonly resembles?: string | undefined
}

/** Findings of one group echo each other, so that combine.ts caps what a group can add. */
export type Group =
  | 'listing' // threat feeds name it
  | 'name' // whom its name imitates, or who made it up
  | 'wording' // how its name is built, and under which suffix
  | 'hosting' // where it lives
  | 'mailbox' // what sort of mailbox it is
  | 'person' // who the mailbox claims to be
  | 'anonymity' // whose traffic it may carry
  | 'network' // what surrounds it
  | 'standing' // what speaks for it
  | 'live' // what was looked up when the question came
  | 'note' // told, never priced

export interface DomainSubject {
  readonly kind: 'domain'
  readonly domain: string
  readonly snapshot: Snapshot
  readonly models: Models
  readonly parts: HostParts
  /** Why nobody can register such a name, in words. */
  readonly reserved: string | undefined
  /** The name somebody chose: `example` of www.example.co.uk, `alice` of alice.github.io. */
  readonly label: string
  /** What it was chosen under: `co.uk`, or the platform, `github.io`. */
  readonly suffix: string
  /** The domain in its own script where it is an internationalised one. */
  readonly unicodeLabel: string | undefined
  /** Set when the name is one customer's on a platform shared by many. */
  readonly platform: string | undefined
  /** Evidence on this very name. */
  readonly own: readonly Evidence[]
  /** Evidence on names above it that belong to the same owner. */
  readonly above: readonly Evidence[]
  /** Evidence on the shared platform it lives on. */
  readonly onPlatform: readonly Evidence[]
  readonly shape: NameShape
  /** What of the label is judged by how it is built: without a brand in it, which is judged by itself. */
  readonly worded: string
  readonly brand: BrandMatch | undefined
  readonly front: BrandInFront | undefined
  /** Whether the name, or what stands in front of it, wants to be taken for a brand: such a name looks ordinary by design. */
  readonly imitates: boolean
  /** Whether somebody chose this name: not so for a registry's suffix, a reserved name, or one that a platform gave out. */
  readonly isJudgedByName: boolean
  /** Log-odds that a program made the name up; far below 0 where nothing can be said. */
  readonly madeUpLogOdds: number
  readonly looksMadeUp: boolean
  /** Whether an ordinary name or a trusted suffix may speak for it. */
  readonly mayVouch: boolean
  /** Log-odds of fraud by the name alone and by the suffix alone. */
  readonly nameLogOdds: number
  readonly suffixLogOdds: number
}

export interface EmailSubject {
  readonly kind: 'email'
  readonly address: string
  readonly local: string
  readonly host: DomainSubject
  readonly snapshot: Snapshot
  readonly models: Models
  /** Evidence on this very address. */
  readonly own: readonly Evidence[]
}

export interface IpSubject {
  readonly kind: 'ip'
  /** The address asked about. */
  readonly ip: Ip
  /** The IPv4 address inside it, whose network and neighbours are looked at. */
  readonly carried: Carried | undefined
  readonly snapshot: Snapshot
  /** Evidence on the address, and on the one it carries. */
  readonly own: readonly Evidence[]
  readonly asn: AsnInfo | undefined
  readonly density: Density
  /** What an address that is not on the public internet is for. */
  readonly special: string | undefined
}

export interface Subjects {
  readonly email: EmailSubject
  readonly domain: DomainSubject
  readonly ip: IpSubject
}

export interface Signal<K extends Kind> {
  /** Stable, never reused for another meaning. */
  readonly code: `${K}.${string}`
  /** A sentence a buyer understands. */
  readonly description: string
  readonly group: Group
  /** Set where it repeats what sources say: without evidence it finds nothing. */
  readonly repeats?: true
  detect(subject: Subjects[K]): readonly Finding[]
}

/** What sources say of a mailbox and of its host. */
export type EmailEvidence = Pick<EmailSubject, 'host' | 'own'>

/** A signal that does not read the part before the @. */
export interface EvidenceSignal extends Omit<Signal<'email'>, 'detect'> {
  detect(evidence: EmailEvidence): readonly Finding[]
}

/** A domain with what was looked up about it. */
export interface LiveDomain {
  readonly subject: DomainSubject
  readonly facts: Facts
  readonly reading: Reading
  /** Log-odds, by what the facts are about: worked out for all of them together. */
  readonly worths: Readonly<Worths>
  readonly nowMs: number
}

/** A mailbox with what was looked up about its domain. */
export interface LiveMailbox {
  readonly host: DomainSubject
  readonly facts: Facts
  readonly reading: Reading
}

export interface LiveAddress {
  readonly subject: IpSubject
  readonly facts: Facts
}

export interface LiveSubjects {
  readonly email: LiveMailbox
  readonly domain: LiveDomain
  readonly ip: LiveAddress
}

/** A signal that needs facts. */
export interface LiveSignal<K extends Kind> extends Omit<Signal<K>, 'detect'> {
  detect(live: LiveSubjects[K]): readonly Finding[]
}

/** Shared by all signals that found nothing: most signals on most indicators. */
export const NOTHING: readonly Finding[] = []

/** The evidence that carries `tag`. */
export function tagged(evidence: readonly Evidence[], tag: Tag): readonly Evidence[] {
  let found: Evidence[] | undefined
  for (let i = 0; i < evidence.length; i++) {
    const item = evidence[i] as Evidence
    if (item.tag !== tag) continue
    found ??= []
    found.push(item)
  }
  return found ?? NO_EVIDENCE
}

/** The evidence that carries one of `tags`. */
export function taggedAny(evidence: readonly Evidence[], tags: ReadonlySet<Tag>): readonly Evidence[] {
  let found: Evidence[] | undefined
  for (let i = 0; i < evidence.length; i++) {
    const item = evidence[i] as Evidence
    if (!tags.has(item.tag)) continue
    found ??= []
    found.push(item)
  }
  return found ?? NO_EVIDENCE
}

export function hasTag(evidence: readonly Evidence[], tag: Tag): boolean {
  for (let i = 0; i < evidence.length; i++) if ((evidence[i] as Evidence).tag === tag) return true
  return false
}

/** Lists of throw-away mail are broad: what is known to be a relay they do not make throw-away. */
export function isRelay({ own, above }: Pick<DomainSubject, 'own' | 'above'>): boolean {
  return hasTag(own, 'relay') || hasTag(above, 'relay')
}

// Lists that mix free mail with company domains say so by a low confidence.
const FREE_MAIL_CONFIDENCE_MIN = 0.5

/** Whether anyone can have a mailbox under this domain. */
export function isFreeMail(evidence: readonly Evidence[]): boolean {
  for (let i = 0; i < evidence.length; i++) {
    const { tag, confidence } = evidence[i] as Evidence
    if (tag === 'freemail' && confidence >= FREE_MAIL_CONFIDENCE_MIN) return true
  }
  return false
}

/** `jane` of `jane+shop`: what follows the plus sorts mail and does not name the mailbox. */
export function withoutPlus(local: string): string {
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) : local
}

export const NO_EVIDENCE: readonly Evidence[] = []
