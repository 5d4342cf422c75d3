import { compareIp, type Ip, type IpRange, parseCidr } from './ip.ts'
import scanners from './research-scanners.json' with { type: 'json' }

/**
 * Organisations that scan the whole internet for research and say so, by reverse DNS, a published list of addresses or
 * a network in its own name. Attack lists collect these addresses, because they count every look at a port. Gathered
 * from MISP warning lists (CC0) and from the reverse names in maltrail's list of scanners (MIT).
 */
interface ResearchScanner {
  readonly owner: string
  /** AS numbers that hold only scanners. */
  readonly networks: readonly number[]
  readonly addresses: readonly string[]
}

const RESEARCH_SCANNERS: readonly ResearchScanner[] = scanners.map(({ addresses, ...scanner }) => ({
  ...scanner,
  addresses: addresses.split(' ').filter((address) => address !== ''),
}))

export const RESEARCH_ADDRESSES: readonly string[] = RESEARCH_SCANNERS.flatMap(({ addresses }) => addresses)

const RANGES = RESEARCH_SCANNERS.flatMap(({ owner, addresses }) =>
  addresses.map((cidr): IpRange & { readonly owner: string } => {
    const range = parseCidr(cidr)
    if (!range) throw new Error(`bad prefix of a research scanner: ${cidr}`)
    return { ...range, owner }
  }),
)
const OWNER_OF_NETWORK = new Map(
  RESEARCH_SCANNERS.flatMap(({ owner, networks }) => networks.map((number) => [number, owner] as const)),
)

export function researcherAt(ip: Ip): string | undefined {
  return RANGES.find(({ first, last }) => compareIp(ip, first) >= 0 && compareIp(ip, last) <= 0)?.owner
}

export function researcherOfNetwork(asn: number): string | undefined {
  return OWNER_OF_NETWORK.get(asn)
}
