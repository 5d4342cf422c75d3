import type { Finding, Group } from './signal.ts'
import type { SignalCode } from './signals/all.ts'
import { BASE_LOG_ODDS, ECHO, GROUP_MAX, GROUP_MIN, STANDING_BELOW_BASE, STANDING_CANCELS, worthOf } from './weights.ts'

/**
 * How worths add up to a score.
 *
 * 1. Within one signal the findings are sorted by worth and each further one counts ECHO of the one before.
 * 2. Within one group the signals add up, cut to GROUP_MIN..GROUP_MAX.
 * 3. Good standing cancels what listings, name, hosting and network say, and beyond that takes off at most
 *    STANDING_BELOW_BASE: being popular does not make a throw-away mailbox a lasting one.
 * 4. score = 100 / (1 + e^-(base + sum)), rounded to an integer.
 * 5. Effects are the straight-line (Aumann–Shapley) share of each signal in score - base score, in whole points
 *    whose sum with the base score is exactly the score.
 */

export interface Detected {
  readonly code: SignalCode
  readonly group: Group
  readonly findings: readonly Finding[]
}

export interface Contribution {
  readonly detected: Detected
  /** Log-odds after echoes, caps and cancelling. */
  readonly logOdds: number
}

export interface Combination {
  readonly score: number
  /** In the order detected. */
  readonly contributions: readonly Contribution[]
}

export function combine(detected: readonly Detected[]): Combination {
  if (detected.length === 0) return { score: BASE_SCORE, contributions: [] }
  const raw = detected.map((item) => signalWorth(item))
  const sums = emptySums()
  detected.forEach(({ group }, i) => {
    sums[group] += raw[i] as number
  })
  const capped = emptySums()
  for (const group of GROUPS) capped[group] = Math.max(GROUP_MIN[group], Math.min(GROUP_MAX[group], sums[group]))
  if (capped.standing < 0) {
    let accused = 0
    for (const group of STANDING_CANCELS) accused += capped[group]
    capped.standing = Math.max(capped.standing, STANDING_BELOW_BASE - Math.max(0, accused))
  }
  let total = BASE_LOG_ODDS
  for (const group of GROUPS) total += capped[group]
  const contributions = detected.map((item, i) => {
    const sum = sums[item.group]
    // A cap takes the same share from every signal of the group.
    return { detected: item, logOdds: sum === 0 ? 0 : ((raw[i] as number) * capped[item.group]) / sum }
  })
  return { score: scoreOf(total), contributions }
}

/** Findings of one signal echo each other: the strongest counts whole, the next in part, and so on. */
function signalWorth({ code, findings }: Detected): number {
  if (findings.length === 1) return worthOf(code, findings[0] as Finding)
  const worths = findings.map((finding) => worthOf(code, finding)).sort((a, b) => Math.abs(b) - Math.abs(a))
  let sum = 0
  let share = 1
  for (const worth of worths) {
    sum += worth * share
    share *= ECHO
  }
  return sum
}

const GROUPS = Object.keys(GROUP_MAX) as Group[]

function emptySums(): Record<Group, number> {
  return {
    listing: 0,
    name: 0,
    hosting: 0,
    mailbox: 0,
    person: 0,
    anonymity: 0,
    network: 0,
    standing: 0,
    note: 0,
  }
}

function points(logOdds: number): number {
  return 100 / (1 + Math.exp(-logOdds))
}

export function scoreOf(logOdds: number): number {
  return Math.round(points(logOdds))
}

/** The score of an indicator nothing is known about. */
export const BASE_SCORE = scoreOf(BASE_LOG_ODDS)

/** Whole points per contribution; with BASE_SCORE they add up to the score. */
export function effectsOf({ score, contributions }: Combination): number[] {
  const total = contributions.reduce((sum, { logOdds }) => sum + logOdds, 0)
  const slope =
    Math.abs(total) < 1e-9
      ? (points(BASE_LOG_ODDS) * (100 - points(BASE_LOG_ODDS))) / 100
      : (points(BASE_LOG_ODDS + total) - points(BASE_LOG_ODDS)) / total
  const exact = contributions.map(({ logOdds }) => logOdds * slope)
  const effects = exact.map((value) => Math.round(value) + 0)
  let rest = score - BASE_SCORE - effects.reduce((sum, value) => sum + value, 0)
  // Rounding left a few points over: they go where the rounding error was largest, never to a signal worth nothing.
  const order = exact
    .map((value, i) => ({ i, error: value - (effects[i] as number), worth: Math.abs(value) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => (rest > 0 ? b.error - a.error : a.error - b.error) || b.worth - a.worth || a.i - b.i)
  for (let turn = 0; rest !== 0 && order.length > 0; turn++) {
    const { i } = order[turn % order.length] as { i: number }
    effects[i] = (effects[i] as number) + Math.sign(rest)
    rest -= Math.sign(rest)
  }
  return effects
}
