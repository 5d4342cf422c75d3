import { executionAsyncResource } from 'node:async_hooks'
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
const keptAlive: object[] = []

/**
 * Data that the start reads and discards would otherwise occupy a third of the thread's memory permanently. So after
 * the start all dead objects are freed and the memory is returned to the system: a tenth of a second, once. Returns a
 * function that cancels it.
 *
 * A collection at rest, V8's own ones too, also frees the hidden classes of objects of which none is alive. Node makes
 * such objects in `process.nextTick`, many for each request, and without the hidden class this stays slow forever: 6 µs
 * a check. One of them, kept alive, prevents it.
 */
export function giveStartMemoryBack(): () => void {
  process.nextTick(() => keptAlive.push(executionAsyncResource()))
  const giveBack = () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const timer = setTimeout(giveBack, SETTLED_MS).unref()
  return () => clearTimeout(timer)
}
