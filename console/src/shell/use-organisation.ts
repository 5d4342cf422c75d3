import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { type OrganisationApi, organisationApi } from '../api/organisation.ts'
import type { Membership } from '../api/session.ts'
import { useSession } from './use-session.ts'

/** Set by the workspace: the organisation its pages work for. */
export const OrganisationContext = createContext<Membership | undefined>(undefined)

export function useOrganisation(): Membership {
  const organisation = useContext(OrganisationContext)
  if (!organisation) throw new Error('useOrganisation() outside the workspace')
  return organisation
}

/** Calls to the server on behalf of that organisation. */
export function useApi(): OrganisationApi {
  const session = useSession()
  const { id } = useOrganisation()
  const queries = useQueryClient()
  return useMemo(() => organisationApi(session, id, queries), [session, id, queries])
}

export type Ability = 'check' | 'manage' | 'make-keys'

/** What a role may do; the server decides, this only hides what it would refuse. */
const ABILITIES: Readonly<Record<string, readonly Ability[]>> = {
  owner: ['check', 'manage', 'make-keys'],
  admin: ['check', 'manage', 'make-keys'],
  developer: ['check', 'make-keys'],
  checker: ['check'],
}

export function useAbility(ability: Ability): boolean {
  return ABILITIES[useOrganisation().role]?.includes(ability) ?? false
}
