import { afterEach, expect, it } from 'vitest'
import { ManualClock } from '../support/clock.ts'
import { describeRules } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import { type App, authorizeUrl, credentials, newVerifier, postForm, send } from './support/flow.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

describeRules('the OAuth server in its surroundings', (open) => {
  const running: TestServer[] = []
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close()
  })

  it('one address begins a hundred sign-ins a second; a program is told when to come again, a person sees a page', async () => {
    const clock = new ManualClock(Date.now())
    const server = await startServer(await open(), { clock })
    running.push(server)
    const begin = (path: string, method = 'POST') => send(`${server.url}${path}`, { method })
    const answers = await Promise.all(Array.from({ length: 101 }, () => begin('/oauth/device_authorization')))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(100).fill(401), 429])
    for (const path of ['/oauth/device_authorization', '/oauth/par']) {
      const refused = await begin(path)
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(refused.json).toEqual({
        error: 'temporarily_unavailable',
        error_description: 'One address may begin 100 sign-ins a second: this share is used up. Wait 1 s.',
      })
    }
    const page = await begin('/oauth/authorize?client_id=none', 'GET')
    expect(page.status).toBe(429)
    expect(page.headers.get('content-type')).toContain('text/html')
    clock.advance(1000)
    expect((await begin('/oauth/device_authorization')).status).toBe(401)
  })

  it('behind a TLS proxy every address is https, every cookie Secure, and the flow works', async () => {
    const sql = await open()
    const issuer = 'https://assay.example'
    const server = await startServer(sql, { baseUrl: issuer })
    running.push(server)
    const { json } = await send(`${server.url}/.well-known/openid-configuration`)
    expect(json.issuer).toBe(issuer)
    for (const [name, value] of Object.entries(json)) {
      if (name.endsWith('_endpoint') || name === 'jwks_uri') expect(value).toMatch(/^https:\/\/assay\.example\//)
    }
    const organisation = await newOrganisation(sql)
    const person = await newPerson(sql, [organisation])
    const app: App = await newClient(sql, organisation.id, { kind: 'web' })
    const { verifier, challenge } = newVerifier()
    const start = authorizeUrl({ ...server, url: issuer }, app, { challenge })
    const browser = new Browser(issuer, server.url)
    const first = await send(start.replace(issuer, server.url))
    const cookies = first.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/secure.*httponly|httponly.*secure/)
    const end = await answerPages(browser, start, { email: person.email, password: PASSWORD })
    const callback = new URL(end.location).searchParams
    expect(callback.get('iss')).toBe(issuer)
    const tokens = await postForm(`${server.url}/oauth/token`, {
      ...credentials(app),
      grant_type: 'authorization_code',
      code: callback.get('code') ?? '',
      redirect_uri: 'https://app.example/callback',
      code_verifier: verifier,
    })
    expect(tokens.status).toBe(200)
    const signedIn = await send(`${server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: PASSWORD }),
    })
    expect(signedIn.headers.get('set-cookie')).toMatch(/^__Host-assay_session=.*; Path=\/; .*; Secure$/)
  })

  it('served under a path, every address has it', async () => {
    const server = await startServer(await open(), { baseUrl: 'https://example.com/assay' })
    running.push(server)
    const { json } = await send(`${server.url}/.well-known/openid-configuration`)
    for (const [name, value] of Object.entries(json)) {
      if (name.endsWith('_endpoint') || name === 'jwks_uri' || name === 'issuer') {
        expect(value).toMatch(/^https:\/\/example\.com\/assay/)
      }
    }
  })

  it('clients that hang up at any moment leave the server standing', async () => {
    const sql = await open()
    const server = await startServer(sql)
    running.push(server)
    const app = await newClient(sql, (await newOrganisation(sql)).id, { kind: 'service' })
    const body = new URLSearchParams({ ...credentials(app), grant_type: 'client_credentials', ignored: 'x' }).toString()
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const gone = new AbortController()
        const answer = fetch(`${server.url}/oauth/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
          signal: gone.signal,
        })
        for (let turn = 0; turn < i; turn++) await new Promise((resolve) => setImmediate(resolve))
        gone.abort()
        await answer.then((response) => response.arrayBuffer()).catch(() => undefined)
      }),
    )
    const answer = await postForm(`${server.url}/oauth/token`, {
      ...credentials(app),
      grant_type: 'client_credentials',
    })
    expect(answer.status).toBe(200)
  })

  it('when the store is gone it says so, as an error worth trying again', async () => {
    const sql = await open()
    const doomed = await open()
    const organisation = await newOrganisation(sql)
    const app = await newClient(sql, organisation.id, { kind: 'service' })
    const server = await startServer(doomed)
    running.push(server)
    await doomed.close()
    const form = { ...credentials(app), grant_type: 'client_credentials' }
    for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/device_authorization']) {
      for (const more of [{ token: 'x' }, {}]) {
        const answer = await postForm(server.url + path, { ...form, ...more })
        expect([answer.status, answer.json.error], path).toEqual([503, 'temporarily_unavailable'])
        expect(answer.headers.get('retry-after')).toBe('1')
      }
    }
    expect(
      (await send(`${server.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }))
        .status,
    ).toBe(503)
    const { challenge } = newVerifier()
    const page = await send(authorizeUrl(server, app, { challenge }))
    expect(page.text).not.toMatch(/\.ts:\d|\.js:\d|SQLite|postgres/)
  })
})
