import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { BODY_TOO_LARGE_WORDS } from '../access/limits.ts'
import { StoreUnavailable } from '../db/sql.ts'
import { type FieldError, PROBLEMS, Problem, type ProblemCode } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { DAY_OR_TIME } from './schema.ts'

/** RFC 9457 bodies, and the translation of every error into one. */

export const PROBLEM_TYPE = 'application/problem+json'

export function problemBody(problem: Problem, { baseUrl, requestId }: { baseUrl: string; requestId: string }) {
  const { code, title, status, detail, errors } = problem
  const type = `${baseUrl}/problems/${code}`
  return { type, title, status, detail, instance: requestId, code, ...(errors ? { errors } : {}) }
}

const NOT_JSON = {
  code: 'unsupported_media_type',
  detail: 'Send the body as JSON with Content-Type: application/json.',
} as const

/** Fastify's own refusals, by their code. */
const FASTIFY_PROBLEMS: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: NOT_JSON,
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body_too_large', detail: BODY_TOO_LARGE_WORDS },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_header',
    detail: 'Content-Length does not agree with the body.',
  },
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: NOT_JSON,
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'malformed_json', detail: 'The body is empty.' },
  FST_ERR_BAD_URL: { code: 'not_found', detail: 'The path is not a valid one.' },
}

/** A schema validator's error at one place; AJV and TypeBox share this shape. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
}

const KEYWORD_CODES: Readonly<Record<string, string>> = {
  type: 'wrong_type',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_short',
  maxItems: 'too_long',
  enum: 'not_allowed',
  const: 'not_allowed',
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
}

/** People read these texts in forms, so they do not name patterns and types of JSON, as the validator does. */
function keywordWords(keyword: string, { limit, pattern, type, format }: SchemaError['params']): string | undefined {
  if (keyword === 'type') return `must be ${TYPE_WORDS[String(type)] ?? type}`
  const what = keyword.endsWith('Items') ? 'entries' : 'characters'
  if (keyword === 'minProperties') return 'needs at least one field'
  if (/^min(Length|Items)$/.test(keyword)) return limit === 1 ? 'must not be empty' : `needs at least ${limit} ${what}`
  if (/^max(Length|Items)$/.test(keyword)) return `may have at most ${limit} ${what}`
  if (keyword === 'minimum' || keyword === 'maximum')
    return `must be at ${keyword === 'minimum' ? 'least' : 'most'} ${limit}`
  if (keyword === 'enum') return 'must be one of these'
  if (format === 'date-time') return 'must be a time, such as 2026-05-31T14:00:00Z'
  if (keyword !== 'pattern') return undefined
  if (String(pattern).startsWith('^[^\\u0000')) return 'must not contain control characters'
  if (pattern === DAY_OR_TIME) return 'must be a day (2026-05-31) or a time (2026-05-31T14:00:00Z)'
  return 'does not have the form that is described for it'
}

/** One entry per invalid place. The values are never repeated: they may be a password or an e-mail address. */
export function toFieldErrors(found: readonly SchemaError[]): FieldError[] {
  const errors: FieldError[] = []
  for (const { keyword, instancePath, params, message } of found) {
    const names = (params.requiredProperties ?? params.additionalProperties) as readonly string[] | undefined
    const name = params.missingProperty ?? params.additionalProperty
    for (const field of names ?? (typeof name === 'string' ? [name] : [])) {
      const missing = keyword === 'required'
      errors.push({
        pointer: `${instancePath}/${pointerSegment(field)}`,
        code: missing ? 'missing_field' : 'unknown_field',
        detail: missing ? 'This field is required.' : 'There is no such field.',
      })
    }
    // TypeBox reports an unknown field a second time, as a place where no value is allowed.
    if (names || typeof name === 'string' || keyword === 'boolean') continue
    // The errors of a union's other variants come before these, and say more.
    if (keyword === 'anyOf' || (params.type === 'null' && errors.at(-1)?.pointer === instancePath)) continue
    const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : ''
    errors.push({
      pointer: instancePath,
      code: KEYWORD_CODES[keyword] ?? 'invalid',
      detail: `This ${keywordWords(keyword, params) ?? message ?? 'is not valid'}${allowed}.`,
    })
  }
  return errors.slice(0, LIMITS.requests.errorsNamedMax)
}

/** RFC 6901, with a length bound: a field name may be as long as the body, or hold an address by mistake. */
function pointerSegment(name: string): string {
  const shown = name.length > 64 || name.includes('@') ? `${name.slice(0, 16).split('@')[0]}…` : name
  return shown.replaceAll('~', '~0').replaceAll('/', '~1')
}

const CONTEXT_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  body: 'validation_failed',
  querystring: 'invalid_query',
  headers: 'invalid_header',
  params: 'not_found',
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { validation, validationContext } = (error ?? {}) as Partial<FastifyError>
  if (validation) {
    const errors = toFieldErrors(validation as readonly SchemaError[])
    const code = CONTEXT_PROBLEMS[validationContext ?? 'body'] ?? 'validation_failed'
    return new Problem(code, { detail: errors[0]?.detail ?? 'The request is not valid.', errors })
  }
  if (error instanceof StoreUnavailable) {
    return new Problem('store_unavailable', {
      detail: 'The store cannot be reached. Nothing was charged; try again shortly.',
      headers: { 'retry-after': '1' },
      cause: error,
    })
  }
  const { code: name = '', statusCode } = (error ?? {}) as Partial<FastifyError>
  if (name === 'ECONNRESET' && statusCode === 400) {
    // The caller closed the connection while its body was read: not a server error, and nobody reads this answer.
    return new Problem('invalid_header', { detail: 'The connection ended before the body did.', cause: error })
  }
  const known = FASTIFY_PROBLEMS[name]
  if (known) return new Problem(known.code, { detail: known.detail, cause: error })
  return new Problem('internal', { detail: 'The request could not be answered. Nothing was charged.', cause: error })
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  options: { readonly baseUrl: string },
): FastifyReply {
  const problem = toProblem(error)
  request.problemCode = problem.code
  // The cause is only logged: it may name a table, a host or a file, which a caller must not see.
  if (problem.status >= 500 && problem.code !== 'maintenance') {
    const { code, cause } = problem
    request.log.error({ request_id: request.id, err: cause ?? problem, code }, problem.title)
  }
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(problemBody(problem, { baseUrl: options.baseUrl, requestId: request.id })))
}

export function problemPage(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code]
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${code}</title>
<h1>${title}</h1><p>Status ${status}, code <code>${code}</code>.</p><p>The answer's <code>detail</code> explains what to do.
Quote its <code>instance</code> (the request id) when you ask the operator for help.</p><p><a href="/docs">API reference</a></p></html>`
}
