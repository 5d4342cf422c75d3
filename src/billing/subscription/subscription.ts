/**
 * The choices of customers and of the operator. Each function locks, checks, writes and audits; entitlement.ts derives the state.
 *
 *  1. A paid or more expensive plan begins when its invoice is paid. What is invoiced or paid for the month counts,
 *     so no month is priced twice.
 *  2. Before a customer's first payment the operator's settings may let a plan begin on terms.
 *  3. A cheaper plan takes effect with the next month; between plans of one price the change is at once and free.
 *  4. Ended at the end of the month, a subscription runs until then; ended now, it stops at once, what was paid stays
 *     paid, and the overage so far is invoiced.
 *  5. Nothing is chosen while an invoice is overdue or a payment disputed.
 */

import { type Actor, isUnlimited } from '../../access/actor.ts'
import { requireProof } from '../../access/rights.ts'
import type { Tx } from '../../db/sql.ts'
import { conflict, forbidden, invalidField } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import type { Organisation } from '../../identity/organisation/organisations.ts'
import { refuseWait, takeAttempts } from '../../identity/people/throttle.ts'
import { periodOf } from '../../lib/clock.ts'
import { invoiceName, pounds } from '../../lib/money-text.ts'
import { quoted } from '../../lib/quoted.ts'
import { LIMITS } from '../../limits.ts'
import {
  countOpenTopUps,
  dueAtMs,
  type Invoice,
  issueInvoice,
  listInvoices,
  openInvoices,
  paidFor,
  priceOf,
  updateInvoice,
} from '../invoices/invoices.ts'
import { writeTerms } from '../invoices/terms.ts'
import { isPosted } from '../ledger/books.ts'
import { type Account, accounts, emptyAccount } from '../ledger/ledger.ts'
import { periodEndMs, previousPeriod } from '../period.ts'
import { needsMoney, type Plan } from '../plans.ts'
import { NO_PAYMENT_WORDS, takesMoney } from '../settings.ts'
import { canEnd, purchaseOf, waitsForNextMonth } from './choice.ts'
import type { Entitlement } from './entitlement.ts'
import {
  type BillingRules,
  entitlementWithoutOperator,
  issue,
  newSubscription,
  type OpenAccount,
  overageLine,
  planLine,
  tellIssued,
  unbilledOverage,
  withCurrentAccount,
} from './open-account.ts'

export type SubscriptionChange = { readonly plan: string } | { readonly end: 'now' | 'period_end' }

interface NewAccount {
  readonly organisationId: string
  readonly planId: string
}

/** An account by the operator's arrangement: without a subscription, it is served as its plan says. */
export async function openAccount(tx: Tx, rules: BillingRules, input: NewAccount): Promise<void> {
  await insertAccount(tx, rules, input)
  await withCurrentAccount(tx, rules, input.organisationId, async () => undefined)
}

/** An account with its first subscription, as somebody signs up; the invoice is what it costs. */
export async function signUp(tx: Tx, rules: BillingRules, input: NewAccount & { readonly topUpPence: number }) {
  await insertAccount(tx, rules, input)
  return withCurrentAccount(tx, rules, input.organisationId, async (current) => {
    current.subscription = newSubscription(current)
    const invoice = await buy(current, current.books.plan)
    return invoice ?? (input.topUpPence > 0 ? issueTopUp(current, input.topUpPence) : undefined)
  })
}

/** Opened without credit: the first derived entitlement grants it. */
async function insertAccount(tx: Tx, rules: BillingRules, { organisationId, planId }: NewAccount): Promise<void> {
  const plan = requirePlan(rules, planId)
  await accounts.insert(tx, { ...emptyAccount(organisationId, plan.id, tx.nowMs), monthlyCreditPence: 0 })
}

export async function changeSubscription(tx: Tx, rules: BillingRules, actor: Actor, change: SubscriptionChange) {
  requireProof(actor)
  return withCurrentAccount(tx, rules, actor.organisationId, async (current) => {
    const invoice = 'end' in change ? await end(current, actor, change.end) : await choose(current, actor, change.plan)
    return { subscription: current.subscription, plan: current.books.plan, invoice }
  })
}

async function choose(current: OpenAccount, actor: Actor, planId: string): Promise<Invoice | undefined> {
  const { books, tx, rules } = current
  const plan = requirePlan(rules, planId)
  const before = books.plan
  requireOffered(rules, actor, plan, before)
  const now = await entitlementWithoutOperator(current)
  refuseInDebt(now)
  const running = current.subscription !== undefined && now.state === 'active'
  const paid = await paidFor(tx, actor.organisationId, periodOf(tx.nowMs))
  const hasMonth = running && paid.coveredPence >= priceOf(before, paid)
  const takesEffect = waitsForNextMonth(hasMonth, before, plan) ? 'next month' : 'now'
  const action = running && plan.id !== before.id ? 'subscription.change' : 'subscription.resume'
  const about = { from: before.id, to: plan.id, takes_effect: takesEffect }
  await audit(tx, actor, action, actor.organisationId, about)
  const waiting = await planInvoice(current)
  if (waiting?.lines.some((line) => line.plan_id === plan.id)) return waiting
  if (waiting) await cancel(current, actor, waiting)
  if (running) current.subscription = { ...current.subscription!, endsAtMs: null, nextPlanId: null }
  if (takesEffect === 'next month') {
    current.subscription = { ...current.subscription!, nextPlanId: plan.id }
    return undefined
  }
  const invoice = await buy(current, plan, { onTerms: isUnlimited(actor), draft: true })
  if (invoice) await countInvoice(current, actor)
  return invoice
}

/** Bounds the invoices that a customer makes in a day: each is a row and a line of the audit log that stay. */
async function countInvoice({ tx }: OpenAccount, actor: Actor): Promise<void> {
  if (isUnlimited(actor)) return
  const limit = LIMITS.attempts.invoicesMade
  const key = `invoices ${actor.organisationId}`
  const { taken, endsAtMs } = await takeAttempts(tx, key, limit, tx.nowMs, { wanted: 1 })
  refuseWait(
    taken > 0 ? 0 : endsAtMs - tx.nowMs,
    `This organisation has made ${limit.attemptsMax} invoices by top-ups and changes of plan, the most in 24 hours.`,
  )
}

/** Invoices the unpaid part of this month's price; the plan begins now, or when the invoice is paid. */
export async function buy(
  current: OpenAccount,
  plan: Plan,
  { onTerms = false, draft = false }: { readonly onTerms?: boolean; readonly draft?: boolean } = {},
): Promise<Invoice | undefined> {
  const { tx, books, rules } = current
  const month = periodOf(tx.nowMs)
  const paid = await paidFor(tx, books.account.organisationId, month)
  const { creditBeforePaymentPence } = rules.settings
  const { begins, invoicePence } = purchaseOf(plan, paid, { creditBeforePaymentPence, onTerms })
  if (invoicePence === 0) {
    await give(current, plan)
    return undefined
  }
  const line = { ...planLine(plan, month), amount_pence: invoicePence }
  const upgrade = { kind: 'upgrade' as const, description: `${books.plan.name} to ${plan.name}, ${month}` }
  const lines = [paid.coveredPence > 0 ? { ...line, ...upgrade } : line]
  const invoice = await issue(current, { lines, issuedAtMs: tx.nowMs, inAdvance: begins === 'when_paid', draft })
  if (begins === 'now') await give(current, plan)
  return invoice
}

async function give(current: OpenAccount, plan: Plan): Promise<void> {
  const { tx, books } = current
  const first = current.subscription === undefined
  const subscription = current.subscription ?? newSubscription(current)
  current.subscription = {
    ...subscription,
    provider: current.rules.provider,
    givenAtMs: subscription.givenAtMs ?? tx.nowMs,
    endsAtMs: null,
    nextPlanId: null,
  }
  current.organisation = { ...current.organisation, deactivated_at: null }
  books.movePlan(plan)
  if (!first) return
  // Overage from before the subscription, when nobody was invoiced.
  const month = previousPeriod(periodOf(tx.nowMs))
  const lines = [overageLine(month, await unbilledOverage(current, month))]
  await issue(current, { lines, issuedAtMs: tx.nowMs, inAdvance: false })
}

async function end(current: OpenAccount, actor: Actor, when: 'now' | 'period_end'): Promise<Invoice | undefined> {
  const { tx, books, organisation, subscription } = current
  const waiting = await planInvoice(current)
  const deactivated = organisation.deactivated_at !== null
  if (!subscription || !canEnd({ subscription, deactivated, waits: waiting !== undefined }, tx.nowMs)) {
    throw conflict('There is no running subscription to end.')
  }
  await audit(tx, actor, 'subscription.end', actor.organisationId, { when })
  if (waiting) await cancel(current, actor, waiting)
  const period = periodOf(tx.nowMs)
  if (when === 'period_end' && (await entitlementWithoutOperator(current)).state === 'active') {
    current.subscription = { ...subscription, endsAtMs: periodEndMs(period), nextPlanId: null }
    return undefined
  }
  current.subscription = {
    ...subscription,
    endsAtMs: Math.min(subscription.endsAtMs ?? tx.nowMs, tx.nowMs),
    nextPlanId: null,
  }
  const lines = [overageLine(period, await unbilledOverage(current, books.account.period))]
  return issue(current, { lines, issuedAtMs: tx.nowMs, inAdvance: false })
}

/** Before an erasure: nobody can use the account any more, and what is owed is invoiced. */
export function closeAccount(tx: Tx, rules: BillingRules, actor: Actor): Promise<void> {
  return withCurrentAccount(tx, rules, actor.organisationId, async (current) => {
    const { subscription, organisation } = current
    const deactivated = organisation.deactivated_at !== null
    const waits = (await planInvoice(current)) !== undefined
    if (subscription && canEnd({ subscription, deactivated, waits }, tx.nowMs)) await end(current, actor, 'now')
    if (current.subscription) current.subscription = { ...current.subscription, payer: null, paymentMethod: null }
    current.organisation = { ...organisation, disabled_at: organisation.disabled_at ?? tx.nowMs }
  })
}

async function planInvoice({ tx, books }: OpenAccount): Promise<Invoice | undefined> {
  const open = await openInvoices(tx, books.account.organisationId)
  return open.find((invoice) => invoice.in_advance && invoice.kind === 'subscription')
}

/** An invoice for credit; the credit is posted when it is paid. */
export function requestTopUp(tx: Tx, rules: BillingRules, actor: Actor, input: { readonly amountPence: number }) {
  if (!isUnlimited(actor)) requireMoney(rules, 'Credit cannot be bought here yet.')
  return withCurrentAccount(tx, rules, actor.organisationId, async (current) => {
    const invoice = await issueTopUp(current, input.amountPence, true)
    await countInvoice(current, actor)
    await audit(tx, actor, 'top_up.create', invoice.id, { amount_pence: input.amountPence })
    return invoice
  })
}

async function issueTopUp({ tx, rules, books, organisation }: OpenAccount, amountPence: number, draft = false) {
  const { organisationId } = books.account
  if ((await countOpenTopUps(tx, organisationId)) >= LIMITS.counts.topUpsOpenMax) {
    throw conflict(`There are ${LIMITS.counts.topUpsOpenMax} open top-ups. Pay or cancel some first.`)
  }
  const line = { kind: 'top_up' as const, plan_id: null, plan_price_pence: null, description: 'Prepaid credit' }
  const invoice = await issueInvoice(tx, {
    organisationId,
    kind: 'top_up',
    lines: [{ ...line, month: periodOf(tx.nowMs), amount_pence: amountPence }],
    inAdvance: true,
    issuedAtMs: tx.nowMs,
    draft,
  })
  await tellIssued(tx, rules, organisation, invoice!)
  return invoice!
}

/** A customer cancels an invoice paid in advance; the operator may cancel any open one. */
export function cancelInvoice(tx: Tx, rules: BillingRules, actor: Actor, found: Invoice): Promise<Invoice> {
  return withCurrentAccount(tx, rules, actor.organisationId, async (current) => {
    const open = await openInvoices(tx, actor.organisationId)
    const invoice = open.find(({ id }) => id === found.id)
    if (!invoice) throw conflict(`Invoice ${invoiceName(found.number)} is not open and cannot be cancelled.`)
    if (!invoice.in_advance && !isUnlimited(actor)) {
      throw conflict(
        `Invoice ${invoiceName(invoice.number)} is for a service already given and must be paid. Ask the operator if it is wrong.`,
      )
    }
    return cancel(current, actor, invoice)
  })
}

/** The operator cancels an invoice. An already cancelled one stays as it is. */
export async function voidInvoice(tx: Tx, rules: BillingRules, actor: Actor, found: Invoice): Promise<Invoice> {
  return found.state === 'void' ? found : cancelInvoice(tx, rules, actor, found)
}

/** Cancels the invoice and forgives the overage on it. */
async function cancel(current: OpenAccount, actor: Actor, invoice: Invoice): Promise<Invoice> {
  settleOverage(current, invoice, 'cancelled')
  const cancelled = await updateInvoice(current.tx, { ...invoice, state: 'void', settled_at: current.tx.nowMs })
  const { number, total_pence } = invoice
  await audit(current.tx, actor, 'invoice.void', invoice.id, { number, total_pence })
  return cancelled
}

/** Overage on a paid or cancelled invoice is no longer owed. */
export function settleOverage({ books }: OpenAccount, invoice: Invoice, word: 'paid' | 'cancelled'): void {
  const settledPence = Math.min(invoice.overage_pence, books.account.overagePence)
  if (settledPence === 0) return
  books.post({
    kind: 'settle',
    overageDeltaPence: -settledPence,
    reference: `settle ${invoice.id} ${books.account.entrySeq + 1}`,
    detail: `invoice ${invoiceName(invoice.number)} ${word}`,
  })
}

const CREDIT_PENCE_MAX = 1_000_000_000
const PREPAID_PENCE_MAX = 1_000_000_000_000

/** Prepaid credit from the operator. `reference` names the payment: posting it a second time changes nothing. */
export function addCredit(
  tx: Tx,
  rules: BillingRules,
  actor: Actor,
  input: { readonly pence: number; readonly reason: string; readonly reference?: string },
): Promise<{ account: Account; repeated: boolean }> {
  const { pence, reason, reference } = input
  if (!Number.isInteger(pence) || pence < 1 || pence > CREDIT_PENCE_MAX) {
    throw invalidField('/pence', `A credit is from ${pounds(1)} to ${pounds(CREDIT_PENCE_MAX)}.`)
  }
  if (reason.trim() === '' || reason.length > 500) {
    throw invalidField('/reason', 'A credit needs a reason of at most 500 characters; the ledger shows it.')
  }
  return withCurrentAccount(tx, rules, actor.organisationId, async ({ books }) => {
    if (reference !== undefined && (await isPosted(tx, actor.organisationId, reference))) {
      return { account: books.account, repeated: true }
    }
    if (books.account.prepaidPence + pence > PREPAID_PENCE_MAX) {
      throw invalidField('/pence', `The credit would exceed ${pounds(PREPAID_PENCE_MAX)}.`)
    }
    const entryId = books.post({ kind: 'credit', prepaidDeltaPence: pence, reference: reference ?? null })
    // The reason may name people. Only the audit log has it, where it can be erased.
    await audit(tx, actor, 'credit.add', entryId, { pence, reason })
    return { account: books.account, repeated: false }
  })
}

/** The operator puts an organisation on a plan. A subscriber is invoiced on terms; others have it as arranged. */
export function setPlan(tx: Tx, rules: BillingRules, actor: Actor, planId: string): Promise<Invoice | undefined> {
  const plan = requirePlan(rules, planId)
  return withCurrentAccount(tx, rules, actor.organisationId, async (current) => {
    if (current.subscription) return choose(current, actor, planId)
    if (plan.id === current.books.plan.id) return undefined
    await audit(tx, actor, 'plan.set', actor.organisationId, { from: current.books.plan.id, to: plan.id })
    current.books.movePlan(plan)
    return undefined
  })
}

/** How much may be owed beyond the credit: the owner may lower the plan's limit, the operator may set any. */
export function setOverageLimit(tx: Tx, rules: BillingRules, actor: Actor, limitPence: number | null): Promise<void> {
  return withCurrentAccount(tx, rules, actor.organisationId, async (current) => {
    const { terms, books } = current
    const highest = terms.operatorOverageLimitPence ?? books.plan.overage_limit_pence
    if (!isUnlimited(actor) && limitPence !== null && highest !== undefined && limitPence > highest) {
      throw invalidField(
        '/overage_limit_pence',
        `The limit can only be lowered: at most ${pounds(highest)}. Ask the operator for more.`,
      )
    }
    const field = isUnlimited(actor) ? 'operatorOverageLimitPence' : 'ownerOverageLimitPence'
    current.terms = await writeTerms(tx, { ...terms, [field]: limitPence })
    await audit(tx, actor, 'limit.set', actor.organisationId, { overage_limit_pence: limitPence })
  })
}

/** The operator's switches for an organisation. Each can be reversed, which restores the state from before. */
export const OPERATOR_WORDS = {
  disable: (nowMs: number) => ({ disabled_at: nowMs }),
  enable: () => ({ disabled_at: null }),
  deactivate: (nowMs: number) => ({ deactivated_at: nowMs }),
  activate: () => ({ deactivated_at: null }),
  approve: () => ({ awaiting_approval: false }),
} satisfies Record<string, (nowMs: number) => Partial<Organisation>>
export type OperatorWord = keyof typeof OPERATOR_WORDS
export const OPERATOR_WORD_NAMES = Object.keys(OPERATOR_WORDS) as OperatorWord[]

export function openWords(organisation: Organisation): OperatorWord[] {
  const isSet = (value: unknown) => value !== null && value !== false
  return OPERATOR_WORD_NAMES.filter((word) =>
    Object.entries(OPERATOR_WORDS[word](1)).some(
      ([field, value]) => isSet(organisation[field as keyof Organisation]) !== isSet(value),
    ),
  )
}

export function setOperatorWord(tx: Tx, rules: BillingRules, actor: Actor, word: OperatorWord): Promise<void> {
  return withCurrentAccount(tx, rules, actor.organisationId, async (current) => {
    if (current.organisation.erased_at !== null) {
      throw conflict(`Organisation ${actor.organisationId} was erased: it cannot be changed.`)
    }
    const waited = word === 'approve' && current.organisation.awaiting_approval
    current.organisation = { ...current.organisation, ...OPERATOR_WORDS[word](tx.nowMs) }
    await audit(tx, actor, `organisation.${word}`, actor.organisationId)
    if (waited) await beginAtApproval(current)
  })
}

/** Amounts paid or invoiced before the approval count for the month of the approval. */
async function beginAtApproval({ tx, organisation }: OpenAccount): Promise<void> {
  const { rows } = await listInvoices(tx, { organisationId: organisation.id, kind: 'subscription', limit: 10 })
  for (const invoice of rows) {
    if (invoice.state === 'void' || (invoice.in_advance && invoice.state === 'open')) continue
    const due_at = invoice.state === 'open' ? dueAtMs(tx.nowMs) : invoice.due_at
    await updateInvoice(tx, { ...invoice, due_at }, periodOf(tx.nowMs))
  }
}

export function requirePlan({ plans }: Pick<BillingRules, 'plans'>, planId: string): Plan {
  const plan = plans.get(planId)
  if (!plan) throw invalidField('/plan', `There is no plan ${quoted(planId)}. Plans: ${[...plans.keys()].join(', ')}.`)
  return plan
}

/** The plans that customers may choose; they may always keep their current one. */
export function offeredPlans(rules: Pick<BillingRules, 'plans' | 'settings' | 'provider'>, current?: Plan): Plan[] {
  const { signUpPlans } = rules.settings
  const sells = takesMoney(rules)
  return [...rules.plans.values()].filter(
    (plan) =>
      plan.id === current?.id ||
      ((signUpPlans === 'all' || signUpPlans.includes(plan.id)) && (sells || !needsMoney(plan))),
  )
}

export function requireOffered(rules: BillingRules, actor: Actor | undefined, plan: Plan, current?: Plan): void {
  const offered = offeredPlans(rules, current).map(({ id }) => id)
  if (offered.includes(plan.id) || (actor && isUnlimited(actor))) return
  if (needsMoney(plan)) requireMoney(rules, `${plan.name} cannot be bought here yet.`)
  throw forbidden(
    `The plan ${plan.id} can only be set by the operator. Choose one of ${offered.join(', ')}, or ask the operator.`,
  )
}

/** Nothing is sold that nobody could pay for. */
export function requireMoney(rules: BillingRules, what: string): void {
  if (!takesMoney(rules)) throw forbidden(`${what} ${NO_PAYMENT_WORDS}`)
}

function refuseInDebt(now: Entitlement): void {
  if (now.reason === 'overdue') {
    throw conflict(`Invoice ${invoiceName(now.payFirst!.number)} is overdue. Pay it first; then change the plan.`)
  }
  if (now.reason === 'disputed') {
    throw conflict('A payment is disputed. Settle the dispute first; then change the plan.')
  }
}
