import type { Zone } from '../../live/facts.ts'
import type { FactReading } from '../look-up/fact-reading.ts'
import fitted from '../model/live.json' with { type: 'json' }
import type { LIVE_DOMAIN_SIGNALS, LIVE_EMAIL_SIGNALS } from '../signals/live-domain.ts'
import type { LIVE_IP_SIGNALS } from '../signals/live-ip.ts'
import {
  createFactTables,
  type FactTables,
  type FactWorths,
  NO_FACT_WORTHS,
  sumOf,
  WORTH_KEYS,
  youthOf,
} from './fact-tables.ts'
import { BASE_LOG_ODDS, byVariant, flat, type Price, type Prices } from './price.ts'

/** Most prices are fitted (fact-tables.ts). Policy here: when youth needs a second look, and what age may offset. */

/** The findings on a name without facts, as far as the prices of facts depend on them. */
export interface WithoutFacts {
  readonly logOdds: number
  /** A look-alike, or a brand beside other words. */
  readonly imitates: boolean
  readonly lures: boolean
  /** Easily mistaken for a known name, however little that counts alone. */
  readonly resembles: boolean
  /** It has evidence in its favour: a list of visited sites, a bank, a university. */
  readonly stands: boolean
  readonly listed: boolean
  /** A claim about what the mailbox is, or who its owner is. */
  readonly claimed: boolean
}

export interface Circumstances {
  /** Mail facts decide if an address that asks for money can receive a reply. */
  readonly isMailbox: boolean
  /** The name's DMARC policy: what others should do with forged mail. */
  readonly dmarc: Zone['dmarc'] | undefined
  /** Parked, on hold or about to be deleted: age does not make an idle name trustworthy. */
  readonly isIdle: boolean
}

const FITTED_TABLES = createFactTables(fitted)

/** Log-odds slightly inside the levels: scores of 31, 71, 28 and 43. */
const MEDIUM = -0.8
const HIGH = 0.97
const BELOW_MEDIUM = -0.95
const ORDINARY_MAX = 0.55
/** Chosen so that about one in seven new names with mail, 12 days old, is high, and one in two bad ones. */
const WORDING_COUNTS = 1.4
/** Youth alone counts whole for this long. Then its floor falls by so much each time the age grows 2.7 times. */
const YOUNG_DAYS = 30
const YOUTH_FALLS = 1.5

const MAIL_OF_MAILBOX = 1.5
/** Small: many honest firms publish no DMARC, and fraud with its own domain often does. */
const DMARC_OF_MAILBOX = { reject: -0.2, quarantine: -0.2, none: 0, absent: 0.1, invalid: 0.1, unknown: 0 }
/** An old look-alike is still a look-alike: it may drop one level, never two. */
const LOWERS_IMITATION_MAX = 1.2
const LOWERS_IDLE_MAX = 0.3
/** An unregistered name is a typing error, or invented. */
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
  const worths = tables.assess(reading, known.logOdds, isMailbox ? MAIL_OF_MAILBOX : 1)
  if (isMailbox && reading.takesMail && dmarc !== undefined) worths.mail += DMARC_OF_MAILBOX[dmarc]
  limitSum(
    worths,
    lowersAtMost(reading, known, suspicious, isIdle),
    suspicious ? Number.POSITIVE_INFINITY : raisesAtMost(known.logOdds),
  )
  const total = known.logOdds + sumOf(worths)
  if (reading.bins.age >= 0 && !known.stands && !known.listed) {
    // Youth alone needs a second look, and beside a look-alike or a lure it is an alarm.
    const falls = YOUTH_FALLS * Math.log(Math.max(1, (reading.ageDays ?? 0) / YOUNG_DAYS))
    worths.registered += Math.max(0, (suspicious || known.resembles ? HIGH : MEDIUM) - falls - total)
  }
  if (reading.isLongStanding && reading.takesMail && !isIdle && mayBeAnswered(known)) {
    // Wording is a guess about unknown names. A name in use for years, with working mail, is not unknown.
    const over = Math.max(0, total - BELOW_MEDIUM)
    worths.registered -= over / 2
    worths.mail -= over / 2
  }
  return worths
}

/** Facts do not make an idle or imitating name trustworthy; nor a lure while it is new. */
function lowersAtMost({ bins, ageDays }: FactReading, known: WithoutFacts, suspicious: boolean, isIdle: boolean) {
  const usual = isIdle ? -LOWERS_IDLE_MAX : known.imitates ? -LOWERS_IMITATION_MAX : Number.NEGATIVE_INFINITY
  const youth = suspicious && bins.age >= 0 ? youthOf(ageDays ?? 0) : 0
  return youth === 0 ? usual : Math.max(usual, (-LOWERS_IMITATION_MAX * (1 - youth)) / youth)
}

// New firms look like this: young, behind a delivery network, no mail yet. Facts alone make no name high: the further
// its wording is from an ordinary one, the more they may add.
function raisesAtMost(logOdds: number): number {
  return Math.max(0, ORDINARY_MAX + WORDING_COUNTS * (logOdds - BASE_LOG_ODDS) - logOdds)
}

function mayBeAnswered({ logOdds, imitates, listed, claimed }: WithoutFacts): boolean {
  return logOdds < HIGH && !imitates && !listed && !claimed
}

/** Limits the sum, taking the same share from every part. */
function limitSum(worths: FactWorths, min: number, max: number): void {
  const sum = sumOf(worths)
  const cut = Math.max(min, Math.min(max, sum))
  if (cut !== sum) for (const key of WORTH_KEYS) worths[key] *= cut / sum
}

function ofFacts(key: keyof FactWorths): Price {
  return (_, facts) => facts[key]
}

type LiveSignals =
  | (typeof LIVE_DOMAIN_SIGNALS)[number]
  | (typeof LIVE_EMAIL_SIGNALS)[number]
  | (typeof LIVE_IP_SIGNALS)[number]

/** `domain.parked` has the price of the equivalent list. */
export const LIVE_PRICES: Omit<Prices<LiveSignals>, 'domain.parked'> = {
  'domain.registered': ofFacts('registered'),
  'domain.newly_registered': ofFacts('registered'),
  'domain.expires': ofFacts('expires'),
  'domain.mail_setup': ofFacts('mail'),
  'domain.name_servers': ofFacts('servers'),
  // As sure as the lists that name the provider: high alone.
  'domain.disposable_servers': flat(3.4),
  'domain.addresses': ofFacts('addresses'),
  'domain.certificate': ofFacts('certificate'),
  // A registry or registrar takes a name out of the DNS for abuse more often than for anything else. An unpaid name
  // will go to another owner.
  'domain.held': byVariant({ suspended: 1.4, ending: 0.6 }),
  'domain.unregistered': ofFacts('unregistered'),
  // Never `medium` alone: many sites share an address, and most of them belong to others.
  'domain.resolves_to_listed': ({ confidence }) => Math.min(1.1, 1.4 * confidence),
  // A weakness of its owner, not a proof of fraud.
  'domain.dangling': flat(0),
  // More than a second look: mail from there cannot get a reply.
  'email.cannot_receive': flat(2.6),
  'ip.crawler': flat(-4),
  'ip.reverse_dns': flat(0),
}
