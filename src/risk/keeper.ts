import type { CheckToKeep, ListToKeep, ToKeep } from '../lib/charge.ts'
import type { Kind } from '../lib/kinds.ts'
import type { Level, SignalReport } from './engine.ts'

/** Puts the checks of one request on record. The record itself knows nothing of engines, and the engine nothing of it. */
export interface Keeper {
  /** The id that the check will have. */
  readonly checkId: string
  /** `normal` is the indicator in normal form, `text` as `checkText` makes it. */
  keep(check: Omit<CheckToKeep, 'channel' | 'personId' | 'digest'>, normal: string, text: string): ToKeep<CheckToKeep>
  /** Compares with the last answer about the indicator, in normal form; undefined if none is on record. */
  changedSince(kind: Kind, normal: string, now: AnswerNow): Promise<ChangedSince | undefined>
  /** The results of a list (JSON, with commas between them), with `changed_since` where an indicator was checked before. */
  withChanges(kind: Kind, results: string): Promise<string>
  keepList(list: {
    readonly kind: Kind
    readonly intelligence: string
    /** The results as JSON, with commas between them. */
    readonly results: string
    /** JSON of the fields that the results share. */
    readonly shared: string
  }): Promise<ToKeep<ListToKeep>>
  /** The list is durable. */
  listKept(): void
}

export interface AnswerNow {
  readonly score: number
  readonly signals: readonly SignalReport[]
}

export interface ChangedSince {
  readonly check_id: string
  readonly asked_at: string
  readonly risk: Level
  readonly risk_score: number
  /** Sentences. */
  readonly changes: readonly string[]
}
