import Stripe from 'stripe'
import { Problem } from '../../errors.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { CURRENCY } from './payments.ts'
import type { PaymentEvent, PaymentProvider, PaymentRequest } from './provider.ts'

/**
 * Stripe: hosted Checkout for a payment, the card kept for later invoices, signed webhooks for what happened. Every
 * call carries an idempotency key made from the invoice and the page it returns to, so that a retry gets the same
 * payment page, and asking from another page is not taken for a changed retry.
 */
export interface StripeOptions {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Base address of the API, if not Stripe's own. */
  readonly apiBase?: string | undefined
}

const TOLERANCE_SECONDS = 300

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
    async startPayment(request) {
      const session = await called(() =>
        stripe.checkout.sessions.create(sessionOf(request), {
          idempotencyKey: `checkout ${request.invoiceId} ${sha256Hex(JSON.stringify(request)).slice(0, 16)}`,
        }),
      )
      if (!session.url) throw unavailable()
      return { url: session.url }
    },
    async collect(request) {
      const asking = called(() =>
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
      await asking.catch((error: unknown) => {
        // A declined card is reported by an event, like a charged one: no error here.
        if (!(error instanceof Problem && error.cause instanceof Stripe.errors.StripeCardError)) throw error
      })
    },
    readEvent(rawBody, signature, nowMs) {
      const event = constructEvent(stripe, options.webhookSecret, rawBody, signature, nowMs)
      if (typeof event.id !== 'string' || typeof event.data?.object !== 'object' || event.data.object === null) {
        throw new Problem('validation_failed', { detail: 'The message is signed but is not an event with an object.' })
      }
      return eventOf(event)
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
    ...(request.payer === null ? { customer_creation: 'always' as const } : { customer: request.payer }),
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

/** Refuses a genuine message that lacks a required field, so that a person looks at it. */
function eventOf(event: Stripe.Event): PaymentEvent {
  const ignored = { kind: 'ignored', id: event.id } as const
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object
      const invoiceId = session.metadata?.invoice_id
      // A bank debit completes the page first; its payment is a later event.
      if (session.payment_status !== 'paid' || !invoiceId) return ignored
      return {
        kind: 'paid',
        id: event.id,
        received: {
          invoiceId,
          reference: needed(idOf(session.payment_intent) ?? session.id, 'payment_intent'),
          amountPence: needed(session.amount_total, 'amount_total'),
          currency: session.currency ?? CURRENCY,
          payer: idOf(session.customer),
          paymentMethod: null,
        },
      }
    }
    case 'payment_intent.succeeded': {
      const intent = event.data.object
      const invoiceId = intent.metadata?.invoice_id
      if (!invoiceId) return ignored
      return {
        kind: 'paid',
        id: event.id,
        received: {
          invoiceId,
          reference: needed(intent.id, 'id'),
          amountPence: needed(intent.amount_received, 'amount_received'),
          currency: intent.currency ?? CURRENCY,
          payer: idOf(intent.customer),
          paymentMethod: idOf(intent.payment_method),
        },
      }
    }
    case 'charge.refunded': {
      const charge = event.data.object
      const reference = idOf(charge.payment_intent)
      if (reference === null) return ignored
      const refundedPence = needed(charge.amount_refunded, 'amount_refunded')
      return { kind: 'followed', id: event.id, reference, what: { kind: 'refunded', refundedPence } }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.closed': {
      const dispute = event.data.object
      const reference = idOf(dispute.payment_intent)
      if (reference === null) return ignored
      const closed = dispute.status === 'lost' ? ('dispute_lost' as const) : ('dispute_won' as const)
      const what = { kind: event.type === 'charge.dispute.created' ? ('disputed' as const) : closed }
      return { kind: 'followed', id: event.id, reference, what }
    }
    default:
      return ignored
  }
}

function needed<T extends string | number>(value: T | null | undefined, field: string): T {
  if (typeof value === 'string' ? value !== '' : Number.isSafeInteger(value)) return value as T
  throw new Problem('validation_failed', { detail: `The message lacks ${field}, or it is not what it should be.` })
}

function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
