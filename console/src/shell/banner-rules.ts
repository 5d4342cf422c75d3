import type { Intelligence, Membership, Source } from '../api/generated/pages.ts'
import type { Alert, Billing, Standing } from '../api/organisation.ts'
import { counted, DAY_MS, day, invoiceName, money } from './format.ts'

/** Selects the banners above the pages of the console: pure, from the data that was read. */

export interface Banner {
  /** Stable id: a dismissed banner stays hidden until its subject changes. */
  readonly id: string
  readonly title: string
  readonly words: string
  readonly to?: { readonly path: string; readonly label: string }
  readonly stays?: boolean
}

/** The answers read so far; undefined until they arrive. */
export interface BannerInput {
  readonly organisation: Pick<Membership, 'state'>
  readonly operator: boolean
  /** Null when it could not be read. */
  readonly standing: Standing | null | undefined
  readonly billing: Billing | undefined
  readonly alerts: readonly Alert[] | undefined
  readonly intelligence: Intelligence | undefined
  readonly nowMs: number
}

const BILLING = { path: '/console/billing', label: 'Usage and billing' }
const INTELLIGENCE = { path: '/console/intelligence', label: 'Intelligence' }

/** The most severe first: what stops checks, then what soon will, then what makes them less reliable. */
const RULES: readonly ((input: BannerInput) => Banner | undefined)[] = [
  refused,
  noIntelligence,
  creditUsedUp,
  invoiceUnpaid,
  alertReached,
  creditLow,
  feedsStale,
]

export const bannersFor = (input: BannerInput): Banner[] => RULES.flatMap((rule) => rule(input) ?? [])

function refused({ organisation, standing }: BannerInput): Banner | undefined {
  const banner = { id: 'refused', title: 'Checks are refused', stays: true }
  if (organisation.state === 'disabled') {
    return { ...banner, words: 'The operator has disabled this organisation. Contact the operator.' }
  }
  if (standing) {
    const { served, detail, reason, pay_first: first } = standing
    const sum = reason === 'overdue' && first ? ` Invoice ${invoiceName(first)} over ${money(first.total_pence)}` : ''
    const due = first && sum !== '' ? `${sum} was due on ${day(first.due_at)}.` : ''
    return served ? undefined : { ...banner, words: `${detail ?? ''}${due}`, to: BILLING }
  }
  // The session reports the inactive state, but the reason could not be read.
  return standing === null && organisation.state === 'inactive'
    ? { ...banner, words: 'The account is inactive.', to: BILLING }
    : undefined
}

function noIntelligence({ intelligence }: BannerInput): Banner | undefined {
  if (!intelligence || intelligence.version !== null) return undefined
  return {
    id: 'no-intelligence',
    title: 'Nothing can be checked',
    words:
      'The server has no intelligence loaded, or its engine cannot be reached. Nothing is charged during this time.',
    to: INTELLIGENCE,
  }
}

function invoiceUnpaid({ standing }: BannerInput): Banner | undefined {
  // For an overdue invoice checks are refused, and that banner names it.
  if (!standing?.served || !standing.pay_first) return undefined
  const { pay_first: invoice } = standing
  const { id, total_pence: pence, due_at: due, in_advance: inAdvance } = invoice
  return {
    id: `invoice ${id}`,
    title: `Invoice ${invoiceName(invoice)} over ${money(pence)} is not paid`,
    words: inAdvance
      ? 'Its plan or credit begins when it is paid.'
      : `From ${day(due)} on, checks are refused until it is paid.`,
    to: BILLING,
  }
}

function alertReached({ alerts, billing }: BannerInput): Banner | undefined {
  const reached = alerts?.filter(({ triggered }) => triggered) ?? []
  const [first] = reached
  if (!first || !billing) return undefined
  const since = first.triggered_at === null ? '' : ` Reached on ${day(first.triggered_at)}.`
  const more = reached.length > 1 ? ` ${counted(reached.length - 1, 'more alert is', 'more alerts are')} reached.` : ''
  const [what, now] =
    first.kind === 'credit_below'
      ? ['Credit is below', `${money(billing.credit_pence)} is left.`]
      : ['Overage is above', `It is ${money(billing.overage_pence)} this month.`]
  return {
    id: `alerts ${reached.map(({ id }) => id).join(' ')}`,
    title: `${what} ${money(first.threshold_pence)}`,
    words: `${now}${since}${more}`,
    to: BILLING,
  }
}

/** A clerk makes about this many checks between two visits of this page. */
const CHECKS_LOW = 20
const SHARE_LOW = 0.1

/**
 * Credit below this is low: a tenth of the plan's monthly credit, and at least twenty checks of the most expensive
 * kind, because a tenth of a small amount is used up before anybody notices, and plans without monthly credit have no
 * tenth.
 */
export function lowCreditPence({ unit_price_pence: prices, included_credit_pence: monthly }: Billing['plan']): number {
  return Math.max(monthly * SHARE_LOW, CHECKS_LOW * Math.max(...Object.values(prices)))
}

/** Such a plan answers no more checks. */
const isUsedUp = ({ plan, free_units_left: free, credit_pence: credit }: Billing, standing: Standing) =>
  free === 0 && credit === 0 && lowCreditPence(plan) > 0 && !goesBeyond(standing)

/** True when a check beyond the credit is answered: the plan, the owner's limit or an unpaid month may forbid it. */
const goesBeyond = ({ overage_left_pence: left }: Standing) => left === null || left > 0

function creditUsedUp({ billing, standing }: BannerInput): Banner | undefined {
  if (!billing || !standing?.served || !isUsedUp(billing, standing)) return undefined
  return {
    id: 'credit used up',
    title: 'There is no credit left',
    words: 'Checks are refused until there is credit again.',
    to: BILLING,
  }
}

function creditLow({ billing, standing, alerts }: BannerInput): Banner | undefined {
  if (!billing || !standing?.served || isUsedUp(billing, standing)) return undefined
  // A person who set their own limit sees only that alert.
  if (alerts?.some(({ kind, triggered }) => kind === 'credit_below' && triggered)) return undefined
  const { plan, period, credit_pence: credit, free_units_left: free } = billing
  if (free >= CHECKS_LOW || credit >= lowCreditPence(plan)) return undefined
  const left = free > 0 ? `${money(credit)} and ${counted(free, 'free check')}` : money(credit)
  const then = goesBeyond(standing)
    ? 'Checks beyond it are answered, and invoiced after the month.'
    : 'Without credit checks are refused.'
  const next = plan.included_credit_pence > 0 ? ` New credit comes on ${day(period.ends_at)}.` : ''
  return { id: `credit ${period.ends_at}`, title: `Credit is low: ${left} left`, words: `${then}${next}`, to: BILLING }
}

/** Feeds update daily or more often; a failure of one day needs no banner. */
const STALE_MS = 2 * DAY_MS
const NAMED_MAX = 3

export function staleFeeds(sources: readonly Source[], nowMs: number): Source[] {
  return sources.filter(
    ({ state, as_of }) =>
      (state === 'failing' || state === 'held') && (as_of === null || nowMs - Date.parse(as_of) > STALE_MS),
  )
}

/** For operators of the server: nobody else can fix it. */
function feedsStale({ operator, intelligence, nowMs }: BannerInput): Banner | undefined {
  const stale = operator && intelligence ? staleFeeds(intelligence.sources, nowMs) : []
  if (stale.length === 0) return undefined
  const oldest = stale.flatMap(({ as_of }) => as_of ?? []).sort()[0]
  const named = stale.slice(0, NAMED_MAX).map(({ name }) => name)
  const others = stale.length > NAMED_MAX ? ` and ${stale.length - NAMED_MAX} more` : ''
  return {
    id: `feeds ${stale.map(({ id }) => id).join(' ')}`,
    title: `${counted(stale.length, 'feed is', 'feeds are')} stale or missing`,
    words: `${named.join(', ')}${others}. ${oldest === undefined ? 'None of them was ever fetched.' : `The oldest is from ${day(oldest)}.`}`,
    to: INTELLIGENCE,
  }
}
