import { hash } from 'node:crypto'

// crypto.hash() is three times as fast as createHash() for short inputs.
export function sha256Hex(input: string | Uint8Array): string {
  return hash('sha256', input, 'hex')
}

/**
 * 64-bit key of a string as two unsigned 32-bit halves, for the snapshot's hash tables. Two independent multiply-xor
 * lanes with a strong finish: fast in plain JavaScript, no allocation, stable across versions (the snapshot format
 * depends on it: a change to this function requires a new format version). The halves are written into `out[0]` (low)
 * and `out[1]` (high).
 */
export function hash64Into(text: string, out: Uint32Array): void {
  let low = 0x9e3779b9 ^ text.length
  let high = 0x85ebca6b ^ text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    low ^= low >>> 15
    high = Math.imul(high ^ unit, 0xcc9e2d51)
    high = (high << 13) | (high >>> 19)
  }
  out[0] = finish(low ^ Math.imul(high, 0x27d4eb2f))
  out[1] = finish(high ^ Math.imul(low, 0x165667b1))
}

function finish(value: number): number {
  let mixed = value
  mixed ^= mixed >>> 16
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  mixed ^= mixed >>> 16
  return mixed >>> 0
}

/** Spreads a simple hash over 32 bits before it is used as an index. */
export function hashFinish(hash: number): number {
  let mixed = hash ^ (hash >>> 15)
  mixed = Math.imul(mixed, 0x2c1b3c6d)
  mixed ^= mixed >>> 12
  mixed = Math.imul(mixed, 0x297a2d39)
  mixed ^= mixed >>> 15
  return mixed >>> 0
}
