import type { LookupFunction } from 'node:net'
import { carriedIpv4, formatIp, type Ip, parseIp, specialAddress } from './ip.ts'

// Addresses that may be contacted. Strangers choose the addresses behind their names, so a name must not lead to this
// machine or into the operator's network, also not inside an IPv6 address that carries an IPv4 one.

/** Why the address must not be contacted, in words; undefined for an address on the public internet. */
export function whyNotPublic(ip: Ip): string | undefined {
  const inside = carriedIpv4(ip)
  return specialAddress(ip) ?? (inside && specialAddress(inside.ip))
}

/** RFC 6761, 6762 and 8375, ICANN's `internal`, and names without a dot, which a resolver completes by itself. */
const LOCAL_NAME = /^[^.]+\.?$|\.(?:localhost|local|internal|home\.arpa)\.?$/

/** `whyNotPublic` for the host of a URL, as far as it is known without a look-up. */
export function whyHostNotPublic(hostname: string): string | undefined {
  const ip = parseIp(hostname.replace(/^\[|\]$/g, ''))
  if (ip) return whyNotPublic(ip)
  return LOCAL_NAME.test(hostname) ? 'name of a local network' : undefined
}

/** False also for text that is not an address. */
export function isPublicAddress(text: string): boolean {
  const ip = parseIp(text)
  return ip !== undefined && whyNotPublic(ip) === undefined
}

/** The addresses of a host, as `node:dns/promises` answers with `all`. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** A name pointed at an address that is not on the public internet. */
export class NotPublic extends Error {
  constructor(host: string, address: string, what: string) {
    super(`${host} is at ${address}: ${what}`)
    this.name = 'NotPublic'
  }
}

/** `allowLoopback` is for tests: servers on this machine count as public. */
export function requirePublic(host: string, address: string, allowLoopback: boolean): void {
  const ip = parseIp(address)
  const what = ip ? whyNotPublic(ip) : 'not an address'
  if (what === undefined || (allowLoopback && what.startsWith('loopback'))) return
  throw new NotPublic(host, ip ? formatIp(ip) : '?', what)
}

/** A look-up for a socket, which connects only to the checked address: a second, different answer gains nothing. */
export function publicLookup(resolve: Resolve, allowLoopback: boolean): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host)
      .then((addresses) => {
        const [first] = addresses
        if (!first) throw new Error(`${host} has no address`)
        for (const { address } of addresses) requirePublic(host, address, allowLoopback)
        if (all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      })
      .catch((error: Error) => callback(error, '', 0))
  }
}

/** Undici obeys its signal only once it is connected, which may take longer than anybody waits. */
export function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
