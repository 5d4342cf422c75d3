import { isNothingToCheck, type NotIndicator } from '@assay/reader/indicator'
import {
  Assay,
  AssayError,
  AuthenticationError,
  type CallOptions,
  ConfigurationError,
  ConnectionError,
  CreditExhaustedError,
  type Operations,
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
  return { assay, identity, url }
}

/** The client of the calls of a command: it gets its token once. */
const clients = new WeakMap<Context, Assay>()

/** Calls one operation. Stopping the command stops the call. */
export function call<Name extends keyof Operations>(
  context: Context,
  name: Name,
  options: CallOptions<Operations[Name]> = {},
): Promise<Operations[Name]['response']> {
  const assay = clients.get(context) ?? connect(context).assay
  clients.set(context, assay)
  return assay.call(name, { ...options, signal: context.interrupted })
}

interface PageAnswer<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}
type ListName = {
  [Name in keyof Operations]: Operations[Name]['response'] extends PageAnswer<unknown> ? Name : never
}[keyof Operations]
type RowOf<Name extends ListName> = Operations[Name]['response']['data'][number]

const PAGE_ROWS = 200

/** The first rows of a list; `more` is true if it has further ones. */
export async function listRows<Name extends ListName>(
  context: Context,
  name: Name,
  options: { readonly path?: object; readonly query?: object } = {},
  rowsMax = Number.POSITIVE_INFINITY,
): Promise<{ readonly rows: RowOf<Name>[]; readonly more: boolean }> {
  const { assay } = connect(context)
  const rows: RowOf<Name>[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: PAGE_ROWS, ...options.query, ...(cursor && { cursor }) }
    const request = { ...options, query, signal: context.interrupted } as object
    const page = (await assay.call(name, request)) as PageAnswer<RowOf<Name>>
    rows.push(...page.data)
    if (rows.length > rowsMax) return { rows: rows.slice(0, rowsMax), more: true }
    cursor = page.next_cursor
  }
  return { rows, more: false }
}

/** The fields that have a value, such as the options that were given. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
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
  if (error instanceof PermissionError && error.code === 'insufficient_scope') {
    if (key) return 'Create an API key with this scope in the console, under Keys and applications.'
    return client ? '' : 'A login cannot have this scope: use an API key or an application that has it.'
  }
  if (error instanceof RateLimitError) return 'Try again later.'
  return ''
}

/** The error that the service would return for a text that is not an indicator, created without a request. */
export function notRead({ kind, problem }: NotIndicator): ValidationError {
  return new ValidationError(isNothingToCheck(problem) ? 'nothing_to_check' : `invalid_${kind ?? 'indicator'}`, problem)
}
