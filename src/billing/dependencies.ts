import type { FastifyBaseLogger } from 'fastify'
import type { OperationDependencies } from '../http/operation.ts'
import type { PaymentProvider } from './payments/provider.ts'
import type { BillingRules } from './subscription/open-account.ts'

export interface BillingDependencies extends OperationDependencies, BillingRules {
  readonly payments: PaymentProvider
  readonly logger: FastifyBaseLogger
  /** Called with the outcome of each provider message, for the metrics. */
  readonly onPaymentEvent?: ((outcome: PaymentEventOutcome) => void) | undefined
}

export const PAYMENT_EVENT_OUTCOMES = [
  'ignored',
  'repeated',
  'settled',
  'credited',
  'unmatched',
  'refunded_or_disputed',
  'over_refunded',
  'inquiry',
  'unknown_payment',
] as const

export type PaymentEventOutcome = (typeof PAYMENT_EVENT_OUTCOMES)[number]
