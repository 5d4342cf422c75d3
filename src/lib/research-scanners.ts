import { compareIp, type Ip, type IpRange, parseCidr } from './ip.ts'

/**
 * Who looks at the whole internet for research and says so, by reverse DNS, a published list of addresses or a network
 * in its own name. Attack lists collect these addresses, because a look at a port is what they count.
 * Gathered from MISP warning lists (CC0) and from the reverse names in maltrail's list of scanners (MIT).
 */
interface ResearchScanner {
  readonly owner: string
  /** AS numbers that hold scanners and nothing else. */
  readonly networks: readonly number[]
  readonly addresses: readonly string[]
}

const RESEARCH_SCANNERS: readonly ResearchScanner[] = [
  {
    owner: 'Censys',
    networks: [398324, 398705, 398722],
    addresses: words(`
      66.132.159.0/24 162.142.125.0/24 167.94.138.0/24 167.94.145.0/24 167.94.146.0/24 167.248.133.0/24
      192.35.168.0/23 199.45.154.0/23 206.168.34.0/24 2602:80d:1000::/44 2620:96:e000::/48
    `),
  },
  {
    owner: 'Shadowserver',
    networks: [22168],
    addresses: words(`
      45.143.160.0/24 50.114.88.0/24 64.62.156.0/25 64.62.197.0/24 65.49.1.0/25 65.49.20.64/26 74.82.47.0/26
      108.165.44.0/24 146.19.20.0/24 154.9.2.0/23 154.16.223.0/24 154.16.230.0/24 154.16.240.0/24
      154.16.250.0/24 162.249.64.0/21 166.0.195.0/24 179.61.168.0/24 181.41.192.0/24 181.214.62.0/24
      181.214.90.0/24 181.214.234.0/24 181.214.245.0/24 181.215.138.0/24 181.215.145.0/24 181.215.208.0/24
      184.105.139.64/26 184.105.143.133 184.105.247.192/26 185.91.204.0/24 185.181.1.0/24 191.96.20.0/24
      191.96.22.0/24 191.96.127.0/24 191.101.103.0/24 216.218.206.64/26 2001:550:d0c::/48
    `),
  },
  {
    owner: 'Shodan',
    networks: [],
    addresses: words(`
      2.59.22.234 64.225.74.178 64.226.86.7 64.227.90.185 66.240.192.138 66.240.205.34 66.240.219.146
      66.240.219.173 66.240.236.119 71.6.135.131 71.6.146.130 71.6.146.185 71.6.146.186 71.6.147.198
      71.6.147.254 71.6.158.166 71.6.165.200 71.6.167.142 71.6.199.23 80.82.77.33 80.82.77.139 82.221.105.6/31
      85.25.43.94 85.25.103.50 86.54.31.32 86.54.31.34 86.54.31.38 86.54.31.40 86.54.31.42 89.248.167.131
      89.248.172.16 93.120.27.62 93.174.95.106 94.102.49.190 94.102.49.193 104.131.0.69 134.209.95.237
      137.184.13.100 139.59.170.85 147.182.202.179 147.182.225.86 147.182.241.81 147.182.247.10 159.89.124.112
      164.92.106.15 164.92.114.247 165.227.55.4 165.227.62.247 165.227.172.206 165.227.188.42 178.128.32.203
      185.142.236.34/31 185.142.236.36 185.142.236.38 185.142.236.40 185.142.236.43 185.142.239.16
      185.165.190.17 185.165.190.34 185.165.191.26/31 185.181.102.18 188.138.9.50 195.144.21.56 198.20.69.74
      198.20.69.98 198.20.70.114 198.20.87.98 198.20.99.130 209.126.110.38 216.117.2.180
    `),
  },
  {
    owner: 'Onyphe',
    networks: [213412],
    addresses: words(`
      5.196.200.240/28 15.235.189.144/28 45.43.33.210 45.43.33.218 51.254.49.96/28 79.137.65.46
      91.134.185.80/28 91.196.152.0/24 91.230.168.0/24 91.231.89.0/24 94.23.117.80/28 94.231.206.0/24
      139.99.35.32/28 149.202.99.192/28 195.184.76.0/24 2001:41d0:33a:a00::400/124 2001:41d0:33d:9200::400/124
      2a14:f100::/29
    `),
  },
  {
    owner: 'Rapid7',
    networks: [],
    addresses: words(`
      5.63.151.96/27 31.24.231.211 31.24.231.223 71.6.233.0/24 88.202.190.128/27 109.123.117.224/27
      146.185.25.160/27
    `),
  },
  { owner: 'Driftnet', networks: [211298], addresses: [] },
  { owner: 'Alpha Strike Labs', networks: [42969, 208843, 215778], addresses: [] },
  {
    owner: 'Modat',
    networks: [209334],
    addresses: words(`
      15.235.224.227 15.235.224.238/31 15.235.227.163 23.106.244.195 31.14.32.4/30 31.14.32.8 46.105.70.190
      51.161.172.223 51.161.174.170 54.37.81.238 57.128.230.106 57.129.64.10 57.129.64.219 57.129.64.237
      91.134.73.222 91.134.73.230 104.236.209.11 134.199.202.6 134.199.207.201 134.209.173.54 134.209.199.75
      148.113.193.79 148.113.206.49 148.113.208.45 148.113.210.228 148.113.210.254 148.113.212.55
      148.113.213.23 148.113.214.202 148.113.214.204 148.113.214.206 148.113.214.212 165.22.200.16
    `),
  },
  {
    owner: 'the Internet Census Group',
    networks: [],
    addresses: words(`
      45.156.128.0/22 109.105.209.0/26 109.105.210.48/28 109.105.210.64/26 109.105.211.0/27 185.180.141.0/25
      185.226.196.0/27 185.226.197.0/25
    `),
  },
  {
    owner: 'the University of Michigan',
    networks: [],
    addresses: words(`
      141.212.121.0/24 141.212.122.0/23
    `),
  },
  {
    owner: 'the University of California, Berkeley',
    networks: [],
    addresses: words(`
      67.21.36.0/24 169.229.3.88/29
    `),
  },
  {
    owner: 'RWTH Aachen University',
    networks: [],
    addresses: words(`
      137.226.113.0/26
    `),
  },
  {
    owner: 'the University of Southern California',
    networks: [],
    addresses: words(`
      128.9.29.128/30 128.9.63.138 203.178.148.18
    `),
  },
  {
    owner: 'Colorado State University',
    networks: [],
    addresses: words(`
      129.82.138.12 129.82.138.31 129.82.138.32/30 129.82.138.44
    `),
  },
  {
    owner: 'Kudelski Security',
    networks: [],
    addresses: words(`
      185.35.62.0/24
    `),
  },
]

/** The addresses and prefixes of all of them. */
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

/** Whose scanner stands at this address, where the table knows it. */
export function researcherAt(ip: Ip): string | undefined {
  return RANGES.find(({ first, last }) => compareIp(ip, first) >= 0 && compareIp(ip, last) <= 0)?.owner
}

/** Whose scanners fill this AS. */
export function researcherOfNetwork(asn: number): string | undefined {
  return OWNER_OF_NETWORK.get(asn)
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
