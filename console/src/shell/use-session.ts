import { ROLES, SCOPES } from '@assay/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import type { Membership, Session } from '../api/generated/pages.ts'
import { type OrganisationApi, organisationApi } from '../api/organisation.ts'

/** Set by the workspace, which shows its pages only while there is a session. */
export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession() outside the workspace')
  return session
}

/** Set by the workspace: the organisation of its pages. */
export const OrganisationContext = createContext<Membership | undefined>(undefined)

export function useOrganisation(): Membership {
  const organisation = useContext(OrganisationContext)
  if (!organisation) throw new Error('useOrganisation() outside the workspace')
  return organisation
}

export function useApi(): OrganisationApi {
  const { id } = useOrganisation()
  const { user } = useSession()
  const queries = useQueryClient()
  return useMemo(() => organisationApi(id, user.id, queries), [id, user.id, queries])
}

/** The rights of the role. The server decides; this only hides actions that it would refuse. */
export function useRights() {
  const { makesKeys, scopes } = ROLES[useOrganisation().role]
  const own = scopes.split(' ')
  const bound = (scope: string) => Object.hasOwn(SCOPES, scope) && SCOPES[scope as keyof typeof SCOPES].apiKey
  const has = (scope: string) => own.includes(scope)
  /** True when a key or application created by this role can have the scope. */
  const mayGive = (scope: string) => has(scope) || !bound(scope)
  /** True when a key or application with these scopes may be changed, replaced and ended. */
  const mayKeep = (given: readonly string[]) => makesKeys && given.every(mayGive)
  return { has, mayGive, makesKeys, mayKeep }
}

export type Ability = 'check' | 'read' | 'manage' | 'make-keys'

const SCOPES_OF = { check: 'risk:payment', read: 'organisation:read', manage: 'organisation:write' } as const

export function useAbility(ability: Ability): boolean {
  const rights = useRights()
  return ability === 'make-keys' ? rights.makesKeys : rights.has(SCOPES_OF[ability])
}
