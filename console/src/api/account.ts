import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Submission, useSubmit } from '../shell/use-change.ts'
import { useSession } from '../shell/use-session.ts'
import { ONCE, type Server, serverFor } from './client.ts'
import { sessionCredential } from './session.ts'

/** Calls for the person's own account, without an organisation. */

export function useOwnApi(): Server {
  const { user } = useSession()
  const queries = useQueryClient()
  return useMemo(() => serverFor(sessionCredential(queries, user.id)), [user.id, queries])
}

export const ownQuery = <
  Name extends 'GET /api/account' | 'GET /api/account/sessions' | 'GET /api/account/applications',
>(
  api: Server,
  name: Name,
) => queryOptions({ queryKey: ['account', name], queryFn: ({ signal }) => api.call(name, { signal }) })

/** A change to the person's own account; afterwards all shown account data is read again. */
export function useOwnChange<Input = void>(
  action: (api: Server, input: Input, once: typeof ONCE) => Promise<unknown>,
): Submission<Input> {
  const api = useOwnApi()
  const queries = useQueryClient()
  return useSubmit(async (input: Input) => {
    try {
      await action(api, input, ONCE)
    } finally {
      await queries.invalidateQueries({ queryKey: ['account'] })
    }
  })
}
