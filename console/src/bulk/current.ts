import { useEffect, useState, useSyncExternalStore } from 'react'
import { createRunner, type Run, type Runner } from './run.ts'
import { findJob, type Job, removeJob, saveJob } from './store.ts'

/** The list under way of each owner: it goes on while they look at other pages of the console. */
const runners = new Map<string, Runner>()
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export async function begin(job: Job): Promise<Runner> {
  await saveJob(job)
  const runner = createRunner(job, [])
  runners.set(job.owner, runner)
  tell()
  return runner
}

export async function discard(job: Job): Promise<void> {
  runners.get(job.owner)?.pause()
  await removeJob(job)
  runners.delete(job.owner)
  tell()
}

/** `undefined` while the browser looks for a list left from before; `null` when there is none. */
export function useRunner(owner: string): Runner | null | undefined {
  const runner = useSyncExternalStore(subscribe, () => runners.get(owner))
  const [searched, setSearched] = useState<string>()
  useEffect(() => {
    let wanted = true
    const known = runners.has(owner) ? Promise.resolve(undefined) : findJob(owner)
    known
      .catch(() => undefined)
      .then((found) => {
        if (!wanted) return
        if (found && !runners.has(owner)) {
          runners.set(owner, createRunner(found.job, found.batches))
          tell()
        }
        setSearched(owner)
      })
    return () => {
      wanted = false
    }
  }, [owner])
  return runner ?? (searched === owner ? null : undefined)
}

export function useRun(runner: Runner): Run {
  return useSyncExternalStore(runner.subscribe, runner.current)
}
