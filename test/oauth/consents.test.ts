import * as client from 'openid-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Sql } from '../../src/db/sql.ts'
import { changeClient } from '../../src/identity/clients/clients.ts'
import { setRole } from '../../src/identity/members/members.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import { selfIn } from '../../src/identity/people/audit-self.ts'
import { consentsOf, withdrawConsent } from '../../src/identity/people/consents.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { DEFAULT_LIFETIMES } from '../../src/lib/lifetimes.ts'
import { describeRules } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import {
  type App,
  approveDevice,
  authorize,
  authorizeUrl,
  beginDevice,
  exchange,
  newVerifier,
  poll,
  tokenRequest,
} from './support/flow.ts'
import {
  change,
  newClient,
  newOrganisation,
  newPerson,
  PASSWORD,
  startServer,
  type TestServer,
} from './support/server.ts'

describeRules('consents', (open) => {
  let sql: Sql
  let server: TestServer
  let acme: Organisation
  let beta: Organisation
  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    acme = await newOrganisation(sql, 'Acme Ltd')
    beta = await newOrganisation(sql, 'Beta GmbH')
  })
  afterAll(() => server.close())

  const scope = 'openid risk:payment'
  const browse = () => new Browser(server.url)
  const guarded = async (token: string) =>
    (await fetch(`${server.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })).status
  const withdraw = async (who: Person) => {
    const [consent] = await consentsOf(sql, who.id, Date.now())
    expect(consent).toBeDefined()
    const actor = selfIn(who, { ip: '192.0.2.1', requestId: 'req_test' })(consent!.organisationId)
    await change(sql, (tx) => withdrawConsent(tx, actor, consent!))
    server.oauth.forget()
  }
  /** The page that an application's request ends at, as the person in this browser sees it. */
  async function pageOf(browser: Browser, app: App, parameters: Record<string, string> = {}) {
    const { challenge, verifier } = newVerifier()
    const { location } = await browser.follow(authorizeUrl(server, app, { challenge, scope, ...parameters }))
    const uid = /\/interaction\/([\w-]+)$/.exec(new URL(location).pathname)?.[1]
    const answer = uid === undefined ? undefined : await browser.fetch(`/api/interaction/${uid}`)
    return { location, uid, verifier, page: (await answer?.json()) as Page | undefined }
  }
  interface Page {
    readonly kind: string
    readonly csrf: string
    readonly user: { readonly email: string } | null
    readonly client: object
    readonly asked: object
  }
  async function signIn(browser: Browser, { email }: Person): Promise<void> {
    const answer = await browser.fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    expect(answer.status).toBe(200)
  }

  it('is remembered in another browser, and asked for again by prompt=consent, for more scopes, and once withdrawn', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const who = await newPerson(sql, [acme])
    expect((await authorize(server, app, who, browse(), { scope })).pages).toEqual(['login', 'consent'])
    const second = browse()
    const again = await authorize(server, app, who, second, { scope })
    expect(again.pages).toEqual(['login'])
    const { json } = await exchange(server, app, again)
    expect(await guarded(json.access_token)).toBe(200)
    expect((await authorize(server, app, who, browse(), { scope, prompt: 'consent' })).pages).toEqual([
      'login',
      'consent',
    ])
    expect((await authorize(server, app, who, browse(), { scope: `${scope} email` })).pages).toEqual([
      'login',
      'consent',
    ])
    await withdraw(who)
    expect(await guarded(json.access_token)).toBe(401)
    // In the browser that still holds a session with the grant, and in a new one.
    expect((await authorize(server, app, who, second, { scope })).pages).toEqual(['consent'])
    await withdraw(who)
    expect((await authorize(server, app, who, browse(), { scope })).pages).toEqual(['login', 'consent'])
  })

  it('is remembered for a foreign client library that asks without any page', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const who = await newPerson(sql, [acme])
    await authorize(server, app, who, browse(), { scope })
    const config = await client.discovery(new URL(server.url), app.client.id, app.secret, undefined, {
      execute: [client.allowInsecureRequests],
    })
    const verifier = client.randomPKCECodeVerifier()
    const silent = client.buildAuthorizationUrl(config, {
      redirect_uri: app.client.redirect_uris[0] ?? '',
      scope,
      prompt: 'none',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const browser = browse()
    await signIn(browser, who)
    const { location } = await browser.follow(silent.href)
    const tokens = await client.authorizationCodeGrant(config, new URL(location), { pkceCodeVerifier: verifier })
    expect(tokens.claims()?.sub).toBe(who.id)
    await withdraw(who)
    const refused = await browser.follow(silent.href)
    expect(new URL(refused.location).searchParams.get('error')).toBe('consent_required')
  })

  it('is not remembered for a native application, whose address anybody on the machine can take', async () => {
    const app = await newClient(sql, acme.id, { kind: 'native' })
    const who = await newPerson(sql, [acme])
    expect((await authorize(server, app, who, browse(), { scope })).pages).toEqual(['login', 'consent'])
    expect((await authorize(server, app, who, browse(), { scope })).pages).toEqual(['login', 'consent'])
    const device = await newClient(sql, acme.id, { kind: 'native', redirect_uris: [] })
    for (const _ of [1, 2]) {
      const { json } = await beginDevice(server, device, { scope })
      const pages = await (async () => {
        const browser = browse()
        const { csrf } = (await (await browser.fetch('/api/device')).json()) as { csrf: string }
        const answer = await browser.post('/api/device/confirm', csrf, { user_code: json.user_code, decision: 'allow' })
        const { redirect_to: from } = (await answer.json()) as { redirect_to: string }
        return (await answerPages(browser, from, { email: who.email, password: PASSWORD })).pages
      })()
      expect(pages).toEqual(['login', 'consent'])
    }
  })

  it('is asked for anew in another browser by whoever has another role', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const who = await newPerson(sql, [acme], 'viewer')
    await authorize(server, app, who, browse(), { scope })
    expect((await authorize(server, app, who, browse(), { scope })).pages).toEqual(['login'])
    await change(sql, (tx) => setRole(tx, operatorIn(acme.id), { personId: who.id, role: 'checker' }))
    expect((await authorize(server, app, who, browse(), { scope })).pages).toEqual(['login', 'consent'])
    // Back again: what was allowed before still fits, but the newest decision is another.
    await change(sql, (tx) => setRole(tx, operatorIn(acme.id), { personId: who.id, role: 'viewer' }))
    expect((await authorize(server, app, who, browse(), { scope })).pages).toEqual(['login', 'consent'])
  })

  it('given again on another device is listed once, and what works elsewhere goes on working until it is withdrawn', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const who = await newPerson(sql, [acme])
    const connect = async () => {
      const authorized = await authorize(server, app, who, browse(), { scope: `${scope} offline_access` })
      expect(authorized.pages).toContain('consent')
      const { json } = await exchange(server, app, authorized)
      return json as { access_token: string; refresh_token: string }
    }
    const refresh = (token: string) => tokenRequest(server, app, { grant_type: 'refresh_token', refresh_token: token })
    const laptop = await connect()
    const phone = await connect()
    const listed = await consentsOf(sql, who.id, Date.now())
    expect(listed).toEqual([
      {
        id: `${who.id}.${app.client.id}.${acme.id}`,
        personId: who.id,
        clientId: app.client.id,
        organisationId: acme.id,
        person: { name: who.name, email: who.email },
        organisationName: 'Acme Ltd',
        clientName: 'Test application',
        owner: { id: beta.id, name: 'Beta GmbH' },
        scopes: ['openid', 'risk:payment', 'offline_access'],
        sinceMs: expect.any(Number),
        usedAtMs: expect.any(Number),
        endsAtMs: expect.any(Number),
      },
    ])
    expect(listed[0]!.usedAtMs).toBeGreaterThanOrEqual(listed[0]!.sinceMs)
    const onLaptop = await refresh(laptop.refresh_token)
    expect(onLaptop.status).toBe(200)
    expect(await guarded(phone.access_token)).toBe(200)
    await withdraw(who)
    expect(await consentsOf(sql, who.id, Date.now())).toEqual([])
    for (const token of [laptop.access_token, onLaptop.json.access_token, phone.access_token]) {
      expect(await guarded(token)).toBe(401)
    }
    for (const token of [onLaptop.json.refresh_token, phone.refresh_token]) {
      expect((await refresh(token)).json.error).toBe('invalid_grant')
    }
  })

  it('names whose application asks, its pages, what costs money and how long it lasts', async () => {
    const app = await newClient(sql, beta.id, {
      kind: 'web',
      policy_uri: 'https://beta.example/privacy',
      terms_uri: 'https://beta.example/terms',
    })
    const who = await newPerson(sql, [acme])
    const browser = browse()
    await signIn(browser, who)
    const { page } = await pageOf(browser, app, { scope: `${scope} email offline_access` })
    expect(page).toMatchObject({
      kind: 'consent',
      user: { email: who.email },
      client: {
        owner: { name: 'Beta GmbH', yours: false },
        policy_uri: 'https://beta.example/privacy',
        terms_uri: 'https://beta.example/terms',
      },
      asked: {
        charged: [{ name: 'risk:payment' }],
        about_you: [{ name: 'openid' }, { name: 'email' }],
        stays_days: DEFAULT_LIFETIMES.refreshChainSeconds / 86_400,
      },
    })
    const own = await newClient(sql, acme.id, { kind: 'web' })
    const ours = await pageOf(browser, own)
    expect(ours.page).toMatchObject({
      client: { owner: { name: 'Acme Ltd', yours: true } },
      asked: { stays_days: null },
    })
    await change(sql, (tx) =>
      changeClient(tx, operatorIn(beta.id), app.client.id, { policy_uri: null }, { production: true }),
    )
    server.oauth.forget()
    const changed = await pageOf(browser, app)
    expect(changed.page).toMatchObject({ client: { policy_uri: null, terms_uri: 'https://beta.example/terms' } })
  })

  it('prompt=select_account: goes on as the account shown, or as another', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const ada = await newPerson(sql, [acme])
    const bob = await newPerson(sql, [acme])
    for (const who of [ada, bob]) await authorize(server, app, who, browse(), { scope })
    const browser = browse()
    await signIn(browser, ada)

    const shown = await pageOf(browser, app, { prompt: 'select_account' })
    expect(shown.page).toMatchObject({ kind: 'select_account', user: { email: ada.email } })
    const goOn = async ({ uid, page, verifier }: typeof shown, body: object) => {
      const answer = await browser.post(`/api/interaction/${uid}/login`, page?.csrf ?? '', body)
      expect(answer.status).toBe(200)
      const { redirect_to: from } = (await answer.json()) as { redirect_to: string }
      const { location } = await browser.follow(from)
      const { json } = await exchange(server, app, { callback: new URL(location).searchParams, verifier })
      return subjectOf(json.id_token)
    }
    expect(await goOn(shown, {})).toBe(ada.id)

    const other = await pageOf(browser, app, { prompt: 'select_account' })
    expect(await goOn(other, { email: bob.email, password: PASSWORD })).toBe(bob.id)
    const session = (await (await browser.fetch('/api/session')).json()) as { user: { id: string } }
    expect(session.user.id).toBe(bob.id)
  })

  it('prompt=select_account: nobody goes on as somebody else than the page showed', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const ada = await newPerson(sql, [acme])
    const bob = await newPerson(sql, [acme])
    const browser = browse()
    await signIn(browser, ada)
    const { uid, page } = await pageOf(browser, app, { prompt: 'select_account' })
    // Long enough before the page for the session not to count as proved for it.
    await signIn(browser, bob)
    await sql.query('update console_session set proved_at = proved_at - 10000 where person_id = $1', [bob.id])
    expect((await browser.post(`/api/interaction/${uid}/login`, page?.csrf ?? '', {})).status).toBe(401)
  })

  it('prompt=select_account with a new proof asked for: going on as the account shown is none', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const ada = await newPerson(sql, [acme])
    await authorize(server, app, ada, browse(), { scope })
    for (const parameters of [{ prompt: 'login select_account' }, { prompt: 'select_account', max_age: '5' }]) {
      const browser = browse()
      await signIn(browser, ada)
      await sql.query('update console_session set proved_at = proved_at - 10000 where person_id = $1', [ada.id])
      const { uid, page, verifier } = await pageOf(browser, app, parameters)
      expect(page).toMatchObject({ kind: 'select_account', user: { email: ada.email } })
      const answer = await browser.post(`/api/interaction/${uid}/login`, page?.csrf ?? '', {})
      const { redirect_to: from } = (await answer.json()) as { redirect_to: string }
      const end = await answerPages(browser, from, { email: ada.email, password: PASSWORD })
      expect(end.pages).toEqual(['login'])
      const { json } = await exchange(server, app, { callback: new URL(end.location).searchParams, verifier })
      expect(subjectOf(json.id_token)).toBe(ada.id)
    }
  })

  it('on the consent page another account can be used: that one is asked', async () => {
    const app = await newClient(sql, beta.id, { kind: 'web' })
    const ada = await newPerson(sql, [acme])
    const bob = await newPerson(sql, [acme])
    const browser = browse()
    await signIn(browser, ada)
    const { uid, page, verifier } = await pageOf(browser, app)
    expect(page).toMatchObject({ kind: 'consent', user: { email: ada.email } })
    const answer = await browser.post(`/api/interaction/${uid}/login`, page?.csrf ?? '', {
      email: bob.email,
      password: PASSWORD,
    })
    const { redirect_to: from } = (await answer.json()) as { redirect_to: string }
    const end = await answerPages(browser, from, { email: '', password: '' })
    expect(end.pages).toEqual(['consent'])
    const { json } = await exchange(server, app, { callback: new URL(end.location).searchParams, verifier })
    expect(subjectOf(json.id_token)).toBe(bob.id)
    expect(await consentsOf(sql, ada.id, Date.now())).toEqual([])
    expect(await consentsOf(sql, bob.id, Date.now())).toHaveLength(1)
  })

  it('a device says where it asked from, whatever a header claims', async () => {
    const device = await newClient(sql, beta.id, { kind: 'native', redirect_uris: [] })
    const begun = await fetch(`${server.url}/oauth/device_authorization`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        'user-agent': 'tool/1.0',
      },
      body: new URLSearchParams({ client_id: device.client.id, scope }).toString(),
    })
    const { user_code: userCode, device_code: deviceCode } = (await begun.json()) as Record<string, string>
    const who = await newPerson(sql, [acme])
    const browser = browse()
    await signIn(browser, who)
    const { csrf } = (await (await browser.fetch('/api/device')).json()) as { csrf: string }
    const shown = await browser.post('/api/device/lookup', csrf, { user_code: userCode })
    expect(await shown.json()).toMatchObject({
      client: { owner: { name: 'Beta GmbH', yours: false } },
      request: { address: expect.stringMatching(/^(::1|127\.0\.0\.1)$/), program: 'tool/1.0' },
    })
    await approveDevice(browser, userCode ?? '', who)
    expect((await poll(server, device, deviceCode ?? '')).status).toBe(200)
  })
})

const subjectOf = (idToken: string): unknown =>
  (JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: unknown }).sub
