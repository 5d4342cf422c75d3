import type { Asker, Observation, Sort } from './facts.ts'
import type { ServerState } from './server-gate.ts'

/** The observers of a process: in this thread, or in their own thread (observer-thread.ts). */
export interface Observers {
  readonly sorts: ReadonlySet<Sort>
  /** Never rejects. The value is JSON, an object with at least one property. */
  observe(sort: Sort, name: string, asker: Asker): Promise<Observation<string>>
  answers(): Promise<boolean>
  servers(): Promise<readonly ServerState[]>
  /** Sets the list of the registries' servers from now on. */
  useBootstrap(text: string): void
  close(): Promise<void>
}

/** The observers and the servers that they ask. Plain data: it is passed to a thread. */
export interface ObserverSettings {
  readonly sorts: readonly Sort[]
  /** `host:port`; empty: the system's resolvers. */
  readonly dnsServers: readonly string[]
  /** One base address instead of IANA's bootstrap. */
  readonly rdapUrl: string | undefined
  /** The time of a single check, and so the minimum timeout of a question: a silent server is noticed as fast by a list. */
  readonly budgetMs: number
}

/** Messages between threaded-observers.ts and observer-thread.ts: lists of calls, and of their answers. */
export type ThreadCall = { [M in Called]: readonly [id: number, method: M, ...given: Parameters<Observers[M]>] }[Called]
type Called = Exclude<keyof Observers, 'sorts' | 'close'>
export type ThreadAnswer = readonly [id: number, says: unknown]
