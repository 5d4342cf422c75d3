import { collectYoung } from '../lib/garbage.ts'

/**
 * The pieces of a body lie outside V8's heap. After 64 MB of them V8 makes a full collection, which stops the event loop
 * for tens of milliseconds. They are dead long before that: a short collection, of the newest objects only, frees them in
 * a millisecond or two. So we ask for a short one before V8 makes a full one.
 */
const BYTES_BETWEEN = 16 * 1024 * 1024

let bytes = 0

/** To be called for each piece of a body that came in. */
export function countBodyBytes(length: number): void {
  bytes += length
  if (bytes < BYTES_BETWEEN) return
  bytes = 0
  collectYoung()
}
