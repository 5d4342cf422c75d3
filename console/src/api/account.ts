import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { useSession } from '../shell/use-session.ts'
import { type Submission, useSubmit } from '../shell/use-submit.ts'
import { ONCE, type Server, serverFor } from './client.ts'
import { sessionCredential } from './session.ts'

/** What is the person's own, whichever organisation they work for. */

export function useOwnApi(): Server {
  const { user } = useSession()
  const queries = useQueryClient()
  return useMemo(() => serverFor(sessionCredential(queries, user.id)), [user.id, queries])
}

export const accountQuery = (api: Server) =>
  queryOptions({ queryKey: ['account'], queryFn: ({ signal }) => api.call('GET /api/account', { signal }) })

export const ownSessionsQuery = (api: Server) =>
  queryOptions({
    queryKey: ['account', 'sessions'],
    queryFn: ({ signal }) => api.call('GET /api/account/sessions', { signal }),
  })

export const ownApplicationsQuery = (api: Server) =>
  queryOptions({
    queryKey: ['account', 'applications'],
    queryFn: ({ signal }) => api.call('GET /api/account/applications', { signal }),
  })

/** A change to the person's own account; afterwards everything shown of it is read again. */
export function useOwnChange<Input>(
  action: (api: Server, input: Input, once: typeof ONCE) => Promise<unknown>,
): Submission<Input> {
  const api = useOwnApi()
  const queries = useQueryClient()
  const latest = useRef(action)
  latest.current = action
  return useSubmit(
    useCallback(
      async (input: Input) => {
        try {
          await latest.current(api, input, ONCE)
        } finally {
          await queries.invalidateQueries({ queryKey: ['account'] })
        }
      },
      [api, queries],
    ),
  )
}
