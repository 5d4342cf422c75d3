/** What the operator sees of the running service, as `assayd status --json` says it. */
export interface Status {
  readonly at: string
  readonly database: {
    readonly engine: 'sqlite' | 'postgres'
    readonly bytes: number
    readonly migration: string | null
    readonly migrated_at: string | null
  }
  readonly published_snapshot: { readonly version: string; readonly built_at: string } | null
  readonly nodes: readonly NodeStatus[]
  readonly jobs: readonly JobStatus[]
  readonly feeds: {
    readonly fresh: number
    readonly unfetched: number
    readonly failing: number
    readonly held: number
    readonly off: number
    readonly troubled: readonly TroubledFeed[]
  }
  readonly mail: {
    readonly set_up: boolean
    readonly waiting: number
    readonly trouble: string | null
    readonly last_failure: {
      readonly kind: string
      readonly at: string | null
      readonly error: string | null
    } | null
  }
  readonly slow_statements: readonly {
    readonly text: string
    readonly count: number
    readonly worst_ms: number
    readonly mean_ms: number
    readonly nodes: number
  }[]
}

export interface NodeStatus {
  readonly id: string
  readonly name: string
  readonly role: 'server' | 'engine'
  readonly version: string
  readonly state: 'ready' | 'not_ready' | 'silent'
  readonly started_at: string
  readonly seen_at: string
  readonly address: string
  readonly pid: number
  readonly runtime: string
  readonly parts: readonly { readonly part: string; readonly ready: boolean }[]
  readonly snapshot: { readonly version: string; readonly built_at: string } | null
  readonly queues: {
    readonly charges: number | null
    readonly engine: number | null
    readonly live: number | null
    readonly store: number
  }
  readonly uncertain_charges: number
  readonly memory_bytes: number
  readonly log_lines_dropped: number
  readonly clock_offset_seconds: number
  readonly statements: { readonly count: number; readonly mean_ms: number; readonly slow_count: number }
}

export interface JobStatus {
  readonly name: string
  readonly period_seconds: number | null
  readonly state: 'fine' | 'failing' | 'late' | 'new'
  readonly last_run_at: string | null
  readonly last_run_ms: number | null
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly error: string | null
  readonly node: string | null
}

export interface TroubledFeed {
  readonly id: string
  readonly name: string
  readonly state: 'failing' | 'held'
  readonly reason: string
  readonly failures: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly next_try_at: string
}
