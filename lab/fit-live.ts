import { lookUpDomain } from '../src/risk/look-up/domain.ts'
import { type BinnedFact, type FactReading, readFacts, SIZES } from '../src/risk/look-up/fact-reading.ts'
import { type Models, taughtBy } from '../src/risk/model/load.ts'
import { type FactTablesFile, nameBin, PAIRS, SINGLES } from '../src/risk/weights/fact-tables.ts'
import { logOddsWithoutFacts } from '../src/risk/weights/weigh.ts'
import type { Snapshot } from '../src/snapshot/types.ts'
import { isJudged, OBSERVED_AT_MS, type Observed } from './evaluate-live.ts'
import { detectWithoutFacts } from './fit-wording.ts'

/**
 * Fits what live facts are worth: a sum of small tables, one for each fact and for some pairs, on top of what is known
 * without facts. Small steps in turn, each table held back towards 0, so that a rare bin says little.
 */

export interface Row {
  readonly registrable: string
  readonly bins: FactReading['bins'] & { readonly name: number }
  readonly logOdds: number
  readonly bad: boolean
  readonly weight: number
}

/** Chosen by cross-validation over the whole set of observations. */
export interface Settings {
  readonly rounds: number
  readonly step: number
  /** Held back as if so many rows without effect were in each bin. Pairs are rarer: chance has more room there. */
  readonly heldBack: { readonly single: number; readonly pair: number }
  /**
   * Bad rows weigh this part of what would make the scores without facts right on average: an honest name that is accused
   * costs more than a bad one that is missed.
   */
  readonly badShare: number
  /** The same where the age is all that was seen: nothing else speaks against a bad name then. */
  readonly badShareAlone: number
  /** The tables are held back and honest rows weigh more, which hides how much facts say together about a new name. */
  readonly recentTrust: number
}

const SETTINGS: Settings = {
  rounds: 60,
  step: 0.1,
  heldBack: { single: 1, pair: 20 },
  badShare: 0.35,
  badShareAlone: 0.6,
  recentTrust: 18,
}

export function fitLive(
  observed: readonly Observed[],
  snapshots: readonly Snapshot[],
  models: Models,
): FactTablesFile & { readonly trained: string } {
  const chosen = observed.filter(({ registrable }) => !isJudged(registrable))
  return {
    trained: 'two registrable names in three of the observations (nesfit/domainradar-clf, 2023-10 to 2024-05), by hash',
    ...fitTables(
      snapshots.flatMap((snapshot) => {
        const taught = taughtBy(snapshot, models)
        return chosen.flatMap((item) => rowOf(item, snapshot, taught))
      }),
    ),
  }
}

function fitTables(given: readonly Omit<Row, 'weight'>[], settings = SETTINGS): FactTablesFile {
  const rows = weighted(given, settings.badShare)
  const sums = Float64Array.from(rows, ({ logOdds }) => logOdds)
  const usual = SINGLES.filter((name) => name !== 'certificate').map((name) => [name] as const)
  const together = fitted([...usual, ...PAIRS], rows, sums, settings)
  // The handshake is off by default: it adds to the others and takes nothing of theirs.
  const handshake = fitted([['certificate']], rows, sums, settings)
  const fair = weighted(given, settings.badShareAlone)
  const [alone = []] = Object.values(
    fitted(
      [['age']],
      fair,
      Float64Array.from(fair, ({ logOdds }) => logOdds),
      settings,
    ),
  )
  return {
    recentTrust: settings.recentTrust,
    tables: { ...together, period: falling(together.period ?? []), ...handshake, alone: falling(alone) },
  }
}

/** No bin is worth less than a later one: nothing that grows with age raises the risk. */
function falling(values: readonly number[]): number[] {
  return values.map((_, at) => Math.max(...values.slice(at)))
}

/** Adds what the tables say to the sums. */
function fitted(
  names: readonly (readonly BinnedFact[])[],
  rows: readonly Row[],
  sums: Float64Array,
  settings: Settings,
): Record<string, number[]> {
  const tables = names.map((of) => ({
    of,
    values: new Array<number>(of.reduce((size, name) => size * SIZES[name], 1)).fill(0),
  }))
  for (let round = 0; round < settings.rounds; round++) {
    for (const table of tables) improve(table, rows, sums, settings)
  }
  const rounded = (value: number) => Math.round(1000 * value) / 1000
  return Object.fromEntries(tables.map(({ of, values }) => [of.join('×'), values.map(rounded)]))
}

function rowOf({ host, registrable, bad, facts }: Observed, snapshot: Snapshot, models: Models): Omit<Row, 'weight'>[] {
  const subject = lookUpDomain(host, snapshot, models)
  // The facts of a platform say nothing about a customer's site there.
  if (subject.platform !== undefined) return []
  const logOdds = logOddsWithoutFacts(detectWithoutFacts(subject))
  return [
    { registrable, bins: { ...readFacts(facts, OBSERVED_AT_MS, false).bins, name: nameBin(logOdds) }, logOdds, bad },
  ]
}

/**
 * Each registrable name weighs the same, however many of its hosts were seen. Bad ones weigh so much that the log-odds
 * without facts are neither too high nor too low in all, times their share.
 */
function weighted(rows: readonly Omit<Row, 'weight'>[], badShare: number): Row[] {
  const hosts = new Map<string, number>()
  for (const { registrable } of rows) hosts.set(registrable, (hosts.get(registrable) ?? 0) + 1)
  let expected = 0
  let missing = 0
  const own = rows.map(({ registrable, logOdds, bad }) => {
    const weight = 1 / (hosts.get(registrable) as number)
    const share = 1 / (1 + Math.exp(-logOdds))
    if (bad) missing += weight * (1 - share)
    else expected += weight * share
    return weight
  })
  return rows.map((row, i) => ({
    ...row,
    weight: (own[i] as number) * (row.bad ? (badShare * expected) / missing : 1),
  }))
}

function improve(
  { of, values }: { readonly of: readonly BinnedFact[]; readonly values: number[] },
  rows: readonly Row[],
  sums: Float64Array,
  settings: Settings,
): void {
  const [first = 'age', second] = of
  const places = rows.map(({ bins }) => {
    const at = bins[first]
    if (second === undefined) return at
    return at < 0 || bins[second] < 0 ? -1 : at * SIZES[second] + bins[second]
  })
  const slope = new Float64Array(values.length)
  const bend = new Float64Array(values.length).fill(1)
  rows.forEach(({ bad, weight }, i) => {
    const place = places[i] as number
    if (place < 0) return
    const share = 1 / (1 + Math.exp(-(sums[i] as number)))
    slope[place] = (slope[place] as number) + weight * ((bad ? 1 : 0) - share)
    bend[place] = (bend[place] as number) + weight * share * (1 - share)
  })
  const heldBack = second === undefined ? settings.heldBack.single : settings.heldBack.pair
  const steps = values.map(
    (value, at) => (settings.step * ((slope[at] as number) - heldBack * value)) / ((bend[at] as number) + heldBack),
  )
  for (let at = 0; at < values.length; at++) values[at] = (values[at] as number) + (steps[at] as number)
  places.forEach((place, i) => {
    if (place >= 0) sums[i] = (sums[i] as number) + (steps[place] as number)
  })
}
