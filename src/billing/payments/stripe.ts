import Stripe from 'stripe'
import { Problem } from '../../errors.ts'
import type { PaymentEvent, PaymentProvider, PaymentRequest } from './provider.ts'

/**
 * Stripe: hosted Checkout for a payment, the card kept for later invoices, signed webhooks for what happened. Every
 * call carries an idempotency key made from the invoice, so that a retry never makes a second payment.
 */
export interface StripeOptions {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Another address than Stripe's own. */
  readonly apiBase?: string | undefined
}

const TOLERANCE_SECONDS = 300
const CURRENCY = 'gbp'

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const base = options.apiBase === undefined ? undefined : new URL(options.apiBase)
  const stripe = new Stripe(options.secretKey, {
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (base.protocol === 'http:' ? '80' : '443'),
          protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
        }
      : {}),
  })

  return {
    name: 'stripe',
    payFirst: true,
    async startPayment(request) {
      const session = await called(() =>
        stripe.checkout.sessions.create(sessionOf(request), { idempotencyKey: `checkout ${request.invoiceId}` }),
      )
      if (!session.url) throw unavailable()
      return { url: session.url }
    },
    async collect(request) {
      await called(() =>
        stripe.paymentIntents.create(
          {
            amount: request.amountPence,
            currency: CURRENCY,
            customer: request.payer,
            payment_method: request.paymentMethod,
            off_session: true,
            confirm: true,
            description: request.description,
            metadata: { invoice_id: request.invoiceId, organisation_id: request.organisationId },
          },
          { idempotencyKey: `collect ${request.invoiceId}` },
        ),
      )
    },
    readEvent(rawBody, signature, nowMs) {
      return eventOf(constructEvent(stripe, options.webhookSecret, rawBody, signature, nowMs))
    },
  }
}

function sessionOf(request: PaymentRequest): Stripe.Checkout.SessionCreateParams {
  const metadata = { invoice_id: request.invoiceId, organisation_id: request.organisationId }
  return {
    mode: 'payment',
    client_reference_id: request.invoiceId,
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: CURRENCY,
          unit_amount: request.amountPence,
          product_data: { name: request.description },
        },
      },
    ],
    metadata,
    payment_intent_data: { metadata, setup_future_usage: 'off_session' },
    ...(request.payer === null
      ? { customer_creation: 'always' as const, ...(request.email ? { customer_email: request.email } : {}) }
      : { customer: request.payer }),
  }
}

async function called<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw unavailable(error)
  }
}

function unavailable(cause?: unknown): Problem {
  return new Problem('payment_unavailable', {
    detail: 'The payment provider cannot be reached or refused the request. Nothing was charged; try again shortly.',
    headers: { 'retry-after': '5' },
    cause,
  })
}

function constructEvent(
  stripe: Stripe,
  secret: string,
  rawBody: Buffer,
  signature: string,
  nowMs: number,
): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_SECONDS, undefined, nowMs)
  } catch (error) {
    throw new Problem('signature_invalid', { detail: 'The message is not signed, or too old.', cause: error })
  }
}

function eventOf(event: Stripe.Event): PaymentEvent {
  if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded') {
    const session = event.data.object
    const invoiceId = session.metadata?.invoice_id
    // A bank debit completes the page first and pays later, with an event of its own.
    if (session.payment_status !== 'paid' || !invoiceId) return { kind: 'ignored', id: event.id }
    return {
      kind: 'paid',
      id: event.id,
      invoiceId,
      amountPence: session.amount_total ?? 0,
      reference: idOf(session.payment_intent) ?? session.id,
      payer: idOf(session.customer),
      paymentMethod: null,
    }
  }
  if (event.type === 'payment_intent.succeeded') {
    const intent = event.data.object
    const invoiceId = intent.metadata.invoice_id
    if (!invoiceId) return { kind: 'ignored', id: event.id }
    return {
      kind: 'paid',
      id: event.id,
      invoiceId,
      amountPence: intent.amount_received,
      reference: intent.id,
      payer: idOf(intent.customer),
      paymentMethod: idOf(intent.payment_method),
    }
  }
  return { kind: 'ignored', id: event.id }
}

function idOf(value: string | { id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
