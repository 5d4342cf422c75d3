/**
 * Glossary of live evidence. A *fact* is what was seen about a name or an address at one moment. An *observer* finds out
 * one sort of fact. Facts say what is there; what they are worth is decided in risk/.
 */

import type { Kind } from '../lib/kinds.ts'

/** What the registry says about a registrable name (RDAP). */
export interface Registration {
  /** False: the registry knows no such name. The other fields are then absent. */
  readonly found: boolean
  readonly registeredMs?: number
  readonly changedMs?: number
  readonly expiresMs?: number
  readonly registrar?: string
  /** As RDAP writes them: `active`, `client hold`, `pending delete`. */
  readonly statuses: readonly string[]
  /** Whether the name's zone is signed (DNSSEC); absent where the registry does not say. */
  readonly signed?: boolean
  /** Host of the server that answered. */
  readonly server: string
}

/** What the DNS says at a registrable name. */
export interface Zone {
  /** False: the name does not exist (NXDOMAIN). The lists are then empty. */
  readonly exists: boolean
  /** Hosts that take mail, the preferred first. */
  readonly mx: readonly string[]
  /** RFC 7505: the name says that it takes no mail. */
  readonly nullMx: boolean
  readonly ns: readonly string[]
  readonly soa?: { readonly primary: string; readonly contact: string; readonly serial: number }
  /** What the SPF record says of servers it does not name; `invalid` where there are two, or one that cannot be read. */
  readonly spf: 'absent' | 'pass' | 'neutral' | 'softfail' | 'fail' | 'invalid'
  readonly dmarc: 'absent' | 'none' | 'quarantine' | 'reject' | 'invalid'
  /** Whether any name below it resolves; not asked for lists. */
  readonly wildcard?: boolean
  /** The service whose name servers show a parking page; absent where it is none we know. */
  readonly parkedBy?: string
}

/** What the DNS says at the very host asked about. */
export interface Host {
  readonly exists: boolean
  /** IPv4 first, then IPv6, each in RFC 5952 text. Only those on the public internet. */
  readonly addresses: readonly string[]
  /** It also has addresses that are not on the public internet, which nobody is told: they may be the operator's own. */
  readonly notPublic?: true
  /** The names its CNAME records lead through, in order. They are asked for only where the host has no address. */
  readonly aliases: readonly string[]
  /** Its CNAME leads to a name that does not exist: whoever registers that name owns the host. */
  readonly dangling: boolean
  /** Seconds an address may be kept; absent without addresses. */
  readonly ttlS?: number
}

/** What a TLS handshake with the host on port 443 showed. */
export interface Certificate {
  /** False: nobody answered there, or without TLS. The other fields are then absent. */
  readonly answered: boolean
  readonly issuer?: string
  readonly notBeforeMs?: number
  readonly notAfterMs?: number
  readonly names?: readonly string[]
  /** Whether it is valid for the host by the authorities this machine trusts. */
  readonly trusted?: boolean
}

/** What the DNS says about an address. */
export interface Reverse {
  readonly names: readonly string[]
  /** Those of the names that lead back to the address. */
  readonly confirmed: readonly string[]
}

/** Every sort of fact, by the observer that finds it out. */
export interface Sorts {
  readonly registration: Registration
  readonly zone: Zone
  readonly host: Host
  readonly certificate: Certificate
  readonly reverse: Reverse
}

export type Sort = keyof Sorts
export const SORTS = ['registration', 'zone', 'host', 'certificate', 'reverse'] as const satisfies readonly Sort[]

export type Seen<T> = T & { readonly seenMs: number }

/** All facts about one indicator. What is absent was not asked, not answered, or not in time. */
export type Facts = { readonly [S in Sort]?: Seen<Sorts[S]> }

/** What came of a look: an answer, a negative one included, or nothing that could be relied on. */
export type Observation<T> =
  | {
      readonly outcome: 'seen'
      readonly value: T
      /** How long it may be relied on. */
      readonly keepMs: number
    }
  | {
      readonly outcome: 'failed'
      /** For operators: `timeout`, `SERVFAIL`, `HTTP 429`, `the breaker is open`. */
      readonly why: string
      /** How long it is no use asking again. */
      readonly retryMs: number
    }

/** Never rejects: what a network does is an outcome. */
export interface Observer<S extends Sort> {
  readonly sort: S
  /** `name` is a registrable name, a host or an address in normal form, as the sort demands. */
  observe(name: string, options: ObserveOptions): Promise<Observation<Sorts[S]>>
}

export interface ObserveOptions {
  /** Somebody waits for a single answer: before the names of lists. */
  readonly urgent: boolean
}

/** Looks facts up at the time of a question. Never rejects, and takes no longer than its budget. */
export interface FactSource {
  isOn(): boolean
  /** `name`: the host or address that a check is about. */
  about(kind: Kind, name: string): FactsFound<Facts> | Promise<FactsFound<Facts>>
  /** The facts of each name as JSON, in the order of the names. */
  aboutAll(kind: Kind, names: readonly string[]): Promise<FactsFound<readonly string[]>>
}

export interface FactsFound<T> {
  /** complete: every fact that could be looked up is there. off: nothing was looked up. */
  readonly status: 'complete' | 'partial' | 'off'
  readonly facts: T
}
