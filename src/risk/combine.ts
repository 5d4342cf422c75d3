import type { Finding, Group } from './signal.ts'
import type { SignalCode } from './signals/all.ts'
import {
  BASE_LOG_ODDS,
  ECHO,
  GROUP_ECHO,
  GROUP_MAX,
  GROUP_MIN,
  NAME_ECHO,
  STANDING_BELOW_BASE,
  STANDING_CANCELS,
  worthOf,
} from './weights.ts'

/**
 * How worths add up to a score.
 *
 * 1. Within one signal the findings are sorted by worth and each further one counts ECHO of the one before.
 * 2. Within one group the strongest signal counts whole, others that raise the risk in part (GROUP_ECHO), and the
 *    sum is cut to GROUP_MIN..GROUP_MAX.
 * 3. Where both the name and its wording raise the risk, the weaker of the two counts NAME_ECHO.
 * 4. Good standing cancels what listings, name, hosting and network say, and beyond that takes off at most
 *    STANDING_BELOW_BASE: being popular does not make a throw-away mailbox a lasting one.
 * 5. score = 100 / (1 + e^-(base + sum)), rounded to an integer.
 * 6. Effects are the straight-line (Aumann–Shapley) share of each signal in score - base score, in whole points
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
  const total = addUp(detected)
  const contributions = detected.map((item, i) => {
    const at = GROUP_AT[item.group]
    const sum = SUMS[at] as number
    // A cap takes the same share from every signal of the group.
    return { detected: item, logOdds: sum === 0 ? 0 : ((WORTHS[i] as number) * (CAPPED[at] as number)) / sum }
  })
  return { score: scoreOf(total), contributions }
}

/** The score alone, where nobody asked for the reasons. */
export function combinedScore(detected: readonly Detected[]): number {
  return detected.length === 0 ? BASE_SCORE : scoreOf(addUp(detected))
}

const GROUPS = Object.keys(GROUP_MAX) as Group[]
const GROUP_AT = Object.fromEntries(GROUPS.map((group, i) => [group, i])) as Record<Group, number>
const MAX = Float64Array.from(GROUPS, (group) => GROUP_MAX[group])
const ECHOES = Float64Array.from(GROUPS, (group) => GROUP_ECHO[group])
const MIN = Float64Array.from(GROUPS, (group) => GROUP_MIN[group])
const STANDING = GROUP_AT.standing
const NAME = GROUP_AT.name
const WORDING = GROUP_AT.wording
const KNOWN = [GROUP_AT.mailbox, GROUP_AT.person, GROUP_AT.anonymity]
const CANCELLED = STANDING_CANCELS.map((group) => GROUP_AT[group])

// Written by addUp and read by combine at once: no allocation for the many scores nobody asks to explain.
const SUMS = new Float64Array(GROUPS.length)
const CAPPED = new Float64Array(GROUPS.length)
const STRONGEST = new Float64Array(GROUPS.length)
const WORTHS = new Float64Array(64)

const NAME_LEADS_FROM = 0.8

/** The log-odds of all that was detected, the base included. */
function addUp(detected: readonly Detected[]): number {
  SUMS.fill(0)
  STRONGEST.fill(0)
  for (let i = 0; i < detected.length; i++) {
    const item = detected[i] as Detected
    const worth = signalWorth(item)
    const at = GROUP_AT[item.group]
    WORTHS[i] = worth
    if (worth > (STRONGEST[at] as number)) STRONGEST[at] = worth
  }
  for (let i = 0; i < detected.length; i++) {
    const at = GROUP_AT[(detected[i] as Detected).group]
    const worth = WORTHS[i] as number
    // The strongest that raises the risk counts whole, once; what lowers it counts whole always.
    if (worth > 0 && worth === STRONGEST[at]) STRONGEST[at] = Number.POSITIVE_INFINITY
    else if (worth > 0) WORTHS[i] = worth * (ECHOES[at] as number)
    SUMS[at] = (SUMS[at] as number) + (WORTHS[i] as number)
  }
  let total = BASE_LOG_ODDS
  for (let at = 0; at < GROUPS.length; at++) {
    const sum = SUMS[at] as number
    const capped =
      sum > (MAX[at] as number) ? (MAX[at] as number) : sum < (MIN[at] as number) ? (MIN[at] as number) : sum
    CAPPED[at] = capped
    total += capped
  }
  const name = CAPPED[NAME] as number
  const wording = CAPPED[WORDING] as number
  if (name > 0 && wording > 0) {
    // At nearly equal worth the imitation leads: it is the reason a reader understands.
    const weaker = name < NAME_LEADS_FROM * wording ? NAME : WORDING
    const taken = (1 - NAME_ECHO) * (CAPPED[weaker] as number)
    CAPPED[weaker] = (CAPPED[weaker] as number) - taken
    total -= taken
  }
  const standing = CAPPED[STANDING] as number
  let accused = 0
  for (const at of CANCELLED) accused += CAPPED[at] as number
  if (standing < 0) {
    const kept = Math.max(standing, STANDING_BELOW_BASE - Math.max(0, accused))
    CAPPED[STANDING] = kept
    total += kept - standing
  }
  let known = 0
  for (const at of KNOWN) known += CAPPED[at] as number
  const lowered = accused + (CAPPED[STANDING] as number)
  if (known > 0 && lowered < STANDING_BELOW_BASE && accused < 0) {
    // Only wording can be below nothing here, so that it is what gives way; standing then adds nothing to it.
    const wordingKept = Math.max(CAPPED[WORDING] as number, STANDING_BELOW_BASE)
    total += wordingKept - (CAPPED[WORDING] as number) - (CAPPED[STANDING] as number)
    CAPPED[WORDING] = wordingKept
    CAPPED[STANDING] = 0
  }
  return total
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
