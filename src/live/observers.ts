import type { Observation, Sort } from './facts.ts'
import type { ServerState } from './server-gate.ts'

/** The observers of a process: in this thread, or in their own thread (observer-thread.ts). */
export interface Observers {
  /** The sorts of facts that can be found here. */
  readonly sorts: ReadonlySet<Sort>
  /** Never rejects. The value is JSON, an object with at least one property. */
  observe(sort: Sort, name: string, options: { readonly urgent: boolean }): Promise<Observation<string>>
  /** True if a resolver answers. */
  answers(): Promise<boolean>
  /** Every server asked so far. */
  servers(): Promise<readonly ServerState[]>
  /** Sets the list of the registries' servers from now on. */
  useBootstrap(text: string): void
  close(): Promise<void>
}

/** Which observers exist and whom they ask. Plain data: it is passed to a thread. */
export interface ObserverSettings {
  readonly sorts: readonly Sort[]
  /** `host:port`; empty: the system's resolvers. */
  readonly dnsServers: readonly string[]
  /** One base address instead of IANA's bootstrap. */
  readonly rdapUrl: string | undefined
  /** The minimum timeout of a question; an observer with a longer timeout keeps it. */
  readonly patienceMs: number
}
