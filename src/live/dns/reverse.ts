import { formatIp, type Ip, parseIp } from '../../lib/ip.ts'
import type { Observation, ObserveOptions, Observer, Reverse } from '../facts.ts'
import { hostNames, isPublicName, KEEP_ABSENT_MS, keepMs, normalAddresses } from './records.ts'
import { type DnsResolver, notSeen, recordsOf } from './resolver.ts'

const NAMES_MAX = 8

/** Looks at the names that an address's holder gave it, and which of them lead back: their holders confirm it. */
export function reverseObserver(resolver: DnsResolver): Observer<'reverse'> {
  async function observe(address: string, options: ObserveOptions): Promise<Observation<Reverse>> {
    const ip = parseIp(address)
    if (!ip) throw new TypeError(`not an address: ${address}`)
    const pointers = await resolver.ask('PTR', pointerName(ip), options)
    if (pointers.kind === 'failed') return notSeen(pointers)
    const names = hostNames(recordsOf(pointers), NAMES_MAX)
    if (names.length === 0) return { outcome: 'seen', value: { names, confirmed: [] }, keepMs: KEEP_ABSENT_MS }

    const forward = await Promise.all(
      names
        .filter(isPublicName)
        .map(async (name) => ({ name, answer: await resolver.ask(ip.version === 4 ? 'A' : 'AAAA', name, options) })),
    )
    const own = formatIp(ip)
    const confirmed: string[] = []
    const ttls: number[] = []
    for (const { name, answer } of forward) {
      ttls.push(...recordsOf(answer).map(({ ttl }) => ttl))
      if (normalAddresses(recordsOf(answer)).includes(own)) confirmed.push(name)
    }
    // One name that leads back is enough. Without any, a failed question might have found one.
    const failure = forward.map(({ answer }) => answer).find((answer) => answer.kind === 'failed')
    if (confirmed.length === 0 && failure) return notSeen(failure)
    return { outcome: 'seen', value: { names, confirmed }, keepMs: keepMs(failure ? [] : ttls) }
  }
  return { sort: 'reverse', observe }
}

/** `1.2.0.192.in-addr.arpa` (RFC 1035 §3.5), or the 32 digits under ip6.arpa (RFC 3596 §2.5). */
function pointerName(ip: Ip): string {
  if (ip.version === 4) return `${formatIp(ip).split('.').toReversed().join('.')}.in-addr.arpa`
  const digits = [ip.w0, ip.w1, ip.w2, ip.w3].map((word) => word.toString(16).padStart(8, '0')).join('')
  return `${[...digits].toReversed().join('.')}.ip6.arpa`
}
