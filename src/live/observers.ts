import type { Observation, Sort } from './facts.ts'
import type { ServerState } from './server-gate.ts'

/** The observers of a process, wherever they run: in this thread, or in one of their own (observer-thread.ts). */
export interface Observers {
  /** Which sorts of facts can be found out here. */
  readonly sorts: ReadonlySet<Sort>
  /** Never rejects. The value is JSON, an object with at least one property. */
  observe(sort: Sort, name: string, options: { readonly urgent: boolean }): Promise<Observation<string>>
  /** Whether a resolver answers at all. */
  answers(): Promise<boolean>
  /** Every server asked so far. */
  servers(): Promise<readonly ServerState[]>
  /** Where registries answer, from now on. */
  useBootstrap(text: string): void
  close(): Promise<void>
}

/** Which observers there are and whom they ask. Plain data: it is handed to a thread. */
export interface ObserverSettings {
  readonly sorts: readonly Sort[]
  /** `host:port`; the system's resolvers where there are none. */
  readonly dnsServers: readonly string[]
  /** One base address instead of IANA's bootstrap. */
  readonly rdapUrl: string | undefined
  /** A question is given up no earlier than this, and later where that is its habit. */
  readonly patienceMs: number
}
