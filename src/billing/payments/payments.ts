/**
 * Money that came, and money that went back. Each payment is known by its reference and acted on once.
 *
 *  1. A payment of an open invoice, of its amount and in our currency, settles it.
 *  2. A genuine payment that finds its invoice paid or cancelled becomes prepaid credit: money that came is never lost.
 *  3. A payment of another amount or currency, or for nothing of ours, settles nothing: it is kept as unmatched, for
 *     the operator to look at.
 *  4. A refund takes back what the payment bought: prepaid credit, and what of it is spent already is owed; a plan's
 *     month is no longer paid for.
 *  5. While a payment is disputed the organisation is not served. A dispute that is lost leaves the invoice unpaid
 *     again; one that is won brings back the state from before.
 */
import { type Actor, systemIn } from '../../access/actor.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { DAY_MS, periodOf } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { findInvoice, type Invoice, paidFor, requireInvoice, updateInvoice } from '../invoices/invoices.ts'
import { entries } from '../ledger/accounts.ts'
import type { Plan } from '../plans.ts'
import { atPresent, type BillingRules, issue, overageLine, type Present } from '../subscription/present.ts'
import { buy, settleOverage } from '../subscription/subscription.ts'
import { type Payment, payments } from './payment-table.ts'

export const CURRENCY = 'gbp'
/** The provider of payments that the operator notes. */
const BY_HAND = 'operator'

export interface Received {
  readonly provider: string
  readonly reference: string
  readonly invoiceId: string
  readonly amountPence: number
  readonly currency: string
  /** The provider's names for the payer and the saved card, for the next time. */
  readonly payer?: string | null
  readonly paymentMethod?: string | null
  /** Without a reference of its own, it is the payment that settled the invoice already. */
  readonly unnamed?: boolean
}

type Payee = Pick<Received, 'provider' | 'reference'> & { readonly invoiceId?: string }

export interface Receipt {
  readonly payment: Payment
  /** Undefined where the payment names no invoice of ours. */
  readonly invoice: Invoice | undefined
  /** The same payment was acted on before; nothing changed. */
  readonly repeated: boolean
}

/** A payment arrived. `by` says who told us; without an organisation of ours nobody's audit log can hold it. */
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
  let { payment } = receipt
  for (const what of await takeAftermath(tx, received)) {
    payment =
      (await followPayment(tx, rules, { ...received, invoiceId: received.invoiceId }, what, by))?.payment ?? payment
  }
  return { ...receipt, payment }
}

async function keepUnknown(tx: Tx, received: Received): Promise<Receipt> {
  const known = await findPayment(tx, received)
  const payment = known ?? (await keep(tx, received, { outcome: 'unmatched', invoice: undefined }))
  return { payment, invoice: undefined, repeated: known !== undefined }
}

async function take(tx: Tx, rules: BillingRules, received: Received, found: Invoice, actor: Actor): Promise<Receipt> {
  return atPresent(tx, rules, found.organisation_id, async (present) => {
    rememberPayer(present, received)
    // Read again under the lock: whoever held it before may have settled the invoice, or kept this payment.
    const invoice = await requireInvoice(tx, found.id)
    const known = await (received.unnamed && invoice.state === 'paid'
      ? settledBy(tx, invoice)
      : findPayment(tx, received))
    if (known) return { payment: known, invoice, repeated: true }
    if (received.amountPence !== invoice.total_pence || received.currency !== CURRENCY) {
      const payment = await keep(tx, received, { outcome: 'unmatched', invoice })
      await audit(tx, actor, 'payment.unmatched', payment.id, describe(payment, invoice))
      return { payment, invoice, repeated: false }
    }
    if (invoice.state === 'open' && !isForUnknownPlan(present, invoice)) {
      const payment = await keep(tx, received, { outcome: 'settled', invoice })
      const settled = await settle(present, actor, invoice, received.reference)
      // Once more: the subscription may have begun with this payment.
      rememberPayer(present, received)
      return { payment, invoice: settled, repeated: false }
    }
    const payment = await keep(tx, received, { outcome: 'credited', invoice })
    present.books.post({
      kind: 'credit',
      prepaidDeltaPence: received.amountPence,
      reference: `payment ${received.provider} ${received.reference} ${invoice.id}`,
      detail: `payment for the ${invoice.state === 'open' ? 'withdrawn' : invoice.state === 'paid' ? 'paid' : 'cancelled'} invoice ${invoice.number}`,
    })
    const left =
      invoice.state === 'open' ? await updateInvoice(tx, { ...invoice, state: 'void', settled_at: tx.nowMs }) : invoice
    await audit(tx, actor, 'payment.credited', payment.id, describe(payment, invoice))
    return { payment, invoice: left, repeated: false }
  })
}

/** The payment that settled a paid invoice. */
function settledBy(sql: SqlQueries, { id, payment_reference }: Invoice): Promise<Payment | undefined> {
  const named = payment_reference === null ? {} : { reference: payment_reference }
  return payments.find(sql, { invoice_id: id, outcome: 'settled', ...named })
}

/** A plan that plans.json no longer has cannot be given: what was paid for it becomes credit. */
function isForUnknownPlan({ rules }: Present, invoice: Invoice): boolean {
  const planId = invoice.in_advance ? invoice.lines[0]?.plan_id : null
  return typeof planId === 'string' && !rules.plans.has(planId)
}

/** What was told of a payment before it came. */
async function takeAftermath(tx: Tx, { provider, reference }: Payee): Promise<Aftermath[]> {
  const rows = await tx.query<{ kind: Aftermath['kind']; refunded_pence: number | null }>(
    `delete from payment_aftermath where provider = $1 and reference = $2 returning kind, refunded_pence, received_at`,
    [provider, reference],
  )
  return rows.map(({ kind, refunded_pence }) =>
    kind === 'refunded' ? { kind, refundedPence: refunded_pence ?? 0 } : { kind },
  )
}

/** Kept until the payment comes: messages of a provider arrive in any order. */
export async function keepAftermath(tx: Tx, { provider, reference }: Payee, what: Aftermath): Promise<void> {
  await tx.query(
    `insert into payment_aftermath (provider, reference, kind, refunded_pence, received_at) values ($1, $2, $3, $4, $5)
     on conflict (provider, reference, kind) do update set refunded_pence = excluded.refunded_pence`,
    [provider, reference, what.kind, what.kind === 'refunded' ? what.refundedPence : null, tx.nowMs],
  )
}

async function settle(present: Present, actor: Actor, invoice: Invoice, reference: string): Promise<Invoice> {
  const { tx, books } = present
  if (invoice.kind === 'top_up') {
    books.post({
      kind: 'credit',
      prepaidDeltaPence: invoice.total_pence,
      reference: `top-up ${invoice.id} ${reference}`,
      detail: `top-up, invoice ${invoice.number}`,
    })
  }
  settleOverage(present, invoice, 'paid')
  const plan = invoice.in_advance ? planOfInvoice(present, invoice) : undefined
  if (plan) await creditExcess(present, invoice, plan)
  // A plan that was paid in advance has the month in which it is paid.
  const paid = await updateInvoice(
    tx,
    { ...invoice, state: 'paid', settled_at: tx.nowMs, payment_reference: reference },
    plan && periodOf(tx.nowMs),
  )
  await audit(tx, actor, 'invoice.settle', invoice.id, {
    number: invoice.number,
    total_pence: invoice.total_pence,
    reference,
  })
  if (!plan) return paid
  await audit(tx, actor, 'subscription.given', invoice.organisation_id, { plan: plan.id })
  await buy(present, plan)
  return paid
}

/** A month that was invoiced meanwhile is not paid twice: what is beyond its price becomes prepaid credit. */
async function creditExcess({ tx, books }: Present, invoice: Invoice, plan: Plan): Promise<void> {
  const { coveredPence } = await paidFor(tx, invoice.organisation_id, periodOf(tx.nowMs))
  const pricePence = invoice.lines[0]?.plan_price_pence ?? plan.monthly_price_pence
  const excessPence = Math.min(invoice.total_pence, coveredPence + invoice.total_pence - pricePence)
  if (excessPence <= 0) return
  books.post({
    kind: 'credit',
    prepaidDeltaPence: excessPence,
    reference: excessOf(invoice),
    detail: `paid beyond the price of the month, invoice ${invoice.number}`,
  })
}

const excessOf = (invoice: Invoice) => `excess ${invoice.id}`

function planOfInvoice({ rules, books }: Present, invoice: Invoice) {
  if (invoice.kind !== 'subscription') return undefined
  return rules.plans.get(invoice.lines[0]?.plan_id ?? '') ?? books.plan
}

function rememberPayer(present: Present, { payer, paymentMethod }: Received): void {
  if (!present.subscription || (!payer && !paymentMethod)) return
  present.subscription = {
    ...present.subscription,
    payer: payer ?? present.subscription.payer,
    paymentMethod: paymentMethod ?? present.subscription.paymentMethod,
  }
}

/** A provider's references are unique; what the operator writes names a payment of one invoice. */
function findPayment(sql: SqlQueries, { provider, reference, invoiceId }: Payee) {
  return payments.find(sql, { provider, reference, ...(provider === BY_HAND ? { invoice_id: invoiceId } : {}) })
}

function keep(
  tx: Tx,
  received: Received,
  { outcome, invoice }: { readonly outcome: Payment['outcome']; readonly invoice: Invoice | undefined },
): Promise<Payment> {
  return payments.insert(tx, {
    id: newId('pay'),
    provider: received.provider,
    reference: received.reference,
    organisation_id: invoice?.organisation_id ?? null,
    invoice_id: invoice?.id ?? null,
    amount_pence: received.amountPence,
    currency: received.currency,
    outcome,
    refunded_pence: 0,
    disputed_at: null,
    dispute_closed_at: null,
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

/** The operator notes that an invoice was paid. Without a reference of its own, a second time changes nothing. */
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

/** What happened to a payment afterwards, as the provider or the operator tells it. */
export type Aftermath =
  /** So much of it, in all, went back to the payer. */
  | { readonly kind: 'refunded'; readonly refundedPence: number }
  | { readonly kind: 'disputed' }
  | { readonly kind: 'dispute_won' }
  | { readonly kind: 'dispute_lost' }

/** Undefined where no such payment is known. */
export async function followPayment(
  tx: Tx,
  rules: BillingRules,
  which: Payee,
  what: Aftermath,
  by: (organisationId: string) => Actor = (organisationId) => systemIn(organisationId, { id: which.provider }),
): Promise<{ payment: Payment; repeated: boolean } | undefined> {
  const found = await findPayment(tx, which)
  if (!found) return undefined
  const { organisation_id: organisationId } = found
  if (organisationId === null) {
    const refunded_pence = what.kind === 'refunded' ? what.refundedPence : found.refunded_pence
    return { payment: await payments.update(tx, { ...found, refunded_pence }), repeated: false }
  }
  const actor = by(organisationId)
  return atPresent(tx, rules, organisationId, async (present) => {
    const before = (await findPayment(tx, which))!
    const after = await (what.kind === 'refunded'
      ? refund(present, actor, before, what.refundedPence)
      : dispute(present, actor, before, what.kind))
    if (!after) return { payment: before, repeated: true }
    return { payment: await payments.update(tx, after), repeated: false }
  })
}

async function refund(
  present: Present,
  actor: Actor,
  payment: Payment,
  refundedPence: number,
): Promise<Payment | undefined> {
  if (refundedPence > payment.amount_pence) {
    throw invalidField('/pence', `The payment was ${payment.amount_pence} pence; more cannot go back.`)
  }
  const morePence = refundedPence - payment.refunded_pence
  if (morePence <= 0) return undefined
  const invoice = payment.invoice_id === null ? undefined : await findInvoice(present.tx, payment.invoice_id)
  const isCredit = payment.outcome === 'credited' || invoice?.kind === 'top_up'
  const whole = refundedPence === payment.amount_pence && invoice !== undefined
  const bought = isCredit ? morePence : whole ? await creditedWith(present, excessOf(invoice)) : 0
  await reverse(present, payment, bought, `refund ${refundedPence}`)
  if (invoice && payment.outcome === 'settled') {
    await updateInvoice(present.tx, { ...invoice, refunded_pence: invoice.refunded_pence + morePence })
  }
  await audit(present.tx, actor, 'payment.refund', payment.id, {
    ...(invoice ? { number: invoice.number } : {}),
    refunded_pence: morePence,
    reference: payment.reference,
  })
  return { ...payment, refunded_pence: refundedPence }
}

async function creditedWith({ tx, books }: Present, reference: string): Promise<number> {
  const found = await entries.find(tx, { organisationId: books.account.organisationId, reference })
  return found?.prepaidDeltaPence ?? 0
}

/** Prepaid credit goes; what of it is spent already is owed, and invoiced at once. */
async function reverse(present: Present, payment: Payment, pence: number, word: string): Promise<void> {
  const { books, tx } = present
  const fromPrepaid = Math.min(pence, books.account.prepaidPence)
  books.post({
    kind: 'reversal',
    prepaidDeltaPence: 0 - fromPrepaid,
    overageDeltaPence: pence - fromPrepaid,
    reference: `${word} of ${payment.provider} ${payment.reference}`,
    detail: `payment ${payment.reference} went back`,
  })
  const lines = [
    { ...overageLine(periodOf(tx.nowMs), pence - fromPrepaid), description: 'Credit used, payment returned' },
  ]
  await issue(present, { lines, issuedAtMs: tx.nowMs, inAdvance: false })
}

async function dispute(
  present: Present,
  actor: Actor,
  payment: Payment,
  kind: 'disputed' | 'dispute_won' | 'dispute_lost',
): Promise<Payment | undefined> {
  const { tx, books } = present
  const isOpen = payment.disputed_at !== null
  const isClosed = payment.dispute_closed_at !== null
  // Messages may come again, or the end of a dispute before its beginning.
  if (isClosed || (kind === 'disputed' && isOpen)) return undefined
  await audit(tx, actor, 'payment.dispute', payment.id, { outcome: kind, reference: payment.reference })
  if (kind === 'disputed') return { ...payment, disputed_at: tx.nowMs }
  if (kind === 'dispute_won') return { ...payment, disputed_at: null, dispute_closed_at: tx.nowMs }
  const lostPence = payment.amount_pence - payment.refunded_pence
  const invoice = payment.invoice_id === null ? undefined : await findInvoice(tx, payment.invoice_id)
  const bought = payment.outcome === 'credited' || invoice?.kind === 'top_up'
  if (lostPence > 0) await reverse(present, payment, bought ? lostPence : 0, 'dispute')
  // A card whose payment was lost is not charged again by itself.
  if (present.subscription) present.subscription = { ...present.subscription, paymentMethod: null }
  if (invoice && payment.outcome === 'settled' && bought) {
    await updateInvoice(tx, { ...invoice, refunded_pence: invoice.refunded_pence + lostPence })
  }
  if (invoice && payment.outcome === 'settled' && !bought && lostPence > 0) {
    // It was given and is unpaid again; overage it had settled is owed again.
    await updateInvoice(tx, { ...invoice, state: 'open', in_advance: false, settled_at: null, payment_reference: null })
    if (invoice.overage_pence > 0) {
      books.post({
        kind: 'settle',
        overageDeltaPence: invoice.overage_pence,
        reference: `unsettle ${invoice.id} ${books.account.entrySeq + 1}`,
        detail: `invoice ${invoice.number} is unpaid again`,
      })
    }
  }
  return { ...payment, disputed_at: null, dispute_closed_at: tx.nowMs, refunded_pence: payment.amount_pence }
}

/** The operator gives money back for an invoice that was paid by hand. */
export async function refundByHand(
  tx: Tx,
  rules: BillingRules,
  actor: Actor,
  input: { readonly invoice: Invoice; readonly pence: number },
): Promise<Payment> {
  const { invoice } = input
  const paid = await settledBy(tx, invoice)
  if (!paid || invoice.state !== 'paid') {
    throw new Problem('conflict', { detail: `Invoice ${invoice.number} is not paid: there is nothing to refund.` })
  }
  const what = { kind: 'refunded', refundedPence: paid.refunded_pence + input.pence } as const
  return (await followPayment(tx, rules, { ...paid, invoiceId: invoice.id }, what, () => actor))!.payment
}

/** What a payer gives with a bank transfer. */
export const paymentReference = (invoice: Pick<Invoice, 'number'>) => `INV-${invoice.number}`

/** Returns true if a provider's message was not acted on before, and marks it as seen. */
export async function firstTime(tx: Tx, eventId: string): Promise<boolean> {
  const seen = await tx.query(
    'insert into payment_event (id, received_at) values ($1, $2) on conflict do nothing returning id',
    [eventId, tx.nowMs],
  )
  return seen.length > 0
}

/** A provider repeats a message for days, and a person may have it sent again within a month. */
const EVENTS_KEPT_MS = 90 * DAY_MS
const PURGED_TOGETHER = 1000

/** Deletes what was kept about messages that nobody will send again; says how many. */
export async function purgePaymentEvents(sql: SqlQueries, nowMs: number): Promise<number> {
  for (let purged = 0; ; ) {
    const rows = await sql.query(
      `delete from payment_event where id in
         (select id from payment_event where received_at <= $1 order by received_at limit ${PURGED_TOGETHER})
       returning 1 as one`,
      [nowMs - EVENTS_KEPT_MS],
    )
    purged += rows.length
    if (rows.length < PURGED_TOGETHER) return purged
  }
}

/** Newest first. */
export function listPayments(
  sql: SqlQueries,
  query: {
    readonly organisationId?: string | undefined
    readonly outcome?: Payment['outcome'] | undefined
    readonly limit: number
  },
): Promise<Payment[]> {
  const { organisationId, outcome, limit } = query
  const where = {
    ...(organisationId === undefined ? {} : { organisation_id: organisationId }),
    ...(outcome === undefined ? {} : { outcome }),
  }
  return payments.list(sql, where, { order: 'received_at desc, id desc', limit })
}
