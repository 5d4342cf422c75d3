import type { Maybe } from '../../lib/maybe.ts'

/** Everything that an organisation knows and its checks use: whom it deals with, its own lists, its proven domains. */

export interface KnownCounterparty {
  readonly id: string
  readonly name: string
  /** Its number in the organisation's own books. */
  readonly reference: string | null
  /** A year or a day: `2019`, `2019-04-01`. */
  readonly since: string | null
  readonly state: 'active' | 'former' | 'blocked'
  readonly domains: readonly string[]
  readonly emails: readonly string[]
  /** Addresses or networks. */
  readonly networks: readonly string[]
}

/**
 * A counterparty as one line of text: its fields in this order with a tab between, the words of a list with a blank. The
 * database puts it together, and it is compiled from its bytes: with an object and a text for each value, the first check
 * of an organisation takes 1.6 times as long.
 */
export const FIELDS = { state: 0, domains: 1, id: 2, name: 3, reference: 4, since: 5, networks: 6, emails: 7 } as const

/** A domain means itself and everything below it; an ip is an address or a network. */
export interface OwnEntry {
  readonly id: string
  readonly list: 'allow' | 'block' | 'review'
  readonly kind: 'email' | 'domain' | 'ip'
  readonly indicator: string
  readonly reason: string | null
  readonly expiresAtMs: number | null
}

export interface OwnKnowledge {
  readonly version: number
  /** The organisation's own domains, which it has proven to be its own. */
  readonly domains: readonly string[]
  /** As lines. */
  readonly counterparties: readonly string[]
  /** The domains of addresses, without those at public mail providers. */
  readonly domainsOf: (addresses: readonly string[]) => readonly string[]
  readonly entries: readonly OwnEntry[]
  /** Its decision rules as JSON (decide.ts); undefined if it has none. */
  readonly rules?: string | undefined
}

/** Implemented by src/own/source.ts over the database. */
export interface OwnKnowledgeSource {
  /** The number of the organisation's latest change; 0 if it knows nothing. Synchronous for an organisation seen lately; at most 5 s old. */
  version(organisationId: string): Maybe<number>
  read(organisationId: string): Promise<OwnKnowledge>
}
