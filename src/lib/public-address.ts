import { carriedIpv4, type Ip, parseIp, specialAddress } from './ip.ts'

// Addresses that may be contacted. Strangers choose the addresses behind their names, so a name must not lead to this
// machine or into the operator's network, also not inside an IPv6 address that carries an IPv4 one.

/** Why the address must not be contacted, in words; undefined for an address on the public internet. */
export function whyNotPublic(ip: Ip): string | undefined {
  const inside = carriedIpv4(ip)
  return specialAddress(ip) ?? (inside && specialAddress(inside.ip))
}

/** False also for text that is not an address. */
export function isPublicAddress(text: string): boolean {
  const ip = parseIp(text)
  return ip !== undefined && whyNotPublic(ip) === undefined
}
