import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostParts } from '../src/lib/domain.ts'
import type { CalibrationFile } from '../src/risk/calibration.ts'
import { type LexicalModelFile, SUFFIX_LOG_ODDS, type Versus } from '../src/risk/model/lexical.ts'
import { GROUPS } from '../src/risk/weights.ts'
import type { Group } from './fit-data.ts'

/**
 * What is fitted on one half of the labelled sets, chosen by hash: a handful of numbers that say how far the models are
 * to be trusted on names of later months. `npm run evaluate` measures on the other half.
 */
export function isCalibrationHalf(domain: string): boolean {
  let hash = 7
  for (let i = 0; i < domain.length; i++) hash = (Math.imul(hash, 31) + domain.charCodeAt(i)) | 0
  return ((hash ^ (hash >>> 11)) & 1) === 0
}

export interface CalibrationName {
  readonly domain: string
  readonly group: Group
  readonly stratum: string
}

const SETS: readonly (readonly [file: string, group: Group])[] = [
  ['domains_bad.csv', 'bad'],
  ['domains_good.csv', 'established'],
  ['domains_fresh.csv', 'fresh'],
]

export function readCalibrationNames(data: string): CalibrationName[] {
  return SETS.flatMap(([file, group]) => {
    const [head = '', ...lines] = readFileSync(join(data, 'labelled', file), 'utf8')
      .trimEnd()
      .split('\n')
    const stratumAt = head.split(',').indexOf('stratum')
    return lines.flatMap((line) => {
      const cells = line.split(',')
      const domain = cells[0] ?? ''
      if (!isCalibrationHalf(domain) || hostParts(domain).registrable === undefined) return []
      return [{ domain, group, stratum: cells[stratumAt] ?? '' }]
    })
  })
}

/** What people ask about: of 25 names, twelve long established, ten new, three bad. */
export const MIXTURE: Readonly<Record<Group, number>> = { established: 0.48, fresh: 0.4, bad: 0.12 }

/** Weights under which the rows are mixed as people ask, the strata of fresh names evenly. */
export function mixtureWeights(rows: readonly { readonly group: Group; readonly stratum: string }[]): number[] {
  const cell = ({ group, stratum }: { group: Group; stratum: string }) =>
    group === 'fresh' ? `fresh ${stratum}` : group
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(cell(row), (counts.get(cell(row)) ?? 0) + 1)
  const freshStrata = [...counts.keys()].filter((name) => name.startsWith('fresh ')).length
  return rows.map((row) => {
    const share = MIXTURE[row.group] / (row.group === 'fresh' ? freshStrata : 1)
    return share / (counts.get(cell(row)) as number)
  })
}

export interface WordingRow {
  readonly name: Versus
  readonly suffix: Versus
  /** Log-odds of everything else the service sees, the base included. */
  readonly rest: number
  readonly bad: boolean
  readonly weight: number
}

export type Trust = Pick<LexicalModelFile, 'trust' | 'freshShare' | 'slope' | 'centre'>

const START = [1, 1.4, 1.2, 1.8, 0.7, 0]

/**
 * The share of new names among the honest ones, set by policy. A smaller one tells fraud from established names better
 * and takes more of what is new for fraud.
 */
const FRESH_SHARE = 0.35

/** Maximum likelihood by a pattern search: six numbers, each moved as long as that helps. */
export function fitTrust(rows: readonly WordingRow[]): { readonly trust: Trust; readonly loss: number } {
  let best = [...START]
  let loss = lossOf(best, rows)
  for (let step = 0.4; step > 0.02; ) {
    let improved = false
    for (let at = 0; at < best.length; at++) {
      for (const direction of [1, -1]) {
        const tried = [...best]
        tried[at] = (tried[at] as number) + direction * step
        const triedLoss = lossOf(tried, rows)
        if (triedLoss < loss - 1e-6) {
          best = tried
          loss = triedLoss
          improved = true
        }
      }
    }
    if (!improved) step /= 2
  }
  const rounded = (value: number | undefined) => Math.round((value ?? 0) * 1000) / 1000
  const [nameFresh, suffixFresh, nameEstablished, suffixEstablished, slope, centre] = best
  return {
    trust: {
      trust: {
        name: { fresh: rounded(nameFresh), established: rounded(nameEstablished) },
        suffix: { fresh: rounded(suffixFresh), established: rounded(suffixEstablished) },
      },
      freshShare: FRESH_SHARE,
      slope: rounded(slope),
      centre: rounded(centre),
    },
    loss,
  }
}

function lossOf(parameters: readonly number[], rows: readonly WordingRow[]): number {
  const [nf = 0, sf = 0, ne = 0, se = 0, slope = 0, centre = 0] = parameters
  const mixed = (fresh: number, established: number) =>
    -slope * Math.log(FRESH_SHARE * Math.exp(-fresh) + (1 - FRESH_SHARE) * Math.exp(-established)) - centre
  let loss = 0
  for (const { name, suffix, rest, bad, weight } of rows) {
    const fresh = nf * name.fresh
    const established = ne * name.established
    const byName = mixed(fresh, established)
    const bySuffix = mixed(fresh + sf * suffix.fresh, established + se * suffix.established) - byName
    const wording = byName + Math.max(SUFFIX_LOG_ODDS.min, Math.min(SUFFIX_LOG_ODDS.max, bySuffix))
    const odds = rest + Math.max(GROUPS.wording.min, Math.min(GROUPS.wording.max, wording))
    loss += weight * Math.log1p(Math.exp(bad ? -odds : odds))
  }
  return loss
}

const BINS = 14

/** Knots from rows sorted into bins of equal weight; the share of bad rises from bin to bin (pool adjacent violators). */
export function fitCalibration(
  rows: readonly { readonly logOdds: number; readonly bad: boolean; readonly weight: number }[],
): CalibrationFile {
  const sorted = [...rows].sort((a, b) => a.logOdds - b.logOdds)
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const bins: { weight: number; bad: number; logOdds: number }[] = []
  let seen = 0
  for (const { logOdds, bad, weight } of sorted) {
    // More bins towards the top, where few names decide who is high.
    const at = Math.min(BINS - 1, Math.floor(BINS * (seen / total) ** 2.5))
    seen += weight
    bins[at] ??= { weight: 0, bad: 0, logOdds: 0 }
    const bin = bins[at] as { weight: number; bad: number; logOdds: number }
    bin.weight += weight
    bin.logOdds += weight * logOdds
    if (bad) bin.bad += weight
  }
  const pooled: typeof bins = []
  for (const bin of bins.filter((item) => item !== undefined)) {
    pooled.push(bin)
    for (;;) {
      const last = pooled.at(-1)
      const before = pooled.at(-2)
      if (!last || !before || last.bad / last.weight > before.bad / before.weight) break
      pooled.splice(-2, 2, {
        weight: before.weight + last.weight,
        bad: before.bad + last.bad,
        logOdds: before.logOdds + last.logOdds,
      })
    }
  }
  const knots = pooled.map(({ weight, bad, logOdds }) => {
    const share = Math.min(0.985, Math.max(0.008, bad / weight))
    return [round(logOdds / weight), round(Math.log(share / (1 - share)))] as const
  })
  return {
    knots: knots.filter(
      ([from, to], i) => i === 0 || (from > (knots[i - 1]?.[0] ?? 0) && to > (knots[i - 1]?.[1] ?? 0)),
    ),
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
