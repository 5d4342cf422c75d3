/** The port to whoever moves the money. Everything paid for is an invoice; providers know nothing of plans or credit. */
export interface PaymentRequest {
  readonly invoiceId: string
  readonly organisationId: string
  readonly amountPence: number
  readonly description: string
  /** Where the payer comes back to. */
  readonly returnUrl: string
  readonly cancelUrl: string
  /** The provider's name for the payer, when there is one. */
  readonly payer: string | null
  readonly email?: string | undefined
}

export interface PaymentProvider {
  readonly name: 'invoice' | 'stripe'
  /** Whether a new organisation pays before its subscription runs. */
  readonly payFirst: boolean
  /** A page where the invoice is paid; null where the operator settles it. */
  startPayment(request: PaymentRequest): Promise<{ readonly url: string } | null>
  /** Charges a saved card; how it went comes as an event. Absent where there is no such thing. */
  collect?(request: {
    readonly invoiceId: string
    readonly organisationId: string
    readonly amountPence: number
    readonly description: string
    readonly payer: string
    readonly paymentMethod: string
  }): Promise<void>
  /** A message from the provider, its signature checked; throws a Problem when it is not genuine. */
  readEvent?(rawBody: Buffer, signature: string, nowMs: number): PaymentEvent
}

export type PaymentEvent =
  | {
      readonly kind: 'paid'
      readonly id: string
      readonly invoiceId: string
      readonly amountPence: number
      readonly reference: string
      readonly payer: string | null
      readonly paymentMethod: string | null
    }
  | { readonly kind: 'ignored'; readonly id: string }

/** The embedded default: terms are accepted, the subscription starts, and the operator settles invoices. */
export const invoiceProvider: PaymentProvider = {
  name: 'invoice',
  payFirst: false,
  async startPayment() {
    return null
  },
}
