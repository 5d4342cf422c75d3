import type { Family, Kind } from '../lib/kinds.ts'
import type { Maybe } from '../lib/maybe.ts'
import type { HeldBack } from '../live/facts.ts'
import type { FactsReport } from './facts-report.ts'
import type { Indicator } from './indicator.ts'
import type { KnownCounterparty } from './own/knowledge.ts'
import type { OwnIndex } from './own/own-index.ts'

// The engine port: it turns indicators into scores. local.ts answers in this process, worker.ts on threads that share
// the snapshot, remote.ts asks an `assayd engine` over HTTP. None of them knows what an answer costs.
export type Level = 'low' | 'medium' | 'high'

/** The level is always derived from the score, never set separately. */
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
  /** The signal's effect on the score in points: positive raises the risk, negative lowers it. */
  readonly effect: number
  /** Id of the source of the evidence; `model` or `rules` if calculated here, `own` by what the organisation knows, `rdap`, `dns` or `tls` if looked up. */
  readonly source: string
  /** RFC 3339, or null if the evidence has no date. */
  readonly first_seen: string | null
  readonly last_seen: string | null
}

// The sources' knowledge about an indicator. The look of its name or address is no knowledge: a name that only looks
// like fraud is `nothing` known. `neutral` describes it, such as a free mailbox; `not_public` has nothing to check.
export const KNOWN = ['good', 'bad', 'mixed', 'neutral', 'nothing', 'not_public'] as const
export type Known = (typeof KNOWN)[number]

export interface Evaluation {
  readonly score: number
  /** Filled only on request, like the three below. */
  readonly signals: readonly SignalReport[]
  readonly known?: Known
  /** The knowledge in one or two sentences; may change between releases. */
  readonly summary?: string
  /** The real names that this one may be mistaken for. Only for a single check, like the facts. */
  readonly resembles?: readonly string[]
  readonly facts?: FactsReport
  /** The counterparty of the organisation that the indicator belongs to, or may be mistaken for. */
  readonly counterparty?: CounterpartyReport
  /** By the first of the organisation's decision rules that matches. */
  readonly decision?: Decision
}

export const OUTCOMES = ['approve', 'review', 'stop'] as const

export interface Decision {
  readonly outcome: (typeof OUTCOMES)[number]
  /** The name of the rule. */
  readonly rule: string
  /** For the clerk. */
  readonly text: string
}

/** How an indicator relates to a counterparty. */
export const RELATIONS = {
  domain: 'its domain, or a name below it',
  email: 'its address',
  new_mailbox: 'a mailbox on its domain that the register does not have',
  network: 'inside its network',
  lookalike: 'easily mistaken for its domain',
  possible_lookalike: 'close to its domain',
  namesake: 'has its name, which others may have too',
  claimed_name: 'a free mailbox that carries its name',
} as const

export interface CounterpartyReport extends Omit<KnownCounterparty, 'domains' | 'emails' | 'networks'> {
  readonly relation: keyof typeof RELATIONS
}

export interface IntelligenceInfo {
  readonly version: string
  readonly built_at: string
}

/** Lists of one sort: their number, and the dates of the oldest and the newest. */
export interface ListsConsulted {
  /** `none`: no such list is loaded. `not_applicable`: such lists say nothing about this kind of indicator. */
  readonly status: 'consulted' | 'none' | 'not_applicable'
  readonly sources: number
  readonly oldest: string | null
  readonly newest: string | null
}

/** The sources consulted for indicators of one kind, and their age. */
export interface Coverage {
  /** Threat lists, descriptive lists, and lists of known good names. */
  readonly lists: ListsConsulted & { readonly threat_sources: number }
  /** The models of names and networks; `version` is the release that contains them. */
  readonly model: { readonly status: 'consulted' | 'not_applicable'; readonly version: string }
  readonly popularity: ListsConsulted
  /** Live look-ups: `partial` if some did not arrive in time, `off` if none were made; and why some were not made. */
  readonly live: { readonly status: 'complete' | 'partial' | 'off'; readonly held_back?: readonly HeldBack[] }
}

/** The common basis of all answers of one call. */
export interface Background {
  /** The starting score: the base score plus the effects of the signals is the score. */
  readonly base_score: number
  readonly coverage: Coverage
  readonly intelligence: IntelligenceInfo
}

export interface EvaluateOptions {
  readonly explain: boolean
  /** False: no facts are looked up or used, even cached ones. Only for the few indicators of `evaluate`. */
  readonly lookUp?: boolean
  /** Whose share of the look-ups is used; absent if an API node of an earlier release asks. */
  readonly organisationId?: string | undefined
  /** The organisation's knowledge; default: looked up by its id, if this engine can. */
  readonly own?: OwnIndex | undefined
}

export interface EvaluationSet extends Background {
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
  /** A stable name of the list's organisation: a long queue delays only its own organisation. */
  readonly organisationId: string
  /** The approximate number of records, estimated without parsing. */
  readonly records: number
  /** The engine has already read the list for this request: it was admitted then, and is not refused now. */
  readonly readBefore?: boolean
}

/** The parsed records of a bulk request. Close it after use. */
export interface List {
  readonly length: number
  /** Undefined when every record is valid. */
  readonly invalid: InvalidRecords | undefined
  evaluate(options: EvaluateOptions): Promise<EvaluatedList>
  close(): void
}

/** Every call fails with EngineUnavailable when the engine cannot answer, with EngineBusy when its queue is full. */
export interface RiskEngine {
  /** Synchronous when the engine is in this process and every fact is known. */
  evaluate(kind: Kind, indicators: readonly Indicator[], options: EvaluateOptions): Maybe<EvaluationSet>
  /** Parses the body, which must not change afterwards; evaluates nothing yet. Without a list it is a Problem. */
  openList(kind: Kind, body: Buffer, options: ListOptions): Promise<List>
  /** Undefined while no intelligence is loaded or the engine cannot be reached. */
  intelligence(): Promise<IntelligenceInfo | undefined>
  /** Slices of lists in the queue for a thread; absent if there is no queue here. */
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

/** The engine works, but its queue is full: the caller has to retry later. */
export class EngineBusy extends Error {
  /** The full queue: the organisation's own share, or the queue of all organisations. */
  readonly of: 'organisation' | 'everybody'
  readonly recordsMax: number
  constructor(of: EngineBusy['of'], recordsMax: number) {
    super(`more than ${recordsMax} records of ${of === 'organisation' ? 'one organisation' : 'all'} would wait`)
    this.name = 'EngineBusy'
    this.of = of
    this.recordsMax = recordsMax
  }
}

/** The action for a level, by family: the sentence `explain` gives as `recommended_action`. */
export const RECOMMENDED_ACTIONS: Readonly<Record<Family, Readonly<Record<Level, string>>>> = {
  'payment-risk': {
    high: 'escalate and verify independently before paying',
    medium: 'review payee and payment context',
    low: 'proceed under normal payment controls',
  },
  'supply-chain-risk': {
    high: 'escalate supplier for further due diligence',
    medium: 'review supplier before onboarding or transacting',
    low: 'proceed under normal supplier controls',
  },
  'infrastructure-risk': {
    high: 'escalate for investigation',
    medium: 'review infrastructure context and supporting evidence',
    low: 'proceed under normal infrastructure controls',
  },
}
