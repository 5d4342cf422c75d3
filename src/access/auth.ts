import type { FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { type Maybe, thenSync } from '../lib/maybe.ts'
import { API_KEY_LENGTH, isWellFormedApiKey } from './api-key.ts'
import type { Caller, FindCaller } from './caller.ts'
import { inactiveWords, STATE_REASONS } from './organisation-state.ts'
import type { Scope } from './scopes.ts'

/** Authentication, then account state, then scope. Each step has its own error. */

export interface Authentication {
  readonly findByApiKey: FindCaller
  /** Absent while the server runs without OAuth. */
  readonly findByToken?: FindCaller
  /** RFC 9728: tells a client how to get a token. */
  readonly resourceMetadataUrl?: string
}

const REALM = 'Bearer realm="assay"'

export function authenticate(request: FastifyRequest, auth: Authentication): Maybe<Caller> {
  const apiKey = request.headers['x-api-key']
  const authorization = request.headers.authorization
  const bearer = authorization === undefined ? undefined : /^bearer +(.*)$/i.exec(authorization)?.[1]?.trim()
  if (apiKey !== undefined && bearer !== undefined) {
    throw new Problem('ambiguous_credentials', { detail: 'Send either x-api-key or a bearer token, not both.' })
  }
  if (typeof apiKey === 'string' && apiKey !== '') return byApiKey(apiKey, auth)
  if (bearer !== undefined) return byToken(bearer, auth)
  throw new Problem('credentials_missing', {
    detail: 'Send an API key in the header x-api-key, or a token as Authorization: Bearer.',
    headers: { 'www-authenticate': challenge(auth) },
  })
}

function byApiKey(apiKey: string, auth: Authentication): Maybe<Caller> {
  return thenSync(apiKey.length === API_KEY_LENGTH ? auth.findByApiKey(apiKey) : undefined, (caller) => {
    if (caller) return caller
    throw new Problem('api_key_invalid', {
      // The checksum distinguishes a typo from a key that is no longer valid.
      detail: isWellFormedApiKey(apiKey)
        ? 'The API key is unknown, revoked or expired.'
        : 'This API key is incomplete: copy it again.',
      headers: { 'www-authenticate': challenge(auth) },
    })
  })
}

function byToken(token: string, auth: Authentication): Maybe<Caller> {
  // RFC 6750 b64token; any other text cannot be one of our tokens.
  const known = /^[A-Za-z0-9\-._~+/]{1,512}=*$/.test(token) ? auth.findByToken?.(token) : undefined
  return thenSync(known, (caller) => {
    if (caller) return caller
    const parameters = ['error="invalid_token"', 'error_description="The access token is not valid"']
    throw new Problem('token_invalid', {
      detail: 'The access token is unknown, revoked or expired.',
      headers: { 'www-authenticate': challenge(auth, ...parameters) },
    })
  })
}

export function requireEnabled(caller: Caller): void {
  if (caller.state === 'disabled') throw new Problem('account_disabled', { detail: STATE_REASONS.disabled })
}

export function requireActive(caller: Caller): void {
  requireEnabled(caller)
  if (caller.state === 'inactive') {
    throw new Problem('account_inactive', { detail: inactiveWords(caller.stateReason) })
  }
}

export function requireScopes(caller: Caller, scopes: readonly Scope[], auth: Authentication): void {
  if (scopes.every((scope) => caller.scopes.has(scope))) return
  const missing = scopes.filter((scope) => !caller.scopes.has(scope))
  throw new Problem('insufficient_scope', {
    detail:
      caller.role === undefined
        ? `The credential lacks ${missing.join(' and ')}.`
        : `The role ${caller.role} may not do this. Ask an owner or an admin of the organisation.`,
    headers: { 'www-authenticate': challenge(auth, 'error="insufficient_scope"', `scope="${scopes.join(' ')}"`) },
  })
}

function challenge(auth: Authentication, ...parameters: readonly string[]): string {
  const metadata = auth.resourceMetadataUrl ? [`resource_metadata="${auth.resourceMetadataUrl}"`] : []
  return [REALM, ...parameters, ...metadata].join(', ')
}
