/**
 * Opens an organisation's account for one change. First the due month-ends and invoices are posted,
 * then the change is made, then the resulting entitlement is derived and its copies are written. One transaction, under the
 * account's lock. Every change goes through here, so all paths follow the same rules.
 *
 *  1. A month's price is invoiced at its start, whole; its overage after its end. Months are never split.
 *  2. No price is invoiced for a month that begins while the organisation is not served.
 *  3. Doing this late gives the same invoices, with the same dates, as doing it in time.
 *  4. An account's time never goes back, whatever the clock of a node or verb says.
 */
import { systemIn } from '../../access/actor.ts'
import { changeIn, type Sql, type SqlQueries, type Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, named, orNull, text } from '../../db/table.ts'
import { audit } from '../../identity/audit.ts'
import { type Organisation, organisations, requireOrganisation } from '../../identity/organisation/organisations.ts'
import { type Clock, iso, periodOf } from '../../lib/clock.ts'
import {
  endDraft,
  type Invoice,
  type InvoiceLine,
  invoicedOverage,
  issueInvoice,
  openInvoices,
  paidFor,
  priceOf,
} from '../invoices/invoices.ts'
import { readTerms, type Terms } from '../invoices/terms.ts'
import { noAccount, planOf } from '../ledger/accounts.ts'
import { type Books, openBooks, overageThrough } from '../ledger/books.ts'
import { type Account, accounts, accountTime } from '../ledger/ledger.ts'
import { invoiceFacts, type NoticeRules, tellContacts } from '../notices.ts'
import { isDisputed } from '../payments/payment-table.ts'
import { nextPeriod, periodEndMs, previousPeriod } from '../period.ts'
import type { Plan, Plans } from '../plans.ts'
import type { BillingSettings } from '../settings.ts'
import { type Entitlement, type EntitlementFacts, entitlementAt } from './entitlement.ts'

export interface BillingRules extends NoticeRules {
  readonly plans: Plans
  readonly settings: BillingSettings
  /** The payment provider: `invoice` or `stripe`. */
  readonly provider: string
}

export const subscriptions = defineTable({
  name: 'subscription',
  key: ['organisationId'],
  columns: {
    organisationId: named('organisation_id', text()),
    provider: text(),
    /** From the next month on; null: the plan stays. */
    nextPlanId: named('next_plan_id', orNull(text())),
    startedAtMs: named('started_at', integer()),
    /** Null while it waits for its first payment. */
    givenAtMs: named('given_at', orNull(integer())),
    /** The chosen end; null without one. */
    endsAtMs: named('ends_at', orNull(integer())),
    closedPeriod: named('closed_period', text()),
    /** The provider's names for the payer and the saved card. */
    payer: orNull(text()),
    paymentMethod: named('payment_method', orNull(text())),
    updatedAtMs: named('updated_at', integer()),
  },
})
/** The customer's choices. The state of the subscription follows from these choices and the invoices: see entitlement.ts. */
export type Subscription = EntityOf<typeof subscriptions>

export interface OpenAccount {
  readonly tx: Tx
  readonly rules: BillingRules
  readonly books: Books
  /** A change may set these. */
  organisation: Organisation
  subscription: Subscription | undefined
  terms: Terms
}

export async function withCurrentAccount<T>(
  given: Tx,
  rules: BillingRules,
  organisationId: string,
  change: (current: OpenAccount) => Promise<T>,
): Promise<T> {
  // Lock order: the account first, as on the hot path.
  const { tx, books } = await openBooks(given, rules.plans, organisationId)
  // Payments arrive for the invoices of an erased organisation, too.
  const organisation = await organisations.lock(tx, { id: organisationId })
  if (!organisation) throw noAccount(organisationId)
  const subscription = await subscriptions.find(tx, { organisationId })
  const terms = await readTerms(tx, organisationId)
  const current: OpenAccount = { tx, rules, books, organisation, subscription, terms }
  await bringUpToNow(current)
  const value = await change(current)
  const now = await currentEntitlement(current)
  books.setAllowance(now.monthlyCreditPence, now.overageLimitPence)
  if (current.subscription && current.subscription !== subscription) {
    books.touch()
    await subscriptions.upsert(tx, [{ ...current.subscription, updatedAtMs: tx.nowMs }])
  }
  await tellNewlyOverdue(current, organisation)
  await writeCopies(current, organisation, now)
  await books.write()
  return value
}

/**
 * Sends notices about invoices that became overdue since the state was last derived. The stored state ends at the first
 * due date, so each invoice is reported once.
 */
async function tellNewlyOverdue({ tx, rules }: OpenAccount, before: Organisation): Promise<void> {
  const sinceMs = before.state_until
  if (sinceMs === null || sinceMs > tx.nowMs) return
  for (const invoice of await openInvoices(tx, before.id)) {
    if (invoice.in_advance || invoice.due_at < sinceMs || invoice.due_at > tx.nowMs) continue
    const { about, data } = invoiceFacts(invoice)
    const told = { data, about: { ...about, due_at: iso(invoice.due_at) } }
    await tellContacts(tx, rules, before, 'invoice_overdue', told)
  }
}

async function bringUpToNow(current: OpenAccount): Promise<void> {
  const { books, subscription, tx } = current
  const period = periodOf(tx.nowMs)
  let plan = books.plan
  if (subscription) {
    for (let month = nextPeriod(subscription.closedPeriod); month < period; month = nextPeriod(month)) {
      plan = await closeMonth(current, plan, month)
    }
  }
  if (period <= books.account.period) {
    books.movePlan(plan)
    return
  }
  books.roll(plan, (await currentEntitlement(current, plan)).monthlyCreditPence)
}

/** Closes a month and starts the next; returns the plan of the next. */
async function closeMonth(current: OpenAccount, before: Plan, month: string): Promise<Plan> {
  const subscription = current.subscription!
  const endMs = periodEndMs(month)
  const following = nextPeriod(month)
  const runs = (await currentEntitlement(current, before, endMs)).state === 'active'
  const plan = current.rules.plans.get(subscription.nextPlanId ?? '') ?? before
  const unbilled = await unbilledOverage(current, month)
  await issue(current, {
    lines: [overageLine(month, unbilled), ...(runs ? [planLine(plan, following)] : [])],
    issuedAtMs: endMs,
    inAdvance: false,
  })
  current.subscription = { ...subscription, closedPeriod: month, nextPlanId: null }
  return plan
}

/** Overage up to the end of a month that is not invoiced yet. */
export function unbilledOverage({ tx, books }: OpenAccount, month: string): Promise<number> {
  const { organisationId } = books.account
  return overageToInvoice(tx, { organisationId, entrySeq: books.writtenSeq }, month)
}

/** As unbilledOverage, for an account that is not opened for a change. */
export async function overageToInvoice(
  sql: SqlQueries,
  { organisationId, entrySeq }: Pick<Account, 'organisationId' | 'entrySeq'>,
  month: string,
): Promise<number> {
  const added = await overageThrough(sql, organisationId, entrySeq, month)
  return added - (await invoicedOverage(sql, organisationId))
}

export const planLine = (plan: Plan, month: string): InvoiceLine => ({
  kind: 'plan',
  month,
  plan_id: plan.id,
  plan_price_pence: plan.monthly_price_pence,
  description: `${plan.name}, ${month}`,
  amount_pence: plan.monthly_price_pence,
})

export const overageLine = (month: string, pence: number): InvoiceLine => ({
  kind: 'overage',
  month,
  plan_id: null,
  plan_price_pence: null,
  description: `Checks beyond the credit, ${month}`,
  amount_pence: pence,
})

/** Issues a subscription's invoice; without a positive amount there is none. */
export async function issue(
  current: OpenAccount,
  input: {
    readonly lines: readonly InvoiceLine[]
    readonly issuedAtMs: number
    readonly inAdvance: boolean
    readonly draft?: boolean
  },
): Promise<Invoice | undefined> {
  const { organisationId } = current.books.account
  const invoice = await issueInvoice(current.tx, { organisationId, kind: 'subscription', ...input })
  if (invoice) {
    const { number, total_pence } = invoice
    await audit(current.tx, systemIn(organisationId), 'invoice.issue', invoice.id, { number, total_pence })
    await tellIssued(current.tx, current.rules, current.organisation, invoice)
  }
  return invoice
}

/** The notice of a draft is sent with the draft. */
export async function tellIssued(tx: Tx, rules: NoticeRules, organisation: Organisation, invoice: Invoice) {
  if (!invoice.draft) await tellContacts(tx, rules, organisation, 'invoice_issued', invoiceFacts(invoice))
}

/** Sends a draft: a caller asked for its number and how to pay it, so the billing contacts get the notice too. */
export async function sendDraft(deps: AccountDependencies, invoice: Invoice): Promise<void> {
  if (!invoice.draft) return
  await changeIn(deps.sql, deps.clock, async (tx) => {
    if (!(await endDraft(tx, invoice)) || invoice.state !== 'open') return
    await tellIssued(tx, deps, await requireOrganisation(tx, invoice.organisation_id), { ...invoice, draft: false })
  })
}

/** The entitlement without the operator's blocks (disabled, not approved). */
export async function entitlementWithoutOperator(current: OpenAccount): Promise<Entitlement> {
  const { tx, books } = current
  const { facts } = await factsOf(tx, current, books.plan, periodOf(tx.nowMs))
  return entitlementAt({ ...facts, disabled: false, awaitingApproval: false }, tx.nowMs)
}

async function currentEntitlement(current: OpenAccount, plan = current.books.plan, atMs = current.tx.nowMs) {
  return entitlementAt((await factsOf(current.tx, current, plan, periodOf(atMs))).facts, atMs)
}

type EntitlementSources = Pick<OpenAccount, 'rules' | 'organisation' | 'subscription' | 'terms'>

async function factsOf(sql: SqlQueries, sources: EntitlementSources, plan: Plan, month: string) {
  const { organisation, subscription, terms, rules } = sources
  const [open, paid, disputed] = await Promise.all([
    openInvoices(sql, organisation.id),
    paidFor(sql, organisation.id, month),
    isDisputed(sql, organisation.id),
  ])
  const facts: EntitlementFacts = {
    disabled: organisation.disabled_at !== null,
    awaitingApproval: organisation.awaiting_approval,
    deactivated: organisation.deactivated_at !== null,
    plan,
    subscription,
    open,
    disputed,
    ...paid,
    pricePence: priceOf(plan, paid),
    creditBeforePaymentPence: rules.settings.creditBeforePaymentPence,
    ...terms,
  }
  return { facts, open, paid }
}

/** The entitlement with its facts, for display. Call applyDueChanges first. */
export async function readEntitlement(sql: SqlQueries, rules: BillingRules, organisationId: string, nowMs: number) {
  const [organisation, subscription, terms, account] = await Promise.all([
    requireOrganisation(sql, organisationId),
    subscriptions.find(sql, { organisationId }),
    readTerms(sql, organisationId),
    accounts.find(sql, { organisationId }),
  ])
  if (!account) throw noAccount(organisationId)
  const plan = planOf(rules.plans, account)
  const sources = { rules, organisation, subscription, terms }
  const atMs = accountTime(account, nowMs)
  const { facts, open, paid } = await factsOf(sql, sources, plan, periodOf(atMs))
  return { entitlement: entitlementAt(facts, atMs), atMs, facts, open, paid, account, organisation, subscription }
}

async function writeCopies(current: OpenAccount, before: Organisation, now: Entitlement): Promise<void> {
  const { tx, organisation, books } = current
  const after = { ...organisation, state: now.state, state_reason: now.reason, state_until: now.untilMs }
  const changed = (Object.keys(after) as (keyof Organisation)[]).some((field) => after[field] !== before[field])
  if (!changed) return
  books.touch()
  await organisations.update(tx, before, { ...after, updated_at: tx.nowMs })
  const actor = systemIn(organisation.id)
  if (before.state === after.state || after.state === 'disabled') return
  const action = after.state === 'active' ? 'account.active' : 'account.inactive'
  await audit(tx, actor, action, organisation.id, now.reason === null ? {} : { reason: now.reason })
}

export interface AccountDependencies extends BillingRules {
  readonly sql: Sql
  readonly clock: Clock
}

/** Posts the due month-ends and invoices of one organisation; only reads when nothing is due. */
export async function applyDueChanges(deps: AccountDependencies, organisationId: string): Promise<void> {
  const { sql } = deps
  const nowMs = deps.clock.now()
  const rows = await sql.query<{ state_until: number | null; period: string; updatedAtMs: number }>(
    `select o.state_until, a.period, a.updated_at as "updatedAtMs" from organisation o join billing_account a on a.organisation_id = o.id
     where o.id = $1`,
    [organisationId],
  )
  const row = rows[0]
  if (!row) return
  const atMs = accountTime(row, nowMs)
  const due = (row.state_until !== null && row.state_until <= atMs) || row.period < periodOf(atMs)
  if (!due) return
  await changeIn(sql, { now: () => nowMs }, (tx) => withCurrentAccount(tx, deps, organisationId, async () => undefined))
}

export function newSubscription(current: OpenAccount): Subscription {
  const { tx, rules, books } = current
  return {
    organisationId: books.account.organisationId,
    provider: rules.provider,
    nextPlanId: null,
    startedAtMs: tx.nowMs,
    givenAtMs: null,
    endsAtMs: null,
    closedPeriod: previousPeriod(periodOf(tx.nowMs)),
    payer: null,
    paymentMethod: null,
    updatedAtMs: tx.nowMs,
  }
}

export const ACCOUNTS_CHANNEL = 'accounts'

export async function announceAccountChange(sql: Sql, organisationId: string): Promise<void> {
  await sql.notify(ACCOUNTS_CHANNEL, organisationId)
}
