import { Assay, AssayError, type BrowserSession, type Operations } from '@assay/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { PageOperations } from './generated/pages.ts'

/** The only way to the server: the SDK's client, with the operations of the public API and those of the pages. */

export type AllOperations = Operations & PageOperations
export type Answer<Name extends keyof AllOperations> = AllOperations[Name]['response']
export type Body<Name extends keyof AllOperations> = AllOperations[Name]['body']
export type Server = Assay<AllOperations>

/** The path under which a proxy serves the whole service; empty when the service has its own host. */
export const BASE_PATH: string = document.querySelector('meta[name="assay-base"]')?.getAttribute('content') ?? ''

/** A person is waiting: retry quickly, and show a wait that the server asks for. */
const WHILE_SOMEBODY_WAITS = { retriesMax: 2, waitMs: 300, retryAfterMsMax: 0 }

export function serverFor(session: BrowserSession): Server {
  return new Assay({ baseUrl: window.location.origin + BASE_PATH, session, retrying: WHILE_SOMEBODY_WAITS })
}

/** The time zone is kept at sign-in: mails tell times in it too. */
const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const server: Server = serverFor({ headers: () => ({ 'x-time-zone': timeZone() }) })

/** Data that needs no session. */
export const publicQuery = <Name extends `GET /api/${string}` & keyof AllOperations>(name: Name) =>
  queryOptions({ queryKey: [name], queryFn: ({ signal }): Promise<Answer<Name>> => server.call(name, { signal }) })

/** For requests without an idempotency key: no automatic retry, the person decides. */
export const ONCE = { retrying: { retriesMax: 0 } }

/** The CSRF token that proves that the form is ours: the `csrf` of the GET of the same resource. */
export const withCsrf = (csrf: string) => ({ headers: { 'x-csrf-token': csrf }, ...ONCE })

/** Converts any thrown value to an error that a page can show. */
export function asAssayError(error: unknown): AssayError {
  if (error instanceof AssayError) return error
  return new AssayError('page_failed', 'Something went wrong in this page. Load it again.', { cause: error })
}

/** The promise never settles: the waiting form stays disabled until the next page is loaded. */
export function leaveTo(address: string): Promise<never> {
  const url = new URL(address, window.location.href)
  // The server never sends another scheme; if it ever does, a script address must not run here.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return Promise.reject(new Error(`refused to go to ${url.protocol}`))
  }
  window.location.assign(url)
  return new Promise(() => {})
}
