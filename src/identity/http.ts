import type { FastifyInstance } from 'fastify'
import { registerOperations } from '../http/operation.ts'
import { auditOperations } from './audit-http.ts'
import { type ClientDependencies, clientOperations } from './clients/http.ts'
import { type InvitationDependencies, invitationOperations } from './invitations/http.ts'
import { keyOperations } from './keys/http.ts'
import { memberOperations } from './members/http.ts'
import { organisationOperations } from './organisation/http.ts'
import { consentOperations } from './people/consents-http.ts'

/** The operations under /v1/organisation and /v1/invitations. */
export function registerIdentity(app: FastifyInstance, deps: InvitationDependencies & ClientDependencies): void {
  registerOperations(app, deps, [
    ...organisationOperations(deps),
    ...memberOperations(deps),
    ...consentOperations(deps),
    ...invitationOperations(deps),
    ...keyOperations(deps),
    ...clientOperations(deps),
    ...auditOperations(deps),
  ])
}
