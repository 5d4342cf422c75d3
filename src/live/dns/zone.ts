import { createHash } from 'node:crypto'
import type { Observation, ObserveOptions, Observer, Zone } from '../facts.ts'
import { readDmarc, readSpf, type Spf } from './mail-policy.ts'
import { parkedBy } from './parking.ts'
import { hostName, hostNames, isPublicName, KEEP_ABSENT_MS, keepMs } from './records.ts'
import { type DnsRecords, type DnsResolver, notSeen, recordsOf } from './resolver.ts'

const NAMES_MAX = 16
const ABSENT: Zone = { exists: false, mx: [], nullMx: false, ns: [], spf: 'absent', dmarc: 'absent' }

/** Looks at a registrable name: its mail set-up, its name servers, and whether any name below it resolves. */
export function zoneObserver(resolver: DnsResolver): Observer<'zone'> {
  async function observe(name: string, options: ObserveOptions): Promise<Observation<Zone>> {
    // Ask for the name servers first: where the name does not exist, or its servers are silent, one question of six is
    // enough.
    const ns = await resolver.ask('NS', name, options)
    if (ns.kind === 'failed') return notSeen(ns)
    if (ns.kind === 'no_such_name') return { outcome: 'seen', value: ABSENT, keepMs: KEEP_ABSENT_MS }
    const [mx, txt, dmarc, soa, wild] = await Promise.all([
      resolver.ask('MX', name, options),
      resolver.ask('TXT', name, options),
      resolver.ask('TXT', `_dmarc.${name}`, options),
      resolver.ask('SOA', name, options),
      // Not for lists: it would be one question in eight and changes no score.
      options.urgent ? resolver.ask('A', `${unlikelyLabel(name)}.${name}`, options) : undefined,
    ])
    // Each record stands for itself. One that could not be asked is unknown, not absent: a sentence such as "publishes
    // no DMARC" must not be the result of a timeout.
    const spf = txt.kind === 'failed' ? 'unknown' : await spfOf(recordsOf(txt), options)
    const [authority] = recordsOf(soa)
    const nameServers = hostNames(recordsOf(ns), NAMES_MAX)
    const parking = parkedBy(nameServers)
    const value: Zone = {
      exists: true,
      ...(mx.kind === 'failed' ? { nullMx: false } : mailHosts(recordsOf(mx))),
      ns: nameServers,
      ...soaOf(authority),
      spf,
      dmarc: dmarc.kind === 'failed' ? 'unknown' : readDmarc(recordsOf(dmarc)),
      ...(wild === undefined ? {} : { wildcard: wild.kind === 'answer' }),
      ...(parking === undefined ? {} : { parkedBy: parking }),
    }
    // An incomplete answer is useful, but expires soon: the rest is asked again.
    const lacking = spf === 'unknown' || [mx, dmarc, soa, wild].some((answer) => answer?.kind === 'failed')
    const ttls = [...(wild ? recordsOf(wild) : []).map(({ ttl }) => ttl), ...(authority ? [authority.minttl] : [])]
    return { outcome: 'seen', value, keepMs: keepMs(lacking ? [] : ttls) }
  }

  /** Follows one `redirect=`, which the large mail services use. */
  async function spfOf(texts: readonly string[], options: ObserveOptions): Promise<Spf> {
    const first = readSpf(texts)
    if (typeof first === 'string') return first
    // A macro refers to a part of the message, and there is no message.
    if (first.redirect.includes('%')) return 'neutral'
    const target = hostName(first.redirect)
    if (target === undefined || !isPublicName(target)) return 'invalid'
    const answer = await resolver.ask('TXT', target, options)
    if (answer.kind === 'failed') return 'unknown'
    const second = readSpf(recordsOf(answer))
    if (typeof second !== 'string') return 'neutral'
    // RFC 7208 §6.1: a redirect to a name without a record is an error.
    return second === 'absent' ? 'invalid' : second
  }

  return { sort: 'zone', observe }
}

function mailHosts(records: readonly DnsRecords['MX'][]): Pick<Zone, 'mx' | 'nullMx'> {
  const [only] = records
  const nullMx = records.length === 1 && (only?.exchange === '' || only?.exchange === '.')
  const byPreference = records.toSorted((a, b) => a.priority - b.priority || (a.exchange < b.exchange ? -1 : 1))
  return {
    mx: hostNames(
      byPreference.map(({ exchange }) => exchange),
      NAMES_MAX,
    ),
    nullMx,
  }
}

function soaOf(record: DnsRecords['SOA'] | undefined): Pick<Zone, 'soa'> {
  if (!record) return {}
  const primary = hostName(record.nsname)
  const contact = hostName(record.hostmaster)
  return primary === undefined || contact === undefined ? {} : { soa: { primary, contact, serial: record.serial } }
}

/** A label that nobody uses. It is stable for a name, so that a resolver can cache its answer. */
function unlikelyLabel(name: string): string {
  return `w${createHash('sha256').update(`wildcard ${name}`).digest('hex').slice(0, 20)}`
}
