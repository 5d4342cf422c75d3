import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Sql, StoreUnavailable } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { PENDING_BOUNDS } from '../../src/oauth/pending-requests.ts'
import { createMigratedPlace, describeRules, openPlace } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import {
  type App,
  authorizeUrl,
  beginDevice,
  credentials,
  decideDevice,
  type Form,
  newVerifier,
  type OAuthAnswer,
  postForm,
  send,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

/** A store that can be made to refuse everything after so many more statements. */
function breakable(real: Sql): { sql: Sql; breakAfter(statements: number): void; repair(): void } {
  let left = Number.POSITIVE_INFINITY
  const count = () => {
    if (left-- <= 0) throw new StoreUnavailable('the test took the store away')
  }
  const sql: Sql = {
    ...real,
    async query(text, params) {
      count()
      return real.query(text, params)
    },
    async transaction(work, options) {
      count()
      return real.transaction(work, options)
    },
  }
  return {
    sql,
    breakAfter(statements) {
      left = statements
    },
    repair() {
      left = Number.POSITIVE_INFINITY
    },
  }
}

const STATEMENTS_MAX = 60

function expectUnavailable(answer: OAuthAnswer, what: string, forPeople: boolean): void {
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBe(503)
  expect(answer.headers.get('retry-after'), what).toBe('1')
  expect(answer.headers.get('cache-control'), what).toContain('no-store')
  expect(answer.headers.get('location'), what).toBeNull()
  expect(answer.headers.getSetCookie(), what).toEqual([])
  expect(answer.text, what).not.toMatch(/\.[jt]s:\d|SQLite|[Pp]ostgre|took the store away/)
  if (forPeople) {
    expect(answer.headers.get('content-type'), what).toContain('text/html')
    expect(answer.text, what).toContain('store_unavailable')
  } else {
    expect(answer.json, what).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'the server cannot reach its store, try again shortly',
    })
  }
}

async function answerOf(response: Response): Promise<OAuthAnswer> {
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status: response.status, headers: response.headers, text, json }
}

describeRules('OAuth while the store is down', (open) => {
  let sql: Sql
  let organisation: Organisation
  let person: Person
  let web: App
  let native: App
  const running: TestServer[] = []

  beforeAll(async () => {
    sql = await open()
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web' })
    native = await newClient(sql, organisation.id, { kind: 'native' })
  })
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close()
  })

  async function start(store: Sql, options: Parameters<typeof startServer>[1] = {}): Promise<TestServer> {
    const server = await startServer(store, options)
    running.push(server)
    return server
  }

  it('every endpoint says 503 with Retry-After: a page to people, OAuth’s words to programs; each is logged once, without secrets', async () => {
    const lines: string[] = []
    const doomed = await open()
    const server = await start(doomed, { log: { write: (line) => lines.push(line) } })
    const browser = new Browser(server.url)
    // A browser in the middle of a sign-in, signed out of nothing, and a device under way.
    const { challenge } = newVerifier()
    await browser.follow(authorizeUrl(server, web, { challenge, state: 'secret-state' }))
    await browser.fetch('/oauth/logout')
    const device = await beginDevice(server, native)
    const { redirectTo } = await decideDevice(browser, device.json.user_code, 'allow')
    const resume = browser.cookies.find(({ path }) => path.startsWith('/oauth/authorize/'))?.path ?? ''
    await doomed.close()
    lines.length = 0

    const people: [string, RequestInit?][] = [
      [authorizeUrl(server, web, { challenge, state: 'secret-state' })],
      [authorizeUrl(server, web, { challenge, prompt: 'none' })],
      [resume],
      [redirectTo],
      ['/oauth/logout'],
      [`/oauth/logout?client_id=${web.client.id}&state=secret-state`],
      [
        '/oauth/logout/confirm',
        {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'xsrf=secret-state&logout=yes',
        },
      ],
    ]
    for (const [path, init] of people) {
      expectUnavailable(await answerOf(await browser.fetch(path, init)), path, true)
    }
    const form = { ...credentials(web), token: 'secret-token', refresh_token: 'secret-token' }
    const programs: [string, Form][] = [
      ['/oauth/token', { ...form, grant_type: 'refresh_token' }],
      [
        '/oauth/token',
        { ...form, grant_type: 'authorization_code', code: 'secret-code', code_verifier: 'secret-verifier' },
      ],
      ['/oauth/introspect', form],
      ['/oauth/revoke', form],
      ['/oauth/device_authorization', { ...credentials(native), scope: 'openid' }],
      ['/oauth/par', { ...form, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }],
    ]
    for (const [path, body] of programs) expectUnavailable(await postForm(server.url + path, body), path, false)
    const bearer = { authorization: `Bearer ${'s'.repeat(43)}` }
    expectUnavailable(await send(`${server.url}/oauth/userinfo`, { headers: bearer }), 'userinfo', false)

    const failures = lines.filter((line) => line.includes('OAuth request failed')).map((line) => JSON.parse(line))
    expect(failures).toHaveLength(people.length + programs.length + 1)
    expect(new Set(failures.map(({ request_id }) => request_id)).size).toBe(failures.length)
    for (const { request_id } of failures) expect(request_id).toMatch(/^req_/)
    expect(lines.join('')).not.toMatch(/secret-|sssss/)
    expect(lines.join('')).not.toContain(web.secret)
    expect(lines.join('')).not.toContain(device.json.device_code)
  })

  it('wherever in a sign-in the store goes away, nothing is half done: asked again, it goes on', async () => {
    const store = breakable(sql)
    const server = await start(store.sql, {
      pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 1000 },
    })
    /** Breaks the first, second, third … statement of a request until it gets through; then it got an answer. */
    async function insist(what: string, ask: () => Promise<Response>): Promise<OAuthAnswer> {
      for (let statements = 0; statements < STATEMENTS_MAX; statements++) {
        store.breakAfter(statements)
        const answer = await answerOf(await ask())
        store.repair()
        if (answer.status < 400) return answer
        expectUnavailable(answer, `${what}, after ${statements} statements`, true)
      }
      throw new Error(`${what}: never got through`)
    }
    const browser = new Browser(server.url)
    const { challenge } = newVerifier()
    const address = authorizeUrl(server, web, { challenge })
    const begun = await insist('authorize', () => browser.fetch(address))
    expect(begun.status).toBe(303)
    const end = await answerPages(browser, begun.headers.get('location') ?? '', {
      email: person.email,
      password: PASSWORD,
    })
    expect(new URL(end.location).searchParams.get('code')).toBeTruthy()
    // Signed in now: the next sign-in needs no page.
    const again = await insist('authorize again', () => browser.fetch(address))
    expect(new URL(again.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()
    const asked = await insist('logout', () => browser.fetch('/oauth/logout'))
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked.text)?.[1] ?? ''
    const out = await insist('logout confirm', () =>
      browser.fetch('/oauth/logout/confirm', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
      }),
    )
    expect(out.status).toBe(303)
    expect((await browser.follow(address)).location).toContain('/interaction/')
  })
})

describe('OAuth on a full disk', () => {
  it('is 503 with Retry-After, and goes on when there is room again', async () => {
    const { place, remove } = await createMigratedPlace('sqlite')
    const sql = await openPlace(place)
    const organisation = await newOrganisation(sql)
    const web = await newClient(sql, organisation.id, { kind: 'web' })
    const server = await startServer(sql)
    try {
      const url = () => authorizeUrl(server, web, { challenge: newVerifier().challenge, state: 'x'.repeat(4000) })
      // SQLite's own way to say that a file may not grow: the same error as on a full disk.
      await sql.query('pragma max_page_count = 1')
      let page = await send(url())
      for (let i = 0; i < 90 && page.status === 303; i++) page = await send(url())
      expectUnavailable(page, 'authorize', true)
      expectUnavailable(await send(`${server.url}/oauth/logout?state=${'x'.repeat(4000)}`), 'logout', true)
      const par = await postForm(`${server.url}/oauth/par`, {
        ...credentials(web),
        response_type: 'code',
        redirect_uri: web.client.redirect_uris[0] ?? '',
        code_challenge: newVerifier().challenge,
        code_challenge_method: 'S256',
        state: 'x'.repeat(4000),
      })
      expectUnavailable(par, 'par', false)
      await sql.query('pragma max_page_count = 1000000')
      expect((await send(url())).status).toBe(303)
    } finally {
      await server.close()
      await sql.close()
      await remove()
    }
  })
})
