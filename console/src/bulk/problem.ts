import { AssayError } from '@assay/sdk'

/** The error that stopped a list, including the browser's own errors, in a form that a page can show. */
export function asProblem(error: unknown): AssayError {
  const cause = error instanceof AssayError ? error.cause : error
  if (cause instanceof DOMException && cause.name === 'QuotaExceededError') {
    const message = 'This browser has no room left. Remove lists that you no longer need, then go on.'
    return new AssayError('page_failed', message, { cause })
  }
  if (error instanceof AssayError) return error
  const message = error instanceof Error ? error.message : 'Something went wrong in this page. Load it again.'
  return new AssayError('page_failed', message, { cause })
}
