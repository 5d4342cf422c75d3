import { AuthenticationError, type BrowserSession } from '@assay/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ONCE, server, withCsrf } from './client.ts'
import type { Credentials, SecondStep, Session } from './generated/pages.ts'

async function readSession(signal?: AbortSignal): Promise<Session | null> {
  try {
    return await server.call('GET /api/session', { signal })
  } catch (error) {
    if (error instanceof AuthenticationError) return null
    throw error
  }
}

/** `null` is a valid answer: nobody is signed in. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
})

const current = (queries: QueryClient) => queries.getQueryData(sessionQuery.queryKey) ?? null

/** Undefined when the person is signed in; otherwise the proof that is still missing. */
export async function signIn(credentials: Credentials, queries: QueryClient): Promise<SecondStep | undefined> {
  const answer = await server.call('POST /api/session', { body: credentials, ...ONCE })
  if ('ticket' in (answer.second_factor ?? {})) return answer as SecondStep
  signedInAs(answer as Session, queries)
  return undefined
}

export function signedInAs(session: Session, queries: QueryClient): void {
  renewalOf(queries).end(session)
}

/** Removes all data of this person from the memory of the page. */
export async function signOut(queries: QueryClient): Promise<void> {
  // Another tab may have signed in again since: end the current session.
  const session = await readSession()
  if (session) await server.call('DELETE /api/session', withCsrf(session.csrf))
  renewalOf(queries).end(null)
}

function become(session: Session | null, queries: QueryClient): void {
  const before = current(queries)
  queries.setQueryData(sessionQuery.queryKey, session)
  // A new session of the same person: the page stays as it is.
  if (session && before?.user.id === session.user.id) return
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

/** Calls that an expired session refused wait until the person has signed in again, and are then sent again. */
export function createRenewal(queries: QueryClient, read: () => Promise<Session | null> = readSession) {
  const { tell, subscribe } = createListeners()
  let asked: Session | undefined
  let waiting: (PromiseWithResolvers<void> & { readonly userId: string }) | undefined

  function ask(session: Session | undefined): void {
    asked = session
    tell()
  }

  function end(session: Session | null): void {
    const ended = waiting
    waiting = undefined
    ask(undefined)
    become(session, queries)
    if (session && session.user.id === ended?.userId) ended.resolve()
    else ended?.reject(signedOut())
  }

  /** Another tab may have signed in again already. */
  async function look(before: Session): Promise<void> {
    const session = await read()
    if (session) end(session)
    else ask(before)
  }

  return {
    /** Resolves when the person has a newer session than the refused one; rejects when they are signed out. */
    async after(userId: string, refusedCsrf: string | undefined): Promise<void> {
      const session = current(queries)
      if (session?.user.id !== userId) throw signedOut()
      if (session.csrf !== refusedCsrf) return
      if (!waiting) {
        waiting = { userId, ...Promise.withResolvers<void>() }
        look(session).catch((error: unknown) => {
          waiting?.reject(error)
          waiting = undefined
        })
      }
      return waiting.promise
    },
    asked: () => asked,
    subscribe,
    /** Sets who is signed in now: calls that wait for another person are rejected. */
    end,
  }
}

const signedOut = () => new AuthenticationError('session_missing', 'You are signed out.', { status: 401 })

const CSRF = 'x-csrf-token'

export const renewalOf = perPage(createRenewal)

/** The session of one person as a credential: a waiting call is never sent in the name of another person. */
export function sessionCredential(queries: QueryClient, userId: string, organisationId?: string): BrowserSession {
  return {
    headers() {
      const session = current(queries)
      if (session?.user.id !== userId) throw signedOut()
      return { [CSRF]: session.csrf, ...(organisationId ? { 'x-organisation-id': organisationId } : {}) }
    },
    renewed: (refused) => renewalOf(queries).after(userId, refused[CSRF]),
  }
}

/** Listeners for a change, in the form that `useSyncExternalStore` subscribes. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    tell: () => {
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** One for each page. */
export function perPage<Value>(create: (queries: QueryClient) => Value): (queries: QueryClient) => Value {
  const made = new WeakMap<QueryClient, Value>()
  return (queries) => {
    const value = made.get(queries) ?? create(queries)
    made.set(queries, value)
    return value
  }
}
