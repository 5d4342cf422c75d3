import { compareIp, formatIp, type Ip, type IpRange, parseCidr } from '../../src/lib/ip.ts'
import { Looks, LooksBuilder, popularityOf } from '../../src/snapshot/looks.ts'
import type { AsnInfo, Density, Evidence, Snapshot, Tag } from '../../src/snapshot/types.ts'

/** A snapshot defined in a test: names, addresses and prefixes with their tags. */
export interface SnapshotPlan {
  readonly domains?: Readonly<Record<string, readonly (Tag | Partial<Evidence>)[]>>
  readonly emails?: Readonly<Record<string, readonly (Tag | Partial<Evidence>)[]>>
  readonly ips?: Readonly<Record<string, readonly (Tag | Partial<Evidence>)[]>>
  readonly asns?: Readonly<
    Record<
      string,
      { readonly number: number; readonly name: string; readonly country?: string; readonly tags?: readonly Tag[] }
    >
  >
  readonly density?: Readonly<Record<string, Partial<Density>>>
}

export const SEEN_MS = Date.UTC(2026, 4, 1)

function evidence(item: Tag | Partial<Evidence>): Evidence {
  const given = typeof item === 'string' ? { tag: item } : item
  return { source: 'test-feed', tag: 'phishing', firstSeenMs: SEEN_MS, lastSeenMs: SEEN_MS, confidence: 0.9, ...given }
}

export function memorySnapshot(plan: SnapshotPlan = {}): Snapshot {
  const ranges = Object.entries(plan.ips ?? {}).map(([cidr, items]) => ({
    range: rangeOf(cidr),
    found: items.map(evidence),
  }))
  const asns = Object.entries(plan.asns ?? {}).map(([cidr, asn]) => ({
    range: rangeOf(cidr),
    asn: {
      number: asn.number,
      name: asn.name,
      country: asn.country,
      evidence: (asn.tags ?? []).map(evidence),
    } satisfies AsnInfo,
  }))
  const domain = (name: string) => (plan.domains?.[name] ?? []).map(evidence)
  const looks = new LooksBuilder()
  for (const name of Object.keys(plan.domains ?? {})) if (popularityOf(domain(name)) !== undefined) looks.add(name)
  const known = looks.build()
  return {
    info: {
      version: '2026-05-31-00000000',
      builtAtMs: Date.UTC(2026, 4, 31),
      sources: [
        {
          id: 'test-feed',
          name: 'Test feed',
          licence: 'CC0-1.0',
          kinds: ['domain', 'email', 'ip'],
          roles: ['threat'],
          rows: 1,
          asOfMs: SEEN_MS,
        },
      ],
      counts: { domains: 0, emails: 0, ipv4: 0, ipv6: 0 },
    },
    listedNames: { names: 0, weight: 0, grams: new Uint32Array(0), forms: new Uint32Array(0) },
    knownNames: new Looks(known.sections, known.names, (site) => popularityOf(domain(site))),
    domain,
    email: (address) => (plan.emails?.[address] ?? []).map(evidence),
    ip: (ip) => ranges.filter(({ range }) => contains(range, ip)).flatMap(({ found }) => found),
    asn: (ip) => asns.find(({ range }) => contains(range, ip))?.asn,
    density: (ip) => ({ near: 0, around: 0, asnPer10k: 0, asnAnnounced: 0, ...plan.density?.[formatIp(ip)] }),
  }
}

function rangeOf(cidr: string): IpRange {
  const range = parseCidr(cidr)
  if (!range) throw new Error(`not a range: ${cidr}`)
  return range
}

function contains(range: IpRange, ip: Ip): boolean {
  return compareIp(ip, range.first) >= 0 && compareIp(ip, range.last) <= 0
}
