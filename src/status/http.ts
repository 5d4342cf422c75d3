import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { type OperatorDependencies, operatorRead } from '../identity/people/operator-http.ts'
import { readStatus, type StatusDependencies } from './status.ts'

/** The status page of the console, for people with the operator's mark. */
export function registerStatusRoute(app: FastifyInstance, deps: OperatorDependencies & StatusDependencies): void {
  operatorRead(app, deps, {
    path: '/api/operator/status',
    query: Type.Object({}),
    handle: () => readStatus(deps),
  })
}
