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
 * What a start reads and throws away is a third of the memory that the thread would keep for good. So once the start is
 * over, everything dead is freed and its memory given back to the system: a tenth of a second, once. Returns how to call
 * it off.
 */
export function giveStartMemoryBack(): () => void {
  const giveBack = () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const timer = setTimeout(giveBack, SETTLED_MS).unref()
  return () => clearTimeout(timer)
}
