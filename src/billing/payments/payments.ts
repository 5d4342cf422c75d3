/**
 * Payments that arrive. Each is known by its reference and acted on once. Refunds and disputes have a file of their own.
 *
 *  1. A payment of an open invoice, of its amount and in our currency, settles it.
 *  2. A genuine payment of a paid or cancelled invoice becomes prepaid credit: no money is lost.
 *  3. A payment of another amount or currency, or for nothing of ours, settles nothing: it is stored as unmatched, for
 *     the operator to look at.
 */
import { type Actor, systemIn } from '../../access/actor.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { emit } from '../../events/emit.ts'
import { audit } from '../../identity/audit.ts'
import { keepInvoicesUntil } from '../../identity/erasures.ts'
import { periodOf, yearsLater } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { invoiceName } from '../../lib/money-text.ts'
import { endDraft, findInvoice, type Invoice, paidFor, requireInvoice, updateInvoice } from '../invoices/invoices.ts'
import type { Plan } from '../plans.ts'
import { type BillingRules, type OpenAccount, withCurrentAccount } from '../subscription/open-account.ts'
import { buy, settleOverage } from '../subscription/subscription.ts'
import { BY_HAND, findPayment, type Payment, payments, settledBy } from './payment-table.ts'
import { applyEarlierReturns, excessReference } from './refunds-and-disputes.ts'
import { isLost } from './return-rows.ts'

export const CURRENCY = 'gbp'
export interface Received {
  readonly provider: string
  readonly reference: string
  readonly invoiceId: string
  readonly amountPence: number
  readonly currency: string
  /** The provider's names for the payer and the saved card, for the next time. */
  readonly payer?: string | null
  readonly paymentMethod?: string | null
  /** True without a reference: it then counts as the payment that already settled the invoice. */
  readonly unnamed?: boolean
}

export interface Receipt {
  readonly payment: Payment
  /** Undefined when the payment names no known invoice. */
  readonly invoice: Invoice | undefined
  /** The payment was processed before; nothing changed. */
  readonly repeated: boolean
}

/** Processes an arrived payment. `by` gives the actor for the audit log of the organisation. */
export async function receivePayment(
  tx: Tx,
  rules: BillingRules,
  received: Received,
  by: (organisationId: string) => Actor = (organisationId) => systemIn(organisationId, { id: received.provider }),
): Promise<Receipt> {
  const found = await findInvoice(tx, received.invoiceId)
  const receipt = found
    ? await take(tx, rules, received, found, by(found.organisation_id))
    : await keepUnknown(tx, received)
  if (receipt.repeated) return receipt
  const { payment } = await applyEarlierReturns(tx, rules, receipt.payment, by)
  return { ...receipt, payment }
}

async function keepUnknown(tx: Tx, received: Received): Promise<Receipt> {
  const known = await findPayment(tx, received)
  const payment = known ?? (await keep(tx, received, 'unmatched'))
  return { payment, invoice: undefined, repeated: known !== undefined }
}

async function take(tx: Tx, rules: BillingRules, received: Received, found: Invoice, actor: Actor): Promise<Receipt> {
  return withCurrentAccount(tx, rules, found.organisation_id, async (current) => {
    if (current.organisation.erased_at !== null) {
      await keepInvoicesUntil(tx, found.organisation_id, yearsLater(tx.nowMs, rules.settings.invoicesKeptYears))
    }
    // The card of a payment that was lost in a dispute is not charged again.
    const payer = (await isLost(tx, received)) ? { ...received, paymentMethod: null } : received
    rememberPayer(current, payer)
    // Read again under the lock: a concurrent transaction may have settled the invoice or stored this payment.
    const invoice = await requireInvoice(tx, found.id)
    const known = await (received.unnamed && invoice.state === 'paid'
      ? settledBy(tx, invoice)
      : findPayment(tx, received))
    if (known) return { payment: known, invoice, repeated: true }
    await endDraft(tx, invoice)
    if (received.amountPence !== invoice.total_pence || received.currency !== CURRENCY) {
      const payment = await keep(tx, received, 'unmatched', invoice)
      await audit(tx, actor, 'payment.unmatched', payment.id, describe(payment, invoice))
      return { payment, invoice, repeated: false }
    }
    if (invoice.state === 'open' && !isForUnknownPlan(current, invoice)) {
      const payment = await keep(tx, received, 'settled', invoice)
      const settled = await settle(current, actor, invoice, received.reference)
      // Again, because the subscription may have begun with this payment.
      rememberPayer(current, payer)
      return { payment, invoice: settled, repeated: false }
    }
    const payment = await keep(tx, received, 'credited', invoice)
    current.books.post({
      kind: 'credit',
      prepaidDeltaPence: received.amountPence,
      reference: `payment ${received.provider} ${received.reference} ${invoice.id}`,
      detail: `payment for the ${invoice.state === 'open' ? 'withdrawn' : invoice.state === 'paid' ? 'paid' : 'cancelled'} invoice ${invoiceName(invoice.number)}`,
    })
    const left =
      invoice.state === 'open' ? await updateInvoice(tx, { ...invoice, state: 'void', settled_at: tx.nowMs }) : invoice
    await audit(tx, actor, 'payment.credited', payment.id, describe(payment, invoice))
    return { payment, invoice: left, repeated: false }
  })
}

/** A plan that is no longer in plans.json cannot begin: its payment becomes credit. */
function isForUnknownPlan({ rules }: OpenAccount, invoice: Invoice): boolean {
  const planId = invoice.in_advance ? invoice.lines[0]?.plan_id : null
  return typeof planId === 'string' && !rules.plans.has(planId)
}

async function settle(current: OpenAccount, actor: Actor, invoice: Invoice, reference: string): Promise<Invoice> {
  const { tx, books } = current
  if (invoice.kind === 'top_up') {
    books.post({
      kind: 'credit',
      prepaidDeltaPence: invoice.total_pence,
      reference: `top-up ${invoice.id} ${reference}`,
      detail: `top-up, invoice ${invoiceName(invoice.number)}`,
    })
  }
  settleOverage(current, invoice, 'paid')
  const plan = invoice.in_advance ? planOfInvoice(current, invoice) : undefined
  if (plan) await creditExcess(current, invoice, plan)
  // A plan paid in advance counts for the month of its payment.
  const paid = await updateInvoice(
    tx,
    { ...invoice, state: 'paid', reopened: false, settled_at: tx.nowMs, payment_reference: reference },
    plan && periodOf(tx.nowMs),
  )
  const { number, total_pence } = invoice
  await audit(tx, actor, 'invoice.settle', invoice.id, { number, total_pence, reference })
  emit(tx, {
    organisationId: invoice.organisation_id,
    type: 'invoice.paid',
    data: { invoice_id: invoice.id, number: String(number), total_pence },
  })
  if (!plan) return paid
  await audit(tx, actor, 'subscription.given', invoice.organisation_id, { plan: plan.id })
  await buy(current, plan)
  return paid
}

/** If the month was invoiced meanwhile, the amount above its price becomes prepaid credit. */
async function creditExcess({ tx, books }: OpenAccount, invoice: Invoice, plan: Plan): Promise<void> {
  const { coveredPence } = await paidFor(tx, invoice.organisation_id, periodOf(tx.nowMs))
  const pricePence = invoice.lines[0]?.plan_price_pence ?? plan.monthly_price_pence
  const excessPence = Math.min(invoice.total_pence, coveredPence + invoice.total_pence - pricePence)
  if (excessPence <= 0) return
  books.post({
    kind: 'credit',
    prepaidDeltaPence: excessPence,
    reference: excessReference(invoice),
    detail: `paid more than the price of the month, invoice ${invoiceName(invoice.number)}`,
  })
}

function planOfInvoice({ rules, books }: OpenAccount, invoice: Invoice) {
  if (invoice.kind !== 'subscription') return undefined
  return rules.plans.get(invoice.lines[0]?.plan_id ?? '') ?? books.plan
}

function rememberPayer(current: OpenAccount, { payer, paymentMethod }: Received): void {
  if (!current.subscription || current.organisation.erased_at !== null || (!payer && !paymentMethod)) return
  current.subscription = {
    ...current.subscription,
    payer: payer ?? current.subscription.payer,
    paymentMethod: paymentMethod ?? current.subscription.paymentMethod,
  }
}

function keep(tx: Tx, received: Received, outcome: Payment['outcome'], invoice?: Invoice): Promise<Payment> {
  const { provider, reference, amountPence, currency } = received
  return payments.insert(tx, {
    id: newId('pay'),
    provider,
    reference,
    organisation_id: invoice?.organisation_id ?? null,
    invoice_id: invoice?.id ?? null,
    amount_pence: amountPence,
    currency,
    outcome,
    refunded_pence: 0,
    lost_pence: 0,
    disputed_at: null,
    received_at: tx.nowMs,
  })
}

const describe = (payment: Payment, invoice: Invoice) => ({
  number: invoice.number,
  invoice_id: invoice.id,
  amount_pence: payment.amount_pence,
  currency: payment.currency,
  reference: payment.reference,
})

/** The operator records a payment. Without a reference, a second call changes nothing. */
export function settleByHand(
  tx: Tx,
  rules: BillingRules,
  actor: Actor,
  input: { readonly invoice: Invoice; readonly reference: string | null },
): Promise<Receipt> {
  const { invoice, reference } = input
  return receivePayment(
    tx,
    rules,
    {
      provider: BY_HAND,
      reference: reference ?? `invoice ${invoice.id}`,
      invoiceId: invoice.id,
      amountPence: invoice.total_pence,
      currency: CURRENCY,
      unnamed: reference === null,
    },
    () => actor,
  )
}

/** Newest first. */
export function listPayments(
  sql: SqlQueries,
  where: Partial<Pick<Payment, 'organisation_id' | 'outcome'>>,
  limit: number,
): Promise<Payment[]> {
  return payments.list(sql, where, { order: 'received_at desc, id desc', limit })
}

/** The payments that need a person, newest first: without an invoice, or more went back than was paid. */
export function listOddPayments(sql: SqlQueries, limit: number): Promise<Payment[]> {
  return payments.where(
    sql,
    `outcome = 'unmatched' or refunded_pence + lost_pence > amount_pence order by received_at desc, id desc limit ${limit}`,
  )
}
