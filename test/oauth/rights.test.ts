import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Sql } from '../../src/db/sql.ts'
import { announcePersonChange } from '../../src/identity/announce.ts'
import { addMember, removeMember, setRole } from '../../src/identity/members/members.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import { disablePerson, enablePerson, resetPassword } from '../../src/identity/people/changes.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { PASSWORD_HASH } from '../support/passwords.ts'
import { describeRules } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import {
  type App,
  approveDevice,
  authorize,
  authorizeUrl,
  beginDevice,
  credentials,
  decideDevice,
  exchange,
  newVerifier,
  poll,
  postForm,
  send,
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

const SCOPE = 'openid offline_access risk:payment'

describeRules('what a person allowed applications to do', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation
  let web: App
  let cli: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql, 'Example Ltd')
    web = await newClient(sql, organisation.id, { kind: 'web' })
    cli = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
  })
  afterAll(() => server.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  const pass = (seconds: number) => {
    const nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(nowMs + seconds * 1000)
  }
  const guarded = async (token: string) =>
    (await send(`${server.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })).status
  const introspect = async (app: App, token: string) =>
    (await postForm(`${server.url}/oauth/introspect`, { ...credentials(app), token })).json
  const refresh = (token: string) => tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: token })
  const operator = () => operatorIn(organisation.id)

  /** Rights that are taken, and what gives them back later. */
  const TAKEN: Record<
    string,
    { take: (who: Person) => Promise<unknown>; giveBack?: (who: Person) => Promise<unknown> }
  > = {
    'removed from the organisation': {
      take: (who) => change(sql, (tx) => removeMember(tx, operator(), who.id)),
      giveBack: (who) => change(sql, (tx) => addMember(tx, operator(), { personId: who.id, role: 'developer' })),
    },
    disabled: {
      take: (who) => change(sql, (tx) => disablePerson(tx, who.id)),
      giveBack: (who) => change(sql, (tx) => enablePerson(tx, who.id)),
    },
    'given a new password': { take: (who) => change(sql, (tx) => resetPassword(tx, who.id, PASSWORD_HASH)) },
  }

  describe.each(Object.keys(TAKEN))('a person who was %s', (name) => {
    const { take, giveBack } = TAKEN[name]!

    it('keeps no token, refresh token, code, device code or consent, even when taken back', async () => {
      const who = await newPerson(sql, [organisation])
      const tokens = await exchange(
        server,
        web,
        await authorize(server, web, who, new Browser(server.url), { scope: SCOPE }),
      )
      expect(await guarded(tokens.json.access_token)).toBe(200)
      const unused = await authorize(server, web, who, new Browser(server.url), { scope: SCOPE })
      const device = await beginDevice(server, cli)
      await approveDevice(new Browser(server.url), device.json.user_code, who)
      // A sign-in under way: the password was right, consent is still to come.
      const browser = new Browser(server.url)
      const { challenge } = newVerifier()
      const login = await browser.follow(authorizeUrl(server, web, { challenge, scope: SCOPE }))
      const uid = new URL(login.location).pathname.split('/').at(-1)
      const { csrf } = (await (await browser.fetch(`/api/interaction/${uid}`)).json()) as { csrf: string }
      const signedIn = await browser.post(`/api/interaction/${uid}/login`, csrf, {
        email: who.email,
        password: PASSWORD,
      })
      const { redirect_to } = (await signedIn.json()) as { redirect_to: string }

      await take(who)
      await announcePersonChange(sql)
      const nothingIsLeft = async () => {
        expect(await guarded(tokens.json.access_token)).toBe(401)
        expect(await introspect(web, tokens.json.access_token)).toEqual({ active: false })
        expect(await introspect(web, tokens.json.refresh_token)).toEqual({ active: false })
        expect((await refresh(tokens.json.refresh_token)).json.error).toBe('invalid_grant')
        expect((await exchange(server, web, unused)).json.error).toBe('invalid_grant')
        expect((await poll(server, cli, device.json.device_code)).json.error).toBe('invalid_grant')
      }
      pass(5)
      await nothingIsLeft()
      await giveBack?.(who)
      await announcePersonChange(sql)
      pass(30)
      await nothingIsLeft()
      // Who was only removed is still who they are: the sign-in leads to a consent that can charge nobody else's organisation.
      if (name === 'removed from the organisation') return
      const end = await browser.follow(redirect_to)
      expect(new URL(end.location).pathname).not.toMatch(/^\/interaction\//)
      const rows = await sql.query(
        `select kind from oauth_record where person_id = $1 and not (kind = 'Grant' and consumed_at is not null)`,
        [who.id],
      )
      expect(rows).toEqual([])
    })
  })

  it('of another organisation stays when one is left', async () => {
    const other = await newOrganisation(sql, 'Other Ltd')
    const who = await newPerson(sql, [organisation, other])
    const browser = new Browser(server.url)
    const { verifier, challenge } = newVerifier()
    const end = await answerPages(browser, authorizeUrl(server, web, { challenge, scope: SCOPE }), {
      email: who.email,
      password: PASSWORD,
      organisationId: other.id,
    })
    const tokens = await exchange(server, web, { callback: new URL(end.location).searchParams, verifier })
    await change(sql, (tx) => removeMember(tx, operator(), who.id))
    await announcePersonChange(sql)
    pass(5)
    expect(await guarded(tokens.json.access_token)).toBe(200)
  })

  it('a role given at the moment of consent counts, not the one that was read', async () => {
    const who = await newPerson(sql, [organisation])
    const browser = new Browser(server.url)
    const { challenge } = newVerifier()
    await answerPages(browser, authorizeUrl(server, web, { challenge, scope: SCOPE }), {
      email: who.email,
      password: PASSWORD,
      decision: 'deny',
    })
    const consent = await browser.follow(authorizeUrl(server, web, { challenge, scope: SCOPE }))
    const uid = new URL(consent.location).pathname.split('/').at(-1)
    const { csrf } = (await (await browser.fetch(`/api/interaction/${uid}`)).json()) as { csrf: string }
    await change(sql, (tx) => removeMember(tx, operator(), who.id))
    const answer = await browser.post(`/api/interaction/${uid}/consent`, csrf, {
      decision: 'allow',
      organisation_id: organisation.id,
    })
    expect(answer.status).toBe(403)
  })
})

describeRules('consent', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql, 'Example Ltd')
  })
  afterAll(() => server.close())

  interface ConsentPage {
    readonly kind: string
    readonly csrf: string
    readonly organisations: { id: string; role: string; left_out: { name: string; words: string }[] }[]
  }

  /** Signs in and comes to the consent page. */
  async function consentPage(browser: Browser, start: string, who: Person) {
    const read = async (location: string) => {
      const uid = new URL(location).pathname.split('/').at(-1)
      return { uid, page: (await (await browser.fetch(`/api/interaction/${uid}`)).json()) as ConsentPage }
    }
    const login = await read((await browser.follow(start)).location)
    const signedIn = await browser.post(`/api/interaction/${login.uid}/login`, login.page.csrf, {
      email: who.email,
      password: PASSWORD,
    })
    const { redirect_to } = (await signedIn.json()) as { redirect_to: string }
    const { uid, page } = await read((await browser.follow(redirect_to)).location)
    const allow = () =>
      browser.post(`/api/interaction/${uid}/consent`, page.csrf, {
        decision: 'allow',
        organisation_id: organisation.id,
      })
    return { page, allow }
  }

  const scopesOf = (text: string) => text.split(' ').sort()

  it('leaves out what the role does not allow: code, refreshing and introspection name what works', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'web' })
    const who = await newPerson(sql, [organisation], 'viewer')
    const browser = new Browser(server.url)
    const { challenge } = newVerifier()
    const { page } = await consentPage(browser, authorizeUrl(server, app, { challenge, scope: SCOPE }), who)
    expect(page.organisations).toMatchObject([
      { id: organisation.id, role: 'viewer', left_out: [{ name: 'risk:payment', words: expect.any(String) }] },
    ])
    const authorized = await authorize(server, app, who, browser, { scope: SCOPE })
    const tokens = (await exchange(server, app, authorized)).json
    expect(scopesOf(tokens.scope)).toEqual(['offline_access', 'openid'])
    const form = { ...credentials(app), token: tokens.access_token }
    const introspected = (await postForm(`${server.url}/oauth/introspect`, form)).json
    expect(scopesOf(introspected.scope)).toEqual(['offline_access', 'openid'])
    const refreshToken = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const refreshed = (await tokenRequest(server, app, refreshToken)).json
    expect(scopesOf(refreshed.scope)).toEqual(['offline_access', 'openid'])
    const more = { ...refreshToken, refresh_token: refreshed.refresh_token, scope: 'risk:payment' }
    expect((await tokenRequest(server, app, more)).json.error).toBe('invalid_scope')
  })

  it('is not asked for again while the role is the same, and is when it has changed', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'web' })
    const who = await newPerson(sql, [organisation], 'viewer')
    const browser = new Browser(server.url)
    const scope = 'openid risk:payment'
    expect((await authorize(server, app, who, browser, { scope })).pages).toEqual(['login', 'consent'])
    expect((await authorize(server, app, who, browser, { scope })).pages).toEqual([])
    await change(sql, (tx) => setRole(tx, operatorIn(organisation.id), { personId: who.id, role: 'checker' }))
    const raised = await authorize(server, app, who, browser, { scope })
    expect(raised.pages).toEqual(['consent'])
    expect(scopesOf((await exchange(server, app, raised)).json.scope)).toEqual(['openid', 'risk:payment'])
    await change(sql, (tx) => setRole(tx, operatorIn(organisation.id), { personId: who.id, role: 'viewer' }))
    expect((await authorize(server, app, who, browser, { scope })).pages).toEqual(['consent'])
  })

  it('holds for devices: the token names what works', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
    const who = await newPerson(sql, [organisation], 'viewer')
    const { json } = await beginDevice(server, app, { scope: 'openid profile risk:payment' })
    await approveDevice(new Browser(server.url), json.user_code, who)
    expect(scopesOf((await poll(server, app, json.device_code)).json.scope)).toEqual(['openid', 'profile'])
  })

  it.each(['risk:payment', 'offline_access risk:payment'])(
    '403 with what to do when the role allows nothing of %j; nothing is granted',
    async (scope) => {
      const app = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
      const who = await newPerson(sql, [organisation], 'viewer')
      const { json } = await beginDevice(server, app, { scope })
      const browser = new Browser(server.url)
      const { redirectTo } = await decideDevice(browser, json.user_code, 'allow')
      const { allow } = await consentPage(browser, redirectTo, who)
      const answer = await allow()
      expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
        403,
        expect.stringContaining(
          'Your role viewer in Example Ltd allows nothing that this application requests. Ask an owner',
        ),
      ])
      expect((await poll(server, app, json.device_code)).json.error).toBe('authorization_pending')
      expect(
        await sql.query(`select 1 as one from oauth_record where person_id = $1 and kind = 'Grant'`, [who.id]),
      ).toEqual([])
    },
  )
})
