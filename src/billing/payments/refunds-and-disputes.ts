/**
 * The effect of refunds and disputes of a payment, derived from their rows (return-rows.ts): the rows say how much went
 * back in total, the payment says how much of that is posted, and the difference is posted. So the order of the messages
 * does not matter.
 *
 *  1. A return takes prepaid credit with it; the part already spent is owed. A refunded plan's month is no longer paid for.
 *  2. While a dispute of a payment is open the organisation is not served. An inquiry changes nothing.
 *  3. When a dispute was lost and nothing is left of the payment, the invoice of a plan is unpaid again, and nothing of
 *     the plan is given until it is paid.
 *  4. More may go back than was paid: the payment is listed for the operator.
 */
import { type Actor, operatorIn, systemIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import { conflict, invalidField, orNotFound } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { periodOf } from '../../lib/clock.ts'
import { invoiceName, pounds } from '../../lib/money-text.ts'
import { findInvoice, type Invoice, updateInvoice } from '../invoices/invoices.ts'
import { entries } from '../ledger/ledger.ts'
import {
  type BillingRules,
  issue,
  type OpenAccount,
  overageLine,
  withCurrentAccount,
} from '../subscription/open-account.ts'
import { findPayment, type Payment, type PaymentKey, payments, returnedPence, settledBy } from './payment-table.ts'
import {
  type Dispute,
  type DisputeState,
  disputes,
  disputesOf,
  isLater,
  noteDispute,
  noteRefunded,
  type ReturnKey,
  returnKey,
  type ToldDispute,
} from './return-rows.ts'

/** The ledger reference of an amount paid above the price of a month. */
export const excessReference = (invoice: Invoice) => `excess ${invoice.id}`

/** A refund or dispute, as reported by the provider or the operator. */
export type Returned =
  /** The total refunded so far. */
  { readonly kind: 'refunded'; readonly refundedPence: number } | ({ readonly kind: 'disputed' } & ToldDispute)

export interface Followed {
  readonly payment: Payment
  /** This message was processed before; nothing changed. */
  readonly repeated: boolean
}

type By = (organisationId: string) => Actor

/** Stores a refund or dispute and applies it; returns undefined while the payment is unknown. */
export async function followPayment(
  tx: Tx,
  rules: BillingRules,
  which: PaymentKey,
  told: Returned,
  by: By = (organisationId) => systemIn(organisationId, { id: which.provider }),
): Promise<Followed | undefined> {
  const found = await findPayment(tx, which)
  if (found) return applyReturns(tx, rules, found, by, (at) => note(at, returnKey(found), told))
  const changed = await note(tx, which, told)
  // Read again: the payment may have arrived while this transaction waited for the row.
  const arrived = await findPayment(tx, which)
  return arrived && applyReturns(tx, rules, arrived, by, async () => changed)
}

async function note(tx: Tx, key: ReturnKey, told: Returned): Promise<Dispute[]> {
  if (told.kind === 'refunded') {
    await noteRefunded(tx, key, told.refundedPence)
    return []
  }
  await noteRefunded(tx, key, 0)
  const changed = await noteDispute(tx, key, told)
  return changed ? [changed] : []
}

export function applyEarlierReturns(tx: Tx, rules: BillingRules, payment: Payment, by: By): Promise<Followed> {
  const key = returnKey(payment)
  return applyReturns(tx, rules, payment, by, async (at) => {
    await noteRefunded(at, key, 0)
    return disputesOf(at, key)
  })
}

/** `tell` stores what is new, under the account's lock, and returns the disputes that changed. */
async function applyReturns(
  tx: Tx,
  rules: BillingRules,
  payment: Payment,
  by: By,
  tell: (tx: Tx) => Promise<readonly Dispute[]>,
): Promise<Followed> {
  const { id, organisation_id: organisationId } = payment
  if (organisationId === null) {
    const changed = await tell(tx)
    const after = await returnsOf(tx, payment)
    return write(tx, payment, after.payment, changed)
  }
  const actor = by(organisationId)
  return withCurrentAccount(tx, rules, organisationId, async (current) => {
    const changed = await tell(current.tx)
    // Read again under the lock.
    const before = (await payments.find(current.tx, { id }))!
    const after = await returnsOf(current.tx, before)
    await auditReturns(current.tx, actor, before, after.payment, changed)
    await move(current, before, after)
    // Do not charge this card again automatically.
    if (current.subscription && changed.some(({ state }) => state === 'lost')) {
      current.subscription = { ...current.subscription, paymentMethod: null }
    }
    return write(current.tx, before, after.payment, changed)
  })
}

async function write(tx: Tx, before: Payment, after: Payment, changed: readonly Dispute[]): Promise<Followed> {
  const repeated = changed.length === 0 && returnedPence(after) === returnedPence(before)
  return { payment: await payments.update(tx, before, after), repeated }
}

type Returns = Awaited<ReturnType<typeof returnsOf>>

/** The payment as its rows say. */
async function returnsOf(tx: Tx, payment: Payment) {
  const key = returnKey(payment)
  // An earlier version stored a total only with the payment.
  const refunded_pence = Math.max(payment.refunded_pence, await noteRefunded(tx, key, 0))
  const rows = await disputesOf(tx, key)
  const lost = rows.filter(({ state }) => state === 'lost')
  const named = lost.reduce((sum, { amount_pence }) => sum + (amount_pence ?? 0), 0)
  const isWhole = lost.some(({ amount_pence }) => amount_pence === null)
  const lost_pence = Math.max(named, isWhole ? payment.amount_pence - refunded_pence : 0)
  const disputed_at = rows.find(({ state }) => state === 'open')?.opened_at ?? null
  return { payment: { ...payment, refunded_pence, lost_pence, disputed_at }, lost: lost.length > 0 }
}

/** Posts the difference, and writes the invoice that the payment settled. */
async function move(current: OpenAccount, before: Payment, { payment, lost }: Returns): Promise<void> {
  if (payment.outcome === 'unmatched') return
  const invoice = payment.invoice_id === null ? undefined : await findInvoice(current.tx, payment.invoice_id)
  const isCredit = payment.outcome === 'credited' || invoice?.kind === 'top_up'
  const excessPence = isCredit || !invoice ? 0 : await creditedWith(current, excessReference(invoice))
  const takenBy = (of: Payment) => {
    if (isCredit) return Math.min(of.amount_pence, returnedPence(of))
    return of.refunded_pence >= of.amount_pence ? excessPence : 0
  }
  const takenPence = takenBy(payment) - takenBy(before)
  if (takenPence > 0 || returnedPence(payment) > returnedPence(before)) await reverse(current, payment, takenPence)
  const settles = invoice?.state === 'paid' && [null, payment.reference].includes(invoice.payment_reference)
  if (!settles || payment.outcome !== 'settled') return
  if (lost && !isCredit && returnedPence(payment) >= payment.amount_pence) await reopen(current, invoice)
  else {
    const refunded_pence = Math.min(payment.amount_pence, returnedPence(payment))
    await updateInvoice(current.tx, { ...invoice, refunded_pence })
  }
}

async function creditedWith({ tx, books }: OpenAccount, reference: string): Promise<number> {
  const found = await entries.find(tx, { organisationId: books.account.organisationId, reference })
  return found?.prepaidDeltaPence ?? 0
}

/** Removes prepaid credit; the part already spent is owed and invoiced at once. */
async function reverse(current: OpenAccount, payment: Payment, pence: number): Promise<void> {
  const { books, tx } = current
  const fromPrepaid = Math.min(pence, books.account.prepaidPence)
  books.post({
    kind: 'reversal',
    prepaidDeltaPence: 0 - fromPrepaid,
    overageDeltaPence: pence - fromPrepaid,
    reference: `returned ${payment.refunded_pence} ${payment.lost_pence} of ${payment.id}`,
    detail: `payment ${payment.reference} was returned`,
  })
  const lines = [
    { ...overageLine(periodOf(tx.nowMs), pence - fromPrepaid), description: 'Credit used, payment returned' },
  ]
  await issue(current, { lines, issuedAtMs: tx.nowMs, inAdvance: false })
}

/** The invoice is unpaid again; overage that it settled is owed again. */
async function reopen({ tx, books }: OpenAccount, invoice: Invoice): Promise<void> {
  await updateInvoice(tx, {
    ...invoice,
    state: 'open',
    reopened: true,
    in_advance: false,
    refunded_pence: 0,
    settled_at: null,
    payment_reference: null,
  })
  if (invoice.overage_pence === 0) return
  books.post({
    kind: 'settle',
    overageDeltaPence: invoice.overage_pence,
    reference: `unsettle ${invoice.id} ${books.account.entrySeq + 1}`,
    detail: `invoice ${invoiceName(invoice.number)} is unpaid again`,
  })
}

const OUTCOMES: Readonly<Record<DisputeState, string>> = {
  inquiry: 'inquiry',
  inquiry_closed: 'inquiry_closed',
  open: 'disputed',
  won: 'dispute_won',
  lost: 'dispute_lost',
}

async function auditReturns(tx: Tx, actor: Actor, before: Payment, after: Payment, changed: readonly Dispute[]) {
  const { id, reference } = after
  const morePence = after.refunded_pence - before.refunded_pence
  if (morePence > 0) {
    const invoice = after.invoice_id === null ? undefined : await findInvoice(tx, after.invoice_id)
    const number = invoice ? { number: invoice.number } : {}
    await audit(tx, actor, 'payment.refund', id, { ...number, refunded_pence: morePence, reference })
  }
  for (const dispute of changed) await auditDispute(tx, actor, dispute, id)
}

const auditDispute = (tx: Tx, actor: Actor, { id, state, reference }: Dispute, paymentId: string | null) =>
  audit(tx, actor, 'payment.dispute', paymentId, { outcome: OUTCOMES[state], reference, dispute: id })

export async function refundByHand(
  tx: Tx,
  rules: BillingRules,
  actor: Actor,
  input: { readonly invoice: Invoice; readonly pence: number },
): Promise<Payment> {
  const { invoice, pence } = input
  const paid = await settledBy(tx, invoice)
  if (!paid || invoice.state !== 'paid') {
    throw conflict(`Invoice ${invoiceName(invoice.number)} is not paid: there is nothing to refund.`)
  }
  const leftPence = paid.amount_pence - returnedPence(paid)
  if (pence > leftPence) {
    throw invalidField(
      '/pence',
      `The payment was ${pounds(paid.amount_pence)}, of which ${pounds(leftPence)} is left; you cannot refund more.`,
    )
  }
  const what = { kind: 'refunded', refundedPence: paid.refunded_pence + pence } as const
  return (await followPayment(tx, rules, { ...paid, invoiceId: invoice.id }, what, () => actor))!.payment
}

/** The operator decides a dispute, for example when the provider's message was lost. */
export async function closeDispute(
  tx: Tx,
  rules: BillingRules,
  input: { readonly id: string; readonly outcome: 'won' | 'lost' },
): Promise<{ readonly dispute: Dispute; readonly payment: Payment | undefined }> {
  const { id, outcome } = input
  const found = await orNotFound(
    disputes.find(tx, { id }),
    `There is no dispute ${id}. See: assayd payment dispute list`,
  )
  if (!isLater(outcome, found.state)) throw conflict(`Dispute ${id} is already ${found.state}: nothing was changed.`)
  const told = { kind: 'disputed', id, state: outcome, amountPence: null } as const
  const followed = await followPayment(tx, rules, found, told, operatorIn)
  const dispute = { ...found, state: outcome, closed_at: tx.nowMs }
  if (!followed?.payment.organisation_id) {
    await auditDispute(tx, operatorIn(''), dispute, followed?.payment.id ?? null)
  }
  return { dispute, payment: followed?.payment }
}
