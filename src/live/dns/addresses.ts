import { compareIp, formatIp, parseIp } from '../../lib/ip.ts'

/**
 * Addresses from records in RFC 5952 text, each once. An IPv4 address in IPv6 form becomes the IPv4 address. They are
 * sorted, IPv4 first, because servers rotate theirs with every answer.
 */
export function normalAddresses(records: readonly { readonly address: string }[]): string[] {
  const ips = records.flatMap(({ address }) => parseIp(address) ?? []).sort(compareIp)
  return [...new Set(ips.map(formatIp))]
}
