import type { SqlQueries } from '../db/sql.ts'

export interface JobRun {
  readonly name: string
  readonly node: string
  readonly started_at: number
  readonly finished_at: number
  readonly succeeded_at: number | null
  readonly failed_at: number | null
  /** The error of the last run; null when it succeeded. */
  readonly error: string | null
}

interface FinishedRun {
  readonly job: string
  readonly startedAtMs: number
  readonly finishedAtMs: number
  /** Undefined when it succeeded. */
  readonly error: string | undefined
}

const ERROR_CHARACTERS_MAX = 500

export async function recordRun(sql: SqlQueries, node: string, run: FinishedRun): Promise<void> {
  const failed = run.error !== undefined
  await sql.query(
    `insert into job_run (name, node, started_at, finished_at, succeeded_at, failed_at, error)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (name) do update set node = excluded.node, started_at = excluded.started_at,
       finished_at = excluded.finished_at, error = excluded.error,
       succeeded_at = coalesce(excluded.succeeded_at, job_run.succeeded_at),
       failed_at = coalesce(excluded.failed_at, job_run.failed_at)`,
    [
      run.job,
      node,
      run.startedAtMs,
      run.finishedAtMs,
      failed ? null : run.finishedAtMs,
      failed ? run.finishedAtMs : null,
      run.error?.slice(0, ERROR_CHARACTERS_MAX) ?? null,
    ],
  )
}

export function listRuns(sql: SqlQueries): Promise<JobRun[]> {
  return sql.query<JobRun>(
    'select name, node, started_at, finished_at, succeeded_at, failed_at, error from job_run order by name limit 100',
  )
}
