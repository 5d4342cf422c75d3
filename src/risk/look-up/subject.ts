import type { HostParts } from '../../lib/domain.ts'
import type { Carried, Ip } from '../../lib/ip.ts'
import type { Facts } from '../../live/facts.ts'
import type { AsnInfo, Density, Evidence, Snapshot } from '../../snapshot/types.ts'
import type { BrandInFront } from '../model/brand-in-front.ts'
import type { BrandMatch } from '../model/brand-match.ts'
import type { Models } from '../model/load.ts'
import type { Demand } from '../model/lure-languages.ts'
import type { NameShape } from '../model/name.ts'
import type { FactReading } from './fact-reading.ts'

/** A subject is an indicator with all data that the signals need, looked up once. */

export interface DomainSubject {
  readonly domain: string
  readonly snapshot: Snapshot
  readonly models: Models
  readonly parts: HostParts
  /** Why nobody can register such a name, in words. */
  readonly reserved: string | undefined
  /** The chosen name: `example` of www.example.co.uk, `alice` of alice.github.io. */
  readonly label: string
  /** The suffix or platform of the chosen name: `co.uk`, `github.io`. */
  readonly suffix: string
  /** The label in its own script, for an internationalised name. */
  readonly unicodeLabel: string | undefined
  /** Set if the name belongs to one customer of a platform shared by many. */
  readonly platform: string | undefined
  /** Evidence on this very name. */
  readonly own: readonly Evidence[]
  /** Evidence on names above it that belong to the same owner. */
  readonly above: readonly Evidence[]
  readonly onPlatform: readonly Evidence[]
  readonly shape: NameShape
  /** The label without a brand in it: the wording model reads this part, and the brand is judged separately. */
  readonly worded: string
  readonly brand: BrandMatch | undefined
  readonly front: BrandInFront | undefined
  /** The payment, the account data or the institution that the name speaks of, in any language. */
  readonly demand: Demand | undefined
  /** The name, or a label in front of it, imitates a brand: such a name looks ordinary by design. */
  readonly imitates: boolean
  /** False for a registry's suffix, a reserved name, and a name that a platform assigned: nobody chose those. */
  readonly isJudgedByName: boolean
  /** Log-odds that a program generated the name; far below 0 if unknown. */
  readonly madeUpLogOdds: number
  readonly looksMadeUp: boolean
  /** An ordinary name or a trusted suffix may count in its favour. */
  readonly mayVouch: boolean
  /** Log-odds of fraud by the name alone and by the suffix alone. */
  readonly nameLogOdds: number
  readonly suffixLogOdds: number
}

export interface EmailSubject {
  readonly address: string
  readonly local: string
  readonly host: DomainSubject
  readonly models: Models
  readonly own: readonly Evidence[]
}

export interface IpSubject {
  readonly ip: Ip
  /** The IPv4 address inside it, whose network and neighbours count. */
  readonly carried: Carried | undefined
  /** Evidence on the address, and on the address it contains. */
  readonly own: readonly Evidence[]
  readonly asn: AsnInfo | undefined
  readonly density: Density
  /** The purpose of an address that is not on the public internet. */
  readonly special: string | undefined
}

export interface Subjects {
  readonly email: EmailSubject
  readonly domain: DomainSubject
  readonly ip: IpSubject
}

/** A domain, or the domain of a mailbox, with its live facts. */
export interface LiveDomain {
  readonly subject: DomainSubject
  readonly facts: Facts
  readonly reading: FactReading
  readonly nowMs: number
}

export interface LiveAddress {
  readonly subject: IpSubject
  readonly facts: Facts
}

export interface LiveSubjects {
  readonly email: LiveDomain
  readonly domain: LiveDomain
  readonly ip: LiveAddress
}
