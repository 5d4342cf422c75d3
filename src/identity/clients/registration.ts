import { isScope, SCOPE_NAMES, SCOPES, type Scope } from '../../access/scopes.ts'
import { type FieldError, Problem } from '../../errors.ts'
import { characterProblem } from '../../lib/name-text.ts'
import { whyHostNotPublic } from '../../lib/public-address.ts'
import { quoted } from '../../lib/quoted.ts'
import { LIMITS } from '../../limits.ts'
import { nameProblem } from '../organisation/organisations.ts'

/**
 * Registration of applications. The kind of application decides:
 *
 *  1. `service` acts for itself (client credentials); the others act for a person who consented.
 *  2. `service` and `web` prove who they are, by a secret or a key of their own. `spa` and `native` cannot keep a
 *     secret and never have one, whatever is asked.
 *  3. A client has at least one scope, and only scopes its flow may ask for.
 *  4. Redirect addresses are compared exactly; only `native` may use any port of the loopback address.
 *  5. After a rotation the former secret also works until it expires or is ended.
 */
export const CLIENT_KINDS = {
  service: { about: 'A server acting for itself: client credentials', user: false, confidential: true },
  web: { about: 'A server acting for people: authorization code', user: true, confidential: true },
  spa: { about: 'An application in the browser: authorization code, no secret', user: true, confidential: false },
  native: {
    about: 'A command line, device or installed application: device flow or authorization code, no secret',
    user: true,
    confidential: false,
  },
} as const

export type ClientKind = keyof typeof CLIENT_KINDS
export const CLIENT_KIND_NAMES = Object.keys(CLIENT_KINDS) as ClientKind[]
/** Signature algorithms of ID tokens; the first is the default. */
export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const
export type IdTokenAlg = (typeof ID_TOKEN_ALGS)[number]

export interface ClientRequest {
  readonly kind: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly redirect_uris?: readonly string[] | undefined
  readonly logout_uris?: readonly string[] | undefined
  /** A public JSON Web Key Set: the client authenticates with its own key instead of a secret. */
  readonly jwks?: unknown
  readonly jwks_uri?: string | undefined
  readonly id_token_signed_response_alg?: string | undefined
  readonly policy_uri?: string | null | undefined
  readonly terms_uri?: string | null | undefined
}

export interface RegistrationRules {
  /** Plain http on the loopback address is for development, except for native clients. */
  readonly production: boolean
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

export function scopesOfKind(kind: ClientKind): Scope[] {
  const flow = CLIENT_KINDS[kind].user ? 'user' : 'clientCredentials'
  return SCOPE_NAMES.filter((scope) => SCOPES[scope][flow])
}

/** All errors of a registration, each with its field; empty when it is valid. */
export function clientProblems(request: ClientRequest, { production }: RegistrationRules): FieldError[] {
  const problems: FieldError[] = []
  const wrong = (field: string, detail: string) => problems.push({ pointer: `/${field}`, code: 'invalid', detail })
  const wrongName = nameProblem(request.name)
  if (wrongName) wrong('name', `The name ${wrongName}.`)
  const kind = CLIENT_KIND_NAMES.find((name) => name === request.kind)
  if (!kind) {
    wrong('kind', `The kind must be one of ${CLIENT_KIND_NAMES.join(', ')}.`)
    return problems
  }
  const wrongScopes = scopesProblem(request.scopes, kind)
  if (wrongScopes) wrong('scopes', wrongScopes)
  const { redirect_uris = [], logout_uris = [] } = request
  if (kind === 'service' && redirect_uris.length > 0) {
    wrong('redirect_uris', 'A service client uses no redirect, so it has no redirect address.')
  }
  if ((kind === 'web' || kind === 'spa') && redirect_uris.length === 0) {
    wrong('redirect_uris', `A ${kind} client needs at least one redirect address.`)
  }
  for (const [field, uris] of [
    ['redirect_uris', redirect_uris],
    ['logout_uris', logout_uris],
  ] as const) {
    if (uris.length > LIMITS.counts.redirectUrisMax) wrong(field, `At most ${LIMITS.counts.redirectUrisMax} addresses.`)
    for (const uri of uris) {
      const wrongUri = redirectProblem(uri, kind, production)
      if (wrongUri) wrong(field, sentence(`${quoted(uri)} ${wrongUri}`))
    }
  }
  for (const [field, uri] of [
    ['policy_uri', request.policy_uri],
    ['terms_uri', request.terms_uri],
  ] as const) {
    const wrongUri = uri === undefined || uri === null ? undefined : linkProblem(uri)
    if (wrongUri) wrong(field, sentence(`${quoted(uri ?? '')} ${wrongUri}`))
  }
  if (request.jwks !== undefined) {
    const wrongKeys = CLIENT_KINDS[kind].confidential
      ? keySetProblem(request.jwks)
      : `a ${kind} client is public and has no key`
    if (wrongKeys) wrong('jwks', `The key set is refused: ${wrongKeys}.`)
  }
  if (request.jwks_uri !== undefined) {
    const wrongUri = CLIENT_KINDS[kind].confidential
      ? keySetUriProblem(request.jwks_uri, production)
      : `is refused: a ${kind} client is public and has no key`
    if (wrongUri) wrong('jwks_uri', `The address of the key set ${wrongUri}.`)
    if (request.jwks !== undefined) wrong('jwks_uri', 'Give the key set or its address, not both.')
  }
  if (request.id_token_signed_response_alg !== undefined && !isIdTokenAlg(request.id_token_signed_response_alg)) {
    wrong('id_token_signed_response_alg', `ID tokens are signed by one of ${ID_TOKEN_ALGS.join(', ')}.`)
  }
  return problems
}

function scopesProblem(scopes: readonly string[], kind: ClientKind): string | undefined {
  const allowed: readonly string[] = scopesOfKind(kind)
  if (scopes.length === 0) return 'Name at least one scope.'
  const refused = scopes
    .filter((scope) => !allowed.includes(scope))
    .map((scope) => (isScope(scope) ? `a ${kind} client may not have ${scope}` : `${quoted(scope)} is not a scope`))
  if (refused.length === 0) return undefined
  return `${sentence(refused.join('; '))} Scopes of a ${kind} client: ${allowed.join(', ')}.`
}

const sentence = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}.`

/** The address as a URL, or why it is refused. */
function readAddress(uri: string, refused: RegExp): URL | string {
  const url = URL.parse(uri)
  if (!url || uri.length > 1000 || refused.test(uri)) return 'is not an address'
  if (url.hash || uri.includes('#')) return 'must not have a fragment'
  if (url.username || url.password) return 'must not contain a user name or password'
  return url
}

function redirectProblem(uri: string, kind: ClientKind, production: boolean): string | undefined {
  const url = readAddress(uri, /[\s\p{Cc}\p{Cs}*]/u)
  if (typeof url === 'string') return url
  if (url.protocol === 'https:') {
    return kind === 'native' && LOOPBACK.has(url.hostname) ? 'must use http on the loopback address' : undefined
  }
  if (url.protocol !== 'http:') return 'must be https, or http on the loopback address'
  if (!LOOPBACK.has(url.hostname)) return 'must be https'
  return kind === 'native' || !production
    ? undefined
    : 'must be https: only native clients may use the loopback address'
}

const isIdTokenAlg = (text: string): text is IdTokenAlg => ID_TOKEN_ALGS.some((alg) => alg === text)

/** The server fetches this address; a name is resolved and checked then. */
function keySetUriProblem(uri: string, production: boolean): string | undefined {
  const url = readAddress(uri, /[\s\p{Cc}\p{Cs}]/u)
  if (typeof url === 'string') return url
  if (!production && LOOPBACK.has(url.hostname) && /^https?:$/.test(url.protocol)) return undefined
  if (url.protocol !== 'https:') return 'must be https'
  const why = whyHostNotPublic(url.hostname)
  return why && `must be on the public internet, and ${url.hostname} is not: ${why}`
}

function linkProblem(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (!url || uri.length > 1000 || /\s/.test(uri) || characterProblem(uri)) return 'is not an address'
  if (url.protocol !== 'https:') return 'must be https'
  if (url.username || url.password) return 'must not contain a user name or password'
  return undefined
}

function keySetProblem(jwks: unknown): string | undefined {
  const keys = keysIn(jwks)
  if (!keys || keys.length === 0) return 'give a JSON Web Key Set, {"keys": [ … ]}'
  if (keys.length > LIMITS.counts.clientKeysMax) return `at most ${LIMITS.counts.clientKeysMax} keys`
  for (const key of keys) {
    if (!['RSA', 'EC', 'OKP'].includes(String(key.kty))) return 'each key is of type RSA, EC or OKP'
    if (PRIVATE_MEMBERS.some((member) => member in key)) return 'it contains a private key; give only the public key'
  }
  return undefined
}

function keysIn(jwks: unknown): Record<string, unknown>[] | undefined {
  const keys = typeof jwks === 'object' && jwks !== null && 'keys' in jwks ? jwks.keys : undefined
  const isKey = (key: unknown): key is Record<string, unknown> => typeof key === 'object' && key !== null
  return Array.isArray(keys) && keys.every(isKey) ? keys : undefined
}

export function checkedRegistration(request: ClientRequest, rules: RegistrationRules) {
  const errors = clientProblems(request, rules)
  if (errors.length > 0) {
    throw new Problem('validation_failed', { detail: errors.map(({ detail }) => detail).join(' '), errors })
  }
  const keys = keysIn(request.jwks)
  return {
    kind: request.kind as ClientKind,
    name: request.name.trim(),
    scopes: [...new Set(request.scopes.filter(isScope))],
    redirect_uris: [...new Set(request.redirect_uris)],
    logout_uris: [...new Set(request.logout_uris)],
    jwks: keys ? { keys } : null,
    jwks_uri: request.jwks_uri ?? null,
    id_token_signed_response_alg: (request.id_token_signed_response_alg ?? ID_TOKEN_ALGS[0]) as IdTokenAlg,
    policy_uri: request.policy_uri ?? null,
    terms_uri: request.terms_uri ?? null,
  }
}
