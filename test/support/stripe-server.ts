import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A server on this machine that answers like the published API of Stripe, as far as our payments need it: Checkout
 * sessions, payment intents, idempotency keys, errors; and webhooks signed as documented.
 */
export interface StripeServer {
  readonly url: string
  readonly requests: { method: string; path: string; body: URLSearchParams; idempotencyKey: string | undefined }[]
  readonly sessions: Map<string, Record<string, unknown>>
  /** The objects that can be read, the newest last. */
  readonly records: Record<'payment_intents' | 'refunds' | 'disputes', (Record<string, unknown> & { id: string })[]>
  /**
   * Answers the next `count` requests with 500; with `forGood`, also with Stripe's statement that a retry is useless.
   */
  failNext(count: number, options?: { readonly forGood?: boolean }): void
  /** True when cards are refused. */
  refusesCards: boolean
  close(): Promise<void>
}

export const STRIPE_KEY = 'sk_test_local'
export const WEBHOOK_SECRET = 'whsec_test_secret'

export async function startStripeServer(): Promise<StripeServer> {
  const requests: StripeServer['requests'] = []
  const sessions = new Map<string, Record<string, unknown>>()
  const records: StripeServer['records'] = { payment_intents: [], refunds: [], disputes: [] }
  const answered = new Map<string, { text: string; request: string }>()
  let failing = 0
  let failingForGood = false
  let count = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const body = new URLSearchParams(text)
      const path = request.url ?? ''
      const idempotencyKey = request.headers['idempotency-key'] as string | undefined
      const send = (status: number, value: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${++count}` })
        response.end(typeof value === 'string' ? value : JSON.stringify(value))
      }
      if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`) {
        send(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } })
        return
      }
      requests.push({ method: request.method ?? '', path, body, idempotencyKey })
      if (failing > 0) {
        failing--
        if (failingForGood) response.setHeader('stripe-should-retry', 'false')
        send(500, { error: { type: 'api_error', message: 'Something went wrong' } })
        return
      }
      const read = /^\/v1\/(payment_intents|refunds|disputes)(?:\/(\w+))?$/.exec(path.split('?')[0]!)
      if (request.method === 'GET' && read) {
        const [, kind, id] = read as unknown as [string, keyof typeof records, string | undefined]
        const one = records[kind].find((record) => record.id === id)
        if (id === undefined) send(200, pageOf(records[kind], new URL(path, 'http://stripe').searchParams))
        else send(one ? 200 : 404, one ?? { error: { type: 'invalid_request_error', code: 'resource_missing' } })
        return
      }
      const known = idempotencyKey === undefined ? undefined : answered.get(idempotencyKey)
      if (known) {
        if (known.request === text) send(200, known.text)
        else
          send(400, {
            error: {
              type: 'idempotency_error',
              message: 'Keys for idempotent requests can only be used with the same parameters',
            },
          })
        return
      }
      const metadata = {
        invoice_id: body.get('metadata[invoice_id]'),
        organisation_id: body.get('metadata[organisation_id]'),
      }
      let value: Record<string, unknown>
      if (path === '/v1/checkout/sessions') {
        const id = `cs_test_${++count}`
        value = {
          id,
          object: 'checkout.session',
          mode: body.get('mode'),
          amount_total: Number(body.get('line_items[0][price_data][unit_amount]')),
          currency: body.get('line_items[0][price_data][currency]'),
          client_reference_id: body.get('client_reference_id'),
          customer: body.get('customer') ?? null,
          payment_intent: null,
          payment_status: 'unpaid',
          status: 'open',
          success_url: body.get('success_url'),
          metadata,
          url: `https://checkout.stripe.com/c/pay/${id}`,
        }
        sessions.set(id, value)
      } else if (path === '/v1/payment_intents' && served.refusesCards) {
        send(402, { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } })
        return
      } else if (path === '/v1/payment_intents') {
        value = {
          id: `pi_${++count}`,
          object: 'payment_intent',
          amount: Number(body.get('amount')),
          amount_received: Number(body.get('amount')),
          customer: body.get('customer'),
          payment_method: body.get('payment_method'),
          status: 'succeeded',
          metadata,
        }
      } else {
        send(404, {
          error: { type: 'invalid_request_error', message: `Unrecognized request URL (${request.method}: ${path})` },
        })
        return
      }
      const answer = JSON.stringify(value)
      if (idempotencyKey !== undefined) answered.set(idempotencyKey, { text: answer, request: text })
      send(200, answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const served: StripeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sessions,
    records,
    refusesCards: false,
    failNext(times, { forGood = false } = {}) {
      failing = times
      failingForGood = forGood
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return served
}

/** Newest first, as Stripe lists. */
function pageOf(records: readonly { id: string; created?: unknown }[], query: URLSearchParams) {
  const since = Number(query.get('created[gte]'))
  const all = records.filter(({ created }) => Number(created) >= since).reverse()
  const from = 1 + all.findIndex(({ id }) => id === query.get('starting_after'))
  const data = all.slice(from, from + Number(query.get('limit')))
  return { object: 'list', data, has_more: from + data.length < all.length }
}

/** The header that Stripe sends: a time and an HMAC over time and body. */
export function signatureOf(body: string, timeMs: number, secret = WEBHOOK_SECRET): string {
  const seconds = Math.floor(timeMs / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

let events = 0
export function stripeEvent(type: string, object: Record<string, unknown>, id = `evt_${++events}`): string {
  return JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: 1,
    type,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: { object },
  })
}
