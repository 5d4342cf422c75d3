import { Problem } from '../../errors.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { CURRENCY } from './payments.ts'
import type {
  PaymentEvent,
  PaymentProvider,
  PaymentRequest,
  ProviderRecords,
  RecordedDispute,
  RecordedPayment,
} from './provider.ts'
import type { DisputeState, ToldDispute } from './return-rows.ts'
import {
  checkSignature,
  type FormFields,
  getFromStripe,
  listFromStripe,
  postToStripe,
  type StripeAccess,
  StripeRefusal,
} from './stripe-client.ts'

/**
 * Stripe: hosted Checkout for a payment, the card kept for later invoices, signed webhooks for what happened. Every
 * call carries an idempotency key made from the invoice and the page it returns to, so that a retry gets the same
 * payment page, and asking from another page is not taken for a changed retry.
 */
export interface StripeOptions extends StripeAccess {
  readonly webhookSecret: string
}

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  return {
    name: 'stripe',
    async startPayment(request) {
      const key = `checkout ${request.invoiceId} ${sha256Hex(JSON.stringify(request)).slice(0, 16)}`
      const asking = postToStripe<{ url?: string }>(options, '/v1/checkout/sessions', sessionOf(request), key)
      const { url } = await asking.catch((error: unknown) => {
        throw unavailable(error)
      })
      if (!url) throw unavailable()
      return { url }
    },
    async collect(request) {
      const fields = {
        amount: request.amountPence,
        currency: CURRENCY,
        customer: request.payer,
        payment_method: request.paymentMethod,
        off_session: true,
        confirm: true,
        description: request.description,
        metadata: { invoice_id: request.invoiceId, organisation_id: request.organisationId },
      }
      const asking = postToStripe(options, '/v1/payment_intents', fields, `collect ${request.invoiceId}`)
      await asking.catch((error: unknown) => {
        // A declined card is reported by an event, like a charged one: no error here.
        if (!(error instanceof StripeRefusal && error.type === 'card_error')) throw unavailable(error)
      })
    },
    readEvent(rawBody, signature, nowMs) {
      const event = signedEvent(options.webhookSecret, rawBody, signature, nowMs)
      if (typeof event?.id !== 'string' || typeof event.data?.object !== 'object' || event.data.object === null) {
        throw new Problem('validation_failed', { detail: 'The message is signed but is not an event with an object.' })
      }
      return refuseNul(eventOf(event))
    },
    records: recordsOf(options),
  }
}

function recordsOf(access: StripeAccess): ProviderRecords {
  const since = (timeMs: number) => ({ created: { gte: Math.floor(timeMs / 1000) } })
  const one = async (path: string, fields: FormFields = {}): Promise<StripeObject | undefined> => {
    try {
      return await getFromStripe<StripeObject>(access, path, fields)
    } catch (error) {
      if (error instanceof StripeRefusal && error.status === 404) return undefined
      throw unreadable(error)
    }
  }
  const payment = async (reference: string) => {
    const intent = await one(`/v1/payment_intents/${encodeURIComponent(reference)}`, { expand: ['latest_charge'] })
    return intent && paymentOf(intent)
  }
  const listed = (path: string, fields: FormFields) =>
    listFromStripe<StripeObject & { readonly id: string }>(access, path, fields).catch((error: unknown) => {
      throw unreadable(error)
    })
  return {
    async paymentsSince(timeMs) {
      const made = await listed('/v1/payment_intents', { ...since(timeMs), expand: ['data.latest_charge'] })
      const known = new Set(made.map(({ id }) => id))
      const found = made.map(paymentOf)
      for (const path of ['/v1/refunds', '/v1/disputes']) {
        for (const { payment_intent } of await listed(path, since(timeMs))) {
          const reference = idOf(payment_intent)
          if (reference === null || known.has(reference)) continue
          known.add(reference)
          found.push(await payment(reference))
        }
      }
      return found.filter((one) => one !== undefined)
    },
    async disputesSince(timeMs) {
      return (await listed('/v1/disputes', since(timeMs))).flatMap((one) => recordedDispute(one) ?? [])
    },
    payment,
    async dispute(id) {
      const found = await one(`/v1/disputes/${encodeURIComponent(id)}`)
      return found && recordedDispute(found)
    },
  }
}

function unreadable(error: unknown): Problem {
  const { message, cause } = error as Error
  const why = cause instanceof Error ? cause.message : message
  return new Problem('payment_unavailable', {
    detail: `The records of Stripe cannot be read (${why}). Check ASSAY_STRIPE_SECRET_KEY and the network, then try again.`,
    cause: error,
  })
}

function paymentOf({ id, status, metadata, amount_received, currency, latest_charge }: StripeObject) {
  const invoiceId = metadata?.invoice_id
  if (status !== 'succeeded' || !id || !invoiceId) return undefined
  const charge = typeof latest_charge === 'object' ? latest_charge : null
  return {
    reference: id,
    invoiceId,
    amountPence: amount_received ?? 0,
    currency: currency ?? CURRENCY,
    refundedPence: charge?.amount_refunded ?? 0,
  } satisfies RecordedPayment
}

function recordedDispute(object: StripeObject): RecordedDispute | undefined {
  const reference = idOf(object.payment_intent)
  return reference === null ? undefined : { reference, ...disputeOf(object) }
}

/** A status that Stripe adds later counts as open until the dispute is closed. */
function disputeOf({ id, status = '', amount }: StripeObject, isClosed = false): ToldDispute {
  const state: DisputeState = STATES[status] ?? (isClosed ? 'won' : 'open')
  return { id: needed(id, 'id'), state, amountPence: typeof amount === 'number' ? amount : null }
}

const STATES: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'inquiry_closed',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  // Closed because the money was already given back, which the provider reports as a refund.
  charge_refunded: 'won',
  prevented: 'won',
  lost: 'lost',
}

function sessionOf(request: PaymentRequest): FormFields {
  const metadata = { invoice_id: request.invoiceId, organisation_id: request.organisationId }
  const product = { name: request.description }
  const price = { currency: CURRENCY, unit_amount: request.amountPence, product_data: product }
  return {
    mode: 'payment',
    client_reference_id: request.invoiceId,
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    line_items: [{ quantity: 1, price_data: price }],
    metadata,
    payment_intent_data: { metadata, setup_future_usage: 'off_session' },
    ...(request.payer === null ? { customer_creation: 'always' } : { customer: request.payer }),
  }
}

function unavailable(cause?: unknown): Problem {
  return new Problem('payment_unavailable', {
    detail: 'The payment provider cannot be reached or refused the request. Nothing was charged; try again shortly.',
    headers: { 'retry-after': '5' },
    cause,
  })
}

interface StripeEvent {
  readonly id: string
  readonly type: string
  readonly data: { readonly object: StripeObject }
}

/** The fields that are read of sessions, intents, charges, refunds and disputes. */
interface StripeObject {
  readonly id?: string
  readonly amount?: number
  readonly latest_charge?: string | StripeObject | null
  readonly metadata?: { readonly invoice_id?: string } | null
  readonly payment_status?: string
  readonly payment_intent?: Reference
  readonly customer?: Reference
  readonly payment_method?: Reference
  readonly currency?: string | null
  readonly amount_total?: number | null
  readonly amount_received?: number
  readonly amount_refunded?: number
  readonly status?: string
}

/** Stripe sends the id of another object, or the object. */
type Reference = string | { readonly id: string } | null

function signedEvent(secret: string, rawBody: Buffer, signature: string, nowMs: number): StripeEvent {
  try {
    checkSignature(rawBody, signature, secret, nowMs)
    return JSON.parse(rawBody.toString('utf8')) as StripeEvent
  } catch (error) {
    throw new Problem('signature_invalid', { detail: 'The message is not signed, or too old.', cause: error })
  }
}

/** Refuses a genuine message that lacks a required field, so that a person looks at it. */
function eventOf({ id, type, data: { object } }: StripeEvent): PaymentEvent {
  const ignored = { kind: 'ignored', id } as const
  const invoiceId = object.metadata?.invoice_id
  const intent = idOf(object.payment_intent)
  const common = { currency: object.currency ?? CURRENCY, payer: idOf(object.customer) }
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      // A bank debit completes the page first; its payment is a later event.
      if (object.payment_status !== 'paid' || !invoiceId) return ignored
      const reference = needed(intent ?? object.id, 'payment_intent')
      const amountPence = needed(object.amount_total, 'amount_total')
      return { kind: 'paid', id, received: { ...common, invoiceId, reference, amountPence, paymentMethod: null } }
    }
    case 'payment_intent.succeeded': {
      if (!invoiceId) return ignored
      const reference = needed(object.id, 'id')
      const amountPence = needed(object.amount_received, 'amount_received')
      const paymentMethod = idOf(object.payment_method)
      return { kind: 'paid', id, received: { ...common, invoiceId, reference, amountPence, paymentMethod } }
    }
    case 'charge.refunded': {
      if (intent === null) return ignored
      const refundedPence = needed(object.amount_refunded, 'amount_refunded')
      return { kind: 'returned', id, reference: intent, what: { kind: 'refunded', refundedPence } }
    }
    case 'charge.dispute.created':
    // An inquiry becomes a dispute by an update.
    case 'charge.dispute.updated':
    case 'charge.dispute.closed': {
      if (intent === null) return ignored
      const dispute = disputeOf(object, type === 'charge.dispute.closed')
      return { kind: 'returned', id, reference: intent, what: { kind: 'disputed', ...dispute } }
    }
    default:
      return ignored
  }
}

/** The rule of every other input: the store cannot hold U+0000. Refused before anything is written. */
function refuseNul<T extends object>(event: T): T {
  for (const value of Object.values(event)) {
    if (typeof value === 'object' && value !== null) refuseNul(value)
    if (typeof value !== 'string' || !value.includes('\0')) continue
    throw new Problem('validation_failed', {
      detail: 'The message contains the character U+0000. Correct the metadata of the payment at the provider.',
    })
  }
  return event
}

function needed<T extends string | number>(value: T | null | undefined, field: string): T {
  if (typeof value === 'string' ? value !== '' : Number.isSafeInteger(value)) return value as T
  throw new Problem('validation_failed', { detail: `The message lacks ${field}, or its value is wrong.` })
}

function idOf(value: Reference | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
