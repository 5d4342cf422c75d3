import type { SignalCode } from '../signals/all.ts'
import type { Group } from '../signals/signal.ts'

/** How the prices of signals act on each other; combine.ts carries it out. */

/**
 * The role of a group. Good standing can answer an accusation. It cannot answer a claim, which says what a mailbox, a
 * person or a tunnel is, whoever runs it. A note is told and never counted.
 */
export type Role = 'accusation' | 'standing' | 'claim' | 'note'

export interface GroupRule {
  readonly role: Role
  /** The most the group can take away and add. Ten echoes of one feed do not make certainty. */
  readonly min: number
  readonly max: number
  /** The share that signals beside the strongest count: they see the same thing twice. */
  readonly echo: number
}

export const GROUPS: Readonly<Record<Group, GroupRule>> = {
  listing: { role: 'accusation', min: 0, max: 6.5, echo: 0.5 },
  name: { role: 'accusation', min: 0, max: 4.5, echo: 0.5 },
  wording: { role: 'accusation', min: -2.8, max: 4, echo: 1 },
  hosting: { role: 'accusation', min: 0, max: 1.6, echo: 1 },
  network: { role: 'accusation', min: 0, max: 3, echo: 1 },
  // Facts raise the risk as far as `high` for an ordinary name, and answer for suspicion (combine.ts).
  live: { role: 'accusation', min: -4, max: 6, echo: 1 },
  standing: { role: 'standing', min: -9, max: 0, echo: 1 },
  mailbox: { role: 'claim', min: 0, max: 4, echo: 0.5 },
  person: { role: 'claim', min: 0, max: 4, echo: 0.6 },
  anonymity: { role: 'claim', min: 0, max: 3.2, echo: 0.5 },
  note: { role: 'note', min: 0, max: 0, echo: 1 },
}

/**
 * How far below the base accusations and standing may take the log-odds together. Where something is claimed, not below
 * it: an ordinary name and a famous owner do not make a throw-away mailbox a lasting one.
 */
export const FLOORS = { unclaimed: -5, claimed: 0 } as const

/** Each further finding in the same direction within one signal counts this much of the one before. */
export const ECHO = 0.35

export interface Interaction {
  readonly name: string
  readonly first: ReadonlySet<SignalCode>
  readonly second: ReadonlySet<SignalCode>
  readonly adds: number
}

const codes = (...list: SignalCode[]): ReadonlySet<SignalCode> => new Set(list)

export const IMITATIONS = codes('domain.lookalike', 'domain.combosquat', 'domain.suffix_swap', 'domain.brand_subdomain')
export const LURES = codes('domain.lure')
const CHEAP_ENDINGS = codes('domain.suffix_risk')
const PLATFORMS = codes('domain.free_hosting', 'domain.dynamic_dns')

/** Two signals interact where the first is worth this much and the second raises the risk. */
export const INTERACTS_FROM = 0.8

export const INTERACTIONS: readonly Interaction[] = [
  // A brand's own pages do not ask for a password under somebody else's name.
  { name: 'brand × lure', first: IMITATIONS, second: LURES, adds: 0.8 },
  // Brands have sites of their own: their name on a platform that hosts anyone wants to be taken for them.
  { name: 'brand × platform', first: IMITATIONS, second: PLATFORMS, adds: 0.7 },
  // A brand seldom has a site under an ending that fraud prefers.
  { name: 'brand × ending', first: IMITATIONS, second: CHEAP_ENDINGS, adds: 0.5 },
  // A page that asks for a login or a payment, on a host that is free and gone tomorrow.
  { name: 'lure × platform', first: LURES, second: PLATFORMS, adds: 0.6 },
]
