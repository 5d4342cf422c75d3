import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * The pieces of a body lie outside V8's heap. After 64 MB of them V8 collects everything, which stops the event loop for
 * tens of milliseconds, although they are dead long before and a collection of the newest objects alone, of a
 * millisecond or two, gives them back. So that one is asked for in time: four megabytes ten times a second cost
 * other callers next to nothing.
 */
const BYTES_BETWEEN = 16 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void

let bytes = 0

/** To be called for each piece of a body that came in. */
export function countBodyBytes(length: number): void {
  bytes += length
  if (bytes < BYTES_BETWEEN) return
  bytes = 0
  collect({ type: 'minor' })
}
