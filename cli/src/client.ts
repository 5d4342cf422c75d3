import type { NotIndicator } from '@assay/reader/indicator'
import {
  Assay,
  AssayError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  CreditExhaustedError,
  PermissionError,
  RateLimitError,
  type Recovery,
  TimeoutError,
  ValidationError,
} from '@assay/sdk'
import { CliError, type Context } from './context.ts'
import { currentToken, LOGIN_ENDED } from './oauth.ts'
import { readLogin, serviceUrl } from './settings.ts'
import { harmless } from './terminal/paint.ts'

/** The credential of a call. The environment has priority, so that a script never depends on the signed-in person. */
export type Identity =
  | { readonly method: 'api_key'; readonly key: string }
  | { readonly method: 'client_credentials'; readonly clientId: string; readonly clientSecret: string }
  | { readonly method: 'login' }

function identify(context: Context): Identity {
  const { ASSAY_API_KEY: key, ASSAY_CLIENT_ID: clientId, ASSAY_CLIENT_SECRET: clientSecret } = context.env
  if (key) return { method: 'api_key', key }
  if (clientId || clientSecret) {
    if (!clientId || !clientSecret) throw new CliError('Set both ASSAY_CLIENT_ID and ASSAY_CLIENT_SECRET.')
    return { method: 'client_credentials', clientId, clientSecret }
  }
  if (readLogin(context, serviceUrl(context))) return { method: 'login' }
  throw new CliError(`Not signed in to ${serviceUrl(context)}. Run: assay login, or set ASSAY_API_KEY.`)
}

/** A person waits at the terminal: answer or fail within two seconds. */
const RETRIES_OF_A_COMMAND = 2

/** `patient` retries for about a minute: for long runs, which must survive a restart of the service. */
export function connect(
  context: Context,
  { patient = false, onRecovered }: { readonly patient?: boolean; readonly onRecovered?: (one: Recovery) => void } = {},
): {
  readonly assay: Assay
  /** `assay.call`, which Ctrl-C ends. */
  readonly call: Assay['call']
  readonly identity: Identity
  readonly url: string
} {
  const identity = identify(context)
  const url = serviceUrl(context)
  const shared = {
    baseUrl: url,
    fetch: context.fetch,
    retrying: patient ? {} : { retriesMax: RETRIES_OF_A_COMMAND },
    onRecovered,
  }
  const assay =
    identity.method === 'api_key'
      ? new Assay({ ...shared, apiKey: identity.key })
      : identity.method === 'client_credentials'
        ? new Assay({ ...shared, clientId: identity.clientId, clientSecret: identity.clientSecret })
        : new Assay({ ...shared, tokenProvider: (options) => currentToken(context, url, options) })
  const signal = context.interrupted
  return { assay, call: (name, options) => assay.call(name, { ...options, signal }), identity, url }
}

/** True when the failure leaves open whether a charge was made: no answer came, or the person interrupted the wait. */
export function isChargeUnknown(error: unknown, { interrupted }: Context): boolean {
  return error instanceof AssayError ? error.outcome === 'unknown' : interrupted.aborted && error === interrupted.reason
}

export function explainFailure(error: unknown, context: Context): CliError {
  if (error instanceof CliError) return error
  if (!(error instanceof AssayError)) {
    return new CliError(harmless(`Something went wrong: ${(error as Error)?.message ?? error}`), { cause: error })
  }
  if (error.cause instanceof CliError) return error.cause
  const said = harmless(error.message)
  const next = nextStep(error, context)
  return new CliError(next ? `${said} ${next}` : said, { cause: error })
}

function nextStep(error: AssayError, context: Context): string {
  const { ASSAY_API_KEY: key, ASSAY_CLIENT_ID: client } = context.env
  if (error instanceof AuthenticationError) {
    if (key) return 'Check ASSAY_API_KEY.'
    return client ? 'Check ASSAY_CLIENT_ID and ASSAY_CLIENT_SECRET.' : LOGIN_ENDED
  }
  if (error instanceof ConfigurationError) return key ? 'Check ASSAY_API_KEY.' : ''
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return 'Check that it runs, or the address: assay config set url https://…'
  }
  if (error instanceof CreditExhaustedError) return 'Top up in the console, then try again.'
  if (error instanceof PermissionError && error.code === 'insufficient_scope' && !key && !client) {
    return 'A login cannot have this scope: use an API key or an application that has it.'
  }
  if (error instanceof RateLimitError) return 'Try again later.'
  return ''
}

/** The error that the service would return for a text that is not an indicator, created without a request. */
export function notRead({ kind, problem }: NotIndicator): ValidationError {
  return new ValidationError(`invalid_${kind ?? 'indicator'}`, problem)
}
