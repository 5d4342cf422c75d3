import { combinedLogOdds } from '../src/risk/combine.ts'
import {
  type Bins,
  type LiveFile,
  nameBin,
  PAIRS,
  readFacts,
  SINGLES,
  SIZES,
  type Table,
} from '../src/risk/model/live.ts'
import type { Models } from '../src/risk/model/models.ts'
import { describeDomain } from '../src/risk/subject.ts'
import type { Snapshot } from '../src/snapshot/types.ts'
import { isJudged, OBSERVED_AT_MS, type Observed } from './evaluate-live.ts'
import { detectWithoutFacts } from './fit-wording.ts'

/**
 * Fits what live facts are worth: a sum of small tables, one for each fact and for some pairs, on top of what is known
 * without facts. Small steps in turn, each table held back towards 0, so that a rare bin says little.
 */

export interface Row {
  readonly bins: Bins & { readonly name: number }
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
  /** The tables are held back and honest rows weigh more: where facts raise the risk, they are trusted more often over. */
  readonly trust: LiveFile['trust']
}

const SETTINGS: Settings = {
  rounds: 60,
  step: 0.1,
  heldBack: { single: 2, pair: 8 },
  badShare: 0.3,
  trust: { raises: 3, lowers: 1 },
}

export function fitLive(
  observed: readonly Observed[],
  snapshots: readonly Snapshot[],
  models: Models,
): LiveFile & { readonly trained: string } {
  const chosen = observed.filter(({ registrable }) => !isJudged(registrable))
  return {
    trained: 'two registrable names in three of the observations (nesfit/domainradar-clf, 2023-10 to 2024-05), by hash',
    ...fitTables(snapshots.flatMap((snapshot) => chosen.flatMap((item) => rowOf(item, snapshot, models)))),
  }
}

export function fitTables(given: readonly Omit<Row, 'weight'>[], settings = SETTINGS): LiveFile {
  const rows = weighted(given, settings.badShare)
  const sums = Float64Array.from(rows, ({ logOdds }) => logOdds)
  const tables: Record<string, number[]> = {}
  const fitted = (names: readonly (readonly Table[])[]) => {
    const chosen = names.map((of) => ({
      of,
      values: new Array<number>(of.reduce((size, name) => size * SIZES[name], 1)).fill(0),
    }))
    for (let round = 0; round < settings.rounds; round++) {
      for (const table of chosen) improve(table, rows, sums, settings)
    }
    for (const { of, values } of chosen) tables[of.join('×')] = values.map((value) => Math.round(1000 * value) / 1000)
  }
  const usual = SINGLES.filter((name) => name !== 'certificate').map((name) => [name] as const)
  fitted([...usual, ...PAIRS])
  // The handshake is off by default: it adds to the others and takes nothing of theirs.
  fitted([['certificate']])
  return { trust: settings.trust, tables }
}

export function rowOf({ host, bad, facts }: Observed, snapshot: Snapshot, models: Models): Omit<Row, 'weight'>[] {
  const subject = describeDomain({ kind: 'domain', domain: host }, snapshot, models)
  // The facts of a platform say nothing about a customer's site there.
  if (subject.platform !== undefined) return []
  const logOdds = combinedLogOdds(detectWithoutFacts(subject))
  return [{ bins: { ...readFacts(facts, OBSERVED_AT_MS, false).bins, name: nameBin(logOdds) }, logOdds, bad }]
}

/** Bad rows so heavy that the log-odds without facts are neither too high nor too low in all, times their share. */
function weighted(rows: readonly Omit<Row, 'weight'>[], badShare: number): Row[] {
  let expected = 0
  let missing = 0
  for (const { logOdds, bad } of rows) {
    const share = 1 / (1 + Math.exp(-logOdds))
    if (bad) missing += 1 - share
    else expected += share
  }
  return rows.map((row) => ({ ...row, weight: row.bad ? (badShare * expected) / missing : 1 }))
}

function improve(
  { of, values }: { readonly of: readonly Table[]; readonly values: number[] },
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
