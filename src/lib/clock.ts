/** Time comes in as an argument everywhere, so a test can hold it still or move a month in one line. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock a test moves by hand. */
export class ManualClock implements Clock {
  #nowMs: number
  constructor(start: string | number) {
    this.#nowMs = typeof start === 'number' ? start : Date.parse(start)
  }
  now(): number {
    return this.#nowMs
  }
  set(time: string | number): void {
    this.#nowMs = typeof time === 'number' ? time : Date.parse(time)
  }
  advance(ms: number): void {
    this.#nowMs += ms
  }
}

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The billing period a moment falls in: a calendar month in UTC, as `YYYY-MM`. */
export function periodOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7)
}
