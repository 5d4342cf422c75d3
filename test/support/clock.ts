import type { Clock } from '../../src/lib/clock.ts'

/** A clock a test moves by hand. */
export class ManualClock implements Clock {
  #nowMs: number
  #ticksMs = 0
  constructor(start: string | number) {
    this.#nowMs = typeof start === 'number' ? start : Date.parse(start)
  }
  now(): number {
    return this.#nowMs
  }
  ticks(): number {
    return this.#ticksMs
  }
  /** Lets time pass. */
  advance(ms: number): void {
    this.#nowMs += ms
    this.#ticksMs += ms
  }
  /** Lets time pass until then. */
  set(time: string | number): void {
    const ms = (typeof time === 'number' ? time : Date.parse(time)) - this.#nowMs
    if (ms < 0) throw new RangeError('Time does not go backwards: use step().')
    this.advance(ms)
  }
  /** Somebody sets the clock forward or back; no time passes. */
  step(ms: number): void {
    this.#nowMs += ms
  }
}
