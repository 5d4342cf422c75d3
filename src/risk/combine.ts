import fitted from './model/weights.json' with { type: 'json' }
import type { Detected } from './signals/detect.ts'
import type { Group } from './signals/signal.ts'
import { DECIDING, FLOORS, GROUPS, INTERACTIONS, INTERACTS_FROM, MEDIUM_AT_LEAST, type Role } from './weights/groups.ts'
import { BASE_LOG_ODDS } from './weights/price.ts'
import { SIGNALS_MAX } from './weights/prices.ts'

/**
 * Step 4 of 4. The worths of the signals add up to a score. They come in one array, in the order of the signals, and
 * are changed in place: no allocation for the many scores without explanation.
 * 1. Within one group the strongest signal that raises the risk counts whole, the others count the group's echo, and
 *    the sum is cut to the group's limits.
 * 2. Named interactions add log-odds for two signals that occur together.
 * 3. Facts that lower the risk offset suspicion by name, wording and place. They do not offset a listing: a hacked site
 *    is old and has mail, too.
 * 4. Log-odds = base + max(floor, accusations + standing) + claims. Standing offsets accusations; it never cancels a
 *    claim: a popular throw-away mailbox is still a throw-away mailbox.
 * 5. Knowledge of the organisation itself decides: signals that point the other way count nothing, or `medium` is the
 *    least. Its signals are first in the list.
 * 6. One calibration turns log-odds into 0–100.
 * 7. Effects are the straight-line (Aumann–Shapley) share of each signal in score - base score, in whole points whose
 *    sum with the base score is exactly the score.
 */

export interface Contribution {
  readonly detected: Detected
  /** Log-odds after echoes, limits, interactions and the floor. */
  readonly logOdds: number
}

export interface Combination {
  readonly score: number
  readonly contributions: readonly Contribution[]
}

export function combine(detected: readonly Detected[], worths: Float64Array): Combination {
  const total = combinedLogOdds(detected, worths)
  return {
    score: scoreOf(total),
    contributions: detected.map((item, i) => ({ detected: item, logOdds: worths[i] as number })),
  }
}

export function combinedScore(detected: readonly Detected[], worths: Float64Array): number {
  return detected.length === 0 ? BASE_SCORE : scoreOf(combinedLogOdds(detected, worths))
}

const NAMES = Object.keys(GROUPS) as Group[]
const AT = Object.fromEntries(NAMES.map((group, i) => [group, i])) as Record<Group, number>
const LIVE = AT.live
const MIN = Float64Array.from(NAMES, (group) => GROUPS[group].min)
const MAX = Float64Array.from(NAMES, (group) => GROUPS[group].max)
const ECHOES = Float64Array.from(NAMES, (group) => GROUPS[group].echo)
const ROLES: readonly Role[] = NAMES.map((group) => GROUPS[group].role)

// Scratch memory: a score is calculated synchronously. GROUP_OF has the group of each signal by number.
const GROUP_OF = new Uint8Array(SIGNALS_MAX)
const SUMS = new Float64Array(NAMES.length)
const STRONGEST = new Float64Array(NAMES.length)

/** The log-odds of all detected signals, including the base. Leaves the share of each signal in `worths`. */
export function combinedLogOdds(detected: readonly Detected[], worths: Float64Array): number {
  if (!detected[0]?.code.startsWith('own.')) return sumOf(detected, worths)
  const decision = detected.find(({ code }) => DECIDING.has(code))
  const direction = decision === undefined ? 0 : (DECIDING.get(decision.code) ?? 0)
  // A known counterparty may be hacked: knowing it offsets suspicion, and no listing.
  const isListed = direction === 0 && detected.some(({ group }) => group === 'listing')
  for (let i = 0; i < detected.length; i++) {
    if ((worths[i] as number) * direction < 0) worths[i] = 0
    else if (isListed && detected[i]?.code === 'own.counterparty') worths[i] = 0
  }
  const total = sumOf(detected, worths)
  const floor = detected.findIndex(({ code }, i) => MEDIUM_AT_LEAST.has(code) && (worths[i] as number) > 0)
  if (floor < 0 || total >= MEDIUM_LOG_ODDS) return total
  worths[floor] = (worths[floor] as number) + MEDIUM_LOG_ODDS - total
  return MEDIUM_LOG_ODDS
}

function sumOf(detected: readonly Detected[], worths: Float64Array): number {
  addGroups(detected, worths)
  interact(detected, worths)
  if ((SUMS[LIVE] as number) < 0) keepListings(detected, worths)
  let raised = 0
  let lowered = 0
  let claimed = 0
  for (let i = 0; i < detected.length; i++) {
    const worth = worths[i] as number
    if (ROLES[GROUP_OF[i] as number] === 'claim') claimed += worth
    else if (worth > 0) raised += worth
    else lowered += worth
  }
  const floor = claimed > 0 ? FLOORS.claimed : FLOORS.unclaimed
  if (raised + lowered >= floor || lowered === 0) return BASE_LOG_ODDS + raised + lowered + claimed
  // The floor takes the same share from every signal that lowers the risk.
  const kept = Math.min(1, Math.max(0, (floor - raised) / lowered))
  for (let i = 0; i < detected.length; i++) {
    if ((worths[i] as number) < 0) worths[i] = (worths[i] as number) * kept
  }
  return BASE_LOG_ODDS + raised + kept * lowered + claimed
}

/** If a list accuses, facts cancel the other suspicions and no more. */
function keepListings(detected: readonly Detected[], worths: Float64Array): void {
  let listed = 0
  let suspected = 0
  let lowered = 0
  for (let i = 0; i < detected.length; i++) {
    const { group } = detected[i] as Detected
    const worth = worths[i] as number
    if (group === 'live') lowered += worth
    else if (worth <= 0) continue
    else if (group === 'listing') listed += worth
    else if (ROLES[AT[group]] === 'accusation') suspected += worth
  }
  if (listed === 0 || lowered + suspected >= 0) return
  const kept = suspected / -lowered
  for (let i = 0; i < detected.length; i++) {
    if ((detected[i] as Detected).group === 'live') worths[i] = (worths[i] as number) * kept
  }
}

function addGroups(detected: readonly Detected[], worths: Float64Array): void {
  for (let at = 0; at < SUMS.length; at++) {
    SUMS[at] = 0
    STRONGEST[at] = 0
  }
  for (let i = 0; i < detected.length; i++) {
    const worth = worths[i] as number
    const at = AT[(detected[i] as Detected).group]
    GROUP_OF[i] = at
    if (worth > (STRONGEST[at] as number)) STRONGEST[at] = worth
  }
  for (let i = 0; i < detected.length; i++) {
    const at = GROUP_OF[i] as number
    const worth = worths[i] as number
    // The strongest signal that raises the risk counts whole, once; a signal that lowers it always counts whole.
    if (worth > 0 && worth === STRONGEST[at]) STRONGEST[at] = Number.POSITIVE_INFINITY
    else if (worth > 0) worths[i] = worth * (ECHOES[at] as number)
    SUMS[at] = (SUMS[at] as number) + (worths[i] as number)
  }
  for (let i = 0; i < detected.length; i++) {
    const at = GROUP_OF[i] as number
    const sum = SUMS[at] as number
    const cut = sum > (MAX[at] as number) ? (MAX[at] as number) : sum < (MIN[at] as number) ? (MIN[at] as number) : sum
    // A limit takes the same share from every signal of the group.
    if (cut !== sum) worths[i] = ((worths[i] as number) * cut) / sum
  }
}

/** An interaction of two signals is shared evenly between them. */
function interact(detected: readonly Detected[], worths: Float64Array): void {
  if (detected.length < 2) return
  for (const { first, second, adds } of INTERACTIONS) {
    const a = indexOf(detected, worths, first, INTERACTS_FROM)
    if (a < 0) continue
    const b = indexOf(detected, worths, second, 0)
    if (b < 0) continue
    worths[a] = (worths[a] as number) + adds / 2
    worths[b] = (worths[b] as number) + adds / 2
  }
}

function indexOf(detected: readonly Detected[], worths: Float64Array, codes: ReadonlySet<string>, above: number) {
  for (let i = 0; i < detected.length; i++) {
    if ((worths[i] as number) > above && codes.has((detected[i] as Detected).code)) return i
  }
  return -1
}

const pointsOf = createCalibration(fitted.calibration)

export function scoreOf(logOdds: number): number {
  return Math.round(pointsOf(logOdds))
}

/** The log-odds of a score that is clearly medium. */
const MEDIUM_LOG_ODDS = logOddsOf(40)

function logOddsOf(points: number): number {
  let [low, high] = [-10, 10]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (pointsOf(middle) < points) low = middle
    else high = middle
  }
  return high
}

export const BASE_SCORE = scoreOf(BASE_LOG_ODDS)

/** Whole points per contribution; with BASE_SCORE they add up to the score. */
export function effectsOf({ score, contributions }: Combination): number[] {
  const total = contributions.reduce((sum, { logOdds }) => sum + logOdds, 0)
  // If the signals cancel out, the effect cannot be shared by total; the slope at the base is the limit.
  const way = Math.abs(total) < 1e-9 ? 1e-6 : total
  const slope = (pointsOf(BASE_LOG_ODDS + way) - pointsOf(BASE_LOG_ODDS)) / way
  const exact = contributions.map(({ logOdds }) => logOdds * slope)
  const effects = exact.map((value) => Math.round(value) + 0)
  let rest = score - BASE_SCORE - effects.reduce((sum, value) => sum + value, 0)
  // Rounding left a few points over: they go to the largest rounding errors, never to a signal without effect.
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

export type CalibrationFile = { readonly knots: readonly (readonly number[])[] }

/**
 * From log-odds to 0–100: a score is the share of bad ones in a hundred with this score, in the mixture of established,
 * new and bad names that people check. The knots are fitted (lab/fit-calibration.ts); between them the log-odds are
 * interpolated linearly, beyond them shifted by as much as at the last knot. Both numbers of a knot rise.
 */
export function createCalibration({ knots }: CalibrationFile) {
  const from = Float64Array.from(knots, ([given]) => given ?? 0)
  const to = Float64Array.from(knots, ([, worth]) => worth ?? 0)
  const last = from.length - 1
  const moved = (logOdds: number) => {
    if (last < 0) return logOdds
    if (logOdds <= (from[0] as number)) return logOdds - (from[0] as number) + (to[0] as number)
    if (logOdds >= (from[last] as number)) return logOdds - (from[last] as number) + (to[last] as number)
    let at = 1
    while (logOdds > (from[at] as number)) at++
    const share = (logOdds - (from[at - 1] as number)) / ((from[at] as number) - (from[at - 1] as number))
    return (to[at - 1] as number) + share * ((to[at] as number) - (to[at - 1] as number))
  }
  return (logOdds: number) => 100 / (1 + Math.exp(-moved(logOdds)))
}
