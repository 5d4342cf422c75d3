import { DAY_MS } from '../../lib/clock.ts'
import type { Facts, Host, Registration, Zone } from '../../live/facts.ts'

/**
 * What live facts say about a name, as numbers. Each fact falls into a bin; a bin has a worth in log-odds, and so have
 * some pairs of bins, because facts act together: a young name says more where its wording is suspicious. The tables are
 * fitted (lab/fit-live.ts). A fact that is not there has no bin and says nothing.
 */

/** Edges of bins, in days where nothing else is said. A value lies in the bin of the first edge above it. */
const EDGES = {
  age: [30, 90, 180, 365, 730, 1825, 3650],
  era: [180, 730, 1825],
  period: [400, 800, 1900, 3700],
  name: [-3, -1.6, -0.3],
} as const

/** Ages of this bin and above are of a year and more. */
const YEAR_BIN = EDGES.age.indexOf(365) + 1
/** From this age on, a name has been there for more than five years. */
const LONG_STANDING_DAYS = 1825
const YOUNG_DAYS = 30

export const PLACES = ['none', 'one', 'two', 'more', 'one_both', 'two_both', 'more_both'] as const
export type Place = (typeof PLACES)[number]
/** Places that are looked at together with others: fewer, so that each is common. */
const SPOTS: Readonly<Record<Place, number>> = {
  none: 0,
  one: 1,
  two: 2,
  more: 1,
  one_both: 3,
  two_both: 4,
  more_both: 3,
}

/** The bin of every fact. -1: unknown, or a case that says nothing. */
export interface Bins {
  readonly age: number
  readonly era: number
  readonly period: number
  readonly left: number
  readonly place: number
  readonly spot: number
  readonly mail: number
  readonly servers: number
  readonly certificate: number
}
export type Table = keyof Bins | 'name'

/** How many bins a table has. */
export const SIZES: Readonly<Record<Table, number>> = {
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

/** The facts about a name, understood. */
export interface Reading {
  readonly bins: Bins
  readonly ageDays: number | undefined
  readonly daysLeft: number | undefined
  readonly isLongStanding: boolean
  /** Registered lately, by its registration or by a list of new names. */
  readonly isYoung: boolean
  /** Nobody has registered the name. */
  readonly isUnregistered: boolean
  /** Undefined where the zone was not seen, or what was seen cannot be relied on. */
  readonly takesMail: boolean | undefined
}

/** `isListedAsNew`: a list of newly registered names has it, which counts where the registry was not asked. */
export function readFacts(facts: Facts, nowMs: number, isListedAsNew: boolean): Reading {
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
  return {
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
    isYoung,
    isUnregistered: isUnregistered(registration, zone, host),
    takesMail,
  }
}

const SEVERAL_SERVERS = 3
/** Certificates of free authorities are renewed by programs every few weeks; longer ones were bought. */
const SHORT_CERTIFICATE_DAYS = 100

function certificateBin({ answered, notBeforeMs, notAfterMs }: NonNullable<Facts['certificate']>): number {
  if (!answered) return 0
  if (notBeforeMs === undefined || notAfterMs === undefined) return -1
  return (notAfterMs - notBeforeMs) / DAY_MS <= SHORT_CERTIFICATE_DAYS ? 1 : 2
}

/** Undefined for an alias that leads to no address: what is at its end belongs to somebody else. */
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

/** Whether the name can receive mail; undefined where the answers about its zone contradict each other. */
function mailOf(zone: Zone, host: Host | undefined): boolean | undefined {
  if (zone.nullMx) return false
  if (zone.mx.length > 0) return true
  // A name that resolves has a zone with name servers: where none was seen, not all of the zone was.
  const isWhole = zone.ns.length > 0 || zone.soa !== undefined
  return !isWhole && resolves(host) ? undefined : false
}

/** Some registries answer for a part of their names only: what resolves is registered, whatever they say. */
function isUnregistered(registration: Registration | undefined, zone: Zone | undefined, host: Host | undefined) {
  if (resolves(host) || zone?.exists || registration?.found) return false
  return zone?.exists === false || (registration?.found === false && host?.exists === false)
}

function binOf(value: number | undefined, edges: readonly number[]): number {
  if (value === undefined) return -1
  let bin = 0
  while (bin < edges.length && value >= (edges[bin] as number)) bin++
  return bin
}

export const SINGLES = ['age', 'period', 'left', 'place', 'mail', 'servers', 'certificate'] as const
export const PAIRS = [
  ['era', 'name'],
  ['era', 'mail'],
  ['era', 'spot'],
  ['spot', 'name'],
  ['mail', 'name'],
] as const

export interface LiveFile {
  /** By `age`, or `era×name` with the bins of the second running fastest; `alone` is age where nothing else was seen. */
  readonly tables: Readonly<Record<string, readonly number[]>>
  /** How many times over facts count that raise the risk of a name younger than a year: they act together. */
  readonly recentTrust: number
}

/** What the facts are worth, in log-odds, by the signal that tells them. */
export interface Worths {
  registered: number
  expires: number
  mail: number
  servers: number
  addresses: number
  certificate: number
  unregistered: number
}

export interface LiveModel {
  /** `nameLogOdds`: of everything known without facts. */
  assess(bins: Bins, nameLogOdds: number): Worths
}

export function nameBin(logOdds: number): number {
  return binOf(logOdds, EDGES.name)
}

export function createLiveModel({ tables, recentTrust }: LiveFile): LiveModel {
  const pair = (first: Table, second: Table) => {
    const values = Float64Array.from(tables[`${first}×${second}`] ?? [])
    const width = SIZES[second]
    return (a: number, b: number) => (a < 0 || b < 0 ? 0 : (values[a * width + b] ?? 0))
  }
  const alone = lookup(tables.alone)
  const [age, period, left, place, mail, servers, certificate] = SINGLES.map((name) => lookup(tables[name])) as Lookup[]
  const [eraName, eraMail, eraSpot, spotName, mailName] = PAIRS.map(([a, b]) => pair(a, b)) as PairLookup[]
  if (!age || !period || !left || !place || !mail || !servers || !certificate) throw new Error('a table is missing')
  if (!eraName || !eraMail || !eraSpot || !spotName || !mailName) throw new Error('a pair is missing')

  return {
    assess(bins, nameLogOdds) {
      const name = nameBin(nameLogOdds)
      // A younger name is never worth less than an older one with the same facts.
      let aged = bins.age < 0 ? 0 : Number.NEGATIVE_INFINITY
      for (let at = bins.age; at >= 0 && at < SIZES.age; at++) {
        const era = ERA_OF_AGE[at] as number
        aged = Math.max(aged, age(at) + eraName(era, name) + eraMail(era, bins.mail) + eraSpot(era, bins.spot))
      }
      const registered = aged + period(bins.period)
      const isRecent = bins.age >= 0 && bins.age < YEAR_BIN
      const worths: Worths = {
        // Nothing is taken off for an age of less than a year.
        registered: isRecent ? Math.max(0, registered) : registered,
        expires: left(bins.left),
        mail: mail(bins.mail) + mailName(bins.mail, name),
        servers: servers(bins.servers),
        addresses: place(bins.place) + spotName(bins.spot, name),
        certificate: 0,
        unregistered: 0,
      }
      const share = isRecent && sumOf(worths) > 0 ? recentTrust : 1
      for (const key of WORTH_KEYS) worths[key] *= share
      // Where a new name's age is all that was seen, it has to say what the other facts would have said with it.
      if (isRecent && bins.place < 0 && bins.mail < 0) worths.registered = Math.max(worths.registered, alone(bins.age))
      // Fitted on top of the others, and seldom there.
      worths.certificate = certificate(bins.certificate)
      return worths
    },
  }
}

type Lookup = (bin: number) => number

function lookup(table: readonly number[] | undefined): Lookup {
  const values = Float64Array.from(table ?? [])
  return (bin) => (bin < 0 ? 0 : (values[bin] ?? 0))
}

type PairLookup = (first: number, second: number) => number

/** Ages and eras share their edges, so that an age lies in one era. */
const ERA_OF_AGE = Array.from({ length: EDGES.age.length + 1 }, (_, at) =>
  binOf(at === 0 ? 0 : EDGES.age[at - 1], EDGES.era),
)

export const WORTH_KEYS = [
  'registered',
  'expires',
  'mail',
  'servers',
  'addresses',
  'certificate',
  'unregistered',
] as const satisfies readonly (keyof Worths)[]

export function sumOf(worths: Worths): number {
  let sum = 0
  for (const key of WORTH_KEYS) sum += worths[key]
  return sum
}
