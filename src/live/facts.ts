import type { Kind } from '../lib/kinds.ts'

// Glossary of live evidence. A *fact* is an observation about a name or an address at one moment. An *observer* finds
// one sort of fact. Facts say what is there; risk/ decides how much they count.

/** The registry's data about a registrable name (RDAP). */
export interface Registration {
  /** False: the registry knows no such name. The other fields are then absent. */
  readonly found: boolean
  readonly registeredMs?: number
  readonly changedMs?: number
  readonly expiresMs?: number
  readonly registrar?: string
  /** As RDAP writes them: `active`, `client hold`, `pending delete`. */
  readonly statuses: readonly string[]
  /** True if the name's zone is signed (DNSSEC); absent where the registry does not say. */
  readonly signed?: boolean
  readonly server: string
}

/** The DNS data at a registrable name. */
export interface Zone {
  /** False: the name does not exist (NXDOMAIN). The lists are then empty. */
  readonly exists: boolean
  /** Hosts that take mail, the preferred first; absent if the question failed. */
  readonly mx?: readonly string[]
  /** RFC 7505: the name declares that it takes no mail. */
  readonly nullMx: boolean
  readonly ns: readonly string[]
  readonly soa?: { readonly primary: string; readonly contact: string; readonly serial: number }
  /** The SPF result for servers that the record does not name; `invalid` for two records or an unreadable one. */
  readonly spf: 'absent' | 'pass' | 'neutral' | 'softfail' | 'fail' | 'invalid' | 'unknown'
  /** `unknown` here and for SPF: the question failed. */
  readonly dmarc: 'absent' | 'none' | 'quarantine' | 'reject' | 'invalid' | 'unknown'
  /** True if any name below it resolves; not asked for lists. */
  readonly wildcard?: boolean
  /** The service whose name servers show a parking page; absent where none is known. */
  readonly parkedBy?: string
}

/** The DNS data at the checked host itself. */
export interface Host {
  readonly exists: boolean
  /** IPv4 first, then IPv6, each in RFC 5952 text. Only those on the public internet. */
  readonly addresses: readonly string[]
  /** The host also has addresses outside the public internet. They are never shown: they may be the operator's own. */
  readonly notPublic?: true
  /** The names in its CNAME chain, in order. They are asked for only where the host has no address. */
  readonly aliases: readonly string[]
  /** Its CNAME leads to a name that does not exist: the person who registers that name owns the host. */
  readonly dangling: boolean
  /** Seconds that an address may be cached; absent without addresses. */
  readonly ttlS?: number
}

/** The result of a TLS handshake with the host on port 443. */
export interface Certificate {
  /** False: no server answered there, or only without TLS. The other fields are then absent. */
  readonly answered: boolean
  readonly issuer?: string
  readonly notBeforeMs?: number
  readonly notAfterMs?: number
  readonly names?: readonly string[]
  /** True if it is valid for the host by the authorities that this machine trusts. */
  readonly trusted?: boolean
}

export interface Reverse {
  readonly names: readonly string[]
  readonly confirmed: readonly string[]
}

/** Every sort of fact, by its observer. */
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

/** All facts about one indicator. An absent fact was not asked, not answered, or not in time. */
export type Facts = { readonly [S in Sort]?: Seen<Sorts[S]> }

/** Why a look-up was not made, or not finished. None of these is a fact about the name. */
export const HELD_BACK = ['queue_full', 'server_silent', 'zone_limit', 'zone_silent'] as const
export type HeldBack = (typeof HELD_BACK)[number]

/** The result of a look-up: an answer, also a negative one, or nothing reliable. */
export type Observation<T> =
  | {
      readonly outcome: 'seen'
      readonly value: T
      readonly keepMs: number
    }
  | {
      readonly outcome: 'failed'
      /** For operators: `timeout`, `SERVFAIL`, `HTTP 429`, `the breaker is open`. */
      readonly why: string
      readonly retryMs: number
      readonly held?: HeldBack | undefined
    }

/** Never rejects: a network failure is an outcome. */
export interface Observer<S extends Sort> {
  readonly sort: S
  /** `name` is a registrable name, a host or an address in normal form, as the sort requires. */
  observe(name: string, options: ObserveOptions): Promise<Observation<Sorts[S]>>
}

export interface Asker {
  /** A caller waits for a single answer: it goes before the names of lists. */
  readonly urgent: boolean
  /** Whose share of the questions is used; absent for the operator's own questions, which have no share. */
  readonly organisationId?: string | undefined
}

export interface ObserveOptions extends Asker {
  /** How many more DNS questions this look-up may ask. */
  readonly questions?: { left: number }
}

/** Looks up facts at the time of a check. Never rejects, and takes no longer than its budget. */
export interface FactSource {
  isOn(): boolean
  /** Facts about the host or address of one check. */
  about(kind: Kind, name: string, organisationId: string): FactsAnswer<Facts> | Promise<FactsAnswer<Facts>>
  /** The facts of each name of a list as JSON, in order. */
  aboutAll(kind: Kind, names: readonly string[], organisationId: string): Promise<FactsAnswer<readonly string[]>>
}

export interface FactsAnswer<T> {
  /** `partial`: some facts that could be looked up are missing. `off`: nothing was looked up. */
  readonly status: 'complete' | 'partial' | 'off'
  readonly facts: T
  /** Why look-ups were not made; absent if all were. */
  readonly heldBack?: readonly HeldBack[] | undefined
}
