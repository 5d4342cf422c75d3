import { type BinnedFact, type Bins, binOf, EDGES, SIZES } from '../look-up/fact-reading.ts'

// The fitted prices of facts (model/live.json, written by lab/fit-live.ts). A bin has a price in log-odds, and so have
// some pairs of bins, because facts interact: a young name is more telling if its wording is suspicious.

export const SINGLES = ['age', 'period', 'left', 'place', 'mail', 'servers', 'certificate'] as const
export const PAIRS = [
  ['era', 'name'],
  ['era', 'mail'],
  ['era', 'spot'],
  ['spot', 'name'],
  ['mail', 'name'],
] as const

export interface FactTablesFile {
  /** By `age`, or `era×name` with the bins of the second running fastest; `alone` is the age without other facts. */
  readonly tables: Readonly<Record<string, readonly number[]>>
  /** The factor for facts that raise the risk of a name younger than a year: they act together. */
  readonly recentTrust: number
}

export const WORTH_KEYS = [
  'registered',
  'expires',
  'mail',
  'servers',
  'addresses',
  'certificate',
  'unregistered',
] as const

/** Log-odds of the facts, by the signal that reports them. */
export type FactWorths = Record<(typeof WORTH_KEYS)[number], number>

export interface FactTables {
  /** `nameLogOdds`: the log-odds of everything known without facts. */
  assess(bins: Bins, nameLogOdds: number): FactWorths
}

export function nameBin(logOdds: number): number {
  return binOf(logOdds, EDGES.name)
}

/** Ages in this bin and above are a year or more. */
const YEAR_BIN = EDGES.age.indexOf(365) + 1

export function createFactTables({ tables, recentTrust }: FactTablesFile): FactTables {
  const pair = (first: BinnedFact, second: BinnedFact) => {
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
      // A younger name never has a lower price than an older one with the same facts.
      let aged = bins.age < 0 ? 0 : Number.NEGATIVE_INFINITY
      for (let at = bins.age; at >= 0 && at < SIZES.age; at++) {
        const era = ERA_OF_AGE[at] as number
        aged = Math.max(aged, age(at) + eraName(era, name) + eraMail(era, bins.mail) + eraSpot(era, bins.spot))
      }
      const registered = aged + period(bins.period)
      const isRecent = bins.age >= 0 && bins.age < YEAR_BIN
      const worths: FactWorths = {
        // An age of less than a year never lowers the risk.
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
      // If the age is the only known fact of a new name, it also stands for the missing facts.
      if (isRecent && bins.place < 0 && bins.mail < 0) worths.registered = Math.max(worths.registered, alone(bins.age))
      // Fitted on top of the others, and rare.
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

/** Ages and eras share their edges, so that each age is in one era. */
const ERA_OF_AGE = Array.from({ length: EDGES.age.length + 1 }, (_, at) =>
  binOf(at === 0 ? 0 : EDGES.age[at - 1], EDGES.era),
)

export function sumOf(worths: FactWorths): number {
  let sum = 0
  for (const key of WORTH_KEYS) sum += worths[key]
  return sum
}
