import type { Finding, Group } from './signal.ts'
import type { SignalCode } from './signals/all.ts'
import { DOMAIN_PRICES } from './weights/domain.ts'
import { EMAIL_PRICES } from './weights/email.ts'
import { IP_PRICES } from './weights/ip.ts'
import type { Price } from './weights/price.ts'

/**
 * What evidence is worth, in log-odds: +1 makes risk 2.7 times as likely, -1 as much less. Numbers a fit can know
 * come from model/weights.json, which tools/fit.ts writes; the others are set by policy, with the reason.
 */

const PRICES: Record<SignalCode, Price> = { ...DOMAIN_PRICES, ...EMAIL_PRICES, ...IP_PRICES }

/** The log-odds one finding of this signal is worth. */
export function worthOf(code: SignalCode, finding: Finding): number {
  return PRICES[code](finding)
}

/** Log-odds before anything is known: most indicators somebody asks about are honest. */
export const BASE_LOG_ODDS = -2.2

/** The most a group can add. Ten echoes of one feed do not make certainty. */
export const GROUP_MAX: Record<Group, number> = {
  listing: 6.5,
  name: 3.9,
  wording: 3,
  hosting: 1.6,
  mailbox: 3.4,
  person: 2.9,
  anonymity: 3.2,
  network: 3,
  standing: 0,
  note: 0,
}

/** The most a group can take away. */
export const GROUP_MIN: Record<Group, number> = {
  listing: 0,
  name: 0,
  wording: -2.4,
  hosting: 0,
  mailbox: 0,
  person: 0,
  anonymity: 0,
  network: 0,
  standing: -9,
  note: 0,
}

/** Each further finding in the same direction within one signal counts this much of the one before. */
export const ECHO = 0.35

/** What the signals of a group beside the strongest count: those that see the same thing twice count in part. */
export const GROUP_ECHO: Record<Group, number> = {
  listing: 0.5,
  name: 0.5,
  wording: 1,
  hosting: 1,
  mailbox: 0.5,
  person: 0.6,
  anonymity: 0.5,
  network: 1,
  standing: 1,
  note: 1,
}

/** Two groups that look at the same name: of the two, the weaker counts this much when both raise the risk. */
export const NAME_ECHO = 0.3

/**
 * What good standing may cancel, and how far below the base it may take a score that nothing accuses. An ordinary name
 * does not take off more than that either from what a mailbox, a person or a tunnel is known to be.
 */
export const STANDING_CANCELS: readonly Group[] = ['listing', 'name', 'wording', 'hosting', 'network']
export const STANDING_BELOW_BASE = -1
