import { type Clock, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'

const FAILURES_TO_OPEN = 8
const HOSTS_TO_OPEN = 2

/**
 * Notices that nobody answers anywhere, as on a machine that may not call out. Then nobody is asked for a minute, after
 * which one question tries again: such a machine must not wait for every check.
 */
export class Outage {
  readonly #clock: Pick<Clock, 'ticks'>
  readonly #hosts = new Set<string>()
  #failures = 0
  #closedUntil = 0
  #trying = false

  constructor(clock: Pick<Clock, 'ticks'>) {
    this.#clock = clock
  }

  /** Milliseconds until it is any use asking; 0 where it may be now. */
  closedMs(): number {
    if (this.#closedUntil === 0) return 0
    const leftMs = Math.max(0, this.#closedUntil - this.#clock.ticks())
    return leftMs === 0 && this.#trying ? SECOND_MS : leftMs
  }

  began(): void {
    this.#trying = this.#closedUntil > 0
  }

  ended(host: string, answered: boolean): void {
    this.#trying = false
    if (answered) {
      this.#failures = 0
      this.#closedUntil = 0
      this.#hosts.clear()
      return
    }
    this.#failures++
    if (this.#hosts.size < HOSTS_TO_OPEN) this.#hosts.add(host)
    if (this.#failures >= FAILURES_TO_OPEN && this.#hosts.size >= HOSTS_TO_OPEN) {
      this.#closedUntil = this.#clock.ticks() + MINUTE_MS
    }
  }
}
