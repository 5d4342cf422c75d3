import type { FastifyInstance } from 'fastify'
import { registerOperations } from '../http/operation.ts'
import { accountOperations } from './accounts/http.ts'
import { counterpartyOperations, type OwnDependencies } from './counterparties/http.ts'
import { importOperations } from './counterparties/imports-http.ts'

/** Everything under /v1/counterparties and /v1/payments. */
export function registerOwn(app: FastifyInstance, deps: OwnDependencies): void {
  registerOperations(app, deps, [
    ...counterpartyOperations(deps),
    ...importOperations(deps),
    ...accountOperations(deps),
  ])
}
