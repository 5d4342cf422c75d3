import type { Sql } from '../db/sql.ts'

/**
 * Scheduled work. Every node has the same jobs on a timer, and a lock in the database lets one node at a time run each:
 * when that node dies another takes the job at its next turn. A job reads from the database what is due, so it does
 * nothing when another node has just done the work.
 */
export interface Job {
  readonly name: string
  readonly periodMs: number
  /** `signal` aborts when the server stops. */
  run(signal: AbortSignal): Promise<void>
}

export type JobOutcome = 'ran' | 'elsewhere' | 'failed'

export interface JobRunnerOptions {
  readonly sql: Pick<Sql, 'tryLock'>
  readonly jobs: readonly Job[]
  readonly onError: (job: string, error: unknown) => void
  /** Called for every run on this node, before the lock is released. Never rejects. */
  readonly onRun?: (run: { readonly job: string; readonly ms: number; readonly error: unknown }) => Promise<void>
  /**
   * The part of its period, 0–1, after which a job first runs, so that nodes started together do not run it at the same
   * time.
   */
  readonly random?: () => number
}

/** The lock of a job, for code that must not run at the same time as the job. */
export function jobLock(name: string): string {
  return `job:${name}`
}

export function createJobRunner({ sql, jobs, onError, onRun, random = Math.random }: JobRunnerOptions) {
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Map<string, Promise<JobOutcome>>()
  const stopping = new AbortController()

  for (const job of jobs) {
    if (jobs.filter(({ name }) => name === job.name).length > 1) throw new Error(`Two jobs are named ${job.name}.`)
  }

  function run(job: Job): Promise<JobOutcome> {
    // A run that takes longer than the period is not joined by a second one.
    const already = running.get(job.name)
    if (already) return already
    const attempt = (async (): Promise<JobOutcome> => {
      try {
        const ran = await sql.tryLock(jobLock(job.name), async () => {
          const sinceMs = performance.now()
          const tell = (error: unknown) => onRun?.({ job: job.name, ms: performance.now() - sinceMs, error })
          try {
            await job.run(stopping.signal)
          } catch (error) {
            // A run that the stop of the server ended neither succeeded nor failed: the next one does its work.
            if (stopping.signal.aborted && (error as Error)?.name === 'AbortError') return true
            await tell(error ?? 'failed')
            throw error
          }
          await tell(undefined)
          return true
        })
        return ran ? 'ran' : 'elsewhere'
      } catch (error) {
        onError(job.name, error)
        return 'failed'
      } finally {
        running.delete(job.name)
      }
    })()
    running.set(job.name, attempt)
    return attempt
  }

  function schedule(job: Job, delayMs: number): void {
    if (stopping.signal.aborted) return
    const timer = setTimeout(() => {
      void run(job).then(() => schedule(job, job.periodMs))
    }, delayMs).unref()
    timers.set(job.name, timer)
  }

  return {
    start() {
      for (const job of jobs) schedule(job, Math.floor(job.periodMs * random()))
    },
    /** Runs a job now unless another node is running it. */
    runNow(name: string) {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job) throw new Error(`There is no job ${name}; there are ${jobs.map((each) => each.name).join(', ')}.`)
      return run(job)
    },
    async stop() {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
