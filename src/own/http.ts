import type { FastifyInstance } from 'fastify'
import { registerOperations } from '../http/operation.ts'
import { decisionOperations } from './decisions/http.ts'
import { type DomainDependencies, domainOperations } from './domains/http.ts'
import { listOperations } from './lists/http.ts'

/** What an organisation knows: own lists, decision rules, proven domains. */
export function registerOwn(app: FastifyInstance, deps: DomainDependencies): void {
  registerOperations(app, deps, [...listOperations(deps), ...decisionOperations(deps), ...domainOperations(deps)])
}
