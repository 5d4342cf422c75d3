import type { FastifyBaseLogger } from 'fastify'
import type { OperationDependencies } from '../http/operation.ts'
import type { PaymentProvider } from './payments/provider.ts'
import type { Plans } from './plans.ts'
import type { BillingSettings } from './settings.ts'

/** What the HTTP faces of billing work with. */
export interface BillingDependencies extends OperationDependencies {
  readonly plans: Plans
  readonly settings: BillingSettings
  readonly payments: PaymentProvider
  readonly logger: FastifyBaseLogger
  /** Told after a commit that may have changed whether an organisation is served, so that no node goes on by memory. */
  readonly onAccountChanged: (organisationId: string) => Promise<void>
}
