import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type AdapterPayload, type Configuration } from 'oidc-provider'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  cookieSigner,
  correctedError,
  finishInteraction,
  isVerifierOf,
  lifetimeOnceSettled,
  markChanged,
  newDeviceInteraction,
  REFUSAL_EVENTS,
  replaceSecretComparison,
  replaceSessionGet,
  serviceTokenPayload,
  startSession,
  useMarks,
  withoutUse,
} from './library-internals.ts'

/** The library over a store in memory: nothing here is ours but what is tested. */

const KEY = 'a key that signs cookies'
const ISSUER = 'http://localhost:3000'
const { privateKey } = await generateKeyPair('ES256', { extractable: true })
const jwk = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }

let stored: Map<string, AdapterPayload>
let provider: Provider
let app: FastifyInstance

const SERVICE: AdapterPayload = {
  client_id: 'service',
  client_secret: 'stored',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: 'read',
  id_token_signed_response_alg: 'ES256',
}
const WEB: AdapterPayload = {
  ...SERVICE,
  client_id: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: ['https://app.example/callback'],
}

beforeEach(() => {
  stored = new Map()
  provider = new Provider(ISSUER, {
    adapter: (name) => ({
      find: async (id) =>
        name === 'Client' ? [SERVICE, WEB].find((one) => one.client_id === id) : stored.get(`${name} ${id}`),
      upsert: async (id, payload) => void stored.set(`${name} ${id}`, payload),
      findByUid: async (uid) => [...stored.values()].find((one) => one.uid === uid),
      findByUserCode: async () => undefined,
      consume: async () => {},
      destroy: async (id) => void stored.delete(`${name} ${id}`),
      revokeByGrantId: async () => {},
    }),
    jwks: { keys: [jwk] } as NonNullable<Configuration['jwks']>,
    scopes: ['read'],
    cookies: { keys: [KEY] },
    extraTokenClaims: () => ({ organisation_id: 'org_1' }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators: { enabled: false },
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    interactions: { url: () => '/sign-in' },
    ttl: {
      ClientCredentials: lifetimeOnceSettled((_ctx, token) => {
        expect([...stored.keys()].filter((name) => name.startsWith('ClientCredentials'))).toEqual([])
        token.scope ??= 'settled'
      }, 60),
      Interaction: 60,
      Session: 60,
      Grant: 60,
    },
  })
  app = Fastify()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    // The library takes a body that was read before it.
    Object.assign(request.raw, { body: body.toString() })
    done(null, body)
  })
  app.all('/*', async (request, reply) => {
    reply.hijack()
    await provider.callback()(request.raw, reply.raw)
  })
})

const form = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const authorize = () =>
  app.inject(
    '/auth?client_id=web&response_type=code&redirect_uri=https://app.example/callback&scope=read&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
  )

describe('of the library', () => {
  it('1. records have these fields, and no other times', () => {
    const base = ['exp', 'iat', 'jti', 'kind']
    const bound = ['accountId', 'claims', 'expiresWithSession', 'grantId', 'rar', 'scope', 'sessionUid', 'sid']
    const proved = ['acr', 'amr', 'authTime', 'attestationJkt', 'consumed', 'nonce', 'resource']
    const fields: Record<string, string[]> = {
      AccessToken: ['clientId', ...bound, 'aud', 'extra', 'gty', 'jkt', 'x5t#S256'],
      AuthorizationCode: [
        ...['clientId', ...bound, ...proved, 'codeChallenge', 'codeChallengeMethod'],
        ...['dpopJkt', 'redirectUri'],
      ],
      ClientCredentials: ['clientId', 'aud', 'extra', 'jkt', 'rar', 'scope', 'x5t#S256'],
      DeviceCode: [
        ...['clientId', ...bound, ...proved, 'deviceInfo', 'error', 'errorDescription', 'inFlight'],
        ...['params', 'userCode'],
      ],
      Grant: ['accountId', 'clientId', 'openid', 'rar', 'rejected', 'resources'],
      Interaction: [
        ...['cid', 'deviceCode', 'grantId', 'lastSubmission', 'params', 'parJti', 'prompt', 'result'],
        ...['returnTo', 'session', 'trusted'],
      ],
      PushedAuthorizationRequest: ['attestationJkt', 'consumed', 'dpopJkt', 'request', 'trusted'],
      RefreshToken: ['clientId', ...bound, ...proved, 'gty', 'iiat', 'jkt', 'rotations', 'x5t#S256'],
      ReplayDetection: ['iss'],
      Session: ['accountId', 'acr', 'amr', 'authorizations', 'loginTs', 'state', 'transient', 'uid'],
    }
    for (const [kind, own] of Object.entries(fields)) {
      const model = (provider as unknown as Record<string, { IN_PAYLOAD: string[] }>)[kind]
      expect([...new Set(model?.IN_PAYLOAD)].sort(), kind).toEqual([...base, ...own].sort())
    }
  })

  it('1. a pushed request is kept as a token without a signature, with times', async () => {
    await form(
      '/request',
      {
        client_id: 'web',
        response_type: 'code',
        redirect_uri: 'https://app.example/callback',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      },
      { authorization: basic('web', 'stored') },
    )
    const [, pushed] = [...stored].find(([name]) => name.startsWith('PushedAuthorizationRequest')) ?? []
    const [, claims = '', signature] = String(pushed?.request).split('.')
    expect(signature).toBe('')
    const times = Object.entries(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    expect(times.filter(([, value]) => typeof value === 'number').map(([name]) => name)).toEqual(['iat', 'exp', 'nbf'])
  })

  it('2. every request asks Session.get, and a session that is marked is saved under a new cookie', async () => {
    let asked = 0
    replaceSessionGet(provider, async (ctx, find) => {
      asked++
      await find(ctx)
      const session = startSession(provider, ctx)
      session.uid = 'of ours'
      session.loginAccount({ accountId: 'usr_1', loginTs: 1_700_000_000, amr: ['pwd'], acr: 'one' })
      markChanged(session)
      return session
    })
    const answer = await authorize()
    expect(asked).toBe(1)
    const [, saved] = [...stored].find(([name]) => name.startsWith('Session')) ?? []
    expect(saved).toMatchObject({ uid: 'of ours', accountId: 'usr_1', loginTs: 1_700_000_000, acr: 'one' })
    expect(answer.cookies.map(({ name }) => name)).toContain('_session')
  })

  it('3. an interaction is made of an id and details, and kept with its result', async () => {
    const code = new provider.DeviceCode({ jti: 'code' } as never)
    code.params = { scope: 'read' }
    const returnTo = `${ISSUER}/device/uid`
    const interaction = newDeviceInteraction(provider, { uid: 'uid', returnTo, code })
    await interaction.save(60)
    expect(stored.get('Interaction uid')).toMatchObject({
      kind: 'Interaction',
      returnTo,
      prompt: { name: 'login', reasons: ['device'] },
      params: { scope: 'read' },
      deviceCode: 'code',
      cid: 'uid',
    })
    expect(await finishInteraction(interaction, { login: { accountId: 'usr_1' } })).toEqual({
      redirect_to: '/device/uid',
    })
    const found = await provider.Interaction.find('uid')
    expect(found).toMatchObject({ uid: 'uid', result: { login: { accountId: 'usr_1' } } })
  })

  it('4. and 5. a secret is compared by the prototype, and a token is kept as we keep it', async () => {
    replaceSecretComparison(provider, (client, secret) => client.clientId === 'service' && secret === 'given')
    const token = (secret: string) =>
      form('/token', { grant_type: 'client_credentials', scope: 'read' }, { authorization: basic('service', secret) })
    expect((await token('stored')).statusCode).toBe(401)
    expect((await token('given')).statusCode).toBe(200)
    const [, kept] = [...stored].find(([name]) => name.startsWith('ClientCredentials')) ?? []
    const { jti: _, ...payload } = kept ?? {}
    const { iat = 0, exp = 0 } = payload
    expect(payload).toEqual(
      JSON.parse(
        serviceTokenPayload({ iat, exp, clientId: 'service', scope: 'read', extra: { organisation_id: 'org_1' } }),
      ),
    )
  })

  it('8. the lifetime of a client’s own token is asked before it is stored, and may settle its scope', async () => {
    const answer = await form(
      '/token',
      { grant_type: 'client_credentials' },
      { authorization: basic('service', 'stored') },
    )
    expect(answer.json()).toMatchObject({ expires_in: 60, scope: 'settled' })
    const [, kept] = [...stored].find(([name]) => name.startsWith('ClientCredentials')) ?? []
    expect(kept?.scope).toBe('settled')
  })

  it('9. a used code has `consumed`, a claimed device code `inFlight`, and a record without them is unused', async () => {
    const kept = { jti: 'code', kind: 'DeviceCode', clientId: 'web', exp: Math.floor(Date.now() / 1000) + 60 }
    const find = async (payload: AdapterPayload) => {
      stored.set('DeviceCode code', payload)
      const { inFlight, isValid, consumed } = (await provider.DeviceCode.find('code', { ignoreExpiration: true })) ?? {}
      return { inFlight, isValid, consumed }
    }
    expect(await find({ ...kept, ...useMarks({ consumed_at: null, claimed_at: null }) })).toMatchObject({
      isValid: true,
    })
    expect(await find({ ...kept, ...useMarks({ consumed_at: null, claimed_at: 1 }) })).toMatchObject({ inFlight: true })
    const used = { ...kept, ...useMarks({ consumed_at: 5000, claimed_at: null }) }
    expect(await find(used)).toMatchObject({ isValid: false, consumed: 5 })
    expect(await find(withoutUse(used))).toMatchObject({ isValid: true })
  })

  it('10. a code is kept with its challenge, and a wrong verifier leaves it as it was', async () => {
    const verifier = 'v'.repeat(43)
    const grant = new provider.Grant({ accountId: 'usr_1', clientId: 'web' })
    grant.addOIDCScope('read')
    const code = new provider.AuthorizationCode({
      client: (await provider.Client.find('web'))!,
      accountId: 'usr_1',
      grantId: await grant.save(),
      scope: 'read',
      redirectUri: 'https://app.example/callback',
      codeChallenge: hash('sha256', verifier, 'base64url'),
      codeChallengeMethod: 'S256',
      gty: 'authorization_code',
    })
    const id = await code.save()
    const kept = stored.get(`AuthorizationCode ${id}`)
    expect([isVerifierOf(kept ?? {}, verifier), isVerifierOf(kept ?? {}, 'w'.repeat(43))]).toEqual([true, false])
    expect(isVerifierOf(kept ?? {}, undefined)).toBe(false)
    const fields = { grant_type: 'authorization_code', code: id, redirect_uri: 'https://app.example/callback' }
    const authorization = basic('web', 'stored')
    const refused = await form('/token', { ...fields, code_verifier: 'w'.repeat(43) }, { authorization })
    expect(refused.json().error).toBe('invalid_grant')
    expect(stored.get(`AuthorizationCode ${id}`)).toEqual(kept)
  })

  it('6. cookies are signed as we sign them, and a signer may stand in place of keys', async () => {
    const signer = cookieSigner({ keys: () => [KEY] })
    const setSession = () =>
      replaceSessionGet(provider, async (ctx) => {
        const session = startSession(provider, ctx)
        markChanged(session)
        return session
      })
    setSession()
    const signatures = async () => {
      const { cookies } = await authorize()
      const value = (name: string) => cookies.find((cookie) => cookie.name === name)?.value ?? ''
      return { data: `_session=${value('_session')}`, signature: value('_session.sig') }
    }
    const byKeys = await signatures()
    expect(signer.sign(byKeys.data)).toBe(byKeys.signature)
    provider.keys = signer
    const bySigner = await signatures()
    expect(signer.verify(bySigner.data, bySigner.signature)).toBe(true)
    expect(signer.index(bySigner.data, 'another')).toBe(-1)
  })

  it('7. refusals are worded as we know them', async () => {
    const errorOf = async (fields: Record<string, string>, authorization?: string) => {
      const answer = await form('/token', fields, authorization === undefined ? {} : { authorization })
      const { error, error_description: description } = answer.json<{ error: string; error_description: string }>()
      return { error, corrected: correctedError(error, description) }
    }
    expect(await errorOf({ grant_type: 'client_credentials' })).toEqual({
      error: 'invalid_request',
      corrected: 'invalid_client',
    })
    expect(await errorOf({ grant_type: 'client_credentials' }, basic('service', ''))).toMatchObject({
      corrected: 'invalid_client',
    })
    expect(await errorOf({ grant_type: 'authorization_code' }, basic('service', 'stored'))).toEqual({
      error: 'invalid_request',
      corrected: 'unauthorized_client',
    })
  })

  it('7. every refusal is told of by an event that we listen to', () => {
    const source = (file: string) =>
      readFileSync(new URL(`../../node_modules/oidc-provider/lib/${file}`, import.meta.url), 'utf8')
    const text = source('helpers/initialize_app.js') + source('shared/authorization_error_handler.js')
    const told = new Set([...text.matchAll(/(?:error|emit)\('([\w.]+\.error)'/g)].map(([, name]) => name))
    expect([...told]).toEqual(expect.arrayContaining(REFUSAL_EVENTS))
  })
})
