import type { KoaContextWithOIDC } from 'oidc-provider'
import { failureOf } from './failures.ts'
import type { Refusal } from './library-internals.ts'
import { PATHS } from './paths.ts'
import { clientIdOf } from './token-limits.ts'
import { clientNamed, detailOf, endpointOf, type Trace } from './trace.ts'

/** The library's answers in the trace. */

/** Counts a request, and logs why it was refused or failed. */
export function traceAnswer(
  ctx: KoaContextWithOIDC,
  { failure, refusal }: { readonly failure: unknown; readonly refusal: Refusal | undefined },
  trace: Trace,
): void {
  const endpoint = endpointOf(ctx.path)
  // The final form of a refusal: a token of another kind is simply not active.
  const refused = refusal !== undefined && !(ctx.path === PATHS.introspection && ctx.status === 200)
  if (failure === undefined && !refused) {
    trace.answered(endpoint, 'ok')
    return
  }
  const told = failure === undefined ? undefined : failureOf(failure)
  const { error: answered } = (ctx.body ?? {}) as { error?: unknown }
  const error = told?.error ?? (typeof answered === 'string' ? answered : (refusal?.error ?? 'server_error'))
  trace.answered(endpoint, error)
  trace.failed({
    requestId: ctx.response.get('x-request-id'),
    endpoint,
    error,
    detail: told?.description ?? (refusal ? detailOf(refusal) : ''),
    clientId: clientNamed(ctx.oidc?.client?.clientId ?? claimedClient(ctx)),
    ...(told && told.status >= 500 ? { err: failure } : {}),
  })
}

/** The claimed client id. */
function claimedClient(ctx: KoaContextWithOIDC): string | undefined {
  const form = new URLSearchParams()
  for (const name of ['client_id', 'client_assertion']) {
    const value = ctx.oidc?.params?.[name]
    if (typeof value === 'string') form.set(name, value)
  }
  return clientIdOf(form, ctx.get('authorization') || undefined)
}
