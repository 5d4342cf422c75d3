import type { Kind } from '../lib/kinds.ts'
import type { Indicator } from './indicator.ts'

/**
 * The engine port: indicators in, scores out. local.ts answers in this process, worker.ts on threads that share
 * the snapshot, remote.ts asks an `assayd engine` over HTTP. None of them knows what an answer costs.
 */
export type Level = 'low' | 'medium' | 'high'

/** The level is always derived from the score, never set apart from it. */
export const LEVEL_FLOORS = { low: 0, medium: 30, high: 70 } as const satisfies Record<Level, number>

export function levelOf(score: number): Level {
  if (score >= LEVEL_FLOORS.high) return 'high'
  return score >= LEVEL_FLOORS.medium ? 'medium' : 'low'
}

/** One reason for a score, as `explain` shows it. */
export interface SignalReport {
  /** Stable code, such as `ip.tor_exit`. */
  readonly code: string
  /** A sentence a buyer understands; may change between releases. */
  readonly description: string
  /** Points this signal moved the score by: positive raises the risk, negative lowers it. */
  readonly effect: number
  /** Id of the source the evidence came from; `model` or `rules` where it was worked out here. */
  readonly source: string
  /** RFC 3339, or null where the evidence has no date. */
  readonly first_seen: string | null
  readonly last_seen: string | null
}

export interface Evaluation {
  readonly score: number
  /** Filled only when asked for. */
  readonly signals: readonly SignalReport[]
}

export interface IntelligenceInfo {
  readonly version: string
  /** RFC 3339. */
  readonly built_at: string
}

export interface EvaluateOptions {
  readonly explain: boolean
}

export interface EvaluationSet {
  /** One per indicator, in order. */
  readonly evaluations: readonly Evaluation[]
  /** The snapshot they all came from. */
  readonly intelligence: IntelligenceInfo
}

export interface InvalidRecord {
  readonly index: number
  readonly code: string
  readonly detail: string
}

export interface InvalidRecords {
  readonly count: number
  /** The first hundred. */
  readonly first: readonly InvalidRecord[]
}

export interface ListOptions {
  /** Whose list it is, by a name that is always the same for the same one: who has much waiting delays only their own. */
  readonly organisationId: string
  /** About how many records it has, as far as that can be told without parsing it. */
  readonly records: number
}

/** The records of a bulk request, each read. To be closed when it is done with. */
export interface List {
  readonly length: number
  /** Undefined when every record is valid. */
  readonly invalid: InvalidRecords | undefined
  /** The results of a valid list as JSON, one for each record in order, with commas between them. */
  evaluate(options: EvaluateOptions): Promise<string>
  close(): void
}

/** Every call rejects with EngineUnavailable when the engine cannot answer, and with EngineBusy when it has no room. */
export interface RiskEngine {
  /** The few indicators of an ordinary request. */
  evaluate(kind: Kind, indicators: readonly Indicator[], options: EvaluateOptions): Promise<EvaluationSet>
  /**
   * Reads the body of a bulk request, which nobody may change afterwards; nothing is evaluated yet. Rejects with a Problem
   * where it holds no list.
   */
  openList(kind: Kind, body: Buffer, options: ListOptions): Promise<List>
  /** Undefined while no intelligence is loaded or the engine cannot be reached. */
  intelligence(): Promise<IntelligenceInfo | undefined>
  close(): Promise<void>
}

export class EngineUnavailable extends Error {
  readonly retryAfterSeconds: number
  constructor(message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'EngineUnavailable'
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1
  }
}

/** The engine works, but this one has to come back: too much is waiting already. */
export class EngineBusy extends Error {
  /** With whose work it is busy: the organisation has its whole share waiting, or everybody together fill the queue. */
  readonly of: 'organisation' | 'everybody'
  /** How many records may wait. */
  readonly recordsMax: number
  constructor(of: EngineBusy['of'], recordsMax: number) {
    super(`more than ${recordsMax} records of ${of === 'organisation' ? 'one organisation' : 'all'} would wait`)
    this.name = 'EngineBusy'
    this.of = of
    this.recordsMax = recordsMax
  }
}
