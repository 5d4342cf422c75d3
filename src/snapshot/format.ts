import { type SnapshotInfo, type SnapshotSource, type SourceRole, TAGS, type Tag } from './types.ts'

/**
 * The snapshot file: the immutable data behind a node's answers, in one file.
 *
 *   magic (8 bytes) · format version (u32) · header length (u32) · file length (f64) · header (JSON, padded to 8)
 *   · sections, each aligned to 8 bytes · SHA-256 of all bytes before it (32 bytes). Little-endian throughout.
 *
 * Invariants, ensured by compile.ts and its parts, required by read.ts, each with a test:
 *
 *  1. An incomplete file is refused: magic, format version, length and checksum are checked before the first answer.
 *  2. Equal rows give equal sections and an equal version, in any order and on any node that compiles on the same UTC
 *     day. For that reason ages count in whole UTC days.
 *  3. Domains and emails are in open-addressing tables keyed by hash64Into (lib/hashing.ts), three words a slot:
 *     high, low, evidence set. A key's home slot is floor(high · homes / 2³²), slots are filled in the order of the
 *     keys without wrapping, so a probe moves right only and ends at an empty slot (set 0) or at a greater high word.
 *  4. Equal 64-bit keys are one entry. At ten million entries, the look-up of an unlisted name collides once in 10¹²
 *     times.
 *  5. IP ranges of one version are disjoint, sorted, and never touch with the same evidence set. The set of a range
 *     holds the evidence of every listed prefix that covers it, and of no other.
 *  6. ASN ranges are disjoint and sorted; where sources overlap the narrower range wins, then the lower number.
 *  7. Evidence is unique per (source, tag) in a set: first seen is the earliest that the source states (none if it
 *     states none), last seen and confidence those of the freshest sighting. Sets and evidence are stored once and
 *     shared by all entries that have them.
 *  8. Confidence is aged: base · ½^(age in days / half-life). Evidence older than its source's expiry is left out.
 *  9. One stray list entry cannot condemn a well-known name. A name or address is protected by a reassuring entry on
 *     itself, a name also by one on the registrable name above it unless that is shared hosting. Threat evidence from
 *     sources of one origin alone is left out on a strongly protected entry and halved in confidence on a weakly
 *     protected one; from two or more origins it is halved on a strongly protected entry and unchanged on a weakly
 *     protected one. `disposable` follows the same rule with its own table and the name's own tags alone, and is
 *     never on a mail provider's domain. PROTECTION below lists the protecting tags and their strength.
 * 10. No threat is on a platform as a whole: never on a private suffix of the public suffix list (github.io,
 *     pages.dev); a name tagged free_hosting, dynamic_dns or url_shortener counts as strongly protected.
 * 11. Density counts threat-tagged evidence in the snapshot, after all rules above: per /24 the addresses
 *     covered by listed prefixes of /24 or longer, per /48 the listed ranges, per ASN the listed IPv4 addresses
 *     (again from prefixes of /24 or longer) for every 10,000 IPv4 addresses it announces. The number of /24 in a /16
 *     (/48 in a /32) with any of these, and the number of addresses of an ASN, are calculated on opening.
 * 12. `freemail` is never beside `disposable` (lists of free mail mix both, and throw-away is the narrower term)
 *     nor on a known_good name that is no mail provider (these lists contain company domains too).
 * 13. `newly_registered` is never on a name that a reassuring tag protects strongly: nobody becomes a bank or one of
 *     the first ten thousand sites in a month, so such a row is a list's mistake.
 * 14. Stretches of letters and forms of names are counted in unprotected names that sources list for fraud: at most
 *     20,000 names a source, those with the smallest hashes, each once (listed-names.ts).
 * 15. The look of every popular site and bank is in an index of at most 16 bytes a name, and a probe costs the same for
 *     a thousand names and for a million (looks.ts). A name that it gives is in the table of domains.
 */

export const MAGIC = 'ASSAYSNP'
export const FORMAT_VERSION = 1
export const PREAMBLE_BYTES = 24
export const CHECKSUM_BYTES = 32

/** Slots per hundred entries: 70 % full, 17 bytes an entry. */
export const TABLE_FILL = 0.7

/** The first day of evidence whose source does not state it. */
export const UNKNOWN_DAY = 0

export const TAG_NAMES = Object.keys(TAGS) as Tag[]

export type Protection = 'strong' | 'weak'

const strong = (...tags: Tag[]): Partial<Record<Tag, Protection>> =>
  Object.fromEntries(tags.map((tag) => [tag, 'strong']))
const OFFICIAL = strong('known_good', 'mail_provider', 'bank', 'government', 'academic')

/** The reassuring tags that protect against a stray threat (invariant 9). Hosting clouds only describe. */
export const PROTECTION: Readonly<Record<'domain' | 'ip' | 'disposable', Partial<Record<Tag, Protection>>>> = {
  domain: {
    ...strong('big_provider', 'resolver', 'cdn', 'popular_1k', 'popular_10k'),
    ...OFFICIAL,
    popular_100k: 'weak',
  },
  ip: strong('known_good', 'mail_provider', 'resolver', 'cdn'),
  // A throw-away mail service may be popular: temp-mail.org is among the first ten thousand.
  disposable: { ...strong('big_provider', 'popular_1k'), ...OFFICIAL, popular_10k: 'weak' },
}

/** Names under which strangers get their own host: their reputation says nothing about a host below them. */
export const SHARED_HOSTING_TAGS: ReadonlySet<Tag> = new Set(['free_hosting', 'dynamic_dns', 'url_shortener'])

export function isThreat(tag: Tag): boolean {
  return TAGS[tag] === 'threat'
}

export function roleOf(tag: Tag): SourceRole {
  return tag.startsWith('popular_') ? 'popularity' : TAGS[tag]
}

export interface SectionEntry {
  readonly offset: number
  readonly length: number
}

/** Typed arrays in the file, by name. */
export const SECTIONS = {
  /** Evidence records, five words each: source, tag, first day or 0, last day, confidence in 1/10,000. */
  evidence: 'u32',
  /** setStarts[i]..setStarts[i+1] delimits set i in setItems; set 0 is empty. */
  setStarts: 'u32',
  setItems: 'u32',
  domains: 'u32',
  emails: 'u32',
  v4First: 'u32',
  v4Last: 'u32',
  v4Set: 'u32',
  v4Index: 'u32',
  /** Four words an address. */
  v6First: 'u32',
  v6Last: 'u32',
  v6Set: 'u32',
  v6Index: 'u32',
  asn4First: 'u32',
  asn4Last: 'u32',
  asn4Asn: 'u32',
  asn4Index: 'u32',
  asn6First: 'u32',
  asn6Last: 'u32',
  asn6Asn: 'u32',
  asn6Index: 'u32',
  asnNumbers: 'u32',
  asnSets: 'u32',
  asnPer10k: 'f32',
  asnNameStarts: 'u32',
  asnNames: 'u8',
  /** Two letters an ASN, or two zeros. Absent in a file compiled by an earlier release. */
  asnCountries: 'u8',
  near4Keys: 'u32',
  near4Counts: 'u16',
  near6Keys: 'u32',
  near6Counts: 'u16',
  /** As in ListedNames, or empty. Absent in a file compiled by an earlier release. */
  listedStretches: 'u32',
  /** As listedStretches. */
  listedForms: 'u32',
  /** As in LookSections. Absent in a file compiled by an earlier release. */
  lookSlots: 'u32',
  lookBits: 'u32',
  lookParts: 'u32',
  lookSuffixes: 'u8',
} as const

export type SectionName = keyof typeof SECTIONS
type ElementArrays = { u8: Uint8Array; u16: Uint16Array; u32: Uint32Array; f32: Float32Array }
export type Sections = { [Name in SectionName]: ElementArrays[(typeof SECTIONS)[Name]] }
export type ElementType = keyof ElementArrays
export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[]
/** Sections added later. A file without one of them still opens, without that data. */
export const LATER_SECTIONS: ReadonlySet<SectionName> = new Set([
  'asnCountries',
  'listedStretches',
  'listedForms',
  'lookSlots',
  'lookBits',
  'lookParts',
  'lookSuffixes',
])

/** Kinds and roles are absent in a file compiled by an earlier release. */
type HeaderSource = Omit<SnapshotSource, 'kinds' | 'roles' | 'asOfMs'> &
  Partial<Pick<SnapshotSource, 'kinds' | 'roles'>> & { readonly as_of_ms: number }

export interface SnapshotHeader {
  readonly version: string
  readonly built_at_ms: number
  readonly sources: readonly HeaderSource[]
  /** Tag names in the numbering of evidence records, so that a later release may add tags. */
  readonly tags: readonly string[]
  readonly counts: SnapshotInfo['counts']
  /** Rows left out by the compiler, by reason. */
  readonly dropped: Readonly<Record<string, number>>
  readonly domain_homes: number
  readonly email_homes: number
  /** The names behind `listedStretches` and `listedForms`. Absent in a file compiled by an earlier release. */
  readonly listed_names?: { readonly names: number; readonly weight: number }
  /** The names in `lookSlots`. Absent in a file compiled by an earlier release. */
  readonly looks?: { readonly version: number; readonly names: number }
  readonly sections: Readonly<Record<string, SectionEntry>>
}

export class SnapshotRefused extends Error {
  constructor(file: string, reason: string, options?: { cause?: unknown }) {
    super(`The snapshot ${file} is refused: ${reason}.`, options)
    this.name = 'SnapshotRefused'
  }
}

export function align8(offset: number): number {
  return Math.ceil(offset / 8) * 8
}

export function infoOf(header: SnapshotHeader): SnapshotInfo {
  return {
    version: header.version,
    builtAtMs: header.built_at_ms,
    sources: header.sources.map(({ kinds = [], roles = [], as_of_ms: asOfMs, ...source }) => ({
      ...source,
      kinds,
      roles,
      asOfMs,
    })),
    counts: header.counts,
  }
}
