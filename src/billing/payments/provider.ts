import type { Received } from './payments.ts'
import type { Returned } from './refunds-and-disputes.ts'
import type { ToldDispute } from './return-rows.ts'

/** The port to the payment provider. Everything paid for is an invoice; providers know nothing about plans or credit. */
export interface PaymentRequest {
  readonly invoiceId: string
  readonly organisationId: string
  readonly amountPence: number
  readonly description: string
  readonly returnUrl: string
  readonly cancelUrl: string
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
  /** The provider's own records, to compare with ours. Absent where the operator records payments. */
  readonly records?: ProviderRecords
}

export interface RecordedPayment {
  readonly reference: string
  readonly invoiceId: string
  readonly amountPence: number
  readonly currency: string
  readonly refundedPence: number
}
export interface RecordedDispute extends ToldDispute {
  readonly reference: string
}

export interface ProviderRecords {
  /** The payments that were made, refunded or disputed since then, each once. */
  paymentsSince(timeMs: number): Promise<RecordedPayment[]>
  disputesSince(timeMs: number): Promise<RecordedDispute[]>
  /** Undefined if the provider does not know it, or it was not paid. */
  payment(reference: string): Promise<RecordedPayment | undefined>
  dispute(id: string): Promise<RecordedDispute | undefined>
}

export type PaymentEvent =
  | { readonly kind: 'paid'; readonly id: string; readonly received: Omit<Received, 'provider'> }
  | { readonly kind: 'returned'; readonly id: string; readonly reference: string; readonly what: Returned }
  | { readonly kind: 'ignored'; readonly id: string }

/** The embedded default: invoices are paid by bank transfer, and the operator settles them. */
export const invoiceProvider: PaymentProvider = {
  name: 'invoice',
  async startPayment() {
    return null
  },
}
