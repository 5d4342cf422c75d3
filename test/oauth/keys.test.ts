import * as jose from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { announceKeyChange } from '../../src/identity/announce.ts'
import { ID_TOKEN_ALGS } from '../../src/identity/clients/registration.ts'
import { DEFAULT_LIFETIMES } from '../../src/lib/lifetimes.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { generateSigningKey, listSigningKeys, loadSigningKeys, rotateSigningKeys } from '../../src/oauth/keys.ts'
import { createSealer } from '../../src/oauth/seal.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import { type App, authorize, exchange, send } from './support/flow.ts'
import { newClient, newOrganisation, newPerson, SECRET, startServer, type TestServer } from './support/server.ts'

const HOUR_MS = 3_600_000
const lifetimes = DEFAULT_LIFETIMES

describeRules('signing keys', (open) => {
  afterEach(() => {
    vi.useRealTimers()
  })
  const sealer = createSealer(ringOf(SECRET))
  const algsOf = (keys: readonly { alg?: string }[]) => keys.map(({ alg }) => alg)

  it('nodes starting at once on an empty database agree on one key of each algorithm', async () => {
    const stores = await Promise.all([open(), open(), open()])
    const keys = await Promise.all(stores.map((sql) => loadSigningKeys(sql, sealer, Date.now())))
    expect(new Set(keys.map(({ version }) => version)).size).toBe(1)
    expect(algsOf(keys[0]?.jwks.keys ?? [])).toEqual(['RS256', 'ES256'])
  })

  it('a node that is overtaken between its two first statements adds no second key', async () => {
    const [sql, other] = [await open(), await open()]
    let statements = 0
    const overtaken: Pick<Sql, 'query'> = {
      async query(text, params) {
        if (++statements === 2) await loadSigningKeys(other, sealer, Date.now())
        return sql.query(text, params)
      },
    }
    const { jwks } = await loadSigningKeys({ ...sql, ...overtaken }, sealer, Date.now())
    expect(algsOf(jwks.keys)).toEqual(['RS256', 'ES256'])
  })

  it('an installation of before gets a key for ES256 and keeps the one it has', async () => {
    const sql = await open()
    const nowMs = Date.now()
    const before = await loadSigningKeys(sql, sealer, nowMs)
    await sql.query(`delete from oauth_key where alg = 'ES256'`)
    const after = await loadSigningKeys(sql, sealer, nowMs)
    expect(algsOf(after.jwks.keys)).toEqual(['RS256', 'ES256'])
    expect(after.jwks.keys[0]?.kid).toBe(before.jwks.keys[0]?.kid)
    expect(after.jwks.keys[1]?.kid).not.toBe(before.jwks.keys[1]?.kid)
  })

  it('are stored sealed, and another secret cannot open them', async () => {
    const sql = await open()
    await loadSigningKeys(sql, sealer, Date.now())
    const rows = await sql.query<{ sealed: string }>('select sealed from oauth_key')
    expect(Buffer.from(rows[0]?.sealed ?? '', 'base64url').toString('latin1')).not.toContain('"kty":"RSA"')
    await sql.query(`delete from oauth_key where alg = 'ES256'`)
    await expect(
      loadSigningKeys(sql, createSealer(ringOf('another secret, also long enough')), Date.now()),
    ).rejects.toThrow(/ASSAY_SECRET/)
    expect(await sql.query('select kid from oauth_key')).toHaveLength(1)
  })

  /** The behaviour of each of two nodes over weeks in which an operator rotates at any time. */
  it('over weeks of rotations one key of each algorithm signs, known in time and published while its tokens live', async () => {
    const [sql, other] = [await open(), await open()]
    let nowMs = Date.parse('2026-03-10T12:00:00Z')
    const publishedMs = lifetimes.signingKeyPublishedSeconds * 1000
    const tokenMs = lifetimes.idTokenSeconds * 1000
    const shared = await generateSigningKey()
    await loadSigningKeys(sql, sealer, nowMs, async () => shared)
    /** When each key was first published, and until when a token that it signed lives. */
    const publishedAt = new Map<string, number>()
    const tokensUntil = new Map<string, number>()
    const first = new Set((await listSigningKeys(sql, nowMs)).map(({ kid }) => kid))
    let rotations = 0
    for (const [step, hours] of [0, 1, 23, 1, 5, 20, 3, 47, 1, 1, 30, 30, 2, 100, 1, 24, 24, 24, 24].entries()) {
      nowMs += hours * HOUR_MS
      const nodes = await Promise.all([sql, other].map((store) => loadSigningKeys(store, sealer, nowMs)))
      expect(nodes[0]?.version).toBe(nodes[1]?.version)
      const published = await listSigningKeys(sql, nowMs)
      const kids = published.map(({ kid }) => kid)
      expect(new Set(nodes[0]?.jwks.keys.map(({ kid }) => kid))).toEqual(new Set(kids))
      for (const kid of kids) if (!publishedAt.has(kid)) publishedAt.set(kid, nowMs)
      for (const alg of ID_TOKEN_ALGS) {
        const signing = published.filter((key) => key.alg === alg && key.state === 'signing')
        expect(signing).toHaveLength(1)
        const kid = signing[0]?.kid ?? ''
        // The library signs with the first key of the algorithm.
        expect(nodes[0]?.jwks.keys.find((key) => key.alg === alg)?.kid).toBe(kid)
        if (!first.has(kid)) expect(nowMs - (publishedAt.get(kid) ?? nowMs)).toBeGreaterThanOrEqual(publishedMs)
        tokensUntil.set(kid, nowMs + tokenMs)
      }
      for (const [kid, untilMs] of tokensUntil) if (untilMs > nowMs) expect(kids).toContain(kid)
      if (step % 3 === 1) {
        const { keys } = await rotateSigningKeys(sql, sealer, nowMs, { lifetimes, generate: async () => shared })
        for (const { kid } of keys) publishedAt.set(kid, nowMs)
        rotations++
      }
    }
    expect(rotations).toBeGreaterThan(5)
    expect(publishedAt.size).toBe(2 + 2 * rotations)
    // Old ones do not gather: long after the last rotation only its keys are left.
    nowMs += 100 * HOUR_MS
    expect(algsOf((await loadSigningKeys(sql, sealer, nowMs)).jwks.keys)).toEqual(['RS256', 'ES256'])
  })

  async function twoNodes(): Promise<{
    sql: Sql
    nodes: TestServer[]
    app: App
    token: (app: App) => Promise<string>
  }> {
    const sql = await open()
    const first = await startServer(sql)
    const nodes = [first, await startServer(await open(), { baseUrl: first.url })]
    const organisation = await newOrganisation(sql)
    const person = await newPerson(sql, [organisation])
    const app = await newClient(sql, organisation.id, { kind: 'web' })
    const token = async (of: App): Promise<string> => {
      const authorized = await authorize(first, of, person, new Browser(first.url))
      return (await exchange(first, of, authorized)).json.id_token
    }
    return { sql, nodes, app, token }
  }

  const published = async (node: TestServer): Promise<string[]> =>
    (await send(`${node.url}/.well-known/jwks.json`)).json.keys.map((key: { kid: string }) => key.kid)

  const verify = (token: string, node: TestServer, issuer: string) =>
    jose.jwtVerify(token, jose.createRemoteJWKSet(new URL(`${node.url}/.well-known/jwks.json`)), { issuer })

  it('rotate on every node without a restart: published for a day, then signing; tokens of the old one stay valid', async () => {
    const { sql, nodes, app, token } = await twoNodes()
    const [first] = nodes as [TestServer]
    const before = await token(app)
    // Time passes when the test says so, and the nodes take a while to see it.
    vi.useFakeTimers({ toFake: ['Date'] })
    const { keys, signsAtMs } = await rotateSigningKeys(sql, sealer, Date.now(), { lifetimes })
    const kid = keys[0]?.kid ?? ''
    expect(signsAtMs - Date.now()).toBe(86_400_000)
    await announceKeyChange(sql)
    for (const node of nodes) await expect.poll(() => published(node)).toContain(kid)
    expect(jose.decodeProtectedHeader(await token(app)).kid).toBe(jose.decodeProtectedHeader(before).kid)

    vi.setSystemTime(signsAtMs + 1)
    await announceKeyChange(sql)
    await expect.poll(async () => jose.decodeProtectedHeader(await token(app)).kid).toBe(kid)
    vi.setSystemTime(signsAtMs - 86_400_000)
    for (const node of nodes) await verify(before, node, first.url)
    vi.setSystemTime(signsAtMs + 3 * 86_400_000)
    await announceKeyChange(sql)
    await expect.poll(() => published(first)).toEqual(keys.map((key) => key.kid))
    for (const node of nodes) await node.close()
  })

  it('in an emergency the new keys sign at once and the old ones are gone on every node', async () => {
    const { sql, nodes, app, token } = await twoNodes()
    const [first] = nodes as [TestServer]
    const leaked = await token(app)
    const { keys } = await rotateSigningKeys(sql, sealer, Date.now(), { lifetimes, atOnce: true })
    await announceKeyChange(sql)
    for (const node of nodes) await expect.poll(() => published(node)).toEqual(keys.map(({ kid }) => kid))
    expect(jose.decodeProtectedHeader(await token(app)).kid).toBe(keys[0]?.kid)
    for (const node of nodes) await expect(verify(leaked, node, first.url)).rejects.toThrow(/no applicable key/)
    for (const node of nodes) await node.close()
  })

  it('an application may have its ID tokens signed by ES256', async () => {
    const { sql, nodes, app, token } = await twoNodes()
    const [first] = nodes as [TestServer]
    const chosen = await newClient(sql, app.client.organisation_id, {
      kind: 'web',
      id_token_signed_response_alg: 'ES256',
    })
    for (const [of, alg] of [
      [app, 'RS256'],
      [chosen, 'ES256'],
    ] as const) {
      const { protectedHeader } = await verify(await token(of), first, first.url)
      expect(protectedHeader.alg).toBe(alg)
    }
    const { json } = await send(`${first.url}/.well-known/openid-configuration`)
    expect(json.id_token_signing_alg_values_supported).toEqual(['RS256', 'ES256'])
    for (const node of nodes) await node.close()
  })
})
