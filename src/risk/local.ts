import { type Clock, systemClock } from '../lib/clock.ts'
import { NOBODY } from '../lib/fair-shares.ts'
import type { Kind } from '../lib/kinds.ts'
import { type Maybe, thenSync } from '../lib/maybe.ts'
import type { FactSource, Facts, FactsAnswer } from '../live/facts.ts'
import type { Snapshot } from '../snapshot/types.ts'
import { intelligenceOf } from './coverage.ts'
import { EngineUnavailable, type EvaluateOptions, type EvaluationSet, type RiskEngine } from './engine.ts'
import { reportFacts } from './facts-report.ts'
import { type Indicator, lookedUp } from './indicator.ts'
import { type ListStep, listBy, readFactTexts, withLive, workOnList } from './list.ts'
import type { Models } from './model/load.ts'
import type { OwnIndexes } from './own/indexes.ts'
import type { OwnIndex } from './own/own-index.ts'
import { readRecords } from './request.ts'
import { createScorer, type Scorer } from './score.ts'

/** Holds the current snapshot. It may change between two calls; one call uses one snapshot. */
export interface SnapshotSource<S extends Snapshot = Snapshot> {
  current(): S | undefined
}

export interface LocalEngineOptions {
  readonly snapshots: SnapshotSource
  readonly models: Models
  readonly clock?: Pick<Clock, 'now'> | undefined
  readonly facts?: FactSource | undefined
  readonly own?: OwnIndexes | undefined
}

/** Answers in this process, synchronously: for the few indicators of an ordinary request. */
export function createLocalEngine(options: LocalEngineOptions): RiskEngine {
  const { clock = systemClock, facts: source, own: indexes } = options
  let scorer: Scorer | undefined
  let scored: Snapshot | undefined

  function scorerFor(snapshot: Snapshot): Scorer {
    if (scorer === undefined || scored !== snapshot) {
      scorer = createScorer(snapshot, options.models)
      scored = snapshot
    }
    return scorer
  }

  function evaluate(
    kind: Kind,
    indicators: readonly Indicator[],
    { explain }: EvaluateOptions,
    found: readonly FactsAnswer<Facts>[] | undefined,
    own: OwnIndex | undefined,
  ): EvaluationSet {
    const snapshot = requireSnapshot(options.snapshots)
    const scoring = scorerFor(snapshot)
    const facts = found?.map((one) => one.facts)
    const how = facts || own ? { explain, facts, nowMs: clock.now(), own } : { explain }
    const evaluations = scoring.evaluate(kind, indicators, how)
    const background = scoring.background(kind)
    return {
      evaluations: explain
        ? evaluations.map((one, i) => ({ ...one, facts: reportFacts(indicators[i]!, facts?.[i] ?? {}, snapshot) }))
        : evaluations,
      ...(found ? withLive(background, joined(found)) : background),
    }
  }

  function ownOf({ own, organisationId }: EvaluateOptions): Maybe<OwnIndex | undefined> {
    return own ?? (indexes && organisationId !== undefined ? indexes.find(organisationId) : undefined)
  }

  return {
    evaluate(kind, indicators, evaluateOptions) {
      const withFacts = (found: readonly FactsAnswer<Facts>[] | undefined) =>
        thenSync(ownOf(evaluateOptions), (own) => evaluate(kind, indicators, evaluateOptions, found, own))
      if (!source?.isOn() || evaluateOptions.lookUp === false) return withFacts(undefined)
      const { organisationId = NOBODY } = evaluateOptions
      const found = indicators.map((indicator) => source.about(kind, lookedUp(indicator), organisationId))
      // Usually all facts are cached, and there is no wait.
      const known = found.every((one) => !(one instanceof Promise))
        ? (found as FactsAnswer<Facts>[])
        : Promise.all(found)
      return thenSync(known, withFacts)
    },
    openList: async (kind, body, { organisationId }) => {
      const records = readRecords(kind, body)
      const scorerNow = () => scorerFor(requireSnapshot(options.snapshots))
      const work = ({ task, facts, own }: ListStep) =>
        workOnList({ kind, records, task, facts: facts && readFactTexts(facts), nowMs: clock.now(), own }, scorerNow)
      return listBy(work, { kind, organisationId, facts: source, own: indexes })
    },
    intelligence: async () => {
      const snapshot = options.snapshots.current()
      return snapshot ? intelligenceOf(snapshot) : undefined
    },
    close: async () => {},
  }
}

/** Complete only if no fact is missing for any of them. */
function joined(found: readonly FactsAnswer<Facts>[]): Omit<FactsAnswer<Facts>, 'facts'> {
  const [first, ...others] = found
  if (others.length === 0 && first) return first
  const status = first && others.every((one) => one.status === first.status) ? first.status : 'partial'
  const heldBack = [...new Set(found.flatMap((one) => one.heldBack ?? []))]
  return { status, heldBack: heldBack.length > 0 ? heldBack : undefined }
}

export function requireSnapshot<S extends Snapshot>(snapshots: SnapshotSource<S>): S {
  const snapshot = snapshots.current()
  if (!snapshot) throw new EngineUnavailable('No intelligence is loaded yet.', { retryAfterSeconds: 5 })
  return snapshot
}
