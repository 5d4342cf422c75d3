import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface CollectOptions {
  readonly type: 'minor' | 'major'
  readonly execution?: 'sync'
  readonly flavor?: 'last-resort'
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: CollectOptions) => void

/** Frees the newest dead objects: a millisecond or two. */
export function collectYoung(): void {
  collect({ type: 'minor' })
}

const SETTLED_MS = 5000

/**
 * Data that the start reads and discards would otherwise occupy a third of the thread's memory permanently. So after
 * the start all dead objects are freed and the memory is returned to the system: a tenth of a second, once. Returns a
 * function that cancels it.
 */
export function giveStartMemoryBack(): () => void {
  const giveBack = () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const timer = setTimeout(giveBack, SETTLED_MS).unref()
  return () => clearTimeout(timer)
}
