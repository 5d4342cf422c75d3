import * as jose from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import { type App, authorize, authorizeUrl, exchange, newVerifier } from './support/flow.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

describeRules('the one session of a browser', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation
  let web: App
  let ada: Person
  let bob: Person

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql, 'Example Ltd')
    web = await newClient(sql, organisation.id, { kind: 'web' })
    ada = await newPerson(sql, [organisation], 'owner')
    bob = await newPerson(sql, [organisation], 'developer')
  })
  afterAll(() => server.close())

  const signIn = (browser: Browser, { email }: Person) =>
    browser.fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
  const whoIs = async (browser: Browser): Promise<string | undefined> => {
    const answer = await browser.fetch('/api/session')
    return answer.status === 200 ? ((await answer.json()) as { user: { id: string } }).user.id : undefined
  }
  const signOutOfConsole = async (browser: Browser) => {
    const { csrf } = (await (await browser.fetch('/api/session')).json()) as { csrf: string }
    const answer = await browser.fetch('/api/session', { method: 'DELETE', headers: { 'x-csrf-token': csrf } })
    expect(answer.status).toBe(204)
  }
  const signOutByOAuth = async (browser: Browser, choice: string) => {
    const page = await (await browser.fetch('/oauth/logout')).text()
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
    expect(xsrf).not.toBe('')
    return browser.fetch('/oauth/logout/confirm', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `xsrf=${xsrf}${choice}`,
    })
  }
  const cookieOf = (browser: Browser) => browser.cookies.find(({ name }) => name === 'assay_session')?.value ?? ''
  /** The page that an application's request ends at. */
  async function begin(browser: Browser, parameters: Record<string, string> = {}) {
    const { challenge } = newVerifier()
    const { location } = await browser.follow(authorizeUrl(server, web, { challenge, ...parameters }))
    const uid = /\/interaction\/([\w-]+)$/.exec(new URL(location).pathname)?.[1] ?? ''
    const page = (await (await browser.fetch(`/api/interaction/${uid}`)).json()) as { csrf: string; kind: string }
    return { uid, ...page }
  }

  it('a person signed in to the console does not sign in again for an application', async () => {
    const browser = new Browser(server.url)
    await signIn(browser, ada)
    const authorized = await authorize(server, web, ada, browser, { prompt: 'consent' })
    expect(authorized.pages).toEqual(['consent'])
    const { json } = await exchange(server, web, authorized)
    expect(jose.decodeJwt(json.id_token)).toMatchObject({
      sub: ada.id,
      amr: ['pwd'],
      acr: 'urn:assay:acr:one-factor',
    })
  })

  it('a sign-in for an application is also a sign-in to the console', async () => {
    const browser = new Browser(server.url)
    await authorize(server, web, ada, browser)
    expect(await whoIs(browser)).toBe(ada.id)
  })

  it('signing out of the console also signs out of the OAuth pages', async () => {
    const browser = new Browser(server.url)
    await authorize(server, web, ada, browser)
    await signOutOfConsole(browser)
    const { callback } = await authorize(server, web, ada, browser, { prompt: 'none' })
    expect(callback.get('error')).toBe('login_required')
  })

  it('signing out for an application also signs out of the console; staying does not', async () => {
    const browser = new Browser(server.url)
    await signIn(browser, ada)
    const endOf = async (answer: Response) => {
      expect(answer.status).toBe(303)
      const { location } = await browser.follow(answer.headers.get('location') ?? '')
      return new URL(location).search
    }
    expect(await endOf(await signOutByOAuth(browser, ''))).toBe('?what=signed-in')
    expect(await whoIs(browser)).toBe(ada.id)
    const old = cookieOf(browser)
    expect(await endOf(await signOutByOAuth(browser, '&logout=yes'))).toBe('?what=signed-out')
    expect(cookieOf(browser)).toBe('')
    const kept = await fetch(`${server.url}/api/session`, { headers: { cookie: `assay_session=${old}` } })
    expect(kept.status).toBe(401)
  })

  it('a foreign form cannot sign anybody out', async () => {
    const browser = new Browser(server.url)
    await signIn(browser, ada)
    const forged = await browser.fetch('/oauth/logout/confirm', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'xsrf=guessed&logout=yes',
    })
    expect(forged.status).toBe(400)
    expect(await whoIs(browser)).toBe(ada.id)
  })

  it('signing in never goes on under the cookie that was there: nobody can be handed a session', async () => {
    const attacker = new Browser(server.url)
    await signIn(attacker, bob)
    const planted = cookieOf(attacker)
    for (const how of ['console', 'application']) {
      const victim = new Browser(server.url)
      const headers = { cookie: `assay_session=${planted}`, 'content-type': 'application/json' }
      if (how === 'console') {
        await victim.fetch('/api/session', {
          method: 'POST',
          headers,
          body: JSON.stringify({ email: ada.email, password: PASSWORD }),
        })
      } else await authorize(server, web, ada, victim)
      expect(cookieOf(victim), how).not.toBe(planted)
      expect(await whoIs(victim), how).toBe(ada.id)
    }
    // The planted one ended with the sign-in that came with it.
    expect(await whoIs(attacker)).toBeUndefined()
  })

  it('the next person in the same browser begins anew', async () => {
    const browser = new Browser(server.url)
    const first = await exchange(server, web, await authorize(server, web, ada, browser, { scope: 'openid' }))
    await signOutOfConsole(browser)
    await signIn(browser, bob)
    const authorized = await authorize(server, web, bob, browser, { scope: 'openid', prompt: 'consent' })
    expect(authorized.pages).toEqual(['consent'])
    const second = await exchange(server, web, authorized)
    expect(jose.decodeJwt(second.json.id_token).sub).toBe(bob.id)
    expect(jose.decodeJwt(first.json.id_token).sub).toBe(ada.id)
  })

  it('a consent page that another person, or nobody, has now decides nothing', async () => {
    for (const next of [bob, undefined]) {
      const browser = new Browser(server.url)
      await signIn(browser, ada)
      const { uid, csrf, kind } = await begin(browser, { prompt: 'consent' })
      expect(kind).toBe('consent')
      if (next) await signIn(browser, next)
      else await signOutOfConsole(browser)
      const answer = await browser.post(`/api/interaction/${uid}/consent`, csrf, {
        decision: 'allow',
        organisation_id: organisation.id,
      })
      expect(answer.status).toBe(404)
    }
  })

  it('a sign-in page goes on with a session of another tab; where a new proof is asked for, only with a new one', async () => {
    const browser = new Browser(server.url)
    const { uid, csrf } = await begin(browser)
    expect((await browser.post(`/api/interaction/${uid}/login`, csrf, {})).status).toBe(401)
    await signIn(browser, ada)
    expect((await browser.post(`/api/interaction/${uid}/login`, csrf, {})).status).toBe(200)

    await sql.query('update console_session set proved_at = proved_at - 10000, created_at = created_at - 10000')
    const again = await begin(browser, { prompt: 'login consent' })
    expect(again.kind).toBe('login')
    expect((await browser.post(`/api/interaction/${again.uid}/login`, again.csrf, {})).status).toBe(401)
    await signIn(browser, ada)
    const goOn = await browser.post(`/api/interaction/${again.uid}/login`, again.csrf, {})
    const { redirect_to: from } = (await goOn.json()) as { redirect_to: string }
    const { location } = await browser.follow(from)
    expect(new URL(location).pathname).toMatch(/^\/interaction\//)
  })

  it('a finished sign-in counts under its own session only: not after signing out, nor once somebody else is in', async () => {
    const ends: Readonly<Record<string, (browser: Browser) => Promise<unknown>>> = {
      'signed out': signOutOfConsole,
      'ended elsewhere': () => sql.query('delete from console_session where person_id = $1', [ada.id]),
      'somebody else': (browser) => signIn(browser, bob),
    }
    // LookUpCache, so that the code would be issued without another page.
    for (const who of [ada, bob]) await authorize(server, web, who, new Browser(server.url))
    for (const [what, end] of [['stays', async () => {}] as const, ...Object.entries(ends)]) {
      const browser = new Browser(server.url)
      const { uid, csrf } = await begin(browser)
      const answer = await browser.post(`/api/interaction/${uid}/login`, csrf, { email: ada.email, password: PASSWORD })
      const { redirect_to: from } = (await answer.json()) as { redirect_to: string }
      await end(browser)
      const { location, response } = await browser.follow(from)
      const code = new URL(location).searchParams.get('code')
      if (what === 'stays') expect(code).not.toBeNull()
      else {
        expect(code, what).toBeNull()
        expect(response?.status, what).toBe(400)
        expect(await whoIs(browser), what).toBe(what === 'somebody else' ? bob.id : undefined)
      }
    }
  })
})
