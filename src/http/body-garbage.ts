import { collectYoung } from '../lib/garbage.ts'

/**
 * Body chunks are outside V8's heap. After 64 MB of them V8 runs a full garbage collection, which stops the event loop
 * for tens of milliseconds. The chunks are dead long before that: a short collection of only the newest objects frees
 * them in a millisecond or two. So we request a short one before V8 runs a full one.
 */
const BYTES_BETWEEN = 16 * 1024 * 1024

let bytes = 0

/** Call for each received body chunk. */
export function countBodyBytes(length: number): void {
  bytes += length
  if (bytes < BYTES_BETWEEN) return
  bytes = 0
  collectYoung()
}
