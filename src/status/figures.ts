import type { SlowStatement } from '../db/statement-times.ts'
import type { PartReadiness } from '../ops/health.ts'

/**
 * The figures of a node, as JSON in its row. A field added later must be optional: nodes of earlier versions lack it.
 */
export interface NodeFigures {
  readonly address: string
  readonly pid: number
  readonly runtime: string
  /** The newest migration that its program knows. */
  readonly migration?: string
  readonly ready: boolean
  readonly parts: readonly PartReadiness[]
  readonly snapshot: { readonly version: string; readonly built_at: string } | null
  readonly queues: Queues
  /** Charges whose commit is unknown, to be refunded if they were made. */
  readonly uncertain_charges: number
  readonly memory_bytes: number
  readonly jobs: readonly { readonly name: string; readonly period_seconds: number }[]
  readonly log_lines_dropped: number
  readonly clock_offset_seconds: number
  /** Null: it does not answer. Absent: this node has none. */
  readonly replica?: { readonly lag_seconds: number | null }
  readonly statements: {
    readonly count: number
    readonly mean_ms: number
    readonly slow_count: number
    /** The slowest statements since the start of the node. */
    readonly slow: readonly SlowStatement[]
  }
}

/** Lengths of the queues; null where this node has no such queue. */
export interface Queues {
  readonly charges: number | null
  readonly engine: number | null
  readonly live: number | null
  readonly store: number
}

/** A limit that keeps the row small. */
export const SLOW_SHOWN = 20
