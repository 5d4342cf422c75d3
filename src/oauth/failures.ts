import { errors } from 'oidc-provider'
import { StoreUnavailable } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import type { Pages } from './pages.ts'
import { PATHS } from './paths.ts'

/** A failure as shown: to a program in OAuth terms, to a person as a page. */
export interface Failure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** An RFC 6749 code; for a page, a more specific code. */
  readonly error: string
  readonly code: string
  readonly description: string
}

const RETRY: Readonly<Record<string, string>> = { 'retry-after': '1' }

export function failureOf(error: unknown): Failure {
  if (error instanceof StoreUnavailable) {
    return {
      status: 503,
      headers: RETRY,
      error: 'temporarily_unavailable',
      code: 'store_unavailable',
      description: 'the server cannot reach its store, try again shortly',
    }
  }
  if (error instanceof Problem) {
    const { status, headers, code, detail } = error
    return { status, headers, error: errorOf(status), code, description: detail }
  }
  if (error instanceof errors.OIDCProviderError && error.expose) {
    const { statusCode: status, error: name, error_description: description = 'the request is not valid' } = error
    return { status, headers: {}, error: name, code: name, description }
  }
  // Fastify's own refusals: a body too large, a wrong length.
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
  const description =
    status === 413
      ? 'the body is too large'
      : status < 500
        ? 'the request cannot be read'
        : 'something went wrong on our side'
  return { status, headers: {}, error: errorOf(status), code: errorOf(status), description }
}

function errorOf(status: number): string {
  if (status === 503 || status === 429) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** True for paths that a person's browser opens, not a program. */
export function isForPeople(path: string): boolean {
  return [PATHS.authorization, PATHS.end_session, PATHS.code_verification].some(
    (start) => path === start || path.startsWith(`${start}/`),
  )
}

export function tellFailure(
  failure: Failure,
  { path, pages, requestId }: { readonly path: string; readonly pages: Pages; readonly requestId: string },
): { headers: Record<string, string>; body: string } {
  const headers = { ...failure.headers, 'cache-control': 'no-store' }
  if (isForPeople(path)) {
    const { code, description } = failure
    return {
      headers: { ...pages.headers, ...headers },
      body: pages.render({ code, detail: description, request_id: requestId }),
    }
  }
  return {
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error: failure.error, error_description: failure.description }),
  }
}
