import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import { disablePerson, resetPassword } from '../../src/identity/people/changes.ts'
import { hashPassword } from '../../src/identity/people/passwords.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { createSignIn } from '../../src/identity/people/sign-in.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import { authorizeUrl, newVerifier } from './support/flow.ts'
import {
  change,
  newClient,
  newOrganisation,
  newPerson,
  PASSWORD,
  startServer,
  type TestServer,
} from './support/server.ts'

describeRules('signing in', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation
  let person: Person

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation], 'owner')
  })
  beforeEach(async () => {
    await sql.query('delete from attempt_window')
  })
  afterAll(() => server.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  const json = { 'content-type': 'application/json' }
  const signIn = (browser: Browser, email: string, password: string, headers: Record<string, string> = {}) =>
    browser.fetch('/api/session', {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify({ email, password }),
    })
  const attempt = async (from: string, email: string, password = 'wrong password') => {
    try {
      await createSignIn({ sql, clock: systemClock })({ email, password, ip: from })
      return 'in'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it('opens a console session, says who it is, and ends', async () => {
    const browser = new Browser(server.url)
    expect((await browser.fetch('/api/session')).status).toBe(401)
    const answer = await signIn(browser, person.email.toUpperCase(), PASSWORD)
    expect(answer.status).toBe(200)
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
    const body = (await answer.json()) as { csrf: string }
    expect(body).toEqual({
      user: { id: person.id, email: person.email, name: person.name },
      organisations: [
        {
          id: organisation.id,
          name: organisation.name,
          role: 'owner',
          state: 'active',
          requires_second_factor: false,
          created_at: expect.any(String),
        },
      ],
      operator: false,
      second_factor: { ways: [], given: false },
      csrf: expect.any(String),
    })
    expect(await (await browser.fetch('/api/session')).json()).toEqual(body)
    expect((await browser.fetch('/api/session', { method: 'DELETE' })).status).toBe(403)
    expect(
      (await browser.fetch('/api/session', { method: 'DELETE', headers: { 'x-csrf-token': body.csrf } })).status,
    ).toBe(204)
    expect((await browser.fetch('/api/session')).status).toBe(401)
  })

  it('a session ends after its time, with a new password, and with the person', async () => {
    for (const end of ['time', 'password', 'disabled'] as const) {
      const who = await newPerson(sql, [organisation])
      const browser = new Browser(server.url)
      await signIn(browser, who.email, PASSWORD)
      expect((await browser.fetch('/api/session')).status).toBe(200)
      if (end === 'password') {
        const hash = await hashPassword('another long password')
        await change(sql, (tx) => resetPassword(tx, who.id, hash))
      } else if (end === 'disabled') {
        await change(sql, (tx) => disablePerson(tx, who.id))
      } else {
        const nowMs = Date.now()
        vi.useFakeTimers({ toFake: ['Date'] })
        vi.setSystemTime(nowMs + 13 * 3600 * 1000)
      }
      expect((await browser.fetch('/api/session')).status, end).toBe(401)
      vi.useRealTimers()
    }
  })

  it('neither cookie is in the database', async () => {
    const browser = new Browser(server.url)
    await signIn(browser, person.email, PASSWORD)
    const stored = JSON.stringify(await sql.query('select * from console_session'))
    expect(browser.cookies.map(({ name }) => name).sort()).toEqual(['assay_device', 'assay_session'])
    for (const { value } of browser.cookies) expect(stored).not.toContain(value)
  })

  it('a sign-in from another site’s page is refused', async () => {
    const answer = await signIn(new Browser(server.url), person.email, PASSWORD, { origin: 'https://evil.example' })
    expect(answer.status).toBe(403)
  })

  it('a wrong password, an unknown and a disabled account get the same answer', async () => {
    const disabled = await newPerson(sql, [organisation])
    await change(sql, (tx) => disablePerson(tx, disabled.id))
    const answers = await Promise.all(
      [
        [person.email, 'wrong password'],
        ['nobody@example.com', PASSWORD],
        [disabled.email, PASSWORD],
      ].map(async ([email, password]) => {
        const response = await signIn(new Browser(server.url), email ?? '', password ?? '')
        const { instance: _, ...body } = (await response.json()) as Record<string, unknown>
        return { status: response.status, body }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('guessing is stopped after ten attempts on an account from one address', async () => {
    const outcomes: string[] = []
    vi.useFakeTimers({ toFake: ['Date'] })
    for (let i = 0; i < 11; i++) {
      // Longer than failures make anybody wait by then.
      vi.setSystemTime(Date.now() + 20_000)
      outcomes.push(await attempt('192.0.2.1', person.email))
    }
    expect(outcomes).toEqual([...Array(10).fill('sign_in_failed'), 'rate_limited'])
    expect(await attempt('192.0.2.1', person.email, PASSWORD)).toBe('rate_limited')
    vi.setSystemTime(Date.now() + 15 * 60_000 + 1)
    expect(await attempt('192.0.2.1', person.email, PASSWORD)).toBe('in')
  })

  it('nobody is locked out by guesses from elsewhere, in a browser they have signed in with', async () => {
    const browser = new Browser(server.url)
    expect((await signIn(browser, person.email, PASSWORD)).status).toBe(200)
    for (let i = 0; i < 11; i++) await attempt(`198.51.100.${i % 2}`, person.email)
    for (let i = 0; i < 11; i++) await attempt('198.51.100.0', person.email)
    expect(await attempt('203.0.113.9', person.email, PASSWORD)).toBe('rate_limited')
    expect((await signIn(browser, person.email, PASSWORD)).status).toBe(200)
  })

  it('guessing at many accounts from one address is stopped too', async () => {
    expect(await attempt('192.0.2.7', 'nobody@example.com')).toBe('sign_in_failed')
    // As if 98 more had been made at other accounts.
    await sql.query('update attempt_window set attempts = 99 where attempts = 1')
    expect(await attempt('192.0.2.7', 'nobody2@example.com')).toBe('sign_in_failed')
    expect(await attempt('192.0.2.7', 'nobody3@example.com')).toBe('rate_limited')
    expect(await attempt('192.0.2.8', 'nobody3@example.com')).toBe('sign_in_failed')
  })

  it('many guesses at once are counted each', async () => {
    // However long they take, none of them waits for the first wait to be over.
    vi.useFakeTimers({ toFake: ['Date'] })
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => attempt('192.0.2.8', person.email)))
    expect(outcomes.filter((one) => one === 'sign_in_failed')).toHaveLength(5)
  })

  it('a right password clears the count', async () => {
    for (let i = 0; i < 4; i++) await attempt('192.0.2.9', person.email)
    expect(await attempt('192.0.2.9', person.email, PASSWORD)).toBe('in')
    for (let i = 0; i < 4; i++) expect(await attempt('192.0.2.9', person.email)).toBe('sign_in_failed')
    expect(await attempt('192.0.2.9', person.email, PASSWORD)).toBe('in')
  })

  it('429 carries Retry-After', async () => {
    const browser = new Browser(server.url)
    for (let i = 0; i < 10; i++) await signIn(browser, person.email, 'wrong password')
    const answer = await signIn(browser, person.email, PASSWORD)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('an interaction belongs to the browser that began it, and its forms to its page', async () => {
    const web = await newClient(sql, organisation.id, { kind: 'web' })
    const browser = new Browser(server.url)
    const { challenge } = newVerifier()
    const at = await browser.follow(authorizeUrl(server, web, { challenge, login_hint: 'someone@example.com' }))
    const uid = at.location.split('/').at(-1) ?? ''
    const details = (await (await browser.fetch(`/api/interaction/${uid}`)).json()) as { csrf: string }
    expect(details).toEqual({
      kind: 'login',
      csrf: expect.any(String),
      client: {
        id: web.client.id,
        name: 'Test application',
        kind: 'web',
        owner: { name: organisation.name, yours: null },
        policy_uri: null,
        terms_uri: null,
      },
      login_hint: 'someone@example.com',
      user: null,
      asked: {
        charged: [{ name: 'risk:payment', words: 'Check email addresses before payments' }],
        about_you: [{ name: 'openid', words: 'Know who you are' }],
        stays_days: null,
      },
      organisations: [],
      redirect_host: 'app.example',
    })
    const stranger = new Browser(server.url)
    expect((await stranger.fetch(`/api/interaction/${uid}`)).status).toBe(404)
    expect(
      (await stranger.post(`/api/interaction/${uid}/login`, details.csrf, { email: person.email, password: PASSWORD }))
        .status,
    ).toBe(404)
    expect(
      (await browser.post(`/api/interaction/${uid}/login`, 'wrong', { email: person.email, password: PASSWORD }))
        .status,
    ).toBe(403)
    expect((await browser.post(`/api/interaction/${uid}/consent`, details.csrf, { decision: 'allow' })).status).toBe(
      404,
    )
    const wrong = await browser.post(`/api/interaction/${uid}/login`, details.csrf, {
      email: person.email,
      password: 'wrong password',
    })
    expect(wrong.status).toBe(401)
    expect(
      (await browser.post(`/api/interaction/${uid}/login`, details.csrf, { email: person.email, password: PASSWORD }))
        .status,
    ).toBe(200)
    expect((await browser.fetch(`/api/interaction/${uid}`)).status).toBe(404)
  })

  it('consent goes only to an organisation the person belongs to, and must be chosen when there are several', async () => {
    const [a, b, foreign] = [
      await newOrganisation(sql, 'A'),
      await newOrganisation(sql, 'B'),
      await newOrganisation(sql, 'Foreign'),
    ]
    const who = await newPerson(sql, [a, b])
    const web = await newClient(sql, organisation.id, { kind: 'web' })
    const browser = new Browser(server.url)
    const { challenge } = newVerifier()
    const start = await browser.follow(authorizeUrl(server, web, { challenge }))
    const api = (location: string) => `/api${new URL(location).pathname}`
    const login = (await (await browser.fetch(api(start.location))).json()) as { csrf: string }
    const signedIn = await browser.post(`${api(start.location)}/login`, login.csrf, {
      email: who.email,
      password: PASSWORD,
    })
    const consentPage = await browser.follow(((await signedIn.json()) as { redirect_to: string }).redirect_to)
    const consent = (await (await browser.fetch(api(consentPage.location))).json()) as { csrf: string }
    expect(consent).toMatchObject({
      kind: 'consent',
      user: { email: who.email, name: who.name },
      organisations: [
        { id: a.id, name: 'A', state: 'active' },
        { id: b.id, name: 'B', state: 'active' },
      ],
    })
    const decide = (body: object) => browser.post(`${api(consentPage.location)}/consent`, consent.csrf, body)
    expect((await decide({ decision: 'allow', organisation_id: foreign.id })).status).toBe(422)
    expect((await decide({ decision: 'allow' })).status).toBe(422)
    expect((await decide({ decision: 'perhaps' })).status).toBe(422)
    expect((await decide({ decision: 'allow', organisation_id: b.id })).status).toBe(200)
  })
})
