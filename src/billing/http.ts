import type { FastifyInstance } from 'fastify'
import { registerOperations } from '../http/operation.ts'
import { alertOperations } from './alerts/http.ts'
import { checkoutOperations } from './checkout/http.ts'
import type { BillingDependencies } from './dependencies.ts'
import { invoiceOperations, statementOperations } from './invoices/http.ts'
import { ledgerOperations } from './ledger/http.ts'
import { paymentOperations } from './payments/http.ts'
import { subscriptionOperations } from './subscription/http.ts'
import { usageOperations } from './usage/http.ts'

/** Everything under /v1/plans, /v1/billing, /v1/checkout and /v1/webhooks. */
export function registerBilling(app: FastifyInstance, deps: BillingDependencies): void {
  registerOperations(app, deps, [
    ...subscriptionOperations(deps),
    ...ledgerOperations(deps),
    ...usageOperations(deps),
    ...invoiceOperations(deps),
    ...paymentOperations(deps),
    ...statementOperations(deps),
    ...alertOperations(deps),
    ...checkoutOperations(deps),
  ])
}
