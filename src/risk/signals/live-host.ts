import { parseIp, specialAddress } from '../../lib/ip.ts'
import type { Host } from '../../live/facts.ts'
import { type Evidence, type Snapshot, TAGS, type Tag } from '../../snapshot/types.ts'
import { explained, factFinding } from './explained.ts'
import { counted } from './fact-texts.ts'
import { type LiveSignal, NOTHING } from './signal.ts'

/** DNS facts of the host itself. */

export const domainAddresses = {
  code: 'domain.addresses',
  description: 'Where the name leads',
  group: 'live',
  detect: ({ facts: { host }, reading, subject: { snapshot } }) => {
    if (host === undefined || reading.isUnregistered) return NOTHING
    const say = () => placeIn(host, snapshot)
    return factFinding('dns', host.seenMs, say)
  },
} satisfies LiveSignal<'domain'>

function placeIn({ addresses, aliases, notPublic, ttlS }: Host, snapshot: Snapshot): string {
  const alias = aliases.at(-1)
  if (addresses.length === 0 && notPublic) return 'Leads into a private network'
  if (addresses.length === 0)
    return alias === undefined ? 'Leads nowhere: it has no address' : `An alias of ${alias}, which has no address`
  const v6 = addresses.filter((address) => address.includes(':')).length
  const v4 = addresses.length - v6
  const counts = v6 === 0 || v4 === 0 ? String(v4 + v6) : `${v4} IPv4 and ${v6}`
  const network = networkOf(addresses, snapshot)
  const where = network === undefined ? '' : ` of ${network}`
  const keeps = ttlS === undefined || ttlS > TTL_SHORT_S ? '' : `, which may change every ${duration(ttlS)}`
  const what = `${counts} ${v6 === 0 ? 'IPv4' : 'IPv6'} ${v4 + v6 === 1 ? 'address' : 'addresses'}${where}${keeps}`
  return alias === undefined ? `Leads to ${what}` : `An alias of ${alias}: leads to ${what}`
}

const TTL_SHORT_S = 300

function duration(seconds: number): string {
  return seconds < 60 ? counted(Math.max(1, seconds), 'second') : counted(Math.round(seconds / 60), 'minute')
}

function networkOf(addresses: readonly string[], snapshot: Snapshot): string | undefined {
  const ip = parseIp(addresses[0] ?? '')
  const asn = ip && snapshot.asn(ip)
  return asn && `${asn.name} (AS${asn.number})`
}

/** Abuse that comes from a site; attacks and spam come from machines unrelated to a site at the same address. */
const DONE_BY_SITES: ReadonlySet<Tag> = new Set(['phishing', 'malware', 'c2', 'scam', 'bec', 'hijacked'])
const CONFIDENCE_MIN = 0.3
/** Only this many addresses are checked: a site seldom has more of its own. */
const ADDRESSES_MAX = 8

export const domainResolvesToListed = {
  code: 'domain.resolves_to_listed',
  description: 'Resolves to an address that a threat feed lists',
  group: 'hosting',
  detect: ({ facts: { host }, subject: { snapshot } }) => {
    if (host === undefined || host.addresses.length === 0) return NOTHING
    for (const address of host.addresses.slice(0, ADDRESSES_MAX)) {
      const item = accusation(address, snapshot)
      if (item === undefined) continue
      const source = snapshot.info.sources.find(({ id }) => id === item.source)?.name ?? item.source
      const say = () => `Resolves to ${address}, listed for ${item.tag} by ${source}`
      const { confidence, firstSeenMs, lastSeenMs } = item
      return [explained({ source: item.source, confidence, firstSeenMs, lastSeenMs }, say)]
    }
    return NOTHING
  },
} satisfies LiveSignal<'domain'>

/** The surest accusation against an address, unless strangers share it: delivery networks and large providers. */
function accusation(address: string, snapshot: Snapshot): Evidence | undefined {
  const ip = parseIp(address)
  if (ip === undefined || specialAddress(ip) !== undefined) return undefined
  let surest: Evidence | undefined
  for (const item of snapshot.ip(ip)) {
    if (TAGS[item.tag] === 'reassuring') return undefined
    if (!DONE_BY_SITES.has(item.tag) || item.confidence < CONFIDENCE_MIN) continue
    if (surest === undefined || item.confidence > surest.confidence) surest = item
  }
  return surest
}

export const domainDangling = {
  code: 'domain.dangling',
  description: 'Points to a name that does not exist: whoever registers that name owns this host',
  group: 'note',
  detect: ({ facts: { host } }) => {
    if (!host?.dangling) return NOTHING
    const target = host.aliases.at(-1)
    const say = () =>
      `Points to ${target ?? 'a name'}, which does not exist: whoever registers that name owns this host`
    return factFinding('dns', host.seenMs, say)
  },
} satisfies LiveSignal<'domain'>
