import type { Snapshot } from '../snapshot/types.ts'
import { intelligenceOf } from './coverage.ts'
import { EngineUnavailable, type EvaluationSet, type RiskEngine } from './engine.ts'
import { listBy, workOnList } from './list.ts'
import type { Models } from './model/models.ts'
import { readTexts } from './request.ts'
import { createScorer, type Scorer } from './score.ts'

/** Whoever holds the snapshot to answer from. It may change between two calls; one call sees one snapshot. */
export interface SnapshotSource<S extends Snapshot = Snapshot> {
  current(): S | undefined
}

export interface LocalEngine extends RiskEngine {
  evaluateNow(...args: Parameters<RiskEngine['evaluate']>): EvaluationSet
}

/** Answers in this process and in one go: fit for the few indicators of an ordinary request. */
export function createLocalEngine(options: {
  readonly snapshots: SnapshotSource
  readonly models: Models
}): LocalEngine {
  let scorer: Scorer | undefined
  let scored: Snapshot | undefined

  function scorerFor(snapshot: Snapshot): Scorer {
    if (scorer === undefined || scored !== snapshot) {
      scorer = createScorer(snapshot, options.models)
      scored = snapshot
    }
    return scorer
  }

  const evaluateNow: LocalEngine['evaluateNow'] = (kind, indicators, evaluateOptions) => {
    const snapshot = requireSnapshot(options.snapshots)
    const scoring = scorerFor(snapshot)
    return { evaluations: scoring.evaluate(kind, indicators, evaluateOptions), ...scoring.background(kind) }
  }

  return {
    evaluateNow,
    evaluate: async (kind, indicators, evaluateOptions) => evaluateNow(kind, indicators, evaluateOptions),
    openList: async (kind, body) => {
      const texts = readTexts(kind, body)
      const scorerNow = () => scorerFor(requireSnapshot(options.snapshots))
      return listBy((task) => workOnList({ kind, texts, task }, scorerNow))
    },
    intelligence: async () => {
      const snapshot = options.snapshots.current()
      return snapshot ? intelligenceOf(snapshot) : undefined
    },
    close: async () => {},
  }
}

export function requireSnapshot<S extends Snapshot>(snapshots: SnapshotSource<S>): S {
  const snapshot = snapshots.current()
  if (!snapshot) throw new EngineUnavailable('No intelligence is loaded yet.', { retryAfterSeconds: 5 })
  return snapshot
}
