import { combinedLogOdds } from '../combine.ts'
import { hasTag } from '../look-up/evidence.ts'
import type { LiveDomain, LookedUp } from '../look-up/look-up.ts'
import type { Detected } from '../signals/detect.ts'
import type { Finding } from '../signals/signal.ts'
import { type FactWorths, NO_FACT_WORTHS } from './fact-tables.ts'
import { factWorths, type WithoutFacts } from './facts.ts'
import { ECHO, GROUPS, IMITATIONS, INTERACTS_FROM, LURES } from './groups.ts'
import { priceOf } from './prices.ts'

/** Step 3 of 4. Writes the log-odds of each detected signal to `worths`. */
export function weigh(detected: readonly Detected[], found: LookedUp<unknown>, worths: Float64Array): void {
  // Facts are priced together, by the log-odds of the name without them.
  const facts =
    found.live === undefined || found.kind === 'ip' || !detected.some(({ group }) => group === 'live')
      ? NO_FACT_WORTHS
      : worthsOfFacts(detected, found.live, found.kind === 'email')
  weighEach(detected, facts, worths)
}

function weighEach(detected: readonly Detected[], facts: Readonly<FactWorths>, worths: Float64Array): void {
  for (let i = 0; i < detected.length; i++) worths[i] = worthOf(detected[i] as Detected, facts)
}

/** Findings of one signal overlap: the strongest counts whole, the next in part, and so on. */
function worthOf({ code, findings }: Detected, facts: Readonly<FactWorths>): number {
  if (findings.length === 1) return priceOf(code, findings[0] as Finding<string>, facts)
  const prices = findings.map((finding) => priceOf(code, finding, facts)).sort((a, b) => Math.abs(b) - Math.abs(a))
  let sum = 0
  let share = 1
  for (const each of prices) {
    sum += each * share
    share *= ECHO
  }
  return sum
}

/** The log-odds of signals without facts, before they are combined. */
export function weighWithoutFacts(detected: readonly Detected[]): Float64Array {
  const worths = new Float64Array(detected.length)
  weighEach(detected, NO_FACT_WORTHS, worths)
  return worths
}

/** The log-odds of signals together, without facts. */
export function logOddsWithoutFacts(detected: readonly Detected[]): number {
  return combinedLogOdds(detected, weighWithoutFacts(detected))
}

function worthsOfFacts(detected: readonly Detected[], live: LiveDomain, isMailbox: boolean): Readonly<FactWorths> {
  const { subject, reading, facts } = live
  const ofName = detected.filter(({ code, isFact }) => !isFact && code.startsWith('domain.'))
  const isIdle = reading.isIdle || hasTag(subject.own, 'parked')
  return factWorths(reading, withoutFacts(ofName), { isMailbox, dmarc: facts.zone?.dmarc, isIdle })
}

function withoutFacts(detected: readonly Detected[]): WithoutFacts {
  let imitates = false
  let lures = false
  let resembles = false
  let stands = false
  let listed = false
  let claimed = false
  for (const { code, group, findings } of detected) {
    const worth = priceOf(code, findings[0] as Finding<string>)
    if (group === 'listing') listed = true
    else if (group === 'standing') stands ||= worth < 0
    else if (GROUPS[group].role === 'claim') claimed ||= worth > 0
    else if (IMITATIONS.has(code)) {
      imitates ||= worth >= INTERACTS_FROM
      resembles ||= code === 'domain.lookalike' && worth > 0
    } else if (LURES.has(code)) lures = true
  }
  return { logOdds: logOddsWithoutFacts(detected), imitates, lures, resembles, stands, listed, claimed }
}
