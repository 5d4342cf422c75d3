import { compareIp, formatIp, parseIp } from '../../lib/ip.ts'

/** Addresses of records in RFC 5952 text, each once, IPv4 first: sorted, because servers rotate their answers. */
export function normalAddresses(records: readonly { readonly address: string }[]): string[] {
  const ips = records.flatMap(({ address }) => parseIp(address) ?? []).sort(compareIp)
  return [...new Set(ips.map(formatIp))]
}
