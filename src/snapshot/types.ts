import type { Ip } from '../lib/ip.ts'

/** The interface of a snapshot. compile.ts writes it, read.ts implements it, the signals in risk/ query it. */

// Tags: the statement of a piece of evidence about its indicator. Feeds have them, signals search for them, weights/
// prices them. Threat tags condemn, context tags describe, reassuring tags count in favour.
export const TAGS = {
  ...tagsOf('threat', ['phishing', 'malware', 'c2', 'scam', 'spam', 'attack', 'bec', 'hijacked', 'suspicious']),
  ...tagsOf('context', ['disposable', 'relay', 'freemail', 'tor_exit', 'tor_relay', 'vpn', 'proxy', 'hosting']),
  ...tagsOf('context', ['bad_asn', 'scanner', 'adware', 'dynamic_dns', 'free_hosting', 'url_shortener', 'parked']),
  ...tagsOf('context', ['newly_registered', 'sinkhole', 'bogon']),
  ...tagsOf('reassuring', ['research_scanner', 'resolver', 'mail_provider', 'big_provider', 'cdn']),
  ...tagsOf('reassuring', ['popular_1k', 'popular_10k', 'popular_100k', 'popular_1m']),
  ...tagsOf('reassuring', ['bank', 'academic', 'government', 'known_good']),
}

function tagsOf<Role extends string, const Names extends string>(role: Role, names: readonly Names[]) {
  return Object.fromEntries(names.map((name) => [name, role])) as Readonly<Record<Names, Role>>
}

export type Tag = keyof typeof TAGS

/** One fact found about an indicator. */
export interface Evidence {
  /** Id of the source, as in `SnapshotInfo.sources`. */
  readonly source: string
  readonly tag: Tag
  /** When the source first saw it; absent if the source does not state it. */
  readonly firstSeenMs?: number
  /** When the source last saw it; if not stated, when its list was current. */
  readonly lastSeenMs: number
  /** 0–1, already aged by the source's half-life at compile time, so that a snapshot's answers never change. */
  readonly confidence: number
}

/** The kinds of rows of a source: `ip` includes the tables of the network that announces an address. */
export const SOURCE_KINDS = ['domain', 'email', 'ip', 'asn'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

// The use of a source. A source of reassuring tags has `popularity` for the popular_… ones and `reassuring` for the
// others; `network` is a table of the networks that announce addresses. One source may have several roles.
export const SOURCE_ROLES = ['threat', 'context', 'reassuring', 'popularity', 'network'] as const
export type SourceRole = (typeof SOURCE_ROLES)[number]

export interface SnapshotSource {
  readonly id: string
  readonly name: string
  readonly licence: string
  /** The kinds of its rows; empty in a file compiled by an earlier release. */
  readonly kinds: readonly SourceKind[]
  readonly roles: readonly SourceRole[]
  readonly rows: number
  /** When the data was current. */
  readonly asOfMs: number
}

export interface SnapshotInfo {
  /** Content-derived id, e.g. `2026-11-15-3f9a1c2b`. */
  readonly version: string
  readonly builtAtMs: number
  readonly sources: readonly SnapshotSource[]
  readonly counts: { readonly domains: number; readonly emails: number; readonly ipv4: number; readonly ipv6: number }
}

export interface AsnInfo {
  readonly number: number
  readonly name: string
  /** The country of registration: two letters of ISO 3166; undefined if no source states it. */
  readonly country: string | undefined
  readonly evidence: readonly Evidence[]
}

/** The listed share of an address's surroundings, counting threat tags. */
export interface Density {
  /** Listed addresses in the /24 (IPv4) or listed prefixes in the /48 (IPv6). */
  readonly near: number
  /** How many of the other 255 networks of its /16 contain a listed address; for IPv6, other /48 of the /32. */
  readonly around: number
  /** Listed IPv4 addresses per 10,000 announced by the ASN; 0 when unknown. */
  readonly asnPer10k: number
  /** IPv4 addresses the ASN announces: a share of a small network says little. 0 when unknown. */
  readonly asnAnnounced: number
}

/** Statistics of the names that sources list for fraud (listed-names.ts). */
export interface ListedNames {
  readonly names: number
  /** The sum of the names, each weighted by the confidence of its source and the freshness of its list. */
  readonly weight: number
  /** Hundredths of a name by bucket of hashed letters, then of long stretches; empty if too few names are listed. */
  readonly grams: Uint32Array
  /** Hundredths of a name by bucket of forms of names (lib/name-form.ts); empty if too few names are listed. */
  readonly forms: Uint32Array
}

export interface KnownSite {
  /** Without the suffix. */
  readonly label: string
  readonly site: string
  /** Among the first hundred thousand, a bank, or known to the organisation; false for the rest of a million. */
  readonly isPopular: boolean
}

// The names of well-known sites, found by their look (lib/look.ts): popular sites and banks, or the names that an
// organisation knows. The cost of a look-up does not depend on their number.
export interface KnownNames {
  /** The sites whose name has this look; a label under several suffixes is one of them. */
  withLook(look: string): readonly KnownSite[]
  /** False is certain: no site has a look of this hash. */
  mayHold(hash: number): boolean
  /** Like mayHold, for a part of a look (looks.ts). */
  mayHoldPart(hash: number): boolean
}

/** All look-ups are synchronous, touch neither network nor database, and cost the same at any size. */
export interface Snapshot {
  readonly info: SnapshotInfo
  readonly listedNames: ListedNames
  readonly knownNames: KnownNames
  /** Evidence on exactly this host name (lower-case A-labels). Callers walk up to parents themselves. */
  domain(name: string): readonly Evidence[]
  /** Evidence on exactly this normalised address. */
  email(address: string): readonly Evidence[]
  /** Evidence on this address and every prefix around it that a source lists. */
  ip(ip: Ip): readonly Evidence[]
  asn(ip: Ip): AsnInfo | undefined
  density(ip: Ip): Density
}
