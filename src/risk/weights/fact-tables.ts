import { type BinnedFact, binOf, EDGES, type FactReading, SIZES } from '../look-up/fact-reading.ts'

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
  /** The factor for facts that raise the risk of a new name: they act together. */
  readonly recentTrust: number
}

const OF_FACTS = { registered: 0, expires: 0, mail: 0, servers: 0, addresses: 0, certificate: 0, unregistered: 0 }

/** Log-odds of the facts, by the signal that reports them. */
export type FactWorths = Record<keyof typeof OF_FACTS, number>
export const NO_FACT_WORTHS: Readonly<FactWorths> = OF_FACTS
export const WORTH_KEYS = Object.keys(OF_FACTS) as (keyof FactWorths)[]

export type FactTables = Readonly<ReturnType<typeof createFactTables>>

export function nameBin(logOdds: number): number {
  return binOf(logOdds, EDGES.name)
}

const NEW_DAYS = 180
const OLD_DAYS = 730

/** How new a name is: 1 until half a year, 0 from two years, and between them a curve by the logarithm of its age. */
export function youthOf(ageDays: number): number {
  return Math.max(0, Math.min(1, Math.log(OLD_DAYS / Math.max(1, ageDays)) / Math.log(OLD_DAYS / NEW_DAYS)))
}

/** Within this sum, the trust in facts that raise the risk grows from 1: no fact makes the score jump. */
const FULL_TRUST_SUM = 0.03

/** The middle of each bin of ages, as logarithms of days. Between two middles a table is interpolated. */
const AGE_MIDDLES = Array.from({ length: SIZES.age }, (_, at) => {
  const from = EDGES.age[at - 1]
  const to = EDGES.age[at]
  return Math.log(from === undefined ? 15 : to === undefined ? 5000 : Math.sqrt(from * to))
})

/** A value for each bin of ages, as a curve over the age. It falls if the values fall. */
function onCurve(ageDays: number, valueAt: (bin: number) => number): number {
  const age = Math.log(Math.max(1, ageDays))
  let at = 0
  while (at < AGE_MIDDLES.length && age >= (AGE_MIDDLES[at] as number)) at++
  if (at === 0) return valueAt(0)
  if (at === AGE_MIDDLES.length) return valueAt(at - 1)
  const from = AGE_MIDDLES[at - 1] as number
  const share = (age - from) / ((AGE_MIDDLES[at] as number) - from)
  return (1 - share) * valueAt(at - 1) + share * valueAt(at)
}

export function createFactTables({ tables, recentTrust }: FactTablesFile) {
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
    /** `nameLogOdds`: the log-odds of everything known without facts. `mailFactor`: how many times mail facts count. */
    assess({ bins, ageDays = 0 }: Pick<FactReading, 'bins' | 'ageDays'>, nameLogOdds: number, mailFactor = 1) {
      const name = nameBin(nameLogOdds)
      const isAged = bins.age >= 0
      const youth = isAged ? youthOf(ageDays) : 0
      // A younger name never has a lower price than an older one with the same facts.
      const priceFrom = (bin: number) => {
        let price = Number.NEGATIVE_INFINITY
        for (let at = bin; at < SIZES.age; at++) {
          const era = ERA_OF_AGE[at] as number
          price = Math.max(price, age(at) + eraName(era, name) + eraMail(era, bins.mail) + eraSpot(era, bins.spot))
        }
        return price
      }
      const registered = (isAged ? onCurve(ageDays, priceFrom) : 0) + period(bins.period)
      const worths: FactWorths = {
        // The age of a new name never lowers the risk.
        registered: registered + youth * Math.max(0, -registered),
        expires: left(bins.left),
        mail: mailFactor * (mail(bins.mail) + mailName(bins.mail, name)),
        servers: servers(bins.servers),
        addresses: place(bins.place) + spotName(bins.spot, name),
        certificate: 0,
        unregistered: 0,
      }
      const share = 1 + (recentTrust - 1) * youth * Math.max(0, Math.min(1, sumOf(worths) / FULL_TRUST_SUM))
      for (const key of WORTH_KEYS) worths[key] *= share
      // If the age is the only known fact of a new name, it also stands for the missing facts.
      if (isAged && bins.place < 0 && bins.mail < 0) {
        worths.registered += youth * Math.max(0, onCurve(ageDays, alone) - sumOf(worths))
      }
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
