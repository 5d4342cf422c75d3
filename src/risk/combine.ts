import { type Calibration, createCalibration } from './calibration.ts'
import fitted from './model/weights.json' with { type: 'json' }
import type { Finding, Group } from './signal.ts'
import type { SignalCode } from './signals/all.ts'
import { BASE_LOG_ODDS, ECHO, FLOORS, GROUPS, INTERACTIONS, INTERACTS_FROM, type Role, worthOf } from './weights.ts'

/**
 * How worths add up to a score.
 *
 * 1. Within one signal the findings are sorted by worth, and each further one counts ECHO of the one before.
 * 2. Within one group the strongest signal that raises the risk counts whole, the others count the group's echo, and
 *    the sum is cut to the group's limits.
 * 3. Named interactions add what two signals say only together.
 * 4. Facts that lower the risk answer for suspicion by name, wording and place. A listing they leave as it is: a site
 *    that was broken into is old and has mail, too.
 * 5. Log-odds = base + max(floor, accusations + standing) + claims. Standing answers for accusations; it never cancels
 *    a claim: a popular throw-away mailbox is still a throw-away mailbox.
 * 6. One calibration turns log-odds into 0–100.
 * 7. Effects are the straight-line (Aumann–Shapley) share of each signal in score - base score, in whole points whose
 *    sum with the base score is exactly the score.
 */

export interface Detected {
  readonly code: SignalCode
  readonly group: Group
  readonly findings: readonly Finding[]
}

export interface Contribution {
  readonly detected: Detected
  /** Log-odds after echoes, limits, interactions and the floor. */
  readonly logOdds: number
}

export interface Combination {
  readonly score: number
  /** In the order detected. */
  readonly contributions: readonly Contribution[]
}

export function combine(detected: readonly Detected[]): Combination {
  const total = addUp(detected)
  return {
    score: scoreOf(total),
    contributions: detected.map((item, i) => ({ detected: item, logOdds: WORTHS[i] as number })),
  }
}

/** The score alone, where nobody asked for the reasons. */
export function combinedScore(detected: readonly Detected[]): number {
  return detected.length === 0 ? BASE_SCORE : scoreOf(addUp(detected))
}

/** Log-odds before calibration. For fitting. */
export function combinedLogOdds(detected: readonly Detected[]): number {
  return addUp(detected)
}

const NAMES = Object.keys(GROUPS) as Group[]
const AT = Object.fromEntries(NAMES.map((group, i) => [group, i])) as Record<Group, number>
const LIVE = AT.live
const MIN = Float64Array.from(NAMES, (group) => GROUPS[group].min)
const MAX = Float64Array.from(NAMES, (group) => GROUPS[group].max)
const ECHOES = Float64Array.from(NAMES, (group) => GROUPS[group].echo)
const ROLES: readonly Role[] = NAMES.map((group) => GROUPS[group].role)

// Written by addUp and read by combine at once: no allocation for the many scores nobody asks to explain.
const WORTHS = new Float64Array(64)
const GROUP_OF = new Uint8Array(64)
const SUMS = new Float64Array(NAMES.length)
const STRONGEST = new Float64Array(NAMES.length)

/** The log-odds of all that was detected, the base included. Leaves the share of each signal in WORTHS. */
function addUp(detected: readonly Detected[]): number {
  addGroups(detected)
  interact(detected)
  if ((SUMS[LIVE] as number) < 0) keepListings(detected)
  let raised = 0
  let lowered = 0
  let claimed = 0
  for (let i = 0; i < detected.length; i++) {
    const worth = WORTHS[i] as number
    if (ROLES[GROUP_OF[i] as number] === 'claim') claimed += worth
    else if (worth > 0) raised += worth
    else lowered += worth
  }
  const floor = claimed > 0 ? FLOORS.claimed : FLOORS.unclaimed
  if (raised + lowered >= floor || lowered === 0) return BASE_LOG_ODDS + raised + lowered + claimed
  // The floor takes the same share from everything that lowers the risk.
  const kept = Math.min(1, Math.max(0, (floor - raised) / lowered))
  for (let i = 0; i < detected.length; i++) {
    if ((WORTHS[i] as number) < 0) WORTHS[i] = (WORTHS[i] as number) * kept
  }
  return BASE_LOG_ODDS + raised + kept * lowered + claimed
}

/** Where a list accuses, facts take away what is suspected besides, and no more. */
function keepListings(detected: readonly Detected[]): void {
  let listed = 0
  let suspected = 0
  let lowered = 0
  for (let i = 0; i < detected.length; i++) {
    const { group } = detected[i] as Detected
    const worth = WORTHS[i] as number
    if (group === 'live') lowered += worth
    else if (worth <= 0) continue
    else if (group === 'listing') listed += worth
    else if (ROLES[AT[group]] === 'accusation') suspected += worth
  }
  if (listed === 0 || lowered + suspected >= 0) return
  const kept = suspected / -lowered
  for (let i = 0; i < detected.length; i++) {
    if ((detected[i] as Detected).group === 'live') WORTHS[i] = (WORTHS[i] as number) * kept
  }
}

/** Worths of signals, echoed and cut to the limits of their group. */
function addGroups(detected: readonly Detected[]): void {
  SUMS.fill(0)
  STRONGEST.fill(0)
  for (let i = 0; i < detected.length; i++) {
    const item = detected[i] as Detected
    const worth = signalWorth(item)
    const at = AT[item.group]
    WORTHS[i] = worth
    GROUP_OF[i] = at
    if (worth > (STRONGEST[at] as number)) STRONGEST[at] = worth
  }
  for (let i = 0; i < detected.length; i++) {
    const at = GROUP_OF[i] as number
    const worth = WORTHS[i] as number
    // The strongest that raises the risk counts whole, once; what lowers it counts whole always.
    if (worth > 0 && worth === STRONGEST[at]) STRONGEST[at] = Number.POSITIVE_INFINITY
    else if (worth > 0) WORTHS[i] = worth * (ECHOES[at] as number)
    SUMS[at] = (SUMS[at] as number) + (WORTHS[i] as number)
  }
  for (let i = 0; i < detected.length; i++) {
    const at = GROUP_OF[i] as number
    const sum = SUMS[at] as number
    const cut = sum > (MAX[at] as number) ? (MAX[at] as number) : sum < (MIN[at] as number) ? (MIN[at] as number) : sum
    // A limit takes the same share from every signal of the group.
    if (cut !== sum) WORTHS[i] = ((WORTHS[i] as number) * cut) / sum
  }
}

/** What signals say only together is shared evenly between them. */
function interact(detected: readonly Detected[]): void {
  if (detected.length < 2) return
  for (const { first, second, adds } of INTERACTIONS) {
    const a = indexOf(detected, first, INTERACTS_FROM)
    if (a < 0) continue
    const b = indexOf(detected, second, 0)
    if (b < 0) continue
    WORTHS[a] = (WORTHS[a] as number) + adds / 2
    WORTHS[b] = (WORTHS[b] as number) + adds / 2
  }
}

function indexOf(detected: readonly Detected[], codes: ReadonlySet<string>, above: number): number {
  for (let i = 0; i < detected.length; i++) {
    if ((WORTHS[i] as number) > above && codes.has((detected[i] as Detected).code)) return i
  }
  return -1
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

const calibration: Calibration = createCalibration(fitted.calibration)

export function scoreOf(logOdds: number): number {
  return Math.round(calibration.points(logOdds))
}

/** The score of an indicator nothing is known about. */
export const BASE_SCORE = scoreOf(BASE_LOG_ODDS)

/** Whole points per contribution; with BASE_SCORE they add up to the score. */
export function effectsOf({ score, contributions }: Combination): number[] {
  const total = contributions.reduce((sum, { logOdds }) => sum + logOdds, 0)
  // Where the signals cancel out there is no way to share; the slope at the base is its limit.
  const way = Math.abs(total) < 1e-9 ? 1e-6 : total
  const slope = (calibration.points(BASE_LOG_ODDS + way) - calibration.points(BASE_LOG_ODDS)) / way
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
