import { isPublicAddress } from '../../lib/public-address.ts'
import type { Host, Observation, ObserveOptions, Observer } from '../facts.ts'
import { hostName, isPublicName, KEEP_ABSENT_MS, keepMs, normalAddresses } from './records.ts'
import { askAddresses, type DnsFailure, type DnsResolver, notSeen } from './resolver.ts'

const ADDRESSES_MAX = 32
/** The limit on CNAME steps; resolvers follow 8 to 16. */
const ALIASES_MAX = 12

/** Looks at the host itself: its addresses, and the target of its CNAME when it has none. */
export function hostObserver(resolver: DnsResolver): Observer<'host'> {
  async function observe(name: string, options: ObserveOptions): Promise<Observation<Host>> {
    const { records, failure, ended } = await askAddresses(resolver, name, options)
    if (records.length > 0) {
      const ttlS = Math.min(...records.map(({ ttl }) => ttl))
      const all = normalAddresses(records)
      const addresses = all.filter(isPublicAddress)
      const value: Host = {
        exists: true,
        addresses: addresses.slice(0, ADDRESSES_MAX),
        ...(addresses.length < all.length ? { notPublic: true } : {}),
        aliases: [],
        dangling: false,
        ttlS,
      }
      // Addresses of one IP version are a fact without those of the other, but expire soon.
      return { outcome: 'seen', value, keepMs: keepMs(failure ? [] : [ttlS]) }
    }
    if (failure) return notSeen(failure)

    // Ask for CNAMEs only here: a chain that leads to addresses adds nothing, and costs one question per step. RFC
    // 6604: "no such name" refers to the end of a chain, so the host itself may still exist.
    const chain = await follow(name, options)
    if ('kind' in chain) return notSeen(chain)
    const value: Host = {
      exists: !ended || chain.aliases.length > 0,
      addresses: [],
      aliases: chain.aliases,
      dangling: ended && chain.aliases.length > 0,
    }
    return { outcome: 'seen', value, keepMs: KEEP_ABSENT_MS }
  }

  /** The names in its CNAME chain, until the chain ends, repeats a name, or reaches a name that is not public. */
  async function follow(name: string, options: ObserveOptions): Promise<{ readonly aliases: string[] } | DnsFailure> {
    const aliases: string[] = []
    for (let at = name; aliases.length < ALIASES_MAX; ) {
      const answer = await resolver.ask('CNAME', at, options)
      if (answer.kind === 'failed') return answer
      const target = answer.kind === 'answer' ? hostName(answer.records[0] ?? '') : undefined
      if (target === undefined || target === name || aliases.includes(target) || !isPublicName(target)) break
      aliases.push(target)
      at = target
    }
    return { aliases }
  }

  return { sort: 'host', observe }
}
