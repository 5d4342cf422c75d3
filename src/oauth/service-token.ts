import { randomBytes } from 'node:crypto'
import { isSecretOf } from '../identity/clients/client-secret.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import { LIMITS } from '../limits.ts'
import { TOKEN_KEPT_MS, type TokenRow } from './adapter.ts'
import { type ClientMetadata, secretsOf, tokensEndedAt } from './client-metadata.ts'
import { serviceTokenPayload } from './library-internals.ts'
import { defaultScope, refusedScope, withoutRepeats } from './policy.ts'

const KNOWN = new Set(['grant_type', 'scope', 'client_id', 'client_secret'])
/** Characters of credentials and scopes that need no decoding. */
const PLAIN = /^[A-Za-z0-9_:. -]+$/

export type ServiceTokens = ReturnType<typeof createServiceTokens>

/**
 * Answers the most common request directly: a service with the right secret asks for a token. It stores and answers
 * exactly as the library would. Unusual requests and all refusals are left to the library, so that one place decides
 * which requests are wrong.
 */
export function createServiceTokens(deps: {
  readonly clients: ClientMetadata
  readonly clock: Clock
  readonly insertToken: (row: TokenRow) => Promise<void>
  readonly lifetimes: Pick<Lifetimes, 'accessTokenSeconds'>
}) {
  const { clients, clock, insertToken } = deps
  const { accessTokenSeconds } = deps.lifetimes
  return {
    /** The answer, or undefined if the library has to handle the request. */
    async issue({ body, authorization }: { readonly body: Buffer; readonly authorization: string | undefined }) {
      const form = readForm(body)
      if (form?.get('grant_type') !== 'client_credentials') return undefined
      const credentials = readCredentials(form, authorization)
      const client = credentials && (await clients.find(credentials.id))
      if (client?.token_endpoint_auth_method !== 'client_secret_basic' || client.client_secret === undefined)
        return undefined
      if (!client.grant_types?.includes('client_credentials')) return undefined
      if (!credentials || !isSecretOf(credentials.secret, secretsOf(client), clock.now())) return undefined
      const asked = form.get('scope')
      if (refusedScope(asked, client.scope, 'clientCredentials') !== undefined) return undefined
      const scope = asked === undefined ? defaultScope(client.scope, 'clientCredentials') : withoutRepeats(asked)
      if (scope === '' || scope.startsWith(' ') || scope.endsWith(' ') || scope.includes('  ')) return undefined

      const token = randomBytes(33).toString('base64url').slice(0, 43)
      const nowMs = clock.now()
      const iat = Math.floor(nowMs / 1000)
      const exp = iat + accessTokenSeconds
      const { id: clientId } = credentials
      const extra = { organisation_id: client.organisation_id }
      await insertToken({
        digest: sha256Hex(token),
        kind: 'ClientCredentials',
        payload: serviceTokenPayload({ iat, exp, clientId, scope, extra }),
        client_id: clientId,
        person_id: null,
        grant_digest: null,
        scope,
        client_tokens_ended_at: tokensEndedAt(client),
        issued_at: nowMs,
        expires_at: exp * 1000,
        purge_at: exp * 1000 + TOKEN_KEPT_MS,
      })
      return { access_token: token, expires_in: accessTokenSeconds, token_type: 'Bearer', scope }
    },
  }
}

/** The form fields, if each is known, plain and not repeated. */
function readForm(body: Buffer): Map<string, string> | undefined {
  if (body.length > LIMITS.requests.serviceTokenBodyBytesMax) return undefined
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body.toString('latin1'))) {
    if (!KNOWN.has(name) || form.has(name) || !PLAIN.test(value)) return undefined
    form.set(name, value)
  }
  return form
}

/** From the header or from the form, not from both. */
function readCredentials(form: ReadonlyMap<string, string>, authorization: string | undefined) {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return id !== undefined && secret !== undefined ? { id, secret } : undefined
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined || secret !== undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  const colon = text.indexOf(':')
  const given = { id: text.slice(0, colon), secret: text.slice(colon + 1) }
  if (colon < 1 || !PLAIN.test(given.id) || !PLAIN.test(given.secret) || text.includes(' ')) return undefined
  return id === undefined || id === given.id ? given : undefined
}
