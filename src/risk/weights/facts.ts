import type { Zone } from '../../live/facts.ts'
import type { FactReading } from '../look-up/fact-reading.ts'
import fitted from '../model/live.json' with { type: 'json' }
import type { LIVE_DOMAIN_SIGNALS, LIVE_EMAIL_SIGNALS, LIVE_IP_SIGNALS } from '../signals/all.ts'
import { createFactTables, type FactTables, type FactWorths, sumOf, WORTH_KEYS } from './fact-tables.ts'
import { BASE_LOG_ODDS, byVariant, flat, type Price, type Prices } from './price.ts'

/**
 * The prices of live facts. Most are fitted (fact-tables.ts). Policy is added here: where youth must lead to a second
 * look, what age may answer for, and what it may not.
 */

/** The findings on a name without facts, as far as they decide what facts are worth. */
export interface WithoutFacts {
  readonly logOdds: number
  /** A look-alike, or a brand beside other words. */
  readonly imitates: boolean
  readonly lures: boolean
  /** Something speaks for it: a list of visited sites, a bank, a university. */
  readonly stands: boolean
  /** A list of threats names it. */
  readonly listed: boolean
  /** A claim about what the mailbox is, or who its owner is. */
  readonly claimed: boolean
}

export interface Circumstances {
  /** Mail facts decide whether an address that asks for money can be answered. */
  readonly isMailbox: boolean
  /** The name's DMARC policy: what others should do with mail that is not from there. */
  readonly dmarc: Zone['dmarc'] | undefined
  /** Parked, on hold or about to be deleted: an idle name does not become trustworthy by age. */
  readonly isIdle: boolean
}

const FITTED_TABLES = createFactTables(fitted)
export const NO_FACT_WORTHS = Object.fromEntries(WORTH_KEYS.map((key) => [key, 0])) as unknown as Readonly<FactWorths>

/** Log-odds a little inside the levels: scores of 31, 71, 28 and 43. */
const MEDIUM = -0.8
const HIGH = 0.9
const BELOW_MEDIUM = -0.95
const ORDINARY_MAX = -0.4
/** Chosen so that of new names with mail, 12 days old, about one in seven is high, and of bad ones one in two. */
const WORDING_COUNTS = 1.05
const YEAR_DAYS = 365

const MAIL_OF_MAILBOX = 1.5
/** Little: many honest firms publish no DMARC, and fraud that has a domain of its own often does. */
const DMARC_OF_MAILBOX: Readonly<Record<Zone['dmarc'], number>> = {
  reject: -0.2,
  quarantine: -0.2,
  none: 0,
  absent: 0.1,
  invalid: 0.1,
}
/** An old look-alike is still a look-alike: it may fall by one level, never by two. */
const LOWERS_IMITATION_MAX = 1.2
const LOWERS_IDLE_MAX = 0.3
/** A name nobody has is a mistake in typing, or made up. */
const UNREGISTERED = 1.4

export function factWorths(
  reading: FactReading,
  known: WithoutFacts,
  { isMailbox, dmarc, isIdle }: Circumstances,
  tables: FactTables = FITTED_TABLES,
): Readonly<FactWorths> {
  const suspicious = known.imitates || known.lures
  if (reading.isUnregistered)
    return { ...NO_FACT_WORTHS, unregistered: Math.max(UNREGISTERED, known.stands ? 0 : MEDIUM - known.logOdds) }
  const worths = tables.assess(reading.bins, known.logOdds)
  if (isMailbox) {
    worths.mail *= MAIL_OF_MAILBOX
    if (reading.takesMail && dmarc !== undefined) worths.mail += DMARC_OF_MAILBOX[dmarc]
  }
  limitSum(
    worths,
    lowersAtMost(reading, known, suspicious, isIdle),
    suspicious ? Number.POSITIVE_INFINITY : raisesAtMost(known.logOdds),
  )
  const total = known.logOdds + sumOf(worths)
  if (reading.isYoung && !known.stands && !known.listed) {
    // Youth alone asks for a second look, and beside a look-alike or a lure it is an alarm.
    worths.registered += Math.max(0, (suspicious ? HIGH : MEDIUM) - total)
  } else if (reading.isLongStanding && reading.takesMail && !isIdle && mayBeAnswered(known)) {
    // Wording is a guess about strangers. A name in use for years, with mail that works, is no stranger.
    const over = Math.max(0, total - BELOW_MEDIUM)
    worths.registered -= over / 2
    worths.mail -= over / 2
  }
  return worths
}

/** A name that is idle, or imitates somebody, does not become trustworthy by its facts; nor does a lure in its first year. */
function lowersAtMost({ ageDays }: FactReading, known: WithoutFacts, suspicious: boolean, isIdle: boolean): number {
  if (suspicious && ageDays !== undefined && ageDays < YEAR_DAYS) return 0
  return isIdle ? -LOWERS_IDLE_MAX : known.imitates ? -LOWERS_IMITATION_MAX : Number.NEGATIVE_INFINITY
}

/**
 * New firms look like this: young, behind a delivery network, mail to come. Facts alone make no name high: the further
 * its wording is from an ordinary one, the more they may add.
 */
function raisesAtMost(logOdds: number): number {
  return Math.max(0, ORDINARY_MAX + WORDING_COUNTS * Math.max(0, logOdds - BASE_LOG_ODDS) - logOdds)
}

function mayBeAnswered({ logOdds, imitates, listed, claimed }: WithoutFacts): boolean {
  return logOdds < HIGH && !imitates && !listed && !claimed
}

/** Cuts the sum to its limits, the same share from every part. */
function limitSum(worths: FactWorths, min: number, max: number): void {
  const sum = sumOf(worths)
  const cut = Math.max(min, Math.min(max, sum))
  if (cut !== sum) for (const key of WORTH_KEYS) worths[key] *= cut / sum
}

/** The fitted price of the facts that the signal tells. */
function ofFacts(key: keyof FactWorths): Price {
  return (_, facts) => facts[key]
}

type LiveSignals =
  | (typeof LIVE_DOMAIN_SIGNALS)[number]
  | (typeof LIVE_EMAIL_SIGNALS)[number]
  | (typeof LIVE_IP_SIGNALS)[number]

/** `domain.parked` has the price of the list that says the same. */
export const LIVE_PRICES: Omit<Prices<LiveSignals>, 'domain.parked'> = {
  'domain.registered': ofFacts('registered'),
  'domain.newly_registered': ofFacts('registered'),
  'domain.expires': ofFacts('expires'),
  'domain.mail_setup': ofFacts('mail'),
  'domain.name_servers': ofFacts('servers'),
  'domain.addresses': ofFacts('addresses'),
  'domain.certificate': ofFacts('certificate'),
  // A registry or registrar takes a name out of the DNS for abuse more often than for anything else. A name that was not
  // paid for is on its way to somebody else.
  'domain.held': byVariant({ suspended: 1.4, ending: 0.6 }),
  'domain.unregistered': ofFacts('unregistered'),
  // Never `medium` by itself: many sites share an address, and most of them are somebody else's.
  'domain.resolves_to_listed': ({ confidence }) => Math.min(1.1, 1.4 * confidence),
  // A weakness of its owner, not a proof of fraud.
  'domain.dangling': flat(0),
  // More than a second look: mail from there cannot be answered.
  'email.cannot_receive': flat(2.6),
  'ip.crawler': flat(-4),
  'ip.reverse_dns': flat(0),
}
