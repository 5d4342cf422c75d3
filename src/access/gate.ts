import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, Problem } from '../errors.ts'
import { type Maybe, thenSync } from '../lib/maybe.ts'
import { LIMITS, type Weight } from '../limits.ts'
import { type Authentication, authenticate, requireActive, requireEnabled, requireScopes } from './auth.ts'
import type { Caller } from './caller.ts'
import type { RateLimiter } from './limits.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'
import type { Turns } from './turns.ts'

/** Checks of a request to a risk endpoint, before its body is read: authentication, state, scope, plan, rate. */
export interface Allowance {
  readonly requests_per_second: number
  readonly bulk_allowed: boolean
  readonly tokens_per_minute?: number | undefined
}

export interface GateDependencies {
  readonly authentication: Authentication
  /** Absent while the server runs without sign-in. */
  readonly findBySession?: FindSessionCaller | undefined
  readonly limiter: RateLimiter
  readonly allowanceOf: (organisationId: string) => Maybe<Allowance>
}

export type Gate = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** A hook that returns a promise only when it has to wait. */
function gateOf(pass: (request: FastifyRequest, reply: FastifyReply) => Maybe<void>): Gate {
  return (request, reply, done) => {
    let passing: Maybe<void>
    try {
      passing = pass(request, reply)
    } catch (error) {
      refuse(error, done)
      return
    }
    if (passing instanceof Promise)
      passing.then(
        () => done(),
        (error: unknown) => refuse(error, done),
      )
    else done()
  }
}

/**
 * A refusal costs nearly half of an answer: who asks again and again although a share is used up waits for each refusal,
 * and sends nothing more meanwhile.
 */
const RATE_REFUSAL_MS = 100

function refuse(error: unknown, done: (error?: Error) => void): void {
  if (error instanceof Problem && error.code === 'rate_limited') setTimeout(done, RATE_REFUSAL_MS, error)
  else done(error as Error)
}

/** A person signed in to the console, as a caller of the organisation the request names. */
export type FindSessionCaller = (request: FastifyRequest) => Promise<Caller>

type IdentifyDependencies = Pick<GateDependencies, 'authentication' | 'findBySession'>

/** A key or a token takes precedence over a cookie, because it names the organisation to charge. */
function identify(request: FastifyRequest, deps: IdentifyDependencies): Maybe<Caller> {
  const { authorization, cookie } = request.headers
  const named = request.headers['x-api-key'] !== undefined || authorization !== undefined
  if (named || !deps.findBySession || !cookie?.includes('assay_session=')) {
    return authenticate(request, deps.authentication)
  }
  return deps.findBySession(request)
}

export function riskGate(deps: GateDependencies, options: { scopes: readonly Scope[]; bulk: boolean }): Gate {
  function passPlan(caller: Caller, allowance: Allowance, reply: FastifyReply): void {
    if (options.bulk && !allowance.bulk_allowed) {
      throw new Problem('bulk_not_in_plan', {
        detail: 'The plan has no bulk checks. Send single checks, or choose a plan with bulk.',
      })
    }
    const headers = deps.limiter.take(caller.organisationId, allowance.requests_per_second)
    if (headers) reply.headers(headers)
  }
  return gateOf((request, reply) =>
    thenSync(identify(request, deps), (caller) => {
      remember(request, caller)
      requireActive(caller)
      requireScopes(caller, options.scopes, deps.authentication)
      return thenSync(deps.allowanceOf(caller.organisationId), (allowance) => passPlan(caller, allowance, reply))
    }),
  )
}

/**
 * Every request to a billing or organisation resource passes these checks: authentication, account state, scope, rate.
 * An inactive account passes, so that it can be paid for and managed; a disabled one does not.
 */
export function resourceGate(
  deps: IdentifyDependencies & Pick<GateDependencies, 'limiter'> & { readonly turns: Turns },
  options: ResourceGateOptions,
): Gate {
  return gateOf((request, reply) =>
    thenSync(identify(request, deps), (caller) => {
      passResource(request, caller, deps, options)
      const { organisationId } = caller
      const weight = options.weight?.(request) ?? 'read'
      const headers = deps.limiter.take(organisationId, LIMITS.rates.resourceRequestsPerSecond, 'resources', weight)
      if (headers) reply.headers(headers)
      // The response is private to one organisation: forbid caching.
      reply.header('cache-control', 'no-store')
      // Heavy reads have lines of their own, and changes wait for each other in the database.
      if (!/^(GET|HEAD)$/.test(request.method) || weight !== 'read') return
      reply.raw.once('finish', () => {
        const bytes = Number(reply.getHeader('content-length') ?? 0)
        deps.limiter.takeMore(organisationId, Math.floor(bytes / LIMITS.rates.answerBytesPerRequest), 'resources')
      })
      return deps.turns.take(organisationId, reply.raw)
    }),
  )
}

function passResource(
  request: FastifyRequest,
  caller: Caller,
  { authentication }: IdentifyDependencies,
  options: ResourceGateOptions,
): void {
  remember(request, caller)
  requireEnabled(caller)
  const byRole = caller.role !== undefined && options.roles?.includes(caller.role)
  const byOther = options.orScopes?.some((scope) => caller.scopes.has(scope))
  if (!byRole && !byOther) requireScopes(caller, options.scopes, authentication)
}

/** Authenticates again when a change begins: its body may arrive long after its headers. `deps` must not cache. */
export async function reauthorise(deps: IdentifyDependencies, request: FastifyRequest, options: ResourceGateOptions) {
  passResource(request, await identify(request, deps), deps, options)
}

function remember(request: FastifyRequest, caller: Caller): void {
  request.caller = caller
}

/** For all other requests: authenticates again if the body took longer to arrive than callers are cached. */
export function recheckCaller(deps: IdentifyDependencies, afterMs: number) {
  return (request: FastifyRequest, reply: FastifyReply): Maybe<void> => {
    const { caller } = request
    if (!caller || reply.elapsedTime <= afterMs) return
    return thenSync(identify(request, deps), (now) => {
      const same = now.credentialId === caller.credentialId && now.organisationId === caller.organisationId
      if (same && [...caller.scopes].every((scope) => now.scopes.has(scope))) return
      throw forbidden('The credential was changed while the request was sent. Repeat it.')
    })
  }
}

export interface ResourceGateOptions {
  readonly scopes: readonly Scope[]
  readonly orScopes?: readonly Scope[]
  /** Roles that may do this when signed in, even if their scopes do not allow it. */
  readonly roles?: readonly Role[]
  readonly weight?: ((request: FastifyRequest) => Weight) | undefined
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('the gate let a request through without a caller')
  return request.caller
}
