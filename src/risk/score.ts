import type { Kind } from '../lib/kinds.ts'
import type { Facts } from '../live/facts.ts'
import type { Snapshot } from '../snapshot/types.ts'
import { combine, combinedScore } from './combine.ts'
import { backgroundOf, knowledgeOf } from './coverage.ts'
import { decideOf } from './decide.ts'
import type { Background, EvaluateOptions, Evaluation, SignalReport } from './engine.ts'
import type { Indicator } from './indicator.ts'
import { createLookUp } from './look-up/look-up.ts'
import { type Models, taughtBy } from './model/load.ts'
import { lookUpOwn, type OwnSubject } from './own/look-up.ts'
import { counterpartyOf, imitatedBy, report, shortName } from './report.ts'
import { type Detected, detect, detectEach, type MailboxSignals, REASSURING_NAME } from './signals/detect.ts'
import { OWN_SIGNALS } from './signals/own.ts'
import { SIGNALS_MAX } from './weights/prices.ts'
import { weigh } from './weights/weigh.ts'

/** From an indicator to a score in four steps, each called once: look up, signals, weights, combine. */

export interface ScorerOptions extends EvaluateOptions {
  /** Omits the summary in words, which a list does not show. */
  readonly signalsOnly?: boolean
  /** The facts of each indicator, in order; undefined for an indicator without look-ups. */
  readonly facts?: readonly (Facts | undefined)[] | undefined
  /** The reference time for ages and expiry; default: when the facts were seen, and nothing has expired. */
  readonly nowMs?: number
}

/** Scores indicators against one snapshot: pure, synchronous, one answer for the same indicator and facts. */
export interface Scorer {
  evaluate(kind: Kind, indicators: readonly Indicator[], options: ScorerOptions): Evaluation[]
  background(kind: Kind): Background
}

const NO_SIGNALS: readonly SignalReport[] = []

export function createScorer(snapshot: Snapshot, fitted: Models): Scorer {
  const lookUp = createLookUp<MailboxSignals>(snapshot, taughtBy(snapshot, fitted))
  const worths = new Float64Array(SIGNALS_MAX)
  const backgrounds: Record<Kind, Background> = {
    email: backgroundOf(snapshot, 'email'),
    domain: backgroundOf(snapshot, 'domain'),
    ip: backgroundOf(snapshot, 'ip'),
  }
  const sourceNames = new Map(snapshot.info.sources.map(({ id, name }) => [id, shortName(name)]))
  const nameOf = (source: string) => sourceNames.get(source) ?? source

  return {
    background: (kind) => backgrounds[kind],
    evaluate(kind, indicators, { explain, signalsOnly = false, facts, nowMs, own }) {
      const decide = own && explain ? decideOf(own) : undefined
      return indicators.map((indicator, i) => {
        const found = lookUp(indicator, facts?.[i], nowMs)
        const ownSubject = own && lookUpOwn(own, indicator, found, nowMs ?? 0)
        const detected = ownSubject ? withOwn(ownSubject, detect(found)) : detect(found)
        weigh(detected, found, worths)
        if (!explain) return { score: combinedScore(detected, worths), signals: NO_SIGNALS }
        const combination = combine(detected, worths)
        const { score } = combination
        const reasons = report(combination, nameOf)
        const signals = reasons.map((reason) => reason.report)
        const counterparty = counterpartyOf(ownSubject)
        const decision = decide?.({ kind, score, signals })
        const dealt = { ...(counterparty && { counterparty }), ...(decision && { decision }) }
        if (signalsOnly) return { score, signals, ...dealt }
        const knowledge = knowledgeOf(reasons, score, kind, backgrounds[kind].coverage)
        return { score, signals, ...knowledge, resembles: imitatedBy(combination), ...dealt }
      })
    },
  }
}

/** The organisation's own knowledge first. An imitation of its counterparty gets no credit for an ordinary name. */
function withOwn(subject: OwnSubject, others: readonly Detected[]): readonly Detected[] {
  const imitates = subject.resemblance !== undefined && subject.resemblance.degree !== 'namesake'
  const counted = imitates ? others.filter(({ code }) => !REASSURING_NAME.has(code)) : others
  return [...detectEach(OWN_SIGNALS, subject), ...counted]
}
