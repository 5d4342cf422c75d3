import { vi } from 'vitest'
import { openServiceTime, type ServiceTime } from '../../src/db/service-time.ts'
import type { Sql } from '../../src/db/sql.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { ManualClock } from './clock.ts'

/** A machine whose clock is wrong by `wrongByMs`. Real time passes by `truth`. */
export class Machine implements Clock {
  readonly #truth: ManualClock
  #wrongByMs: number

  constructor(truth: ManualClock, wrongByMs = 0) {
    this.#truth = truth
    this.#wrongByMs = wrongByMs
  }

  now(): number {
    return this.#truth.now() + this.#wrongByMs
  }

  ticks(): number {
    return this.#truth.ticks()
  }

  /** Changes its clock. */
  step(ms: number): void {
    this.#wrongByMs += ms
  }

  /** From now on this process has the machine's time, also for libraries that read Date. */
  enter(): void {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(this.now())
  }

  /** The time of a node on this machine; the database's clock, if nodes share one, is right. */
  serviceTime(sql: Sql): Promise<ServiceTime> {
    return sql.engine === 'postgres'
      ? openServiceTime(sql, { machine: this, readReferenceMs: async () => this.#truth.now() })
      : openServiceTime(sql, { machine: this })
  }
}
