import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { StoreUnavailable } from '../db/sql.ts'
import { PROBLEMS, Problem, type ProblemCode } from '../errors.ts'

/** RFC 9457 bodies, and the translation of everything that can go wrong into one. */

export const PROBLEM_TYPE = 'application/problem+json'

export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: ProblemCode
  readonly errors?: Problem['errors']
}

export function problemBody(problem: Problem, context: { baseUrl: string; requestId: string }): ProblemBody {
  return {
    type: `${context.baseUrl}/problems/${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: context.requestId,
    code: problem.code,
    ...(problem.errors ? { errors: problem.errors } : {}),
  }
}

/** Fastify's own refusals, by their code. */
const FASTIFY_PROBLEMS: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    detail: 'Send the body as JSON with Content-Type: application/json.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body_too_large',
    detail: 'The body is over the limit: 4 MiB for bulk requests, 64 KiB for others.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_header',
    detail: 'Content-Length does not agree with the body.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'malformed_json', detail: 'The body is empty.' },
  FST_ERR_BAD_URL: { code: 'not_found', detail: 'The path is not a valid one.' },
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StoreUnavailable) {
    return new Problem('store_unavailable', {
      detail: 'The store cannot be reached. Nothing was charged; try again shortly.',
      headers: { 'retry-after': '1' },
      cause: error,
    })
  }
  const known = FASTIFY_PROBLEMS[(error as FastifyError | undefined)?.code ?? '']
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
  // The cause stays here: it may name a table, a host or a file, never shown to a caller.
  if (problem.status >= 500) request.log.error({ err: problem.cause ?? problem, code: problem.code }, problem.title)
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(problemBody(problem, { baseUrl: options.baseUrl, requestId: request.id })))
}

/** One page a problem's `type` points at. */
export function problemPage(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code]
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${code}</title>
<h1>${title}</h1><p>Status ${status}, code <code>${code}</code>.</p><p>The answer's <code>detail</code> says what to do in your case.
Quote its <code>instance</code> (the request id) when you ask the operator for help.</p><p><a href="/docs">API reference</a></p></html>`
}
