import type { FastifyInstance } from 'fastify'
import { registerOperations } from '../http/operation.ts'
import { accountOperations } from './accounts/http.ts'
import { counterpartyOperations } from './counterparties/http.ts'
import { importOperations } from './counterparties/imports-http.ts'
import { decisionOperations } from './decisions/http.ts'
import { type DomainDependencies, domainOperations } from './domains/http.ts'
import { listOperations } from './lists/http.ts'

/** Everything under /v1/counterparties, /v1/payments, /v1/own-lists, /v1/decision-rules and /v1/organisation/domains. */
export function registerOwn(app: FastifyInstance, deps: DomainDependencies): void {
  registerOperations(app, deps, [
    ...counterpartyOperations(deps),
    ...importOperations(deps),
    ...accountOperations(deps),
    ...listOperations(deps),
    ...decisionOperations(deps),
    ...domainOperations(deps),
  ])
}
