import type { Received } from './payments.ts'
import type { Aftermath } from './refunds-and-disputes.ts'

/** The port to the payment provider. Everything paid for is an invoice; providers know nothing about plans or credit. */
export interface PaymentRequest {
  readonly invoiceId: string
  readonly organisationId: string
  readonly amountPence: number
  readonly description: string
  /** The page that the payer returns to. */
  readonly returnUrl: string
  readonly cancelUrl: string
  /** The provider's name for the payer, when there is one. */
  readonly payer: string | null
}

export interface CollectRequest
  extends Pick<PaymentRequest, 'invoiceId' | 'organisationId' | 'amountPence' | 'description'> {
  readonly payer: string
  readonly paymentMethod: string
}

export interface PaymentProvider {
  readonly name: 'invoice' | 'stripe'
  /** A page where the invoice is paid; null where it is paid by bank transfer and the operator settles it. */
  startPayment(request: PaymentRequest): Promise<{ readonly url: string } | null>
  /** Charges a saved card; the result arrives as an event. Absent without saved cards. */
  collect?(request: CollectRequest): Promise<void>
  /** A message from the provider, its signature checked; throws a Problem when it is not genuine or not complete. */
  readEvent?(rawBody: Buffer, signature: string, nowMs: number): PaymentEvent
}

export type PaymentEvent =
  | { readonly kind: 'paid'; readonly id: string; readonly received: Omit<Received, 'provider'> }
  | { readonly kind: 'followed'; readonly id: string; readonly reference: string; readonly what: Aftermath }
  | { readonly kind: 'ignored'; readonly id: string }

/** The embedded default: invoices are paid by bank transfer, and the operator settles them. */
export const invoiceProvider: PaymentProvider = {
  name: 'invoice',
  async startPayment() {
    return null
  },
}
