import type { FastifyBaseLogger } from 'fastify'
import type { OperationDependencies } from '../http/operation.ts'
import type { Ring } from '../lib/seal.ts'
import type { PaymentProvider } from './payments/provider.ts'
import type { BillingRules } from './subscription/present.ts'

/** What the HTTP faces of billing work with. */
export interface BillingDependencies extends OperationDependencies, BillingRules {
  readonly payments: PaymentProvider
  readonly logger: FastifyBaseLogger
  readonly ring: Ring
  /** Whether this server can send mail. */
  readonly sendsMail?: boolean | undefined
  /** Told what came of each message of the payment provider, to be counted. */
  readonly onPaymentEvent?: ((outcome: PaymentEventOutcome) => void) | undefined
  /** Told after a commit that may have changed whether an organisation is served, so that no node goes on by memory. */
  readonly onAccountChanged: (organisationId: string) => Promise<void>
}

export const PAYMENT_EVENT_OUTCOMES = [
  'ignored',
  'repeated',
  'settled',
  'credited',
  'unmatched',
  'refunded_or_disputed',
  'unknown_payment',
] as const

export type PaymentEventOutcome = (typeof PAYMENT_EVENT_OUTCOMES)[number]
