import type { Kind } from '../lib/kinds.ts'
import type { FactsReport } from './facts-report.ts'
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
  /** Id of the source the evidence came from; `model` or `rules` where it was worked out here, `rdap`, `dns` or `tls` where it was looked up. */
  readonly source: string
  /** RFC 3339, or null where the evidence has no date. */
  readonly first_seen: string | null
  readonly last_seen: string | null
}

/**
 * What the sources know about an indicator. How its name or address looks is no knowledge: a name that only looks like
 * fraud is `nothing` known. `neutral` describes it, such as a free mailbox; `not_public` has nothing to check.
 */
export const KNOWN = ['good', 'bad', 'mixed', 'neutral', 'nothing', 'not_public'] as const
export type Known = (typeof KNOWN)[number]

export interface Evaluation {
  readonly score: number
  /** Filled only when asked for, as the three below are. */
  readonly signals: readonly SignalReport[]
  readonly known?: Known
  /** The knowledge in one or two sentences; may change between releases. */
  readonly summary?: string
  /** The real names that this one may be taken for. Of a single check only, as the facts are. */
  readonly resembles?: readonly string[]
  readonly facts?: FactsReport
}

export interface IntelligenceInfo {
  readonly version: string
  /** RFC 3339. */
  readonly built_at: string
}

/** Lists of one sort: how many there are, and from when the oldest and the newest are. */
export interface ListsConsulted {
  /** `none`: no such list is loaded. `not_applicable`: such lists say nothing about this kind of indicator. */
  readonly status: 'consulted' | 'none' | 'not_applicable'
  readonly sources: number
  /** RFC 3339. */
  readonly oldest: string | null
  readonly newest: string | null
}

/** What is consulted about indicators of one kind, and how old it is. */
export interface Coverage {
  /** Threat lists, lists of what things are, and lists of what is known to be good. */
  readonly lists: ListsConsulted & {
    /** How many of them list threats. */
    readonly threat_sources: number
  }
  /** What was learnt beforehand about names and networks; `version` is the release that brought it. */
  readonly model: { readonly status: 'consulted' | 'not_applicable'; readonly version: string }
  readonly popularity: ListsConsulted
  /** Facts looked up at the time of the question: `partial` where some did not come in time, `off` where nobody looked. */
  readonly live: { readonly status: 'complete' | 'partial' | 'off' }
}

/** What all answers of one call rest on. */
export interface Background {
  /** Where every score starts: with the effects of its signals it adds up to the score. */
  readonly base_score: number
  readonly coverage: Coverage
  /** The snapshot they all came from. */
  readonly intelligence: IntelligenceInfo
}

export interface EvaluateOptions {
  readonly explain: boolean
  /** False: no facts are looked up or used, whatever is known. For the few indicators of `evaluate` only. */
  readonly lookUp?: boolean
}

export interface EvaluationSet extends Background {
  /** One per indicator, in order. */
  readonly evaluations: readonly Evaluation[]
}

export interface EvaluatedList extends Background {
  /** The results as JSON, one for each record in order, with commas between them. */
  readonly results: string
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
  /** The engine has read it for this very request before: it found room then, and is not turned away now. */
  readonly readBefore?: boolean
}

/** The records of a bulk request, each read. To be closed when it is done with. */
export interface List {
  readonly length: number
  /** Undefined when every record is valid. */
  readonly invalid: InvalidRecords | undefined
  /** For a list whose records are all valid. */
  evaluate(options: EvaluateOptions): Promise<EvaluatedList>
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
  /** Slices of lists that wait for a thread; absent where nothing waits here. */
  readonly waiting?: () => number
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
