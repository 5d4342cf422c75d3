import { combinedLogOdds } from '../combine.ts'
import { hasTag } from '../look-up/evidence.ts'
import type { LookedUp } from '../look-up/look-up.ts'
import type { LiveDomain } from '../look-up/subject.ts'
import type { SignalCode } from '../signals/all.ts'
import type { Detected } from '../signals/detected.ts'
import type { Finding } from '../signals/signal.ts'
import { DOMAIN_PRICES } from './domain.ts'
import { EMAIL_PRICES } from './email.ts'
import type { FactWorths } from './fact-tables.ts'
import { factWorths, LIVE_PRICES, NO_FACT_WORTHS, type WithoutFacts } from './facts.ts'
import { ECHO, GROUPS, IMITATIONS, INTERACTS_FROM, LURES } from './groups.ts'
import { IP_PRICES } from './ip.ts'
import type { Price } from './price.ts'

/** Prices a fit can know come from model/weights.json, which tools/fit.ts writes; policy sets the others, with the reason. */
const PRICES: Readonly<Record<SignalCode, Price<never>>> = {
  ...DOMAIN_PRICES,
  ...EMAIL_PRICES,
  ...IP_PRICES,
  ...LIVE_PRICES,
}

/** The number of signals there are: no indicator has more, so that memory for as many holds every worth. */
export const SIGNALS_MAX = Object.keys(PRICES).length

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

/** The log-odds of one finding. `Prices` made sure that the signal's table knows all variants of its findings. */
export function priceOf(code: SignalCode, finding: Finding<string>, facts = NO_FACT_WORTHS): number {
  return (PRICES[code] as Price)(finding, facts)
}

/** Findings of one signal echo each other: the strongest counts whole, the next in part, and so on. */
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
  let stands = false
  let listed = false
  let claimed = false
  for (const { code, group, findings } of detected) {
    const worth = priceOf(code, findings[0] as Finding<string>)
    if (group === 'listing') listed = true
    else if (group === 'standing') stands ||= worth < 0
    else if (GROUPS[group].role === 'claim') claimed ||= worth > 0
    else if (IMITATIONS.has(code)) imitates ||= worth >= INTERACTS_FROM
    else if (LURES.has(code)) lures = true
  }
  return { logOdds: logOddsWithoutFacts(detected), imitates, lures, stands, listed, claimed }
}
