/**
 * The part of Stripe's API that payments need: form-encoded calls with an idempotency key, and signed messages. The
 * official package offers everything else too, in 22 MB (docs/decisions/0019-libraries-and-our-own-code.md).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const STRIPE_API = 'https://api.stripe.com'

/** Stripe keeps the form of requests and answers that a version had for as long as the version is sent. */
const API_VERSION = '2026-10-28.endive'

const TRIES_MAX = 3
const TIMEOUT_MS = 10_000
const FIRST_DELAY_MS = 500
const SIGNATURE_AGE_SECONDS_MAX = 300

export type FormValue = string | number | boolean | FormFields | readonly FormFields[] | readonly string[]
export interface FormFields {
  readonly [name: string]: FormValue
}

/** Stripe refused a call. `type` is Stripe's name for the sort of refusal, such as `card_error`. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly type: string | undefined

  constructor(status: number, error: { type?: string; code?: string; message?: string } = {}) {
    super(`Stripe answered ${status}: ${[error.type, error.code, error.message].filter(Boolean).join(', ')}`)
    this.status = status
    this.type = error.type
  }
}

export interface StripeAccess {
  readonly secretKey: string
  readonly apiBase?: string | undefined
}

/** Posts to the API; the key makes a repeat harmless. */
export function postToStripe<T>(
  access: StripeAccess,
  path: string,
  fields: FormFields,
  idempotencyKey: string,
): Promise<T> {
  const headers = { 'idempotency-key': idempotencyKey }
  return callStripe(access, path, { method: 'POST', headers, body: formOf(fields) })
}

export function getFromStripe<T>(access: StripeAccess, path: string, fields: FormFields = {}): Promise<T> {
  return callStripe(access, `${path}?${formOf(fields)}`, { method: 'GET', headers: {} })
}

const PAGE_ROWS_MAX = 100

export async function listFromStripe<T extends { readonly id: string }>(
  access: StripeAccess,
  path: string,
  fields: FormFields,
): Promise<T[]> {
  const all: T[] = []
  for (let more = true; more; ) {
    const last = all.at(-1)
    const from = last ? { starting_after: last.id } : {}
    const query = { ...fields, limit: PAGE_ROWS_MAX, ...from }
    const page = await getFromStripe<{ data: T[]; has_more: boolean }>(access, path, query)
    all.push(...page.data)
    more = page.has_more && page.data.length > 0
  }
  return all
}

interface Call {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: URLSearchParams
}

/** Repeats a call that failed on the way or inside Stripe. */
async function callStripe<T>({ secretKey, apiBase = STRIPE_API }: StripeAccess, path: string, call: Call): Promise<T> {
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': API_VERSION, ...call.headers }
  for (let tries = 1; ; tries++) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const answer = await fetch(new URL(path, apiBase), { ...call, headers, redirect: 'error', signal })
      const json = (await answer.json()) as { error?: ConstructorParameters<typeof StripeRefusal>[1] }
      if (answer.ok) return json as T
      if (!worthRepeating(answer) || tries === TRIES_MAX) throw new StripeRefusal(answer.status, json.error)
    } catch (error) {
      if (error instanceof StripeRefusal || tries === TRIES_MAX) throw error
    }
    await delay(FIRST_DELAY_MS * 2 ** (tries - 1))
  }
}

function worthRepeating({ status, headers }: Response): boolean {
  const advice = headers.get('stripe-should-retry')
  return advice === null ? status === 409 || status >= 500 : advice === 'true'
}

const formOf = (fields: FormFields) => new URLSearchParams([...formPairs(fields)])

/** Nested fields as Stripe reads them: `metadata[invoice_id]=…`, `line_items[0][quantity]=1`. */
function* formPairs(fields: FormFields, within = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(fields)) {
    const name = within === '' ? key : `${within}[${key}]`
    if (typeof value === 'object') yield* formPairs(value as FormFields, name)
    else yield [name, String(value)]
  }
}

/** Throws unless the header holds a signature of the body that is at most five minutes old. */
export function checkSignature(rawBody: Buffer, header: string, secret: string, nowMs: number): void {
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string?])
  const seconds = Number.parseInt(parts.find(([name]) => name === 't')?.[1] ?? '', 10)
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest()
  const signed = parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!signed) throw new Error('No signature in the header matches the body.')
  if (Math.floor(nowMs / 1000) - seconds > SIGNATURE_AGE_SECONDS_MAX) throw new Error('The signature is too old.')
}
