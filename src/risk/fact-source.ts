import type { Kind } from '../lib/kinds.ts'
import type { Facts } from '../live/facts.ts'
import type { Coverage } from './engine.ts'

/** Looks facts up at the time of a question. Never rejects, and takes no longer than its budget. */
export interface FactSource {
  isOn(): boolean
  /** `name`: the host or address a check is about, as `lookedUp` gives it. */
  about(kind: Kind, name: string): FactsFound<Facts> | Promise<FactsFound<Facts>>
  /** The facts of each name as JSON, in order. */
  aboutAll(kind: Kind, names: readonly string[]): Promise<FactsFound<readonly string[]>>
}

export interface FactsFound<T> {
  readonly status: Coverage['live']['status']
  readonly facts: T
}
