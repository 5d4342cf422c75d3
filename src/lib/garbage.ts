import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface CollectOptions {
  readonly type: 'minor' | 'major'
  readonly execution?: 'sync'
}

setFlagsFromString('--expose-gc')
// A collection that reduces memory at rest also frees the hidden classes that no live object has. Compiled code loses
// them for good, and every check costs a third more from then on: so V8 makes none by itself.
setFlagsFromString('--no-memory-reducer')
const collect = runInNewContext('gc') as (options: CollectOptions) => void

/** Frees the newest dead objects: a millisecond or two. */
export function collectYoung(): void {
  collect({ type: 'minor' })
}

const SETTLED_MS = 100

/**
 * What a start reads and throws away is a third of the memory that the thread would keep for good. So right after the start
 * everything dead is freed: a tenth of a second, once. Not later: at rest V8 would shrink the space for new objects to 1 MB
 * as well, in which requests under way are copied again and again. Returns how to call it off.
 */
export function giveStartMemoryBack(): () => void {
  const giveBack = () => collect({ type: 'major', execution: 'sync' })
  const timer = setTimeout(giveBack, SETTLED_MS).unref()
  return () => clearTimeout(timer)
}
