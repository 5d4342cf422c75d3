import { DAY_MS, isoDay } from '../../lib/clock.ts'
import { counted } from '../../lib/counted.ts'
import { parseIp, specialAddress } from '../../lib/ip.ts'
import type { Host, Registration, Zone } from '../../live/facts.ts'
import { type Evidence, type Snapshot, TAGS, type Tag } from '../../snapshot/types.ts'
import { hasTag, tagged } from '../look-up/evidence.ts'
import { explained, factFinding, type LiveSignal, NOTHING, ownElseAbove, threatInWords } from './signal.ts'
import { throwAwayServer } from './throw-away.ts'

/** Signals on the live facts of a domain, of the mailboxes there included. */
export const LIVE_DOMAIN_SIGNALS = [
  {
    code: 'domain.registered',
    description: 'Registered for the first time on a known day',
    group: 'live',
    detect: ({ facts: { registration }, reading, nowMs }) => {
      const registeredMs = registration?.registeredMs
      if (registration === undefined || registeredMs === undefined || reading.ageDays === undefined) return NOTHING
      const say = () => `Registered ${past(registeredMs, nowMs)}${withRegistrar(registration)}`
      return factFinding('rdap', registration.seenMs, say)
    },
  },
  {
    code: 'domain.newly_registered',
    description: 'On a list of newly registered names',
    group: 'live',
    detect: ({ subject: { own, above }, reading }) => {
      if (!reading.isYoung || reading.ageDays !== undefined) return NOTHING
      const [item] = [...tagged(own, 'newly_registered'), ...tagged(above, 'newly_registered')]
      // One list is enough.
      return item === undefined ? NOTHING : [item]
    },
  },
  {
    code: 'domain.expires',
    description: 'Its registration ends on a known day',
    group: 'live',
    detect: ({ facts: { registration }, reading: { daysLeft, bins }, nowMs }) => {
      const expiresMs = registration?.expiresMs
      if (registration === undefined || expiresMs === undefined || daysLeft === undefined) return NOTHING
      if (bins.left < 0 && daysLeft > ENDS_SOON_DAYS) return NOTHING
      return factFinding('rdap', registration.seenMs, () => {
        if (daysLeft < 0) return `Its registration ended ${past(expiresMs, nowMs)} and was not renewed`
        if (daysLeft <= ENDS_SOON_DAYS) return `Expires ${soon(expiresMs, nowMs)}`
        return `Paid for until ${new Date(expiresMs).getUTCFullYear()}`
      })
    },
  },
  {
    code: 'domain.held',
    description: 'Suspended by its registry or registrar',
    group: 'live',
    detect: ({ facts: { registration }, reading: { held } }) => {
      if (held === undefined || registration === undefined) return NOTHING
      const words =
        held.variant === 'suspended' ? 'Suspended by its registry or registrar' : 'Not renewed, and about to be deleted'
      const say = () => `${words} (${held.status.toLowerCase()})`
      return factFinding('rdap', registration.seenMs, say, held.variant)
    },
  },
  {
    code: 'domain.unregistered',
    description: 'Nobody has registered this name',
    group: 'live',
    detect: ({ facts: { registration, zone }, reading }) => {
      if (!reading.isUnregistered) return NOTHING
      return registration === undefined
        ? factFinding('dns', zone?.seenMs, () => 'Does not exist: the DNS knows no such name')
        : [{ source: 'rdap', confidence: 1, lastSeenMs: registration.seenMs }]
    },
  },
  {
    code: 'domain.mail_setup',
    description: 'Mail set-up of the name: receiving mail, and who may send in its name',
    group: 'live',
    detect: ({ facts: { zone, host }, reading: { takesMail, isUnregistered } }) => {
      if (zone === undefined || takesMail === undefined || isUnregistered) return NOTHING
      return factFinding('dns', zone.seenMs, () => mailIn(zone, host))
    },
  },
  {
    code: 'domain.disposable_servers',
    description: 'Uses the mail or name servers of a throw-away mail provider',
    group: 'mailbox',
    detect: ({ facts: { zone }, subject }) => {
      const server = zone && throwAwayServer([...(zone.mx ?? []), ...zone.ns], subject)
      if (server === undefined || hasTag(ownElseAbove(subject), 'disposable')) return NOTHING
      const what = zone?.mx?.includes(server) ? 'Its mail goes to' : 'Its name server is'
      return factFinding('dns', zone?.seenMs, () => `${what} ${server}, of a provider of throw-away mailboxes`)
    },
  },
  {
    code: 'domain.name_servers',
    description: 'Several name servers answer for it',
    group: 'live',
    detect: ({ facts: { zone }, reading }) => {
      if (zone === undefined || reading.bins.servers < 0) return NOTHING
      const say = () => `${counted(zone.ns.length, 'name server')} answer for it, more than most names have`
      return factFinding('dns', zone.seenMs, say)
    },
  },
  // Worded like the list of parked names, from its name servers.
  {
    code: 'domain.parked',
    description: 'Parked: registered but not in use',
    group: 'hosting',
    detect: ({ facts: { zone }, subject }) => {
      if (zone?.parkedBy === undefined || hasTag(ownElseAbove(subject), 'parked')) return NOTHING
      const by = zone.parkedBy
      return factFinding('dns', zone.seenMs, () => `Parked with ${quoted(by)}: registered but not in use`)
    },
  },
  {
    code: 'domain.addresses',
    description: 'Addresses that the name resolves to',
    group: 'live',
    detect: ({ facts: { host }, reading, subject: { snapshot } }) => {
      if (host === undefined || reading.isUnregistered) return NOTHING
      return factFinding('dns', host.seenMs, () => placeIn(host, snapshot))
    },
  },
  {
    code: 'domain.resolves_to_listed',
    description: 'Resolves to an address that a threat feed lists',
    group: 'hosting',
    detect: ({ facts: { host }, subject: { snapshot } }) => {
      if (host === undefined || host.addresses.length === 0) return NOTHING
      for (const address of host.addresses.slice(0, ADDRESSES_MAX)) {
        const item = accusation(address, snapshot)
        if (item === undefined) continue
        const source = snapshot.info.sources.find(({ id }) => id === item.source)?.name ?? item.source
        const say = () => `Resolves to ${address}, listed for ${threatInWords(item.tag)} by ${source}`
        const { confidence, firstSeenMs, lastSeenMs } = item
        return [explained({ source: item.source, confidence, firstSeenMs, lastSeenMs }, say)]
      }
      return NOTHING
    },
  },
  {
    code: 'domain.dangling',
    description: 'Points to a name that does not exist: anybody who registers that name controls this host',
    group: 'note',
    detect: ({ facts: { host } }) => {
      if (!host?.dangling) return NOTHING
      const target = host.aliases.at(-1) ?? 'a name'
      const say = () => `Points to ${target}, which does not exist: anybody who registers that name controls this host`
      return factFinding('dns', host.seenMs, say)
    },
  },
  {
    code: 'domain.certificate',
    description: 'Result of a TLS handshake with the site',
    group: 'live',
    detect: ({ facts: { certificate }, nowMs }) => {
      if (certificate === undefined) return NOTHING
      return factFinding('tls', certificate.seenMs, () => {
        const { answered, issuer, notBeforeMs, notAfterMs, trusted } = certificate
        if (!answered) return 'No site answers there with TLS'
        const by = issuer === undefined ? '' : ` of ${quoted(issuer)}`
        const valid = trusted === false ? ', which browsers do not accept' : ''
        const issued = notBeforeMs === undefined ? '' : `, issued ${past(notBeforeMs, nowMs)}`
        const until = notAfterMs === undefined ? '' : `, valid until ${isoDay(notAfterMs)}`
        return `Shows a certificate${by}${valid}${issued}${until}`
      })
    },
  },
] as const satisfies readonly LiveSignal<'domain'>[]

export const LIVE_EMAIL_SIGNALS = [
  // A request for money from an address that cannot receive a reply hides something, or has a typing error.
  {
    code: 'email.cannot_receive',
    description: 'This address cannot receive mail',
    group: 'mailbox',
    detect: ({ subject: { domain, parts }, facts: { registration, zone, host }, reading }) => {
      const found = (why: string, seenMs: number | undefined) =>
        factFinding('dns', seenMs, () => `Cannot receive mail: ${why}`)
      if (reading.isUnregistered && registration !== undefined) {
        return found(`nobody has registered ${parts.registrable ?? domain}`, registration.seenMs)
      }
      if (reading.isUnregistered) return found(`${parts.registrable ?? domain} does not exist`, zone?.seenMs)
      if (host?.exists === false) return found(`${domain} does not exist`, host.seenMs)
      // The mail setup of the registrable name says nothing about a name below it.
      if (zone === undefined || parts.registrable !== domain || reading.takesMail !== false) return NOTHING
      if (zone.nullMx) return found(`${domain} declares that it accepts none`, zone.seenMs)
      // Without MX, mail goes to the address of the name itself.
      return host !== undefined && host.addresses.length === 0 && host.aliases.length === 0
        ? found(`${domain} has neither a mail server nor an address`, zone.seenMs)
        : NOTHING
    },
  },
] as const satisfies readonly LiveSignal<'email'>[]

function withRegistrar({ registrar }: Registration): string {
  return registrar === undefined || registrar === '' ? '' : `, with ${quoted(registrar)}`
}

/** The end of a registration is reported from this many days before. */
const ENDS_SOON_DAYS = 30

const NO_SPF: ReadonlySet<Zone['spf']> = new Set(['absent', 'invalid', 'unknown'])

function mailIn(zone: Zone, host: Host | undefined): string {
  if (zone.nullMx) return 'Declares that it accepts no mail (null MX)'
  // Without MX, mail goes to the address of the name itself, where usually no mail server runs.
  const { mx = [], spf, dmarc } = zone
  if (mx.length === 0 && host?.addresses.length === 0) return 'Cannot receive mail: no MX, and no address'
  if (mx.length === 0) return 'Has no own mail server (no MX)'
  if (dmarc === 'unknown') return 'Receives mail'
  if (dmarc === 'absent') return 'Receives mail, but publishes no DMARC: anybody can send mail in its name'
  if (dmarc === 'invalid')
    return 'Receives mail, but its DMARC record cannot be read: anybody can send mail in its name'
  if (dmarc === 'none') return 'Receives mail; its DMARC record only reports mail sent in its name'
  return `Set up to receive mail, with ${NO_SPF.has(spf) ? '' : 'SPF and '}DMARC ${dmarc}`
}

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

const DAYS_IN_DAYS = 60
const DAYS_IN_MONTHS = 730
const MONTH_DAYS = 30.44

/** `6 days ago (2026-11-09)`, `14 months ago (2025-09-20)`, `in 1998`. */
function past(timeMs: number, nowMs: number): string {
  const days = Math.floor((nowMs - timeMs) / DAY_MS)
  if (days < 1) return `today (${isoDay(timeMs)})`
  if (days < DAYS_IN_DAYS) return `${counted(days, 'day')} ago (${isoDay(timeMs)})`
  if (days < DAYS_IN_MONTHS) return `${counted(Math.floor(days / MONTH_DAYS), 'month')} ago (${isoDay(timeMs)})`
  return `in ${isoDay(timeMs).slice(0, 4)}`
}

/** `in 9 days (2026-11-25)`. */
function soon(timeMs: number, nowMs: number): string {
  const days = Math.floor((timeMs - nowMs) / DAY_MS)
  return days < 1 ? `today (${isoDay(timeMs)})` : `in ${counted(days, 'day')} (${isoDay(timeMs)})`
}

const TEXT_LENGTH_MAX = 60

/** Text from a stranger's server, on one line and not too long. */
function quoted(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > TEXT_LENGTH_MAX ? `${line.slice(0, TEXT_LENGTH_MAX).trimEnd()}…` : line
}
