import Type, { type TSchema } from 'typebox'
import { PROBLEMS, type ProblemCode } from '../errors.ts'

/** Schemas every part of the API shares: they validate, type and document at once. */

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Address of a page about this problem.' }),
    title: Type.String({ description: 'The problem in general.' }),
    status: Type.Integer({ description: 'The HTTP status again.' }),
    detail: Type.String({ description: 'What is wrong this time and what to do.' }),
    instance: Type.String({ description: 'The request id, as in the header X-Request-Id.' }),
    code: Type.String({ enum: Object.keys(PROBLEMS), description: 'Stable code to program against.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'RFC 6901 pointer to the place in the body.' }),
          code: Type.String(),
          detail: Type.String(),
        }),
        { description: 'For validation: each place that is wrong, the first 100.' },
      ),
    ),
  },
  { $id: 'Problem', title: 'Problem', description: 'RFC 9457 problem details.' },
)

export const BillingFields = {
  charged: Type.Boolean({ description: 'Money moved, from credit or as overage.' }),
  is_free: Type.Boolean({ description: 'A free allowance or a zero-priced plan covered the whole request.' }),
  unit_price_pence: Type.Integer({ minimum: 0, description: 'Price of one unit, in pence.' }),
  billable_units: Type.Integer({ minimum: 1, description: 'Units of this request: one per record.' }),
  total_price_pence: Type.Integer({ minimum: 0, description: 'Total price, in pence.' }),
  charged_from_credit_pence: Type.Integer({ minimum: 0, description: 'Part taken from credit.' }),
  overage_pence: Type.Integer({ minimum: 0, description: 'Part beyond credit.' }),
  remaining_credit_pence: Type.Integer({ minimum: 0, description: 'Credit left after this request.' }),
}

const HEADERS: Partial<Record<ProblemCode, Record<string, { type: 'string'; description: string }>>> = {
  credentials_missing: { 'WWW-Authenticate': { type: 'string', description: 'RFC 6750 challenge.' } },
  method_not_allowed: { Allow: { type: 'string', description: 'Methods this path takes.' } },
  rate_limited: {
    'Retry-After': { type: 'string', description: 'Seconds to wait.' },
    RateLimit: { type: 'string', description: 'Requests left and seconds until more.' },
    'RateLimit-Policy': { type: 'string', description: 'Requests allowed per window.' },
  },
  upstream_unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
  store_unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
}

/** The `response` entries of a route for the problems it can answer with, grouped by status. */
export function problemResponses(codes: readonly ProblemCode[]): Record<number, TSchema> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Record<number, unknown> = {}
  for (const [status, group] of byStatus) {
    responses[status] = {
      description: group.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
      headers: Object.assign({}, ...group.map((code) => HEADERS[code] ?? {})),
      content: {
        'application/problem+json': {
          schema: { $ref: 'Problem#' },
          examples: Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    }
  }
  return responses as Record<number, TSchema>
}

function exampleOf(code: ProblemCode): object {
  return {
    type: `http://localhost:8080/problems/${code}`,
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    detail: `${PROBLEMS[code].title}.`,
    instance: 'req_Xk29fPq0LmZt0000001',
    code,
  }
}
