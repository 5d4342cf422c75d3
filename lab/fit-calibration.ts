import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostParts } from '../src/lib/domain.ts'
import type { CalibrationFile } from '../src/risk/combine.ts'
import { BASE_LOG_ODDS } from '../src/risk/weights/price.ts'
import type { Group } from './fit-data.ts'

/**
 * The judge of names and the calibration are fitted on one half of the labelled sets, chosen by hash. `npm run evaluate`
 * measures on the other half.
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

/** Shares of all names, and of the fresh ones by sort of ending. */
type Mixture = Readonly<Record<Group, number>> & { readonly endings: Readonly<Record<string, number>> }
/** The names that people ask about. Set by policy. */
export const MIXTURE: Mixture = {
  established: 0.718,
  fresh: 0.225,
  bad: 0.057,
  endings: { fresh_com: 0.5, fresh_cheap_gtld: 0.25, fresh_other_gtld: 0.1, fresh_net_org: 0.08, fresh_cctld: 0.07 },
}
/**
 * The mixtures that the judges are fitted on: the judge without lists to learn from, and the one with lists. Fresh names are
 * like fraud in most that a judge is told, and where they weigh as much as people ask about them it hardly learns what
 * established ones are like. The calibration decides what the numbers of a judge mean. A cheap ending alone is no alarm, so
 * honest names under those weigh more than people ask about them. They weigh less with lists, which tell them from fraud
 * under the same endings.
 */
export const JUDGE_MIXTURES: Readonly<Record<'alone' | 'learnt', Mixture>> = {
  alone: {
    established: 0.843,
    fresh: 0.113,
    bad: 0.0437,
    endings: {
      fresh_com: 0.47,
      fresh_cheap_gtld: 0.31,
      fresh_other_gtld: 0.09,
      fresh_net_org: 0.09,
      fresh_cctld: 0.05,
    },
  },
  learnt: {
    established: 0.843,
    fresh: 0.113,
    bad: 0.0437,
    endings: {
      fresh_com: 0.47,
      fresh_cheap_gtld: 0.28,
      fresh_other_gtld: 0.06,
      fresh_net_org: 0.07,
      fresh_cctld: 0.05,
    },
  },
}

/** Weights under which the rows are mixed so. */
export function mixtureWeights(
  rows: readonly { readonly group: Group; readonly stratum: string }[],
  mixture: Mixture,
): number[] {
  const cell = ({ group, stratum }: { group: Group; stratum: string }) => (group === 'fresh' ? stratum : group)
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(cell(row), (counts.get(cell(row)) ?? 0) + 1)
  return rows.map((row) => {
    const share = mixture[row.group] * (row.group === 'fresh' ? (mixture.endings[row.stratum] ?? 0) : 1)
    return share / (counts.get(cell(row)) as number)
  })
}

// Where the curve is measured. Between and beyond them it is straight.
const MEDIUM_LOG_ODDS = -0.85
const NEAR_HIGH_LOG_ODDS = 0.7
const KNOTS = [-4.5, -3, BASE_LOG_ODDS, MEDIUM_LOG_ODDS, 0, NEAR_HIGH_LOG_ODDS, 1.5]
// Prices set by policy aim at `medium` or at `high`: a fit of names must not move those under addresses, mailboxes and facts.
const PINNED: ReadonlyMap<number, number> = new Map([
  [BASE_LOG_ODDS, BASE_LOG_ODDS],
  [MEDIUM_LOG_ODDS, MEDIUM_LOG_ODDS],
  [NEAR_HIGH_LOG_ODDS, 0.66],
])
const REACH = 0.8
// A curve that is flat somewhere would give different names the same score. Above `medium` few names lie, and what they show
// wavers from one half of the sets to the other: there it keeps closer to the log-odds themselves.
const SLOPE_MIN = { below: 0.6, above: 0.8 }

/** At each knot the share of bad among the names near it, in log-odds; nearer ones count more. */
export function fitCalibration(
  rows: readonly { readonly logOdds: number; readonly bad: boolean; readonly weight: number }[],
): CalibrationFile {
  let before: readonly [number, number] | undefined
  return {
    knots: KNOTS.map((knot, i) => {
      // The outermost ones stand for everything beyond them.
      const far = (logOdds: number) =>
        (i === 0 && logOdds < knot) || (i === KNOTS.length - 1 && logOdds > knot) ? 0 : Math.abs(logOdds - knot)
      let bad = 1e-4
      let all = 1e-3
      let offset = 0
      for (const row of rows) {
        const near = row.weight * Math.max(0, 1 - far(row.logOdds) / REACH)
        all += near
        offset += near * (row.logOdds - knot)
        if (row.bad) bad += near
      }
      // The names near a knot lie mostly on one side of it: the share belongs to where they are.
      const share = bad / all
      const measured = Math.log(share / (1 - share)) - offset / all
      const least = before
        ? before[1] + SLOPE_MIN[knot > MEDIUM_LOG_ODDS ? 'above' : 'below'] * (knot - before[0])
        : Number.NEGATIVE_INFINITY
      before = [knot, PINNED.get(knot) ?? round(Math.max(least, measured))]
      return before
    }),
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
