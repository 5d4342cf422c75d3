import type { JWK } from 'jose'
import Provider, {
  type AccessToken,
  type Client,
  type ClientCredentials,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { SCOPE_NAMES } from '../access/scopes.ts'
import type { Sql } from '../db/sql.ts'
import { isSecretOf } from '../identity/clients/client-secret.ts'
import { ID_TOKEN_ALGS } from '../identity/clients/registration.ts'
import { factorsOf, hasFactor } from '../identity/people/factors/factors.ts'
import { findPerson } from '../identity/people/people.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { escapeHtml } from '../lib/html.ts'
import { createRecordAdapter, type RecordStore } from './adapter.ts'
import { type AnswerDependencies, answerFailure, correctAnswers } from './answers.ts'
import { type ClientMetadata, EXTRA_CLIENT_METADATA, secretsOf } from './client-metadata.ts'
import { findExistingGrant, roleBehind } from './existing-grant.ts'
import { ACR, followSession } from './follow-session.ts'
import type { ReadKeySet } from './key-set-reader.ts'
import {
  type CookieSigner,
  collectRefusals,
  libraryBehindSeconds,
  lifetimeOnceSettled,
  onFrameworkError,
  replaceSecretComparison,
} from './library-internals.ts'
import { plainPage } from './pages.ts'
import { PATHS } from './paths.ts'
import { defaultScope, refusedScope } from './policy.ts'
import type { TokenLimits } from './token-limits.ts'
import { type CountToken, grantWord, outcomeWord, type Trace, traceAnswer } from './trace.ts'

/** Configures the OAuth library: endpoints, lifetimes, allowed requests, pages. */

export const INTERACTION_SECONDS = 1800

export interface ProviderDependencies extends AnswerDependencies {
  readonly records: RecordStore
  readonly clients: ClientMetadata
  readonly tokenLimits: TokenLimits
  readonly countToken?: CountToken | undefined
  readonly trace: Trace
  readonly readKeySet: ReadKeySet
  readonly cookieSigner: CookieSigner
  readonly jwks: { keys: JWK[] }
}

/** Binds an interaction's pages to the browser that began it. */
export const PAGE_COOKIE = '_assay_page'
/** An assertion is stored until it expires, so that it is used once: a client must not make us store it permanently. */
const ASSERTION_SECONDS_MAX = 3600
const DAY_SECONDS = 86_400
const USER_AGENT_CHARACTERS_MAX = 200

export function buildProvider(deps: ProviderDependencies): Provider {
  const { lifetimes, issuer } = deps
  const secure = issuer.startsWith('https:')
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax', secure, overwrite: true } as const
  const base = new URL(issuer).pathname.replace(/\/$/, '')
  const configuration: Configuration = {
    adapter: (name) => (name === 'Client' ? clientAdapter(deps.clients) : createRecordAdapter(name, deps.records)),
    jwks: deps.jwks as NonNullable<Configuration['jwks']>,
    routes: PATHS,
    scopes: SCOPE_NAMES,
    claims: { openid: ['sub', 'acr', 'amr'], profile: ['name'], email: ['email', 'email_verified'] },
    // Many libraries for websites read the person from the ID token alone, and never ask at the userinfo endpoint.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    acrValues: Object.values(ACR),
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    extraClientMetadata: { properties: EXTRA_CLIENT_METADATA },
    // The library fetches only the keys of applications.
    fetch: (address) => deps.readKeySet(String(address)),
    enabledJWA: {
      idTokenSigningAlgValues: [...ID_TOKEN_ALGS],
      // RFC 9864 names Ed25519 what was called EdDSA before.
      clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'],
    },
    async assertJwtClientAuthClaimsAndHeader(_ctx, claims, _header, client) {
      const leftSeconds = Number(claims.exp) - deps.clock.now() / 1000
      if (!(leftSeconds <= ASSERTION_SECONDS_MAX)) {
        throw new errors.InvalidClientAuth(`an assertion may be valid for at most ${ASSERTION_SECONDS_MAX} seconds`)
      }
      await deps.tokenLimits.countAssertion(client.clientId)
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    // A token keeps its lifetime even if the person signs out of this server in between.
    expiresWithSession: async () => false,
    cookies: {
      names: { session: '_assay_oauth', interaction: '_assay_interaction', resume: '_assay_resume' },
      long: { ...cookie, path: base || '/' },
      short: cookie,
    },
    ttl: {
      AccessToken: lifetimes.accessTokenSeconds,
      ClientCredentials: lifetimeOnceSettled(settleScope, lifetimes.accessTokenSeconds),
      AuthorizationCode: lifetimes.authorizationCodeSeconds,
      // Expires by the service's time. The library sets the issue time (`iat`) from this machine's clock.
      IdToken: () => Math.max(1, lifetimes.idTokenSeconds + libraryBehindSeconds(deps.clock)),
      DeviceCode: lifetimes.deviceCodeSeconds,
      RefreshToken: (_ctx, token) =>
        Math.max(1, Math.min(lifetimes.refreshTokenSeconds, lifetimes.refreshChainSeconds - token.totalLifetime())),
      Interaction: INTERACTION_SECONDS,
      // A session without a person only carries a sign-out from one page to the next.
      Session: (_ctx, session) => (session.accountId ? lifetimes.sessionSeconds : INTERACTION_SECONDS),
      // Outlives every chain of refresh tokens under it; see existing-grant.ts.
      Grant: 2 * lifetimes.refreshChainSeconds + DAY_SECONDS,
    },
    loadExistingGrant: (ctx) => findExistingGrant(ctx, deps),
    async findAccount(ctx, sub, token) {
      const person = /^usr_[0-9A-Za-z]{20}$/.test(sub) ? await findPerson(deps.sql, sub) : undefined
      if (person?.state !== 'active') return undefined
      const grantId = token && 'grantId' in token ? token.grantId : undefined
      // An exchange in progress is answered even if its grant has just ended; see the adapter.
      const how = token?.kind === 'AccessToken' ? 'alive' : 'known'
      if (grantId && !(await roleBehind(deps.sql, grantId, how))) return undefined
      return {
        accountId: sub,
        claims: () => {
          // Scopes removed from the registration are removed from existing tokens as well.
          const registered = (ctx.oidc.client?.scope ?? '').split(' ')
          return {
            sub,
            ...(registered.includes('profile') ? { name: person.name } : {}),
            ...(registered.includes('email') ? { email: person.email, email_verified: person.email_verified } : {}),
          }
        },
      }
    },
    extraParams: { scope: checkRequestedScope },
    extraTokenClaims: (ctx, token) => tokenClaims(deps.sql, ctx, token),
    clientBasedCORS: (ctx, origin, client) =>
      // A browser application calls from the origin of its redirect address; others have no reason to call from a
      // browser.
      (ctx.oidc.route === 'userinfo' || client.clientAuthMethod === 'none') &&
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    interactions: {
      policy: pagesPolicy(deps.sql),
      url(ctx, interaction) {
        // The cookie is for this interaction's own API only, so that two tabs do not disturb each other.
        ctx.cookies.set(PAGE_COOKIE, interaction.uid, {
          ...cookie,
          overwrite: false,
          path: `${base}/api/interaction/${interaction.uid}`,
          maxAge: INTERACTION_SECONDS * 1000,
        })
        return `${base}/interaction/${interaction.uid}`
      },
    },
    renderError(ctx, out) {
      ctx.type = 'html'
      ctx.set({ ...deps.pages.headers, 'cache-control': 'no-store' })
      ctx.body = deps.pages.render({
        // A person who wanted to sign out must know that they may still be signed in.
        code: ctx.path.startsWith(PATHS.end_session) ? 'sign_out_failed' : out.error,
        detail: out.error_description ?? 'The application sent a request that cannot be answered.',
        request_id: ctx.response.get('x-request-id'),
      })
    },
    discovery: { service_documentation: `${issuer}/docs` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: { enabled: false },
      claimsParameter: { enabled: true, assertClaimsParameter: keepClassOfSignIn },
      resourceIndicators: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      userinfo: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => mayIntrospect(deps, client, token) },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => showSignOut(ctx, form),
        postLogoutSuccessSource: async (ctx) => {
          // People who chose to stay signed in also reach this code.
          const current = await deps.sessions.current(ctx.req.headers.cookie)
          ctx.redirect(`${base}/done?what=${current ? 'signed-in' : 'signed-out'}`)
        },
      },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        deviceInfo: (ctx) => ({ ip: ctx.ip, userAgent: ctx.get('user-agent').slice(0, USER_AGENT_CHARACTERS_MAX) }),
        userCodeInputSource: (ctx, _form, _out, error) => {
          // Reached at the end of a device sign-in that failed; the pages are ours.
          const denied = error?.name === 'AbortedError'
          ctx.redirect(`${base}/device/done?outcome=${denied ? 'denied' : 'failed'}`)
        },
        userCodeConfirmSource: (ctx) => ctx.redirect(`${base}/device`),
        successSource: (ctx) => ctx.redirect(`${base}/device/done`),
      },
    },
  }
  const provider = new Provider(issuer, configuration)
  provider.keys = deps.cookieSigner
  followSession(provider, deps.sessions, deps.clock)
  // Host and protocol of every request were set to the issuer's before.
  provider.proxy = true
  replaceSecretComparison(provider, (client, secret) => {
    const { clientSecret: client_secret, former_secret_digest, former_secret_until } = client
    return isSecretOf(secret, secretsOf({ client_secret, former_secret_digest, former_secret_until }), deps.clock.now())
  })
  const failures = new WeakMap<object, unknown>()
  provider.use(async (ctx, next) => {
    await correctAnswers(ctx as KoaContextWithOIDC, next, deps).catch((error: unknown) => noteFailure(ctx, error))
    if (failures.has(ctx)) answerFailure(ctx, failures.get(ctx), deps)
    traceAnswer(ctx as KoaContextWithOIDC, { failure: failures.get(ctx), refusal: refusals.get(ctx) }, deps.trace)
  })
  const refusals = collectRefusals(provider)
  /** The first error is the cause; the library's reaction to it may fail too. */
  const noteFailure = (ctx: object, error: unknown) => {
    if (!failures.has(ctx)) failures.set(ctx, error)
  }
  provider.on('server_error', noteFailure)
  const { countToken } = deps
  if (countToken) {
    const grantOf = (ctx: KoaContextWithOIDC) => grantWord(ctx.oidc?.params?.grant_type)
    provider.on('grant.success', (ctx) => countToken(grantOf(ctx), 'issued'))
    provider.on('grant.error', (ctx, error) => countToken(grantOf(ctx), outcomeWord(error.error)))
    provider.on('server_error', (ctx) => {
      if (ctx.oidc?.route === 'token') countToken(grantOf(ctx), 'server_error')
    })
  }
  onFrameworkError(provider, (error) => deps.logger.error({ err: error }, 'OAuth request failed'))
  return provider
}

/** Only the class of sign-in can be requested as a claim; other claims follow scopes and consent. */
function keepClassOfSignIn(ctx: KoaContextWithOIDC, claims: { readonly id_token?: object | undefined }): void {
  const acr = claims.id_token && 'acr' in claims.id_token ? claims.id_token.acr : undefined
  if (ctx.oidc.params) ctx.oidc.params.claims = acr === undefined ? undefined : JSON.stringify({ id_token: { acr } })
}

/**
 * OpenID Connect's prompts. Account selection comes before every other prompt. `acr_values` that prefer two factors are
 * honoured for people with a second factor; they are a preference (Core §3.1.2.1), so nobody is refused.
 */
function pagesPolicy(sql: Sql): interactionPolicy.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy
  const policy = base()
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  policy.get('login')?.checks.add(
    new Check('second_factor', 'a second factor is required', async ({ oidc }) => {
      const wanted = String(oidc.params?.acr_values ?? '').split(' ')
      const accountId = oidc.session?.accountId
      const given = oidc.acr === ACR.twoFactor || oidc.result?.login !== undefined || oidc.prompts.has('none')
      const [first] = wanted.filter((value) => Object.values<string>(ACR).includes(value))
      if (given || first !== ACR.twoFactor || accountId === undefined) return Check.NO_NEED_TO_PROMPT
      return hasFactor(await factorsOf(sql, accountId)) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  return policy
}

function clientAdapter({ find }: ClientMetadata) {
  const refuse = () => Promise.reject(new Error('clients are registered by the operator'))
  const others = { upsert: refuse, destroy: refuse, consume: refuse, findByUid: refuse, findByUserCode: refuse }
  return { find, ...others, revokeByGrantId: refuse }
}

/** SPEC's rule 1: only scopes of the registration; and only those of the flow. Runs for authorize, PAR and device. */
function checkRequestedScope(ctx: KoaContextWithOIDC, value: string | undefined, client: Client): void {
  // The library has already dropped some requested scopes: read the scope that the client sent.
  const sent = ctx.method === 'POST' ? ctx.oidc.body?.scope : ctx.query.scope
  const asked = typeof sent === 'string' && sent !== '' ? sent : value
  const refused = refusedScope(asked, client.scope, 'user')
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused)
  if (asked === undefined && ctx.oidc.params) {
    const scope = defaultScope(client.scope, 'user')
    if (scope === '') throw new errors.InvalidScope('name at least one scope', '')
    ctx.oidc.params.scope = scope
  }
}

/** `checkRequestedScope` for client credentials. */
function settleScope(ctx: KoaContextWithOIDC, token: ClientCredentials): void {
  const registered = ctx.oidc.client?.scope
  const sent = ctx.oidc.body?.scope
  const refused = refusedScope(typeof sent === 'string' ? sent : undefined, registered, 'clientCredentials')
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused)
  token.scope ??= defaultScope(registered, 'clientCredentials')
}

/** Introspection claims beyond the standard: the charged organisation. */
async function tokenClaims(sql: Sql, ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials) {
  if (token.kind === 'ClientCredentials') return { organisation_id: ctx.oidc.client?.organisation_id as string }
  const grantId = 'grantId' in token ? token.grantId : undefined
  const rows = await sql.query<{ organisation_id: string | null }>(
    `select organisation_id from oauth_record where digest = $1 and kind = 'Grant'`,
    [sha256Hex(grantId ?? '')],
  )
  return rows[0]?.organisation_id ? { organisation_id: rows[0].organisation_id } : undefined
}

async function mayIntrospect(
  deps: ProviderDependencies,
  client: Client,
  token: { clientId?: string | undefined; kind: string; jti: string; grantId?: string | undefined },
): Promise<boolean> {
  const owner = await deps.clients.find(token.clientId ?? '')
  if (!owner) return false
  const own = token.clientId === client.clientId
  // A public client is not authenticated, so it may introspect its own tokens only.
  const colleague = client.clientAuthMethod !== 'none' && owner.organisation_id === client.organisation_id
  if (!own && !colleague) return false
  if (token.kind === 'RefreshToken') return (await roleBehind(deps.sql, token.grantId ?? '', 'alive')) !== undefined
  return (await deps.verifier.find(token.jti)) !== undefined
}

function showSignOut(ctx: KoaContextWithOIDC, form: string): void {
  const returnTo = ctx.oidc.params?.post_logout_redirect_uri
  const origin = typeof returnTo === 'string' ? URL.parse(returnTo)?.origin : undefined
  // Browsers apply form-action to the following redirect as well.
  ctx.set(
    'content-security-policy',
    `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${origin ? ` ${origin}` : ''}; base-uri 'none'; frame-ancestors 'none'`,
  )
  ctx.body = plainPage(
    'Sign out?',
    `${form}<p>Sign out of ${escapeHtml(new URL(ctx.oidc.issuer).host)}?</p>
<p><button autofocus type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button></p>`,
  )
}
