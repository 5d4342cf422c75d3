import type { ROLES } from '@assay/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, call } from './client.ts'
import type { Credentials, OrganisationState } from './interaction.ts'

/** Who is signed in to the console. */

export interface Membership {
  readonly id: string
  readonly name: string
  readonly role: keyof typeof ROLES
  readonly state: OrganisationState
}

export interface Session {
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null }
  readonly organisations: readonly Membership[]
  /** Sees every organisation. */
  readonly operator?: boolean
  readonly csrf: string
}

/** `null` is an answer too: nobody is signed in. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return await call<Session>('GET', '/api/session', { signal })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
})

export async function signIn(credentials: Credentials, queries: QueryClient): Promise<void> {
  become(await call<Session>('POST', '/api/session', { body: credentials }), queries)
}

/** Everything read for this person leaves the memory of the page with them. */
export async function signOut(session: Session, queries: QueryClient): Promise<void> {
  try {
    await call<void>('DELETE', '/api/session', { csrf: session.csrf })
  } catch (error) {
    // A session that has ended already is what was asked for.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
  become(null, queries)
}

/**
 * Somebody whose session ended meanwhile is asked to sign in again, and comes back to where they were. An answer to
 * the session before, late on its way, does not end the one begun since.
 */
export function sessionEnded(ended: Session, queries: QueryClient): void {
  if (queries.getQueryData(sessionQuery.queryKey)?.csrf === ended.csrf) become(null, queries)
}

function become(session: Session | null, queries: QueryClient): void {
  queries.setQueryData(sessionQuery.queryKey, session)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}
