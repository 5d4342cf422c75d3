import { type Clock, systemClock } from './clock.ts'

/**
 * The service's current time.
 *
 *  1. It never goes back: an expired thing stays expired, and a month that has begun does not end early.
 *  2. It follows a reference: this machine's clock, or another clock whose time `follow` sets and ticks continue.
 *  3. A reference that is ahead is followed immediately. While the reference is behind, because somebody set it back,
 *     the service's time runs at half speed until they meet.
 */
export interface ServiceClock extends Clock {
  /** The reference said `timeMs` when this clock's ticks were `ticks`. */
  follow(timeMs: number, ticks: number): void
  /** The service's time had reached this before, in an earlier process or on another node. */
  reach(timeMs: number): void
  /** By how much this machine's clock is ahead of the service's time; negative while it is behind. */
  machineAheadMs(): number
}

export function createServiceClock(machine: Clock = systemClock): ServiceClock {
  let told: { readonly timeMs: number; readonly ticks: number } | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  let lastTicks = machine.ticks()

  function exactNow(): number {
    const ticks = machine.ticks()
    const referenceMs = told ? told.timeMs + ticks - told.ticks : machine.now()
    lastMs = Math.max(referenceMs, lastMs + (ticks - lastTicks) / 2)
    lastTicks = ticks
    return lastMs
  }

  return {
    now: () => Math.floor(exactNow()),
    ticks: () => machine.ticks(),
    follow(timeMs, ticks) {
      told = { timeMs, ticks }
    },
    reach(timeMs) {
      lastMs = Math.max(exactNow(), timeMs)
    },
    machineAheadMs: () => machine.now() - exactNow(),
  }
}
