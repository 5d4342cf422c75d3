import { DAY_MS } from '../../lib/clock.ts'
import type { Facts, Host, Registration, Zone } from '../../live/facts.ts'

/** Facts as numbers: each is in a bin, which weights/fact-tables.ts prices. An absent fact has no bin. */

/** Edges of bins, in days except for `name`, which is in log-odds. A value is in the bin of the first edge above it. */
export const EDGES = {
  age: [30, 90, 180, 365, 730, 1825, 3650],
  era: [180, 730, 1825],
  period: [400, 800, 1900, 3700],
  name: [-3, -1.6, -0.3],
} as const

const LONG_STANDING_DAYS = 1825
const YOUNG_DAYS = 30

export const PLACES = ['none', 'one', 'two', 'more', 'one_both', 'two_both', 'more_both'] as const
export type Place = (typeof PLACES)[number]
/** Coarser places, for the tables of pairs: fewer places, so that each is common. */
const SPOTS: Readonly<Record<Place, number>> = {
  none: 0,
  one: 1,
  two: 2,
  more: 1,
  one_both: 3,
  two_both: 4,
  more_both: 3,
}

/** A binned value: a fact, or the log-odds of the name without facts. */
export type BinnedFact = keyof FactReading['bins'] | 'name'

export const SIZES: Readonly<Record<BinnedFact, number>> = {
  age: EDGES.age.length + 1,
  era: EDGES.era.length + 1,
  period: EDGES.period.length + 1,
  left: 2,
  place: PLACES.length,
  spot: 5,
  mail: 2,
  servers: 1,
  certificate: 3,
  name: EDGES.name.length + 1,
}

export type FactReading = Readonly<ReturnType<typeof readFacts>>

/** `isListedAsNew`: a list of newly registered names has it, which counts if the registry was not asked. */
export function readFacts(facts: Facts, nowMs: number, isListedAsNew: boolean) {
  const { registration, zone, host, certificate } = facts
  const registeredMs = registration?.found ? registration.registeredMs : undefined
  const ageDays = registeredMs === undefined ? undefined : Math.max(0, (nowMs - registeredMs) / DAY_MS)
  const expiresMs = registration?.found ? registration.expiresMs : undefined
  const daysLeft = expiresMs === undefined ? undefined : (expiresMs - nowMs) / DAY_MS
  const periodDays =
    expiresMs === undefined || registeredMs === undefined ? undefined : (expiresMs - registeredMs) / DAY_MS
  const isYoung = ageDays === undefined ? isListedAsNew : ageDays < YOUNG_DAYS
  const place = host && placeOf(host)
  const takesMail = zone && mailOf(zone, host)
  const held = registration && heldBy(registration)
  return {
    /** The bin of every fact. -1: unknown, or a case without meaning. */
    bins: {
      age: isYoung ? 0 : binOf(ageDays, EDGES.age),
      era: isYoung ? 0 : binOf(ageDays, EDGES.era),
      period: binOf(periodDays, EDGES.period),
      left: daysLeft === undefined ? -1 : daysLeft < 0 ? 0 : daysLeft >= 730 ? 1 : -1,
      place: place === undefined ? -1 : PLACES.indexOf(place),
      spot: place === undefined ? -1 : SPOTS[place],
      mail: takesMail === undefined ? -1 : takesMail ? 1 : 0,
      servers: (zone?.ns.length ?? 0) >= SEVERAL_SERVERS ? 0 : -1,
      certificate: certificate === undefined ? -1 : certificateBin(certificate),
    },
    ageDays,
    daysLeft,
    isLongStanding: ageDays !== undefined && ageDays >= LONG_STANDING_DAYS,
    /** Registered recently, by its registration or by a list of new names. */
    isYoung,
    isUnregistered: isUnregistered(registration, zone, host),
    /** Undefined if the zone was not seen, or the answers are unreliable. */
    takesMail,
    held,
    /** Parked, on hold or gone from the DNS. */
    isIdle: held !== undefined || zone?.parkedBy !== undefined || zone?.exists === false,
  }
}

const SUSPENDED = /^(client|server) ?hold$/i
const ENDING = /^(pending ?delete|redemption ?period)$/i

/** The status by which the registry suspends or removes the name. */
function heldBy({ statuses }: Registration) {
  const suspended = statuses.find((status) => SUSPENDED.test(status))
  if (suspended !== undefined) return { status: suspended, variant: 'suspended' as const }
  const ending = statuses.find((status) => ENDING.test(status))
  return ending === undefined ? undefined : { status: ending, variant: 'ending' as const }
}

const SEVERAL_SERVERS = 3
/** Programs renew certificates of free authorities every few weeks; longer ones were bought. */
const SHORT_CERTIFICATE_DAYS = 100

function certificateBin({ answered, notBeforeMs, notAfterMs }: NonNullable<Facts['certificate']>): number {
  if (!answered) return 0
  if (notBeforeMs === undefined || notAfterMs === undefined) return -1
  return (notAfterMs - notBeforeMs) / DAY_MS <= SHORT_CERTIFICATE_DAYS ? 1 : 2
}

/** Undefined for an alias that leads to no address: its target belongs to somebody else. */
function placeOf({ addresses, aliases, notPublic }: Host): Place | undefined {
  if (addresses.length === 0 && (aliases.length > 0 || notPublic)) return undefined
  const v6 = addresses.filter((address) => address.includes(':')).length
  const v4 = addresses.length - v6
  if (v4 + v6 === 0) return 'none'
  if (v6 === 0) return v4 === 1 ? 'one' : v4 === 2 ? 'two' : 'more'
  return v4 <= 1 ? 'one_both' : v4 === 2 ? 'two_both' : 'more_both'
}

function resolves(host: Host | undefined): boolean {
  return host !== undefined && (host.addresses.length > 0 || host.aliases.length > 0)
}

/** True if the name can receive mail; undefined if that was not answered, or the answers contradict each other. */
function mailOf(zone: Zone, host: Host | undefined): boolean | undefined {
  if (zone.nullMx) return false
  if (zone.mx === undefined) return undefined
  if (zone.mx.length > 0) return true
  // A name that resolves has a zone with name servers: without them the answer about the zone is incomplete.
  const isWhole = zone.ns.length > 0 || zone.soa !== undefined
  return !isWhole && resolves(host) ? undefined : false
}

/** Some registries answer only for some of their names: a name that resolves is registered, whatever they say. */
function isUnregistered(registration: Registration | undefined, zone: Zone | undefined, host: Host | undefined) {
  if (resolves(host) || zone?.exists || registration?.found) return false
  return zone?.exists === false || (registration?.found === false && host?.exists === false)
}

export function binOf(value: number | undefined, edges: readonly number[]): number {
  if (value === undefined) return -1
  let bin = 0
  while (bin < edges.length && value >= (edges[bin] as number)) bin++
  return bin
}
