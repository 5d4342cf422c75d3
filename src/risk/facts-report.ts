import { iso } from '../lib/clock.ts'
import { carriedIpv4, formatIp, type Ip, parseIp, specialAddress } from '../lib/ip.ts'
import type { Facts, Seen } from '../live/facts.ts'
import type { AsnInfo, Snapshot } from '../snapshot/types.ts'
import type { Indicator } from './indicator.ts'

/** The facts of one indicator as `explain` shows them: each with the time it was seen, null if it was not. */

interface Fact<T> {
  readonly value: T
  readonly seen_at: string
}

export type FactsReport = Readonly<ReturnType<typeof reportFacts>>

export const NO_FACTS = Object.fromEntries(
  'registered changed expires registrar status mail name_servers parked_by networks certificate reverse_dns'
    .split(' ')
    .map((name) => [name, null]),
) as { readonly [Name in keyof FactsReport]: null }

/** The facts of an email address are those of its domain. */
export function reportFacts(indicator: Indicator, facts: Facts, snapshot: Snapshot) {
  const { reverse } = facts
  return {
    ...registrationFacts(facts.registration),
    ...zoneFacts(facts.zone),
    networks: indicator.kind === 'ip' ? networkOf(indicator.ip, snapshot) : hostNetworks(facts.host, snapshot),
    certificate: certificateFact(facts.certificate),
    reverse_dns: seen({ names: reverse?.names ?? [], confirmed: reverse?.confirmed ?? [] }, reverse),
  }
}

function registrationFacts(registration: Facts['registration']) {
  const { registeredMs, changedMs, expiresMs, registrar, statuses, found } = registration ?? {}
  return {
    registered: seen(moment(registeredMs), registration),
    changed: seen(moment(changedMs), registration),
    expires: seen(moment(expiresMs), registration),
    registrar: seen(registrar, registration),
    // An unregistered name has no status.
    status: seen(found ? statuses : undefined, registration),
  }
}

function zoneFacts(zone: Facts['zone']) {
  return {
    mail: seen(zone?.mx && { mx: zone.mx, null_mx: zone.nullMx, spf: zone.spf, dmarc: zone.dmarc }, zone),
    name_servers: seen(zone?.ns, zone),
    parked_by: seen(zone?.parkedBy, zone),
  }
}

function certificateFact(certificate: Facts['certificate']) {
  if (!certificate?.answered) return null
  const { issuer, notBeforeMs, notAfterMs, names } = certificate
  const value = {
    issuer: issuer ?? null,
    not_before: moment(notBeforeMs) ?? null,
    not_after: moment(notAfterMs) ?? null,
    names: names ?? [],
  }
  return seen(value, certificate)
}

function hostNetworks(host: Facts['host'], snapshot: Snapshot) {
  const networks = host?.addresses.flatMap((address) => {
    const ip = parseIp(address)
    return ip ? network(ip, snapshot) : []
  })
  return seen(networks, host)
}

/** Needs no look-up: a table in the snapshot has the network of every address. */
function networkOf(ip: Ip, snapshot: Snapshot) {
  const tables = snapshot.info.sources.filter(({ roles, rows }) => rows > 0 && roles.includes('network'))
  if (tables.length === 0) return null
  return seen([network(ip, snapshot)], { seenMs: Math.max(...tables.map(({ asOfMs }) => asOfMs)) })
}

function network(ip: Ip, snapshot: Snapshot) {
  const asn = announcerOf(ip, snapshot)
  return { address: formatIp(ip), asn: asn?.number ?? null, name: asn?.name || null, country: asn?.country || null }
}

/** An IPv6 address that contains an IPv4 address is in the network of that address; a private address is in none. */
function announcerOf(ip: Ip, snapshot: Snapshot): AsnInfo | undefined {
  const carried = carriedIpv4(ip)
  const reached = carried?.binding ? carried.ip : ip
  return specialAddress(reached) === undefined ? snapshot.asn(reached) : undefined
}

function seen<T>(value: T | undefined, at: Pick<Seen<unknown>, 'seenMs'> | undefined): Fact<T> | null {
  return value === undefined || at === undefined ? null : { value, seen_at: iso(at.seenMs) }
}

const YEAR_0_MS = Date.parse('0000-01-01T00:00:00Z')
const YEAR_10000_MS = Date.UTC(10_000, 0)

/** Registries and certificates may name any year; RFC 3339 allows four digits. */
function moment(timeMs: number | undefined): string | undefined {
  if (timeMs === undefined || !(timeMs >= YEAR_0_MS && timeMs < YEAR_10000_MS)) return undefined
  return iso(timeMs)
}
