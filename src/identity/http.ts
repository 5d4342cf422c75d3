import type { FastifyInstance } from 'fastify'
import { registerOperations } from '../http/operation.ts'
import { auditOperations } from './audit-http.ts'
import { type ClientDependencies, clientOperations } from './clients/http.ts'
import { type InvitationDependencies, invitationOperations } from './invitations/http.ts'
import { type KeyDependencies, keyOperations } from './keys/http.ts'
import { memberOperations } from './members/http.ts'
import { organisationOperations, type SettingsDependencies } from './organisation/http.ts'
import { consentOperations } from './people/consents-http.ts'

export type IdentityDependencies = SettingsDependencies & InvitationDependencies & KeyDependencies & ClientDependencies

/** Everything under /v1/organisation and /v1/invitations. */
export function registerIdentity(app: FastifyInstance, deps: IdentityDependencies): void {
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
