import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { hostParts, reservedName } from '../../lib/domain.ts'
import { compareIp, formatIp, parseIp } from '../../lib/ip.ts'

/** Names in DNS records. Strangers write them, and some are shown to readers: only plain host names pass. */

// RFC 952 allows no underscore in a host name, but many working names have one.
const LABELS = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/

/** Lower case, without the final dot; undefined for text that is not a host name, the root included. */
export function hostName(text: string): string | undefined {
  if (text.length > 254) return undefined
  const name = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase()
  return name.length <= 253 && LABELS.test(name) ? name : undefined
}

/** True if strangers may make us ask about it: not for names of private networks. */
export function isPublicName(name: string): boolean {
  return reservedName(hostParts(name)) === undefined
}

export function hostNames(texts: readonly string[], max: number): string[] {
  return [...new Set(texts.flatMap((text) => hostName(text) ?? []))].slice(0, max)
}

/** Addresses of records in RFC 5952 text, each once, IPv4 first: sorted, because servers rotate their answers. */
export function normalAddresses(records: readonly { readonly address: string }[]): string[] {
  const ips = records.flatMap(({ address }) => parseIp(address) ?? []).sort(compareIp)
  return [...new Set(ips.map(formatIp))]
}

const KEEP_MS_MIN = 5 * MINUTE_MS
const KEEP_MS_MAX = DAY_MS

/** A missing name may be registered any minute, and Node does not report how long its absence may be cached. */
export const KEEP_ABSENT_MS = HOUR_MS / 2

/** The shortest TTL of the records, within limits; the minimum where no TTL is known. */
export function keepMs(ttlsS: readonly number[]): number {
  if (ttlsS.length === 0) return KEEP_MS_MIN
  return Math.min(KEEP_MS_MAX, Math.max(KEEP_MS_MIN, Math.min(...ttlsS) * SECOND_MS))
}
