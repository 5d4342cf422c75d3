import Fastify from 'fastify'
import { singleSchema } from '../src/risk/schema.ts'

/** The yardstick: the same route and schemas on a bare Fastify that does nothing but answer. */
const app = Fastify()
const { body, querystring } = singleSchema('email')
app.post('/v1/payment-risk', { schema: { body, querystring } }, async () => ({
  endpoint: 'payment-risk',
  risk: 'low',
  risk_score: 4,
  source_type: 'payment_scan',
  target: 'sha256:0000000000000000000000000000000000000000000000000000000000000000',
  charged: true,
  is_free: false,
  unit_price_pence: 1,
  billable_units: 1,
  total_price_pence: 1,
  charged_from_credit_pence: 1,
  overage_pence: 0,
  remaining_credit_pence: 1_000_000,
}))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ url })}\n`)
