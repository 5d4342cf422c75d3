import * as jose from 'jose'
import * as client from 'openid-client'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Sql } from '../../src/db/sql.ts'
import { readAudit } from '../../src/identity/audit.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import { setSecondFactorRequired } from '../../src/identity/organisation/second-factor.ts'
import { resetPassword } from '../../src/identity/people/changes.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { sha256Hex } from '../../src/lib/hashing.ts'
import { PASSWORD_HASH } from '../support/passwords.ts'
import { newSoftPasskey, type SoftPasskey } from '../support/soft-passkey.ts'
import { describeRules } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import { type App, authorize, authorizeUrl, exchange, newVerifier, send } from './support/flow.ts'
import {
  change,
  newClient,
  newOrganisation,
  newPerson,
  PASSWORD,
  startServer,
  type TestServer,
} from './support/server.ts'

const TWO_FACTOR = 'urn:assay:acr:two-factor'
const ONE_FACTOR = 'urn:assay:acr:one-factor'

const essential = JSON.stringify({ id_token: { acr: { essential: true, value: TWO_FACTOR } } })

interface Step {
  readonly second_factor: { ways: string[]; ticket: string; passkey: { challenge: string } | null }
}

describeRules('a second factor', (open) => {
  let sql: Sql
  let server: TestServer
  let other: TestServer
  let organisation: Organisation
  let web: App
  const outcomes: string[] = []

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql, { countSignIn: (outcome) => outcomes.push(outcome) })
    other = await startServer(sql, { baseUrl: server.url })
    organisation = await newOrganisation(sql, 'Example Ltd')
    web = await newClient(sql, organisation.id, { kind: 'web' })
  })
  afterAll(async () => {
    await server.close()
    await other.close()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const pass = (seconds: number) => {
    const nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(nowMs + seconds * 1000)
  }

  const json = async <T>(answer: Promise<Response> | Response) => {
    const response = await answer
    const text = await response.text()
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }
  const post = <T = Record<string, unknown>>(browser: Browser, path: string, body: unknown, csrf = '') =>
    json<T>(browser.post(path, csrf, body))
  const enter = (browser: Browser, { email }: Person, password = PASSWORD) =>
    post<Step & { csrf: string }>(browser, '/api/session', { email, password })
  const csrfOf = async (browser: Browser) => (await json<{ csrf: string }>(browser.fetch('/api/session'))).body.csrf
  const isSignedIn = async (browser: Browser) => (await browser.fetch('/api/session')).status === 200
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() })

  async function withCodes(role: 'owner' | 'developer' = 'owner') {
    const person = await newPerson(sql, [organisation], role)
    const browser = new Browser(server.url)
    const { csrf } = (await enter(browser, person)).body
    const { secret } = (await post<{ secret: string }>(browser, '/api/factors/codes/begin', {}, csrf)).body
    const added = await post<{ recovery_codes: string[] }>(
      browser,
      '/api/factors/codes',
      { code: codeOf(secret) },
      csrf,
    )
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    // The code of this step is used: the next one is of another.
    pass(60)
    return { person, browser, secret, recoveryCodes: added.body.recovery_codes, csrf }
  }

  async function withPasskey(person?: Person) {
    const who = person ?? (await newPerson(sql, [organisation], 'owner'))
    const browser = new Browser(server.url)
    const { csrf } = (await enter(browser, who)).body
    const passkey = newSoftPasskey(server.url)
    const added = await addPasskey(browser, csrf, passkey)
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    return { person: who, browser, passkey, csrf }
  }
  async function addPasskey(
    browser: Browser,
    csrf: string,
    passkey: SoftPasskey,
    as?: Parameters<SoftPasskey['register']>[1],
  ) {
    const begun = await post<{ ticket: string; passkey: { challenge: string } }>(
      browser,
      '/api/factors/passkeys/begin',
      {},
      csrf,
    )
    const answer = passkey.register(begun.body.passkey.challenge, as)
    return post(browser, '/api/factors/passkeys', { ticket: begun.body.ticket, name: 'Laptop', passkey: answer }, csrf)
  }
  const beginAlone = async (browser: Browser) =>
    (await post<{ ticket: string; passkey: { challenge: string } }>(browser, '/api/session/passkey/begin', {})).body

  it('after the right password asks for it, and tells nothing after a wrong one', async () => {
    const { person, secret } = await withCodes()
    const browser = new Browser(server.url)
    const wrong = await enter(browser, person, 'not the password')
    const unknown = await post(browser, '/api/session', { email: 'nobody@example.com', password: 'not the password' })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    const unnamed = { request_id: '', instance: '' }
    expect({ ...wrong.body, ...unnamed }).toEqual({ ...unknown.body, ...unnamed })
    const { status, body } = await enter(browser, person)
    expect([status, body.second_factor.ways]).toEqual([200, ['code', 'recovery_code']])
    expect(await isSignedIn(browser)).toBe(false)
    const { ticket } = body.second_factor
    expect((await post(browser, '/api/session/second-factor', { ticket, code: '000000' })).status).toBe(401)
    expect(await isSignedIn(browser)).toBe(false)
    const done = await post<{ second_factor: object }>(browser, '/api/session/second-factor', {
      ticket,
      code: codeOf(secret),
    })
    expect([done.status, done.body.second_factor]).toEqual([200, { ways: ['code', 'recovery_code'], given: true }])
    expect(await isSignedIn(browser)).toBe(true)
  })

  it('a code works once, on whichever node, and a ticket opens one session', async () => {
    const { person, secret } = await withCodes()
    const browsers = [new Browser(server.url), new Browser(server.url, other.url)]
    const steps = await Promise.all(browsers.map(async (browser) => (await enter(browser, person)).body.second_factor))
    const code = codeOf(secret)
    const tries = await Promise.all(
      browsers.map((browser, i) => post(browser, '/api/session/second-factor', { ticket: steps[i]?.ticket, code })),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401])
    // The ticket of whoever came through is spent, for any other code.
    pass(60)
    const won = tries.findIndex(({ status }) => status === 200)
    const again = await post(browsers[won]!, '/api/session/second-factor', {
      ticket: steps[won]?.ticket,
      code: codeOf(secret),
    })
    expect(again.status).toBe(409)
  })

  it('a recovery code opens a session once', async () => {
    const { person, recoveryCodes } = await withCodes()
    const use = async () => {
      const browser = new Browser(server.url)
      const { ticket } = (await enter(browser, person)).body.second_factor
      return (await post(browser, '/api/session/second-factor', { ticket, recovery_code: recoveryCodes[0] })).status
    }
    expect([await use(), await use()]).toEqual([200, 401])
  })

  it('a ticket is worth nothing in another browser, for another person, after a new password, or later', async () => {
    const ada = await withCodes()
    const bob = await withCodes()
    const browser = new Browser(server.url)
    const step = async (person: Person) => (await enter(browser, person)).body.second_factor.ticket
    const ticket = await step(ada.person)
    const stranger = new Browser(server.url)
    await enter(stranger, bob.person)
    const give = (who: Browser, code: string) => post(who, '/api/session/second-factor', { ticket, code })
    expect((await give(stranger, codeOf(ada.secret))).status).toBe(409)
    expect((await give(browser, codeOf(bob.secret))).status).toBe(401)
    await change(sql, (tx) => resetPassword(tx, ada.person.id, `${PASSWORD_HASH} `))
    expect((await give(browser, codeOf(ada.secret))).status).toBe(409)
    const late = await step(bob.person)
    pass(301)
    expect((await post(browser, '/api/session/second-factor', { ticket: late, code: codeOf(bob.secret) })).status).toBe(
      409,
    )
  })

  it('wrong codes make whoever types them wait', async () => {
    const { person, secret } = await withCodes()
    const browser = new Browser(server.url)
    const { ticket } = (await enter(browser, person)).body.second_factor
    const give = (code: string) => post(browser, '/api/session/second-factor', { ticket, code })
    for (let i = 0; i < 5; i++) expect((await give('000000')).status).toBe(401)
    expect((await give(codeOf(secret))).status).toBe(429)
  })

  it('wrong recovery codes that somebody else types do not stop the browser of the person', async () => {
    const { person, browser, secret, csrf, recoveryCodes } = await withCodes()
    const stranger = new Browser(server.url)
    const { ticket } = (await enter(stranger, person)).body.second_factor
    const guess = () => post(stranger, '/api/session/second-factor', { ticket, recovery_code: 'aaaa-aaaa-aaaa-aaaa' })
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
    const prove = async (proof: object) => {
      const begun = await post<{ ticket: string }>(browser, '/api/session/prove/begin', {}, csrf)
      return (await post(browser, '/api/session/prove', { ticket: begun.body.ticket, ...proof }, csrf)).status
    }
    expect(await prove({ code: codeOf(secret) })).toBe(204)
    expect(await prove({ recovery_code: recoveryCodes[0] })).toBe(204)
    const own = (await enter(browser, person)).body.second_factor
    pass(60)
    const again = { ticket: own.ticket, code: codeOf(secret) }
    expect((await post(browser, '/api/session/second-factor', again)).status).toBe(200)
    // The person's success leaves the stranger no new attempts.
    expect((await guess()).status).toBe(429)
  })

  it('is refused from another site', async () => {
    const { person, secret } = await withCodes()
    const browser = new Browser(server.url)
    const { ticket } = (await enter(browser, person)).body.second_factor
    for (const path of ['second-factor', 'passkey/begin', 'passkey']) {
      const answer = await browser.fetch(`/api/session/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        body: JSON.stringify({ ticket, code: codeOf(secret) }),
      })
      expect(answer.status, path).toBe(403)
    }
    const signedIn = await withCodes()
    for (const path of ['factors/codes/begin', 'factors/recovery-codes', 'factors/passkeys/begin', 'session/prove']) {
      expect((await post(signedIn.browser, `/api/${path}`, {}, 'not the token')).status, path).toBe(403)
    }
  })

  it('a passkey alone signs in whoever has it, if the device checked its holder', async () => {
    const { person, passkey } = await withPasskey()
    const browser = new Browser(server.url)
    const begun = await beginAlone(browser)
    const unverified = passkey.answer(begun.passkey.challenge, { userVerified: false })
    expect((await post(browser, '/api/session/passkey', { ticket: begun.ticket, passkey: unverified })).status).toBe(
      401,
    )
    const answer = passkey.answer(begun.passkey.challenge, { userHandle: person.id })
    const done = await post<{ user: { id: string }; second_factor: { given: boolean } }>(
      browser,
      '/api/session/passkey',
      {
        ticket: begun.ticket,
        passkey: answer,
      },
    )
    expect([done.status, done.body.user.id, done.body.second_factor.given]).toEqual([200, person.id, true])
  })

  it('the signature of a passkey works once, in the browser that asked', async () => {
    const { passkey } = await withPasskey()
    const browser = new Browser(server.url)
    const begun = await beginAlone(browser)
    const body = { ticket: begun.ticket, passkey: passkey.answer(begun.passkey.challenge) }
    const elsewhere = new Browser(server.url)
    await beginAlone(elsewhere)
    expect((await post(elsewhere, '/api/session/passkey', body)).status).toBe(409)
    expect((await post(browser, '/api/session/passkey', body)).status).toBe(200)
    expect((await post(browser, '/api/session/passkey', body)).status).toBe(401)
    // Also when the device counts nothing, so that only the ticket tells.
    await sql.query('update passkey set counter = 0 where id = $1', [passkey.id])
    expect((await post(browser, '/api/session/passkey', body)).status).toBe(409)
  })

  it('a passkey of another origin, name or challenge is refused, and one whose counter goes back', async () => {
    const { passkey, person } = await withPasskey()
    const browser = new Browser(server.url)
    const refused = async (as: Parameters<SoftPasskey['answer']>[1], challenge?: string) => {
      const begun = await beginAlone(browser)
      const answer = passkey.answer(challenge ?? begun.passkey.challenge, as)
      return (await post(browser, '/api/session/passkey', { ticket: begun.ticket, passkey: answer })).status
    }
    expect(await refused({ origin: 'https://evil.example' })).toBe(401)
    expect(await refused({ origin: server.url.replace('http:', 'https:') })).toBe(401)
    expect(await refused({ rpId: 'evil.example' })).toBe(401)
    expect(await refused({}, 'AAAA')).toBe(401)
    expect(await refused({ type: 'webauthn.create' })).toBe(401)
    expect(await refused({ userHandle: 'usr_somebodyelse' })).toBe(401)
    expect(await refused({ userHandle: person.id })).toBe(200)
    passkey.counter = 0
    expect(await refused({})).toBe(401)
    expect(await isSignedIn(new Browser(server.url))).toBe(false)
  })

  it('a passkey made for another origin or name is not taken', async () => {
    const person = await newPerson(sql, [organisation])
    const browser = new Browser(server.url)
    const { csrf } = (await enter(browser, person)).body
    for (const as of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { type: 'webauthn.get' }]) {
      expect((await addPasskey(browser, csrf, newSoftPasskey(server.url), as)).status).toBe(422)
    }
    expect((await addPasskey(browser, csrf, newSoftPasskey(server.url))).status).toBe(201)
  })

  it('a passkey of somebody else does not finish the sign-in of a person', async () => {
    const [ada, eve] = [await withPasskey(), await withPasskey()]
    const browser = new Browser(server.url)
    const { ticket, passkey } = (await enter(browser, ada.person)).body.second_factor
    const give = (key: SoftPasskey) =>
      post(browser, '/api/session/second-factor', { ticket, passkey: key.answer(passkey?.challenge ?? '') })
    expect((await give(eve.passkey)).status).toBe(401)
    expect((await give(ada.passkey)).status).toBe(200)
  })

  it('a person with a second factor changes factors only with it, and only after a fresh proof', async () => {
    const person = await newPerson(sql, [organisation])
    const earlier = new Browser(server.url)
    const { csrf } = (await enter(earlier, person)).body
    const { passkey } = await withPasskey(person)
    const weak = await post<{ code: string }>(earlier, '/api/factors/codes/begin', {}, csrf)
    expect([weak.status, weak.body.code]).toEqual([403, 'second_factor_needed'])
    const begun = (
      await post<{ ticket: string; passkey: { challenge: string } }>(earlier, '/api/session/prove/begin', {}, csrf)
    ).body
    const proof = { ticket: begun.ticket, passkey: passkey.answer(begun.passkey.challenge) }
    expect((await post(earlier, '/api/session/prove', proof, csrf)).status).toBe(204)
    expect((await post(earlier, '/api/factors/codes/begin', {}, csrf)).status).toBe(200)
    pass(16 * 60)
    const stale = await post<{ code: string }>(earlier, '/api/factors/codes/begin', {}, csrf)
    expect([stale.status, stale.body.code]).toEqual([403, 'proof_needed'])
    expect((await post(earlier, '/api/session/prove', { password: 'wrong' }, csrf)).status).toBe(422)
    // Nor by the right one: whoever has learnt the password and found the session open takes no factor away.
    const byPassword = await post<{ errors: object[] }>(earlier, '/api/session/prove', { password: PASSWORD }, csrf)
    expect([byPassword.status, byPassword.body.errors]).toMatchObject([422, [{ pointer: '/password' }]])
    const remove = () => post<{ code: string }>(earlier, '/api/factors/passkeys/remove', { id: passkey.id }, csrf)
    expect((await remove()).body.code).toBe('proof_needed')
    const again = (
      await post<{ ticket: string; passkey: { challenge: string } }>(earlier, '/api/session/prove/begin', {}, csrf)
    ).body
    const fresh = { ticket: again.ticket, passkey: passkey.answer(again.passkey.challenge) }
    expect((await post(earlier, '/api/session/prove', fresh, csrf)).status).toBe(204)
    expect((await remove()).status).toBe(204)
    // With the last factor goes what sessions say of one, so that an organisation that requires one asks for it.
    const left = await sql.query('select amr from console_session where person_id = $1', [person.id])
    expect(left).toEqual([{ amr: 'pwd' }, { amr: 'pwd' }])
    // A person without a second factor confirms with the password.
    pass(16 * 60)
    expect((await post(earlier, '/api/session/prove', { password: PASSWORD }, csrf)).status).toBe(204)
  })

  it('wrong factors and passkeys are recorded as wrong passwords are, at the 1st, 2nd, 4th …', async () => {
    const { person, passkey } = await withPasskey()
    const failures = async () => {
      const { rows } = await readAudit(sql, { organisationId: organisation.id, action: 'session.fail', limit: 100 })
      return rows.filter(({ target_id }) => target_id === person.id).map(({ detail }) => detail.failures)
    }
    const run = sha256Hex(`wrong second factors ${person.id}`)
    const tried = () => sql.query('select attempts from attempt_window where key = $1', [run])
    const browser = new Browser(server.url)
    outcomes.splice(0)
    // The password alone counts as nothing yet.
    const { ticket } = (await enter(browser, person)).body.second_factor
    const give = () => post(browser, '/api/session/second-factor', { ticket, passkey: passkey.answer('AAAA') })
    for (let i = 0; i < 3; i++) expect((await give()).status).toBe(401)
    await expect.poll(failures).toEqual([2, 1])
    await expect.poll(tried).toEqual([{ attempts: 3 }])
    const begun = await beginAlone(browser)
    const wrong = { ticket: begun.ticket, passkey: passkey.answer('AAAA') }
    expect((await post(browser, '/api/session/passkey', wrong)).status).toBe(401)
    await expect.poll(failures).toEqual([4, 2, 1])
    const odd = passkey.answer(begun.passkey.challenge) as { response: object }
    const handle = { ...odd, response: { ...odd.response, userHandle: 7 } }
    expect((await post(browser, '/api/session/passkey', { ticket: begun.ticket, passkey: handle })).status).toBe(422)
    expect((await post(browser, '/api/session/passkey', { ticket: begun.ticket, passkey: odd })).status).toBe(200)
    expect(await tried()).toEqual([])
    expect(outcomes).toEqual([...Array(4).fill('failed'), 'signed_in'])
  })

  it('ID tokens say how somebody signed in; the class of it can be asked for', async () => {
    const { acr_values_supported } = (await send(`${server.url}/.well-known/openid-configuration`)).json
    expect(acr_values_supported).toEqual([ONE_FACTOR, TWO_FACTOR])
    const { person, passkey } = await withPasskey()
    const browser = new Browser(server.url)
    const begun = await beginAlone(browser)
    const answer = passkey.answer(begun.passkey.challenge)
    await post(browser, '/api/session/passkey', { ticket: begun.ticket, passkey: answer })
    const insecure = { execute: [client.allowInsecureRequests] }
    const config = await client.discovery(new URL(server.url), web.client.id, web.secret, undefined, insecure)
    const verifier = client.randomPKCECodeVerifier()
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: 'https://app.example/callback',
      scope: 'openid risk:payment',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      claims: essential,
    })
    const end = await answerPages(browser, start.href, { email: person.email, password: PASSWORD })
    expect(end.pages).toEqual(['consent'])
    const tokens = await client.authorizationCodeGrant(config, new URL(end.location), { pkceCodeVerifier: verifier })
    expect(tokens.claims()).toMatchObject({ sub: person.id, acr: TWO_FACTOR, amr: ['hwk', 'user', 'mfa'] })
  })

  it('who cannot sign in with two factors goes back with the standard error where the application insists', async () => {
    const person = await newPerson(sql, [organisation])
    const { callback, pages } = await authorize(server, web, person, new Browser(server.url), { claims: essential })
    expect([pages, callback.get('error')]).toEqual([['login'], 'unmet_authentication_requirements'])
    // Only how somebody signs in can be asked for by claims; anything else is left out.
    const other = JSON.stringify({ id_token: { email: { essential: true } } })
    const plain = await authorize(server, web, person, new Browser(server.url), { claims: other })
    expect(jose.decodeJwt((await exchange(server, web, plain)).json.id_token)).not.toHaveProperty('email')
  })

  it.each(['claims', 'acr_values'])('who has a factor gives it where an application asks by %s', async (how) => {
    const person = await newPerson(sql, [organisation])
    const browser = new Browser(server.url)
    // Signed in before there was a factor.
    await enter(browser, person)
    const asked = how === 'claims' ? { claims: essential } : { acr_values: `${TWO_FACTOR} ${ONE_FACTOR}` }
    const { passkey } = await withPasskey(person)
    const { challenge, verifier } = newVerifier()
    const { location } = await browser.follow(authorizeUrl(server, web, { challenge, ...asked }))
    const uid = /\/interaction\/([\w-]+)$/.exec(new URL(location).pathname)?.[1] ?? ''
    const page = await json<{ kind: string; csrf: string }>(browser.fetch(`/api/interaction/${uid}`))
    expect(page.body.kind).toBe('login')
    const login = (body: object) =>
      post<Step & { redirect_to: string }>(browser, `/api/interaction/${uid}/login`, body, page.body.csrf)
    expect((await login({})).status).toBe(401)
    const { second_factor: step } = (await login({ email: person.email, password: PASSWORD })).body
    const proof = { ticket: step.ticket, passkey: passkey.answer(step.passkey?.challenge ?? '') }
    expect((await post(browser, '/api/session/second-factor', proof)).status).toBe(200)
    const { redirect_to } = (await login({})).body
    const consent = await browser.follow(redirect_to)
    const next = /\/interaction\/([\w-]+)$/.exec(new URL(consent.location).pathname)?.[1] ?? ''
    const { csrf } = (await json<{ csrf: string }>(browser.fetch(`/api/interaction/${next}`))).body
    const allowed = await post<{ redirect_to: string }>(
      browser,
      `/api/interaction/${next}/consent`,
      { decision: 'allow', organisation_id: organisation.id },
      csrf,
    )
    const end = await browser.follow(allowed.body.redirect_to)
    const callback = new URL(end.location).searchParams
    const { json: tokens } = await exchange(server, web, { callback, verifier })
    expect(jose.decodeJwt(tokens.id_token)).toMatchObject({ acr: TWO_FACTOR, amr: ['pwd', 'hwk', 'user', 'mfa'] })
  })

  it('in an organisation that requires it nobody consents without it', async () => {
    const strict = await newOrganisation(sql, 'Strict Ltd')
    const person = await newPerson(sql, [strict])
    const app = await newClient(sql, strict.id, { kind: 'web' })
    await change(sql, (tx) => setSecondFactorRequired(tx, {}, operatorIn(strict.id), { required: true }))
    const without = authorize(server, app, person, new Browser(server.url))
    await expect(without).rejects.toThrow('second_factor_needed')
    const { browser } = await withPasskey(person)
    const { callback } = await authorize(server, app, person, browser)
    expect(callback.get('code')).not.toBe(null)
    expect(await csrfOf(browser)).not.toBe('')
    // Nor does what was allowed before serve a session that was opened with the password alone.
    await sql.query(`update console_session set amr = 'pwd' where person_id = $1`, [person.id])
    await expect(authorize(server, app, person, browser)).rejects.toThrow('second_factor_needed')
  })
})
