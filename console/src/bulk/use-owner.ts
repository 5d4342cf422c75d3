import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { OrganisationApi } from '../api/organisation.ts'
import { sessionQuery } from '../api/session.ts'
import { useApi, useOrganisation, useSession } from '../shell/use-session.ts'

export const useOwner = () => `${useSession().user.id} ${useOrganisation().id}`

/** Sends on behalf of the owner. A list outlives its page and must not continue in the name of the next person. */
export type Sender = { readonly api: OrganisationApi; isSignedIn(): boolean }

export function useSender(): Sender {
  const api = useApi()
  const queries = useQueryClient()
  const { user } = useSession()
  return useMemo(
    () => ({ api, isSignedIn: () => queries.getQueryData(sessionQuery.queryKey)?.user.id === user.id }),
    [api, queries, user.id],
  )
}
