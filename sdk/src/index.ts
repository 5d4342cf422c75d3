import { type CheckManyOptions, type CheckRun, checkMany } from './check-many.ts'
import {
  applyImport,
  type Call,
  type CounterpartyImport,
  type CounterpartyRow,
  type ImportOptions,
  stageImport,
} from './counterparties.ts'
import { type CredentialOptions, createCredentials } from './credentials.ts'
import { type Effects, randomId, systemEffects } from './effects.ts'
import { ConfigurationError } from './errors.ts'
import type { Operations } from './generated/api.ts'
import { KINDS } from './generated/tables.ts'
import type { Family, Kind } from './kinds.ts'
import { type Answer, createTransport, RETRYING, type Recovery, type Retrying, type Transport } from './transport.ts'

export type {
  BillingSum,
  CheckedRecord,
  CheckManyOptions,
  CheckRun,
  Journal,
  Progress,
  StoredBatch,
} from './check-many.ts'
export type { CounterpartyImport, CounterpartyRemarks, CounterpartyRow, ImportOptions } from './counterparties.ts'
export type { BrowserSession, CredentialHeaders, TokenProvider } from './credentials.ts'
export {
  AssayError,
  AuthenticationError,
  type ClientCode,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  CreditExhaustedError,
  type FieldError,
  NotFoundError,
  PermissionError,
  type ProblemCode,
  RateLimitError,
  type RequestOutcome,
  TimeoutError,
  UnavailableError,
  ValidationError,
} from './errors.ts'
export type {
  AssayEvent,
  ChangedSince,
  Coverage,
  Decision,
  Facts,
  Knowledge,
  Operations,
  Problem,
  ReceiptClaims,
  Signal,
} from './generated/api.ts'
export { AUDIT_ACTIONS, EVENTS, KINDS, LEVELS, PASSWORD, ROLES, SCOPES } from './generated/tables.ts'
export { type Family, KIND_NAMES, type Kind } from './kinds.ts'
export { liveNote } from './live-note.ts'
export { whyNothingToCheck } from './not-public.ts'
export { isAbout, type ReceiptKeys, type VerifiedReceipt, verifyReceipt } from './receipt.ts'
export type { Outcome, RecordResult, Risk } from './repeats.ts'
export { createDistinct, dedupeKey } from './repeats.ts'
export type { Recovery } from './transport.ts'
export { type TestEvent, verifyWebhook, WebhookError } from './webhooks.ts'

/**
 * The client of an Assay service.
 *
 *     const assay = new Assay({ apiKey, baseUrl: 'https://assay.example' })
 *     const { risk } = await assay.payment.check('accounts@example.com')
 */
export interface AssayOptions extends CredentialOptions {
  /** Address of the service, such as https://assay.example. */
  readonly baseUrl: string
  /** Timeout of one try of a single request. Default 30 s; a batch has 120 s. */
  readonly timeoutMs?: number | undefined
  readonly retrying?: Partial<Retrying> | undefined
  /** Called when a request was answered after a try without an answer: the request was done and charged once. */
  readonly onRecovered?: ((recovery: Recovery) => void) | undefined
  /** Replaces the global fetch, for example with a proxy or a recorder. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

type SingleAnswer<F extends Family> = Operations[`POST /v1/${F}`]['response']
/** The answer to a single check of any kind. */
export type CheckAnswer = SingleAnswer<Family>
/** An answer with its reasons. */
export type Explained<T> = T & Required<Pick<T, Extract<Explanation, keyof T>>>
type Explanation = 'signals' | 'intelligence' | 'recommended_action' | 'base_score' | 'coverage' | 'facts'

export interface CheckOptions {
  readonly signal?: AbortSignal | undefined
  /** Also makes retries safe across restarts of your program: the same key is charged once within 24 hours. */
  readonly idempotencyKey?: string | undefined
}

/** The checks of one family of indicators. */
export interface Checks<Answer> {
  /** With `explain: true` the answer includes its reasons. */
  check(indicator: string, options: CheckOptions & { readonly explain: true }): Promise<Explained<Answer>>
  check(indicator: string, options?: CheckOptions & { readonly explain?: boolean | undefined }): Promise<Answer>
  /** Equivalent to `check` with `explain: true`. */
  explain(indicator: string, options?: CheckOptions): Promise<Explained<Answer>>
  /** Checks a list of any length in batches: see `CheckManyOptions` and `CheckedRecord`. */
  checkMany(records: Iterable<string> | AsyncIterable<string>, options?: CheckManyOptions): CheckRun
}

/** Operations by name, such as the generated `Operations`. */
export type OperationTable = Record<string, { path: unknown; query: unknown; body: unknown; response: unknown }>

export interface CallOptions<Operation extends OperationTable[string]> {
  readonly path?: Operation['path']
  readonly query?: Operation['query']
  readonly body?: Operation['body']
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** For a write; default: a new key for each call. Retries with the same key are done and charged once. */
  readonly idempotencyKey?: string | undefined
  /** Overrides the client's own retry limits. */
  readonly retrying?: Partial<Retrying> | undefined
}

export interface Versioned<Data> {
  readonly data: Data
  /** The version that was read: a change based on it sends it as `If-Match`. */
  readonly etag: string | undefined
}

export class Assay<Named extends { [Name in keyof Named]: OperationTable[string] } = Operations> {
  readonly payment: Checks<SingleAnswer<'payment-risk'>>
  readonly supplyChain: Checks<SingleAnswer<'supply-chain-risk'>>
  readonly infrastructure: Checks<SingleAnswer<'infrastructure-risk'>>
  readonly #transport: Transport
  readonly #effects: Effects

  constructor(options: AssayOptions, effects: Effects = systemEffects) {
    const used = options.fetch ? { ...effects, fetch: options.fetch } : effects
    const baseUrl = readBaseUrl(options.baseUrl)
    this.#effects = used
    this.#transport = createTransport({
      baseUrl,
      credentials: createCredentials(options, baseUrl, used),
      timeoutMs: options.timeoutMs ?? 30_000,
      retrying: { ...RETRYING, ...options.retrying },
      effects: used,
      onRecovered: options.onRecovered,
    })
    this.payment = this.#checks('email')
    this.supplyChain = this.#checks('domain')
    this.infrastructure = this.#checks('ip')
  }

  /** Calls any operation of the interface by its name, such as `GET /v1/billing`. Writes carry an Idempotency-Key. */
  async call<Name extends keyof Named & string>(
    name: Name,
    options: CallOptions<Named[Name]> = {},
  ): Promise<Named[Name]['response']> {
    return (await this.#send(name, options)).body as Named[Name]['response']
  }

  /** Like `call`, with the version of the resource that was read. */
  async callForVersion<Name extends keyof Named & string>(
    name: Name,
    options: CallOptions<Named[Name]> = {},
  ): Promise<Versioned<Named[Name]['response']>> {
    const { body, headers } = await this.#send(name, options)
    return { data: body as Named[Name]['response'], etag: headers.get('etag') ?? undefined }
  }

  /** Like `call`, but returns the answer as a file of another type, such as `text/csv`. */
  async callForFile<Name extends keyof Named & string>(
    name: Name,
    type: string,
    options: CallOptions<Named[Name]> = {},
  ): Promise<Blob> {
    return (await this.#send(name, options, type)).body as Blob
  }

  /** A whole list as one CSV file: the service sends a long one in parts. */
  async exportCsv<Name extends keyof Named & string>(
    name: Name,
    options: CallOptions<Named[Name]> = {},
  ): Promise<string> {
    let text = ''
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { ...(options.query as object), ...(cursor === undefined ? {} : { cursor }) }
      const { body, headers } = await this.#send(name, { ...options, query }, 'text/csv')
      const csv = await (body as Blob).text()
      text += cursor === undefined ? csv : csv.slice(csv.indexOf('\r\n') + 2)
      const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      cursor = next === undefined ? null : new URL(next).searchParams.get('cursor')
    }
    return text
  }

  /**
   * Sends the rows of a vendor master, in parts. The answer counts the differences; nothing changes before
   * `applyCounterparties`.
   */
  stageCounterparties(rows: readonly CounterpartyRow[], options?: ImportOptions): Promise<CounterpartyImport> {
    return stageImport(this.call.bind(this) as unknown as Call, rows, options)
  }

  /** Applies a staged import, in steps; from then on everybody sees it, as a whole. */
  applyCounterparties(
    importId: string,
    options?: Pick<ImportOptions, 'signal' | 'onProgress'>,
  ): Promise<CounterpartyImport> {
    return applyImport(this.call.bind(this) as unknown as Call, importId, options)
  }

  /** Compares a bank account with those of the counterparty behind an email address or a domain; free of charge. */
  compareAccount(
    body: Operations['POST /v1/payments/compare']['body'],
    options: Pick<CheckOptions, 'signal'> = {},
  ): Promise<Operations['POST /v1/payments/compare']['response']> {
    const call = this.call.bind(this) as unknown as Call
    return call('POST /v1/payments/compare', { body, ...options })
  }

  /** The checks of one kind of indicator, for a kind that is known only at run time. */
  checks(kind: Kind): Checks<CheckAnswer> {
    return { email: this.payment, domain: this.supplyChain, ip: this.infrastructure }[kind]
  }

  #send(name: string, options: CallOptions<OperationTable[string]>, accept?: string): Promise<Answer> {
    const [method = '', template = ''] = name.split(' ')
    const key = method === 'GET' ? {} : { 'idempotency-key': options.idempotencyKey ?? randomId(this.#effects) }
    return this.#transport.send({
      method,
      path: fillPath(template, options.path ?? {}) + queryText(options.query ?? {}),
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      accept,
      headers: { ...key, ...options.headers },
      signal: options.signal,
      retrying: options.retrying,
    })
  }

  #checks<Answer>(kind: Kind): Checks<Answer> {
    const check = async (indicator: string, options: CheckOptions & { explain?: boolean | undefined } = {}) => {
      const { body } = await this.#transport.send({
        method: 'POST',
        path: `/v1/${KINDS[kind].family}${options.explain ? '?explain=true' : ''}`,
        body: JSON.stringify({ [kind]: indicator }),
        headers: { 'idempotency-key': options.idempotencyKey ?? randomId(this.#effects) },
        signal: options.signal,
      })
      return body as Explained<Answer>
    }
    return {
      check,
      explain: (indicator, options) => check(indicator, { ...options, explain: true }),
      checkMany: (records, options = {}) =>
        checkMany(kind, records, options, { transport: this.#transport, effects: this.#effects }),
    }
  }
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError('baseUrl must be the http or https address of the service.')
  }
  // The address is not repeated in the message: it contains a secret before the @.
  if (url.username || url.password) throw new ConfigurationError('baseUrl must not contain a user name or password.')
  if (url.search || url.hash) throw new ConfigurationError('baseUrl must not have a query or a fragment.')
  return url.href.replace(/\/+$/, '')
}

function fillPath(template: string, given: unknown): string {
  const values = given as Readonly<Record<string, unknown>>
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name]
    if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`The path needs "${name}".`)
    return encodeURIComponent(String(value))
  })
}

function queryText(values: unknown): string {
  const pairs = Object.entries(values as Readonly<Record<string, unknown>>).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${new URLSearchParams(Object.fromEntries(pairs.map(([name, value]) => [name, String(value)])))}`
}
