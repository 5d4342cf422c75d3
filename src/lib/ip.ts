import specialPurposes from './special-purpose.json' with { type: 'json' }

// IP addresses and ranges. An address is four unsigned 32-bit words, most significant first; an IPv4 address uses `w3`
// alone. One shape for both versions keeps the hot path monomorphic and free of BigInt.
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

/** 16-bit groups of one side of `::`; a dotted quad may be the last one where `quadAllowed`. */
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

// IANA special-purpose address registries (IPv4 and IPv6): everything not globally reachable. `name` is short, for an
// error text; `what` is for a reader who asked about the address.
export const SPECIAL_PURPOSE = specialPurposes as unknown as readonly (readonly [
  cidr: string,
  name: string,
  what: string,
])[]

interface SpecialRange extends IpRange {
  readonly name: string
  readonly what: string
}

const SPECIAL_RANGES = SPECIAL_PURPOSE.map(([cidr, name, what]): SpecialRange => {
  const range = parseCidr(cidr)
  if (!range) throw new Error(`bad special-purpose prefix ${cidr}`)
  return { ...range, name, what }
})
const SPECIAL_V4 = SPECIAL_RANGES.filter((range) => range.first.version === 4)
const SPECIAL_V6 = SPECIAL_RANGES.filter((range) => range.first.version === 6)
const NOT_ALLOCATED = { name: 'not allocated', what: 'address that is not allocated' }

// Most addresses are decided by their first octet alone.
const SPECIAL_OCTETS = new Set(
  SPECIAL_V4.flatMap(({ first, last }) => {
    const from = first.w3 >>> 24
    return Array.from({ length: (last.w3 >>> 24) - from + 1 }, (_, i) => from + i)
  }),
)
const HAS_SPECIAL = Uint8Array.from({ length: 256 }, (_, octet) => (SPECIAL_OCTETS.has(octet) ? 1 : 0))

function specialRange(ip: Ip): Pick<SpecialRange, 'name' | 'what'> | undefined {
  if (ip.version === 4 && HAS_SPECIAL[ip.w3 >>> 24] === 0) return undefined
  const ranges = ip.version === 4 ? SPECIAL_V4 : SPECIAL_V6
  for (let i = 0; i < ranges.length; i++) {
    const range = ranges[i] as SpecialRange
    if (compareIp(ip, range.first) >= 0 && compareIp(ip, range.last) <= 0) return range
  }
  // Outside 2000::/3 nothing is allocated for global unicast, except the well-known translation prefix.
  if (ip.version === 6 && ip.w0 >>> 29 !== 1) {
    if (ip.w0 === 0x64ff9b && ip.w1 === 0 && ip.w2 === 0) return specialRange(ipv4(ip.w3))
    return NOT_ALLOCATED
  }
  return undefined
}

/** The purpose of an address that is not on the public internet, in a word or two; undefined for a public address. */
export function specialPurpose(ip: Ip): string | undefined {
  return specialRange(ip)?.name
}

/** Like specialPurpose, with the RFC: `private address (RFC 1918)`. */
export function specialAddress(ip: Ip): string | undefined {
  return specialRange(ip)?.what
}

/** An IPv4 address that an IPv6 address carries inside. */
export interface Carried {
  readonly ip: Ip
  /** The name of the technique, for a reader. */
  readonly how: '6to4' | 'NAT64' | 'Teredo' | 'ISATAP' | 'IPv4-compatible' | 'IPv4-translated'
  // True if the IPv6 address exists only through this IPv4 address. False where the holder of the IPv6 prefix chose the
  // last 64 bits: then the IPv4 address is only a claim, which can accuse but cannot vouch.
  readonly binding: boolean
}

/** The IPv4 address inside, for every technique that puts one there. IPv4-mapped addresses are IPv4 to parseIp. */
export function carriedIpv4(ip: Ip): Carried | undefined {
  if (ip.version === 4) return undefined
  const { w0, w1, w2, w3 } = ip
  // RFC 3056: 2002:aabb:ccdd::/48.
  if (w0 >>> 16 === 0x2002) return carried(((w0 & 0xffff) << 16) | (w1 >>> 16), '6to4')
  // RFC 4380 §4: the client's address comes last, every bit inverted.
  if (w0 === 0x20010000) return carried(~w3, 'Teredo')
  if (w0 === 0x64ff9b) {
    if (w1 === 0 && w2 === 0) return carried(w3, 'NAT64')
    // RFC 8215 leaves the length of the prefix open. RFC 6052 §2.2: after 96 bits the address comes last; after 48 bits
    // it is on both sides of the ninth octet, which is zero, and nothing follows.
    if (w1 >>> 16 === 1) return carried(w3 !== 0 ? w3 : ((w1 & 0xffff) << 16) | ((w2 >>> 8) & 0xffff), 'NAT64')
  }
  if (w0 === 0 && w1 === 0) {
    // RFC 4291 §2.5.5.1. `::` and `::1` have their own meaning.
    if (w2 === 0 && w3 > 1) return carried(w3, 'IPv4-compatible')
    // RFC 2765 §2.1.
    if (w2 === 0xffff0000) return carried(w3, 'IPv4-translated')
  }
  // RFC 5214 §6.1, with and without the bit that says the IPv4 address is unique in the world.
  if (w2 === 0x5efe || w2 === 0x02005efe) return { ip: ipv4(w3), how: 'ISATAP', binding: false }
  return undefined
}

function carried(value: number, how: Carried['how']): Carried {
  return { ip: ipv4(value), how, binding: true }
}
