import { AuthenticationError, type BrowserSession } from '@assay/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { server, withCsrf } from './client.ts'
import type { Credentials, Session } from './page-operations.ts'

/** Who is signed in to the console. */

async function readSession(signal?: AbortSignal): Promise<Session | null> {
  try {
    return await server.call('GET /api/session', { signal })
  } catch (error) {
    if (error instanceof AuthenticationError) return null
    throw error
  }
}

/** `null` is an answer too: nobody is signed in. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
})

const current = (queries: QueryClient) => queries.getQueryData(sessionQuery.queryKey) ?? null

export async function signIn(credentials: Credentials, queries: QueryClient): Promise<void> {
  become(await server.call('POST /api/session', { body: credentials }), queries)
}

/** Everything read for this person leaves the memory of the page with them. */
export async function signOut(queries: QueryClient): Promise<void> {
  // Another tab may have signed in again since: the session that is there now is the one to end.
  const session = await readSession()
  if (session) await server.call('DELETE /api/session', withCsrf(session.csrf))
  become(null, queries)
}

function become(session: Session | null, queries: QueryClient): void {
  const before = current(queries)
  queries.setQueryData(sessionQuery.queryKey, session)
  // The same person goes on with what is on the page.
  if (session && before?.user.id === session.user.id) return
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

/**
 * A session that ends while somebody works. Calls that met its end wait here until the person has signed in again;
 * then they are repeated, and nothing that was typed is lost.
 */
export interface Renewal {
  /** Resolves when the session that refused the call is no longer the current one. */
  after(refusedCsrf: string | undefined): Promise<void>
  /** Whose session has ended: they are asked to sign in. */
  readonly asked: () => Session | undefined
  readonly subscribe: (listener: () => void) => () => void
  signInAgain(credentials: Credentials): Promise<void>
  /** The person goes away instead: what waits is refused. */
  leave(): void
}

export function createRenewal(queries: QueryClient, read: () => Promise<Session | null> = readSession): Renewal {
  const listeners = new Set<() => void>()
  let asked: Session | undefined
  let waiting: Waiting | undefined

  function ask(session: Session | undefined): void {
    asked = session
    for (const listener of listeners) listener()
  }

  function end(session: Session | null): void {
    const ended = waiting
    const before = current(queries)
    waiting = undefined
    ask(undefined)
    become(session, queries)
    if (session && session.user.id === before?.user.id) ended?.resolve()
    else ended?.reject(new AuthenticationError('session_missing', 'You are signed out.', { status: 401 }))
  }

  /** Another tab may have signed in again already. */
  async function look(): Promise<void> {
    const before = current(queries)
    const session = await read()
    if (session || !before) end(session)
    else ask(before)
  }

  return {
    after(refusedCsrf) {
      const session = current(queries)
      if (session && session.csrf !== refusedCsrf) return Promise.resolve()
      if (!waiting) {
        waiting = createWaiting()
        look().catch((error: unknown) => {
          waiting?.reject(error)
          waiting = undefined
        })
      }
      return waiting.promise
    },
    asked: () => asked,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async signInAgain(credentials) {
      end(await server.call('POST /api/session', { body: credentials }))
    },
    leave: () => end(null),
  }
}

interface Waiting {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

function createWaiting(): Waiting {
  let settle: Pick<Waiting, 'resolve' | 'reject'> | undefined
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle! }
}

const CSRF = 'x-csrf-token'
const renewals = new WeakMap<QueryClient, Renewal>()

/** One for each page. */
export function renewalOf(queries: QueryClient): Renewal {
  const known = renewals.get(queries) ?? createRenewal(queries)
  renewals.set(queries, known)
  return known
}

/** The session of the page as the credential of its calls, on behalf of one organisation or of none. */
export function sessionCredential(queries: QueryClient, organisationId?: string): BrowserSession {
  return {
    headers: () => ({
      [CSRF]: current(queries)?.csrf ?? '',
      ...(organisationId === undefined ? {} : { 'x-organisation-id': organisationId }),
    }),
    renewed: (refused) => renewalOf(queries).after(refused[CSRF]),
  }
}
