import * as jose from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import { announceKeyChange } from '../../src/identity/announce.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { loadSigningKeys, rotateSigningKeys } from '../../src/oauth/keys.ts'
import { createSealer } from '../../src/oauth/seal.ts'
import { describeEachStore } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import { authorize, exchange, send } from './support/flow.ts'
import { newClient, newOrganisation, newPerson, SECRET, startServer, type TestServer } from './support/server.ts'

describeEachStore('signing keys', (open) => {
  afterEach(() => {
    vi.useRealTimers()
  })
  const sealer = createSealer(ringOf(SECRET))

  it('nodes starting at once on an empty database agree on one key', async () => {
    const stores = await Promise.all([open(), open(), open()])
    const keys = await Promise.all(stores.map((sql) => loadSigningKeys(sql, sealer, Date.now())))
    expect(new Set(keys.map(({ version }) => version)).size).toBe(1)
    expect(keys[0]?.jwks.keys).toHaveLength(1)
  })

  it('are stored sealed, and another secret cannot open them', async () => {
    const sql = await open()
    await loadSigningKeys(sql, sealer, Date.now())
    const rows = await sql.query<{ sealed: string }>('select sealed from oauth_key')
    expect(Buffer.from(rows[0]?.sealed ?? '', 'base64url').toString('latin1')).not.toContain('"kty":"RSA"')
    await expect(
      loadSigningKeys(sql, createSealer(ringOf('another secret, also long enough')), Date.now()),
    ).rejects.toThrow(/ASSAY_SECRET/)
  })

  it('rotate on every node without a restart: the new one is published, then signs; tokens of the old one stay valid', async () => {
    const sql = await open()
    const first = await startServer(sql)
    const second = await startServer(await open(), { baseUrl: first.url })
    const organisation = await newOrganisation(sql)
    const person = await newPerson(sql, [organisation])
    const web = await newClient(sql, organisation.id, { kind: 'web' })
    const idToken = async (): Promise<string> => {
      const authorized = await authorize(first, web, person, new Browser(first.url))
      return (await exchange(first, web, authorized)).json.id_token
    }
    const published = async (node: TestServer): Promise<string[]> =>
      (await send(`${node.url}/.well-known/jwks.json`)).json.keys.map((key: { kid: string }) => key.kid)
    const verify = (token: string, node: TestServer) =>
      jose.jwtVerify(token, jose.createRemoteJWKSet(new URL(`${node.url}/.well-known/jwks.json`)), {
        issuer: first.url,
      })

    const before = await idToken()
    // Time passes when the test says so: the new key signs ten seconds later, and the nodes take a while to see it.
    vi.useFakeTimers({ toFake: ['Date'] })
    const { kid, signsAtMs } = await rotateSigningKeys(sql, sealer, Date.now())
    await announceKeyChange(sql)
    for (const node of [first, second]) await expect.poll(() => published(node)).toContain(kid)
    const meanwhile = await idToken()
    expect(jose.decodeProtectedHeader(meanwhile).kid).toBe(jose.decodeProtectedHeader(before).kid)

    vi.setSystemTime(signsAtMs + 1)
    await announceKeyChange(sql)
    await expect.poll(async () => jose.decodeProtectedHeader(await idToken()).kid).toBe(kid)
    for (const node of [first, second]) {
      await verify(before, node)
      await expect.poll(async () => (await published(node)).length).toBe(2)
    }
    vi.setSystemTime(signsAtMs + 3 * 86_400_000)
    await announceKeyChange(sql)
    await expect.poll(() => published(first)).toEqual([kid])
    await first.close()
    await second.close()
  })
})
