import { type Clock, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'

const FAILURES_TO_OPEN = 8
const HOSTS_TO_OPEN = 2

// Detects that no server answers at all, as on a machine without internet access. Then no server is asked for a minute,
// after which one question tries again: such a machine must not wait at every check.
export class Outage {
  readonly #clock: Pick<Clock, 'ticks'>
  readonly #hosts = new Set<string>()
  #failures = 0
  #closedUntil = 0
  #trying = false

  constructor(clock: Pick<Clock, 'ticks'>) {
    this.#clock = clock
  }

  /** Milliseconds until the next question is allowed; 0 if it is allowed now. */
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
