import { iso } from '../lib/time-text.ts'
import type { Snapshot } from '../snapshot/types.ts'
import { EngineUnavailable, type EvaluationSet, type IntelligenceInfo, type RiskEngine } from './engine.ts'
import type { Models } from './model/models.ts'
import { createScorer, type Scorer } from './score.ts'

/** Whoever holds the snapshot to answer from. It may change between two calls; one call sees one snapshot. */
export interface SnapshotSource<S extends Snapshot = Snapshot> {
  current(): S | undefined
}

/** Answers in this process. A batch is scored in one go: fit for the few indicators of an ordinary request. */
export function createLocalEngine(options: {
  readonly snapshots: SnapshotSource
  readonly models: Models
}): RiskEngine & { evaluateNow: RiskEngineNow } {
  let scorer: Scorer | undefined
  let scored: Snapshot | undefined

  function scorerFor(snapshot: Snapshot): Scorer {
    if (scorer === undefined || scored !== snapshot) {
      scorer = createScorer(snapshot, options.models)
      scored = snapshot
    }
    return scorer
  }

  const evaluateNow: RiskEngineNow = (kind, indicators, evaluateOptions) => {
    const snapshot = options.snapshots.current()
    if (!snapshot) throw new EngineUnavailable('No intelligence is loaded yet.', { retryAfterSeconds: 5 })
    const evaluations = scorerFor(snapshot).evaluate(kind, indicators, evaluateOptions)
    return { evaluations, intelligence: intelligenceOf(snapshot) }
  }

  return {
    evaluateNow,
    evaluate: async (kind, indicators, evaluateOptions) => evaluateNow(kind, indicators, evaluateOptions),
    intelligence: async () => {
      const snapshot = options.snapshots.current()
      return snapshot ? intelligenceOf(snapshot) : undefined
    },
    close: async () => {},
  }
}

export type RiskEngineNow = (...args: Parameters<RiskEngine['evaluate']>) => EvaluationSet

const infoBySnapshot = new WeakMap<Snapshot, IntelligenceInfo>()

export function intelligenceOf(snapshot: Snapshot): IntelligenceInfo {
  const known = infoBySnapshot.get(snapshot)
  if (known) return known
  const { version, builtAtMs } = snapshot.info
  const info = { version, built_at: iso(builtAtMs) }
  infoBySnapshot.set(snapshot, info)
  return info
}
