import type { SignalCode } from '../signals/all.ts'
import type { Group } from '../signals/signal.ts'

/** How the prices of signals interact; combine.ts applies it. */

// The role of a group. Good standing can offset an accusation. It cannot offset a claim, which says what a mailbox, a
// person or a tunnel is, for any owner. A note is shown and never counted.
export type Role = 'accusation' | 'standing' | 'claim' | 'note'

export interface GroupRule {
  readonly role: Role
  /** The limits of the group's sum. Ten echoes of one feed do not make certainty. */
  readonly min: number
  readonly max: number
  /** The share of signals other than the strongest: they see the same thing twice. */
  readonly echo: number
}

export const GROUPS: Readonly<Record<Group, GroupRule>> = {
  listing: { role: 'accusation', min: 0, max: 6.5, echo: 0.5 },
  name: { role: 'accusation', min: 0, max: 4.5, echo: 0.5 },
  wording: { role: 'accusation', min: -2.8, max: 4, echo: 1 },
  hosting: { role: 'accusation', min: 0, max: 1.6, echo: 1 },
  // Surroundings alone never make `high`: most customers of the worst network are honest.
  network: { role: 'accusation', min: 0, max: 2.8, echo: 1 },
  // Facts raise the risk as far as `high` for an ordinary name, and offset suspicion (combine.ts).
  live: { role: 'accusation', min: -4, max: 6, echo: 1 },
  standing: { role: 'standing', min: -9, max: 0, echo: 1 },
  mailbox: { role: 'claim', min: 0, max: 4, echo: 0.5 },
  person: { role: 'claim', min: 0, max: 4, echo: 0.6 },
  anonymity: { role: 'claim', min: 0, max: 3.2, echo: 0.5 },
  own: { role: 'claim', min: 0, max: 6.5, echo: 0.5 },
  note: { role: 'note', min: 0, max: 0, echo: 1 },
}

// The lowest sum of accusations and standing, relative to the base. With a claim, not below the base: an ordinary name
// and a famous owner do not make a throw-away mailbox permanent.
export const FLOORS = { unclaimed: -5, claimed: 0 } as const

/** The share of each further finding in the same direction within one signal, relative to the one before. */
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

/**
 * Signals of what the organisation itself knows that decide, with their direction: signals that point the other way do not
 * count then. The first of OWN_SIGNALS that is found decides, so that a stale feed never overrules an own list.
 */
export const DECIDING: ReadonlyMap<SignalCode, 1 | -1> = new Map([
  ['own.block_list', 1],
  ['own.allow_list', -1],
  ['own.counterparty_blocked', 1],
  ['own.lookalike', 1],
])

/** Signals that make `medium` at least, whatever is known in favour. */
export const MEDIUM_AT_LEAST = codes('own.review_list', 'own.possible_lookalike', 'own.claimed_name')

/** Two signals interact if the first has this price or more and the second raises the risk. */
export const INTERACTS_FROM = 0.8

export const INTERACTIONS: readonly Interaction[] = [
  // A brand's own pages do not ask for a password under another name.
  { name: 'brand × lure', first: IMITATIONS, second: LURES, adds: 0.8 },
  // Brands have their own sites: their name on a platform that hosts anyone is probably an imitation.
  { name: 'brand × platform', first: IMITATIONS, second: PLATFORMS, adds: 0.7 },
  // A brand seldom has a site under a suffix that fraud prefers.
  { name: 'brand × ending', first: IMITATIONS, second: CHEAP_ENDINGS, adds: 0.5 },
  // A page that asks for a login or a payment, on a free, short-lived host.
  { name: 'lure × platform', first: LURES, second: PLATFORMS, adds: 0.6 },
]
