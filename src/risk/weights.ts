import type { Finding, Group } from './signal.ts'
import type { SignalCode } from './signals/all.ts'
import { DOMAIN_PRICES } from './weights/domain.ts'
import { EMAIL_PRICES } from './weights/email.ts'
import { IP_PRICES } from './weights/ip.ts'
import { LIVE_PRICES } from './weights/live.ts'
import type { Price } from './weights/price.ts'

export { BASE_LOG_ODDS } from './weights/price.ts'

/**
 * What evidence is worth, in log-odds: +1 makes risk 2.7 times as likely, -1 as much less. Numbers a fit can know
 * come from model/weights.json, which lab/fit.ts writes; the others are set by policy, with the reason.
 */

const PRICES: Record<SignalCode, Price> = { ...DOMAIN_PRICES, ...EMAIL_PRICES, ...IP_PRICES, ...LIVE_PRICES }

/** The log-odds one finding of this signal is worth. */
export function worthOf(code: SignalCode, finding: Finding): number {
  return PRICES[code](finding)
}

/**
 * What a group does. An accusation can be answered by good standing. A claim cannot: it says what a mailbox, a person
 * or a tunnel is, whoever runs it. A note is told and never counted.
 */
export type Role = 'accusation' | 'standing' | 'claim' | 'note'

export interface GroupRule {
  readonly role: Role
  /** The most the group can take away and add. Ten echoes of one feed do not make certainty. */
  readonly min: number
  readonly max: number
  /** What the signals beside the strongest count: those that see the same thing twice count in part. */
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

export const IMITATIONS: ReadonlySet<SignalCode> = new Set<SignalCode>([
  'domain.lookalike',
  'domain.combosquat',
  'domain.suffix_swap',
  'domain.brand_subdomain',
])
export const LURES: ReadonlySet<SignalCode> = new Set<SignalCode>(['domain.lure'])
const CHEAP_ENDINGS: ReadonlySet<SignalCode> = new Set<SignalCode>(['domain.suffix_risk'])
const PLATFORMS: ReadonlySet<SignalCode> = new Set<SignalCode>(['domain.free_hosting', 'domain.dynamic_dns'])

/** What two signals say only together. Each adds to the sum where the first is worth INTERACTS_FROM and the second raises the risk. */
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
