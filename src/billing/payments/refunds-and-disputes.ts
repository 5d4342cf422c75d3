/**
 * Refunds and disputes of a payment.
 *
 *  1. A refund takes back prepaid credit; the part already spent is owed. A refunded plan's
 *     month is no longer paid for.
 *  2. While a payment is disputed the organisation is not served. A dispute that is lost leaves the invoice unpaid
 *     again; one that is won brings back the state from before.
 *  3. A provider's messages arrive in any order: what is told before its payment waits for it.
 */
import { type Actor, systemIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { periodOf } from '../../lib/clock.ts'
import { findInvoice, type Invoice, updateInvoice } from '../invoices/invoices.ts'
import { entries } from '../ledger/ledger.ts'
import {
  type BillingRules,
  issue,
  type OpenAccount,
  overageLine,
  withCurrentAccount,
} from '../subscription/open-account.ts'
import { findPayment, type Payment, type PaymentKey, payments, settledBy } from './payment-table.ts'

/** The ledger reference of an amount paid above the price of a month. */
export const excessReference = (invoice: Invoice) => `excess ${invoice.id}`

/** A refund or dispute, as reported by the provider or the operator. */
export type Aftermath =
  /** The total refunded so far. */
  | { readonly kind: 'refunded'; readonly refundedPence: number }
  | { readonly kind: 'disputed' }
  | { readonly kind: 'dispute_won' }
  | { readonly kind: 'dispute_lost' }

/** Applies a refund or dispute; returns undefined when the payment is unknown. */
export async function followPayment(
  tx: Tx,
  rules: BillingRules,
  which: PaymentKey,
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
  return withCurrentAccount(tx, rules, organisationId, async (current) => {
    const before = (await findPayment(tx, which))!
    const after = await (what.kind === 'refunded'
      ? refund(current, actor, before, what.refundedPence)
      : dispute(current, actor, before, what.kind))
    if (!after) return { payment: before, repeated: true }
    return { payment: await payments.update(tx, after), repeated: false }
  })
}

async function refund(
  current: OpenAccount,
  actor: Actor,
  payment: Payment,
  refundedPence: number,
): Promise<Payment | undefined> {
  if (refundedPence > payment.amount_pence) {
    throw invalidField('/pence', `The payment was ${payment.amount_pence} pence; you cannot refund more.`)
  }
  const morePence = refundedPence - payment.refunded_pence
  if (morePence <= 0) return undefined
  const invoice = payment.invoice_id === null ? undefined : await findInvoice(current.tx, payment.invoice_id)
  const isCredit = payment.outcome === 'credited' || invoice?.kind === 'top_up'
  const whole = refundedPence === payment.amount_pence && invoice !== undefined
  const bought = isCredit ? morePence : whole ? await creditedWith(current, excessReference(invoice)) : 0
  await reverse(current, payment, bought, `refund ${refundedPence}`)
  if (invoice && payment.outcome === 'settled') {
    await updateInvoice(current.tx, { ...invoice, refunded_pence: invoice.refunded_pence + morePence })
  }
  await audit(current.tx, actor, 'payment.refund', payment.id, {
    ...(invoice ? { number: invoice.number } : {}),
    refunded_pence: morePence,
    reference: payment.reference,
  })
  return { ...payment, refunded_pence: refundedPence }
}

async function creditedWith({ tx, books }: OpenAccount, reference: string): Promise<number> {
  const found = await entries.find(tx, { organisationId: books.account.organisationId, reference })
  return found?.prepaidDeltaPence ?? 0
}

/** Removes prepaid credit; the part already spent is owed and invoiced at once. */
async function reverse(current: OpenAccount, payment: Payment, pence: number, word: string): Promise<void> {
  const { books, tx } = current
  const fromPrepaid = Math.min(pence, books.account.prepaidPence)
  books.post({
    kind: 'reversal',
    prepaidDeltaPence: 0 - fromPrepaid,
    overageDeltaPence: pence - fromPrepaid,
    reference: `${word} of ${payment.provider} ${payment.reference}`,
    detail: `payment ${payment.reference} was returned`,
  })
  const lines = [
    { ...overageLine(periodOf(tx.nowMs), pence - fromPrepaid), description: 'Credit used, payment returned' },
  ]
  await issue(current, { lines, issuedAtMs: tx.nowMs, inAdvance: false })
}

async function dispute(
  current: OpenAccount,
  actor: Actor,
  payment: Payment,
  kind: 'disputed' | 'dispute_won' | 'dispute_lost',
): Promise<Payment | undefined> {
  const { tx, books } = current
  const isOpen = payment.disputed_at !== null
  const isClosed = payment.dispute_closed_at !== null
  // Messages may be repeated, and the end of a dispute may arrive before its start.
  if (isClosed || (kind === 'disputed' && isOpen)) return undefined
  await audit(tx, actor, 'payment.dispute', payment.id, { outcome: kind, reference: payment.reference })
  if (kind === 'disputed') return { ...payment, disputed_at: tx.nowMs }
  if (kind === 'dispute_won') return { ...payment, disputed_at: null, dispute_closed_at: tx.nowMs }
  const lostPence = payment.amount_pence - payment.refunded_pence
  const invoice = payment.invoice_id === null ? undefined : await findInvoice(tx, payment.invoice_id)
  const bought = payment.outcome === 'credited' || invoice?.kind === 'top_up'
  if (lostPence > 0) await reverse(current, payment, bought ? lostPence : 0, 'dispute')
  // Do not charge this card again automatically.
  if (current.subscription) current.subscription = { ...current.subscription, paymentMethod: null }
  if (invoice && payment.outcome === 'settled' && bought) {
    await updateInvoice(tx, { ...invoice, refunded_pence: invoice.refunded_pence + lostPence })
  }
  if (invoice && payment.outcome === 'settled' && !bought && lostPence > 0) {
    // The invoice is unpaid again; overage that it settled is owed again.
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

/** Takes the refunds and disputes that were reported before the payment arrived. */
export async function takeAftermath(tx: Tx, { provider, reference }: PaymentKey): Promise<Aftermath[]> {
  const rows = await tx.query<{ kind: Aftermath['kind']; refunded_pence: number | null }>(
    `delete from payment_aftermath where provider = $1 and reference = $2 returning kind, refunded_pence, received_at`,
    [provider, reference],
  )
  return rows.map(({ kind, refunded_pence }) =>
    kind === 'refunded' ? { kind, refundedPence: refunded_pence ?? 0 } : { kind },
  )
}

/** Stores a refund or dispute until its payment arrives: messages arrive in any order. */
export async function keepAftermath(tx: Tx, { provider, reference }: PaymentKey, what: Aftermath): Promise<void> {
  await tx.query(
    `insert into payment_aftermath (provider, reference, kind, refunded_pence, received_at) values ($1, $2, $3, $4, $5)
     on conflict (provider, reference, kind) do update set refunded_pence = excluded.refunded_pence`,
    [provider, reference, what.kind, what.kind === 'refunded' ? what.refundedPence : null, tx.nowMs],
  )
}
