/**
 * IP addresses and ranges. An address is four unsigned 32-bit words, most significant first; an IPv4 address
 * stands in `w3` alone. One shape for both versions keeps the hot path monomorphic and free of BigInt.
 */
export interface Ip {
  readonly version: 4 | 6
  readonly w0: number
  readonly w1: number
  readonly w2: number
  readonly w3: number
}

/** All addresses from `first` to `last`, both included, of one version. */
export interface IpRange {
  readonly first: Ip
  readonly last: Ip
}

export function ipv4(value: number): Ip {
  return { version: 4, w0: 0, w1: 0, w2: 0, w3: value >>> 0 }
}

export function ipv6(w0: number, w1: number, w2: number, w3: number): Ip {
  return { version: 6, w0: w0 >>> 0, w1: w1 >>> 0, w2: w2 >>> 0, w3: w3 >>> 0 }
}

/** The 32-bit value of a dotted quad, or -1. Octets are decimal, 0–255, without leading zeros. */
export function parseIpv4Value(text: string): number {
  let value = 0
  let octet = -1
  let dots = 0
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 46
    if (unit === 46) {
      if (octet < 0) return -1
      value = value * 256 + octet
      octet = -1
      dots++
    } else {
      if (unit < 48 || unit > 57 || octet === 0) return -1
      octet = octet < 0 ? unit - 48 : octet * 10 + unit - 48
      if (octet > 255) return -1
    }
  }
  return dots === 4 ? value : -1
}

/** Parses a dotted quad or any RFC 4291 text form. IPv4-mapped IPv6 becomes IPv4. No zone, prefix or port. */
export function parseIp(text: string): Ip | undefined {
  if (!text.includes(':')) {
    const value = parseIpv4Value(text)
    return value < 0 ? undefined : ipv4(value)
  }
  const words = parseIpv6Words(text)
  if (!words) return undefined
  const [w0, w1, w2, w3] = words
  if (w0 === 0 && w1 === 0 && w2 === 0xffff) return ipv4(w3)
  return ipv6(w0, w1, w2, w3)
}

function parseIpv6Words(text: string): [number, number, number, number] | undefined {
  if (text.length > 45) return undefined
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : []
  if (!head || !tail) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail]
  const word = (i: number) => (((groups[i] ?? 0) << 16) | (groups[i + 1] ?? 0)) >>> 0
  return [word(0), word(2), word(4), word(6)]
}

/** 16-bit groups of one side of `::`; a dotted quad may stand last where `quadAllowed`. */
function parseGroups(text: string, quadAllowed: boolean): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const groups: number[] = []
  for (const [i, part] of parts.entries()) {
    if (part.includes('.')) {
      if (!quadAllowed || i !== parts.length - 1) return undefined
      const value = parseIpv4Value(part)
      if (value < 0) return undefined
      groups.push(Math.floor(value / 65536), value % 65536)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined
      groups.push(Number.parseInt(part, 16))
    }
  }
  return groups
}

/** RFC 5952 text: lower case, no leading zeros, the longest run of two or more zero groups as `::`. */
export function formatIp(ip: Ip): string {
  if (ip.version === 4) {
    const v = ip.w3
    return `${v >>> 24}.${(v >>> 16) & 255}.${(v >>> 8) & 255}.${v & 255}`
  }
  const groups = [ip.w0, ip.w1, ip.w2, ip.w3].flatMap((word) => [word >>> 16, word & 0xffff])
  let best = -1
  let bestLength = 1
  for (let i = 0; i < 8; i++) {
    let length = 0
    while (i + length < 8 && groups[i + length] === 0) length++
    if (length > bestLength) {
      best = i
      bestLength = length
    }
  }
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':')
  return best < 0 ? hex(0, 8) : `${hex(0, best)}::${hex(best + bestLength, 8)}`
}

export function compareIp(a: Ip, b: Ip): number {
  return a.version - b.version || a.w0 - b.w0 || a.w1 - b.w1 || a.w2 - b.w2 || a.w3 - b.w3
}

/** Parses `address/prefix`, or a lone address as a range of one. Host bits below the prefix are cleared. */
export function parseCidr(text: string): (IpRange & { readonly prefix: number }) | undefined {
  const slash = text.indexOf('/')
  const address = parseIp(slash < 0 ? text : text.slice(0, slash))
  if (!address) return undefined
  const bits = address.version === 4 ? 32 : 128
  if (slash < 0) return { first: address, last: address, prefix: bits }
  const suffix = text.slice(slash + 1)
  if (!/^(0|[1-9][0-9]{0,2})$/.test(suffix)) return undefined
  const prefix = Number(suffix)
  if (prefix > bits) return undefined
  return { ...prefixRange(address, prefix), prefix }
}

/** The range of all addresses that share the first `prefix` bits with `ip`. */
export function prefixRange(ip: Ip, prefix: number): IpRange {
  if (ip.version === 4) {
    const mask = wordMask(prefix)
    return { first: ipv4(ip.w3 & mask), last: ipv4(ip.w3 | ~mask) }
  }
  const words = [ip.w0, ip.w1, ip.w2, ip.w3] as const
  const masks = [0, 1, 2, 3].map((i) => wordMask(prefix - i * 32))
  const low = words.map((word, i) => word & (masks[i] ?? 0)) as [number, number, number, number]
  const high = words.map((word, i) => word | ~(masks[i] ?? 0)) as [number, number, number, number]
  return { first: ipv6(...low), last: ipv6(...high) }
}

function wordMask(bits: number): number {
  if (bits <= 0) return 0
  if (bits >= 32) return -1
  return -1 << (32 - bits)
}

// IANA special-purpose address registries (IPv4 and IPv6): everything not globally reachable.
export const SPECIAL_PURPOSE: readonly (readonly [cidr: string, name: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared address space of carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'retired 6to4 relay'],
  ['192.168.0.0/16', 'private use'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['64:ff9b:1::/48', 'local translation'],
  ['100::/64', 'discard only'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/23', 'protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link local'],
  ['fec0::/10', 'retired site local'],
  ['ff00::/8', 'multicast'],
]

const SPECIAL_RANGES = SPECIAL_PURPOSE.map(([cidr, name]) => {
  const range = parseCidr(cidr)
  if (!range) throw new Error(`bad special-purpose prefix ${cidr}`)
  return { ...range, name }
})
const SPECIAL_V4 = SPECIAL_RANGES.filter((range) => range.first.version === 4)
const SPECIAL_V6 = SPECIAL_RANGES.filter((range) => range.first.version === 6)

/** What an address that is not on the public internet is for, or undefined for a public one. */
export function specialPurpose(ip: Ip): string | undefined {
  for (const range of ip.version === 4 ? SPECIAL_V4 : SPECIAL_V6) {
    if (compareIp(ip, range.first) >= 0 && compareIp(ip, range.last) <= 0) return range.name
  }
  // Outside 2000::/3 nothing is allocated for global unicast, except the well-known translation prefix.
  if (ip.version === 6 && ip.w0 >>> 29 !== 1) {
    if (ip.w0 === 0x64ff9b && ip.w1 === 0 && ip.w2 === 0) return specialPurpose(ipv4(ip.w3))
    return 'not allocated'
  }
  return undefined
}
