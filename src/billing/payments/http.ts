import Type from 'typebox'
import { systemIn } from '../../access/actor.ts'
import { changeIn, type Tx } from '../../db/sql.ts'
import { conflict, notFound } from '../../errors.ts'
import { type Operation, operation } from '../../http/operation.ts'
import { jsonResponse, named, Pence, TextLike, Time } from '../../http/schema.ts'
import { iso, systemClock } from '../../lib/clock.ts'
import { invoiceName } from '../../lib/money-text.ts'
import type { BillingDependencies, PaymentEventOutcome } from '../dependencies.ts'
import { type Invoice, requireInvoice } from '../invoices/invoices.ts'
import { instructionsOf } from '../settings.ts'
import { sendDraft, subscriptions } from '../subscription/open-account.ts'
import { firstTime, overPence } from './payment-table.ts'
import { receivePayment } from './payments.ts'
import type { PaymentEvent } from './provider.ts'
import { followPayment, type Returned } from './refunds-and-disputes.ts'

export const PaymentSchema = named('Payment', {
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'Page of the payment provider; null if the operator settles invoices: then read how to pay.',
    examples: ['https://checkout.stripe.com/c/pay/cs_test_a1'],
  }),
})

export const HowToPaySchema = named('PaymentInstructions', {
  by_card: Type.Boolean({ description: 'True if the invoice can be paid on a page of the payment provider.' }),
  instructions: Type.Union([Type.String(), Type.Null()], {
    description: 'Bank details as the operator wrote them; null if there are none: ask the operator.',
    examples: ['Example Bank, sort code 00-00-00, account 12345678'],
  }),
  reference: TextLike('INV-3', 'Reference to use for the transfer.'),
  amount_pence: Pence('Amount to pay.', 9950),
  due_at: Time('When it is due.', '2026-03-15T00:00:00.000Z'),
})

export function paymentOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'POST /v1/billing/invoices/{invoice_id}/payment',
      id: 'payInvoice',
      summary: 'Start paying an invoice',
      description: 'A repeated request returns the same page: nothing is paid twice.',
      scope: 'billing:write',
      answers: { 200: jsonResponse('The payment page.', PaymentSchema) },
      problems: ['conflict', 'payment_unavailable'],
      handle: async ({ caller, params }) => {
        const invoice = await requireInvoice(deps.sql, params.invoice_id, caller.organisationId)
        const page = `${deps.baseUrl}/console/billing?invoice=${invoice.id}`
        return startPayment(deps, invoice, {
          description: `Invoice ${invoiceName(invoice.number)}`,
          returnUrl: page,
          cancelUrl: page,
        })
      },
    }),

    operation({
      name: 'GET /v1/billing/invoices/{invoice_id}/payment',
      id: 'howToPay',
      summary: 'Read how to pay an invoice',
      scope: 'billing:read',
      answers: { 200: jsonResponse('How to pay.', HowToPaySchema) },
      handle: async ({ caller, params }) => {
        const invoice = await requireInvoice(deps.sql, params.invoice_id, caller.organisationId)
        await sendDraft(deps, invoice)
        return howToPay(deps, invoice)
      },
    }),

    operation({
      name: 'POST /v1/webhooks/stripe',
      id: 'receiveStripeEvent',
      summary: 'Receive messages of Stripe',
      description: 'Called by Stripe, which signs every message. A repeated message has no effect.',
      scope: 'public',
      headers: Type.Object({ 'stripe-signature': Type.String() }),
      body: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'An event object of Stripe.',
          examples: [{ id: 'evt_1', object: 'event' }],
        },
      ),
      answers: { 200: jsonResponse('Accepted.', Type.Object({ received: Type.Boolean() }), { received: true }) },
      problems: ['signature_invalid', 'not_found', 'store_unavailable'],
      handle: async ({ request }) => {
        const { readEvent } = deps.payments
        if (!readEvent) throw notFound('Payments do not go through Stripe here.')
        const signature = request.headers['stripe-signature']
        const event = readEvent(
          request.rawBody ?? Buffer.alloc(0),
          typeof signature === 'string' ? signature : '',
          // After the clock was set back, the service's time is ahead of the sender's for a while. Each message is processed
          // once, so one that looks newer than it is does no harm.
          Math.min(deps.clock.now(), systemClock.now()),
        )
        const by = (organisationId: string) =>
          systemIn(organisationId, { id: deps.payments.name, ip: request.ip, requestId: request.id })
        const { organisationId, outcome } = await changeIn(deps.sql, deps.clock, (tx) => act(tx, deps, event, by))
        deps.onPaymentEvent?.(outcome)
        if (organisationId) await deps.onAccountChanged(organisationId)
        return { received: true }
      },
    }),
  ]
}

export async function startPayment(
  deps: BillingDependencies,
  invoice: Invoice,
  words: { readonly description: string; readonly returnUrl: string; readonly cancelUrl: string },
): Promise<{ url: string | null }> {
  if (invoice.state !== 'open') throw conflict(`The invoice is ${invoice.state}: there is nothing to pay.`)
  await sendDraft(deps, invoice)
  const subscription = await subscriptions.find(deps.sql, { organisationId: invoice.organisation_id })
  const started = await deps.payments.startPayment({
    invoiceId: invoice.id,
    organisationId: invoice.organisation_id,
    amountPence: invoice.total_pence,
    payer: subscription?.payer ?? null,
    ...words,
  })
  return { url: started?.url ?? null }
}

export function howToPay(deps: BillingDependencies, invoice: Invoice) {
  return {
    by_card: deps.payments.name !== 'invoice',
    instructions: instructionsOf(deps.settings),
    reference: invoiceName(invoice.number),
    amount_pence: invoice.total_pence,
    due_at: iso(invoice.due_at),
  }
}

/** Processes a message once; returns the outcome and the organisation it changed. */
async function act(
  tx: Tx,
  deps: BillingDependencies,
  event: PaymentEvent,
  by: Parameters<typeof receivePayment>[3],
): Promise<{ readonly organisationId: string | null; readonly outcome: PaymentEventOutcome }> {
  if (event.kind === 'ignored') return { organisationId: null, outcome: 'ignored' }
  if (!(await firstTime(tx, event.id))) return { organisationId: null, outcome: 'repeated' }
  const provider = deps.payments.name
  if (event.kind === 'returned') {
    const { reference, what } = event
    const followed = await followPayment(tx, deps, { provider, reference }, what, by)
    const about = { event_id: event.id, reference, ...fieldsOf(what) }
    const organisationId = followed?.payment.organisation_id ?? null
    if (!followed) {
      deps.logger.error(about, 'a refund or dispute of a payment that is not known yet')
      return { organisationId, outcome: 'unknown_payment' }
    }
    if (followed.repeated) return { organisationId, outcome: 'repeated' }
    if (overPence(followed.payment) > 0) {
      deps.logger.error(about, 'more of a payment was returned than was paid')
      return { organisationId, outcome: 'over_refunded' }
    }
    if (what.kind === 'disputed' && what.state === 'inquiry') {
      deps.logger.warn(about, 'the bank inquires about a payment; answer it at the provider')
      return { organisationId, outcome: 'inquiry' }
    }
    deps.logger.warn(about, 'a payment was refunded or disputed')
    return { organisationId, outcome: 'refunded_or_disputed' }
  }
  const { payment, repeated } = await receivePayment(tx, deps, { ...event.received, provider }, by)
  const about = { event_id: event.id, payment_id: payment.id, invoice_id: event.received.invoiceId }
  // Genuine, but it does not match the invoice: a person must look at it.
  if (payment.outcome === 'unmatched') deps.logger.error(about, 'payment not matched')
  else if (payment.outcome === 'credited' && !repeated) deps.logger.warn(about, 'payment became credit')
  return { organisationId: payment.organisation_id, outcome: repeated ? 'repeated' : payment.outcome }
}

function fieldsOf(what: Returned) {
  if (what.kind === 'refunded') return { kind: what.kind, refunded_pence: what.refundedPence }
  return { kind: `dispute ${what.state}`, dispute_id: what.id }
}
