import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Scope } from '../identity/scopes.ts'
import { type Authentication, authenticate, requireActive, requireEnabled, requireScopes } from './auth.ts'
import { type RateLimiter, RESOURCE_REQUESTS_PER_SECOND } from './limits.ts'

/**
 * What every request to a risk endpoint passes before its body is read, in this order: authentication, account
 * state, scope, plan, rate. A refused request never costs a parsed body.
 */
export interface Allowance {
  readonly requests_per_second: number
  readonly bulk_allowed: boolean
}

export interface GateDependencies {
  readonly authentication: Authentication
  readonly limiter: RateLimiter
  /** What the organisation's plan allows. */
  readonly allowanceOf: (organisationId: string) => Promise<Allowance> | Allowance
}

export type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function riskGate(deps: GateDependencies, options: { scopes: readonly Scope[]; bulk: boolean }): Gate {
  return async (request, reply) => {
    const caller = await authenticate(request, deps.authentication)
    request.caller = caller
    requireActive(caller)
    requireScopes(caller, options.scopes, deps.authentication)
    const allowance = await deps.allowanceOf(caller.organisationId)
    if (options.bulk && !allowance.bulk_allowed) {
      throw new Problem('bulk_not_in_plan', {
        detail: 'The plan has no bulk checks. Send single checks, or choose a plan with bulk.',
      })
    }
    const headers = deps.limiter.take(caller.organisationId, allowance.requests_per_second)
    reply.headers(headers)
  }
}

/**
 * What every request to a billing or organisation resource passes: authentication, account state, scope, rate. An
 * inactive account passes, so that it can be paid for and looked after; a disabled one does not.
 */
export function resourceGate(
  deps: Pick<GateDependencies, 'authentication' | 'limiter'>,
  options: { readonly scopes: readonly Scope[] },
): Gate {
  return async (request, reply) => {
    const caller = await authenticate(request, deps.authentication)
    request.caller = caller
    requireEnabled(caller)
    requireScopes(caller, options.scopes, deps.authentication)
    reply.headers(deps.limiter.take(caller.organisationId, RESOURCE_REQUESTS_PER_SECOND, 'resources'))
    // What stands here is one organisation's alone: no cache on the way may keep it.
    reply.header('cache-control', 'no-store')
  }
}
