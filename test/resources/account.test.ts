import { gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { registerPageOperations } from '../../src/http/page-operation.ts'
import { type AuditAction, readAudit } from '../../src/identity/audit.ts'
import { listMembers } from '../../src/identity/members/members.ts'
import { accountPages } from '../../src/identity/people/account-http.ts'
import { DAY_MS, iso, MINUTE_MS } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { putMail } from '../../src/mail/mail.ts'
import { listMessages, type OutboxMessage, openSecret } from '../../src/outbox/outbox.ts'
import { Browser } from '../oauth/support/browser.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { counted } from '../support/counted.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, PASSWORD, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Changes that people make to their own account, and the links in mails. */

const ring = ringOf(TEST_SECRET)
const OTHER_PASSWORD = 'purple tram under seven clouds'
const TERMS = { url: 'https://operator.example/terms', version: '2026-11' }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** The entries of the audit log about a person who joined. */
const joined = async (sql: Sql, organisationId: string, personId: string | undefined) =>
  (await readAudit(sql, { organisationId, action: 'member.join', limit: 100 })).rows
    .filter(({ target_id }) => target_id === personId)
    .map(({ detail }) => detail)

describeRules('an account', (open) => {
  let sql: Sql
  let work: ReturnType<typeof counted>
  let server: TestServer
  let clock: ManualClock
  let organisationId: string
  let person: SignedIn

  beforeAll(async () => {
    sql = await open()
    work = counted(sql)
    clock = new ManualClock('2026-03-01T09:00:00Z')
    server = await startTestServer({
      sql: work.store,
      engine: createTestEngine(),
      clock,
      oauth: true,
      sendsMail: true,
      settings: { terms: TERMS },
      placeOf: (ip) => (ip === '127.0.0.1' ? 'this machine or a private network' : null),
    })
    organisationId = (await server.organisation({ name: 'Analytical Engines' })).id
    return () => server.close()
  })
  beforeEach(async () => {
    await sql.query('delete from attempt_window')
    await sql.query('delete from outbox_message')
    // Links of an hour ago count no more.
    clock.advance(61 * MINUTE_MS)
    person = await memberOf(server, sql, { organisationId, role: 'owner', nowMs: clock.now() })
  })

  const audited = async (action: AuditAction) =>
    (await readAudit(sql, { organisationId, action, limit: 100 })).rows.filter(
      ({ target_id }) => target_id === person.id,
    )
  const post = (path: string, body: unknown) => server.post(path, body)
  const mails = async (kind: string): Promise<OutboxMessage[]> =>
    (await listMessages(sql, 'mail', { limit: 1000 })).filter((message) => message.kind === kind)
  const linkOf = async (message: OutboxMessage) => new URL((await openSecret(ring, message)) ?? '')
  const tokenOf = async (kind: string) => {
    const [message, ...others] = await mails(kind)
    expect(others).toEqual([])
    return (await linkOf(message!)).hash.slice(1)
  }
  const afterAnswers = () => server.app.afterAnswers()
  const signInAs = (browser: Browser, email: string, password: string, agent = FIREFOX) =>
    browser.fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify({ email, password }),
    })
  const verified = async (id: string) =>
    (await sql.query<{ email_verified: number }>('select email_verified from person where id = $1', [id]))[0]
      ?.email_verified === 1

  it('429 beyond the share of one person: the pages go on answering others, and the person a second later', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 51; i++) statuses.push((await person.send('GET', '/api/account')).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    const refused = await person.send('GET', '/api/account')
    expect([refused.status, refused.json.detail]).toEqual([
      429,
      'The pages answer one person 50 requests a second: this share is used up. Wait 1 s.',
    ])
    const other = await memberOf(server, sql, { organisationId, role: 'viewer', nowMs: clock.now() })
    expect((await other.send('GET', '/api/account')).status).toBe(200)
    clock.advance(1000)
    expect((await person.send('GET', '/api/account')).status).toBe(200)
  })

  it('has a name that its person changes, which is recorded', async () => {
    expect((await person.send('POST', '/api/account/name', { name: '  Ada  Lovelace ' })).json).toEqual({
      name: 'Ada  Lovelace',
    })
    expect((await person.send('GET', '/api/account')).json).toMatchObject({ name: 'Ada  Lovelace', sends_mail: true })
    expect(await audited('person.rename')).toMatchObject([
      { actor_kind: 'person', actor_id: person.id, detail: { to: 'Ada  Lovelace' } },
    ])
    expect((await person.send('POST', '/api/account/name', { name: ' ' })).status).toBe(422)
  })

  it('every change needs the token of the page, and somebody who is signed in', async () => {
    const changes: [string, object][] = [
      ['/api/account/name', { name: 'Mallory' }],
      ['/api/account/password', { present: PASSWORD, password: OTHER_PASSWORD, disconnect: false }],
      ['/api/account/verify', {}],
      ['/api/account/email', { email: 'mallory@company.example' }],
      ['/api/account/delete', {}],
      ['/api/account/end-other-sessions', {}],
      ['/api/account/sessions/ses_1/end', {}],
      [`/api/account/organisations/${organisationId}/leave`, {}],
    ]
    for (const [path, body] of changes) {
      const forged = await person.send('POST', path, body, { 'x-csrf-token': 'forged' })
      expect(forged.status, path).toBe(403)
      expect(forged.json.code).toBe('form_outdated')
      expect((await post(path, body)).status, path).toBe(401)
    }
    expect((await server.send('/api/account')).status).toBe(401)
    expect((await server.send('/api/account/sessions')).status).toBe(401)
    expect((await person.send('GET', '/api/account')).json.name).not.toBe('Mallory')
  })

  it('a new password needs the present one, ends the other sessions, and is told by mail', async () => {
    const elsewhere = new Browser(server.url)
    await signInAs(elsewhere, person.email, PASSWORD)
    const change = (body: object) =>
      person.send('POST', '/api/account/password', { password: OTHER_PASSWORD, disconnect: false, ...body })
    expect((await change({ present: 'something else' })).json.errors).toMatchObject([{ pointer: '/present' }])
    expect((await change({ present: PASSWORD, password: 'password1234' })).json.errors).toMatchObject([
      { pointer: '/password', detail: expect.stringContaining('common') },
    ])
    expect((await change({ present: PASSWORD, password: PASSWORD })).status).toBe(422)
    expect((await elsewhere.fetch('/api/session')).status).toBe(200)
    expect((await change({ present: PASSWORD })).status).toBe(204)
    expect((await person.send('GET', '/api/session')).status).toBe(200)
    expect((await elsewhere.fetch('/api/session')).status).toBe(401)
    expect((await signInAs(new Browser(server.url), person.email, PASSWORD)).status).toBe(401)
    expect((await signInAs(new Browser(server.url), person.email, OTHER_PASSWORD)).status).toBe(200)
    expect(await mails('password_changed')).toMatchObject([{ recipient: person.email, facts: { ip: '127.0.0.1' } }])
    expect(await audited('person.password')).toHaveLength(1)
  })

  it('guessing the current password in an open session has to wait', async () => {
    const guess = () =>
      person.send('POST', '/api/account/password', {
        present: 'a guess at it',
        password: OTHER_PASSWORD,
        disconnect: false,
      })
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(422)
    expect((await guess()).status).toBe(429)
  })

  it('shows where its person is signed in, and ends one session or all others', async () => {
    const browsers = [new Browser(server.url), new Browser(server.url), new Browser(server.url)]
    for (const browser of browsers) {
      clock.advance(1000)
      await signInAs(browser, person.email, PASSWORD)
    }
    const list = async () => (await person.send('GET', '/api/account/sessions')).json.data
    const sessions = await list()
    expect(sessions).toHaveLength(4)
    expect(sessions[0]).toEqual({
      id: expect.stringMatching(/^ses_/),
      present: false,
      ip: '127.0.0.1',
      place: 'this machine or a private network',
      device: 'Firefox on Linux',
      signed_in_at: new Date(clock.now()).toISOString(),
      seen_at: new Date(clock.now()).toISOString(),
    })
    expect(sessions.filter((each: { present: boolean }) => each.present)).toEqual([sessions[3]])
    const end = (id: string) => person.send('POST', `/api/account/sessions/${id}/end`, {})
    expect((await end(sessions[3].id)).status).toBe(409)
    expect((await end(sessions[0].id)).status).toBe(204)
    expect((await end(sessions[0].id)).status).toBe(404)
    expect((await browsers[2]!.fetch('/api/session')).status).toBe(401)
    expect((await browsers[1]!.fetch('/api/session')).status).toBe(200)
    const other = await memberOf(server, sql, { organisationId, role: 'viewer', nowMs: clock.now() })
    expect((await other.send('POST', `/api/account/sessions/${sessions[1].id}/end`, {})).status).toBe(404)
    expect((await person.send('POST', '/api/account/end-other-sessions', {})).status).toBe(204)
    expect(await list()).toMatchObject([{ present: true }])
    for (const browser of browsers) expect((await browser.fetch('/api/session')).status).toBe(401)
    expect((await other.send('GET', '/api/session')).status).toBe(200)
    expect(await audited('session.end')).toHaveLength(2)
  })

  it('its person leaves an organisation, unless they are its last owner', async () => {
    const second = await server.organisation({ name: 'Second' })
    const leave = (id: string) => person.send('POST', `/api/account/organisations/${id}/leave`, {})
    expect((await leave(second.id)).status).toBe(404)
    expect((await leave(organisationId)).status).toBe(204)
    expect((await person.send('GET', '/api/session')).json.organisations).toEqual([])
    const owner = await memberOf(server, sql, { organisationId: second.id, role: 'owner', nowMs: clock.now() })
    const refused = await owner.send('POST', `/api/account/organisations/${second.id}/leave`, {})
    expect(refused.status).toBe(409)
  })

  it('a sign-in always gets a new cookie, and what the browser brought along is worth nothing', async () => {
    const browser = new Browser(server.url)
    const fixed = 'assay_session=chosen-by-somebody-else'
    const answer = await server.send('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: fixed },
      body: JSON.stringify({ email: person.email, password: PASSWORD }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()[0]).not.toContain('chosen-by-somebody-else')
    expect((await server.send('/api/session', { headers: { cookie: fixed } })).status).toBe(401)
    await signInAs(browser, person.email, PASSWORD)
    const before = browser.cookies.find(({ name }) => name === 'assay_session')!.value
    await signInAs(browser, person.email, PASSWORD)
    expect(browser.cookies.find(({ name }) => name === 'assay_session')!.value).not.toBe(before)
    expect((await server.send('/api/session', { headers: { cookie: `assay_session=${before}` } })).status).toBe(401)
  })

  it('a sign-in is recorded; from a browser that is new, its person is told', async () => {
    expect(await mails('new_sign_in')).toEqual([])
    const browser = new Browser(server.url)
    clock.advance(1000)
    await signInAs(browser, person.email, PASSWORD)
    expect(await mails('new_sign_in')).toMatchObject([
      {
        recipient: person.email,
        facts: { ip: '127.0.0.1', place: 'this machine or a private network', device: 'Firefox on Linux' },
      },
    ])
    clock.advance(1000)
    await signInAs(browser, person.email, PASSWORD)
    expect(await mails('new_sign_in')).toHaveLength(1)
    expect((await audited('session.begin')).map(({ detail }) => [detail.how, detail.new_device])).toEqual([
      ['a password', false],
      ['a password', true],
      ['a password', true],
    ])
  })

  it('a forgotten password: the link is mailed, works once, ends every session, and proves the address', async () => {
    await sql.query('update person set email_verified = 0 where id = $1', [person.id])
    expect((await post('/api/forgot-password', { email: person.email.toUpperCase() })).status).toBe(202)
    await afterAnswers()
    const [message] = await mails('reset_password')
    expect(message).toMatchObject({ recipient: person.email, person_id: person.id })
    expect(JSON.stringify(message!.facts)).not.toContain('#')
    expect((await linkOf(message!)).pathname).toBe('/reset')
    const token = await tokenOf('reset_password')
    expect(JSON.stringify(await sql.query('select * from person_link'))).not.toContain(token)
    expect((await post('/api/reset-password/lookup', { token })).json).toEqual({ email: person.email, kind: 'reset' })
    expect((await post('/api/reset-password', { token, password: 'aaaaaaaaaaaaaaa' })).status).toBe(422)
    const browser = new Browser(server.url)
    const done = await browser.fetch('/api/reset-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: OTHER_PASSWORD }),
    })
    expect(done.status).toBe(200)
    expect((await person.send('GET', '/api/session')).status).toBe(401)
    expect(await verified(person.id)).toBe(true)
    expect(await mails('password_changed')).toHaveLength(1)
    for (const path of ['/api/reset-password/lookup', '/api/reset-password']) {
      const again = await post(path, { token, ...(path.endsWith('lookup') ? {} : { password: PASSWORD }) })
      expect([again.status, again.json.detail]).toEqual([404, expect.stringContaining('already used')])
    }
    expect((await signInAs(browser, person.email, PASSWORD)).status).toBe(401)
    // The browser is known by the link, so a stranger's guesses do not make it wait.
    for (let i = 0; i < 6; i++) await post('/api/session', { email: person.email, password: 'a guess' })
    expect((await post('/api/session', { email: person.email, password: OTHER_PASSWORD })).status).toBe(429)
    expect((await signInAs(browser, person.email, OTHER_PASSWORD)).status).toBe(200)
    expect(await audited('person.verify')).toHaveLength(1)
  })

  it('links expire, a newer one for a password ends the older, and a changed address ends both', async () => {
    const tokens = []
    for (let i = 0; i < 2; i++) {
      await sql.query('delete from outbox_message')
      await post('/api/forgot-password', { email: person.email })
      await afterAnswers()
      tokens.push(await tokenOf('reset_password'))
    }
    const look = async (token = '') => (await post('/api/reset-password/lookup', { token })).status
    expect([await look(tokens[0]), await look(tokens[1])]).toEqual([404, 200])
    await sql.query("update person set email = 'moved@company.example' where id = $1", [person.id])
    expect(await look(tokens[1])).toBe(404)
    await sql.query('update person set email = $2 where id = $1', [person.id, person.email])
    expect(await look(tokens[1])).toBe(200)
    clock.advance(60 * MINUTE_MS)
    expect(await look(tokens[1])).toBe(404)
    expect(await server.app.purgeTokens()).toBeGreaterThanOrEqual(0)
    clock.advance(61 * MINUTE_MS)
    await server.app.purgeTokens()
    expect(await sql.query('select digest from person_link where person_id = $1', [person.id])).toEqual([])
  })

  it('is mailed three links for a password and five for its address in an hour, whoever asks', async () => {
    await sql.query('update person set email_verified = 0 where id = $1', [person.id])
    for (let i = 0; i < 6; i++) {
      expect((await post('/api/forgot-password', { email: person.email })).status).toBe(202)
      expect((await person.send('POST', '/api/account/verify', {})).status).toBe(200)
    }
    await afterAnswers()
    expect(await mails('reset_password')).toHaveLength(3)
    expect(await mails('verify_address')).toHaveLength(5)
  })

  it('a forgotten password shows neither by its answer nor by its work if the address has an account', async () => {
    const later: (() => Promise<unknown>)[] = []
    const app = fastify()
    const deps = {
      sql: work.store,
      clock,
      ring,
      baseUrl: server.url,
      sendsMail: true,
      afterwards: { do: (job: () => Promise<unknown>) => later.push(job), settled: async () => {} },
      knowAgain: () => '',
      settings: { erasureDays: 7 },
      requireChanger: () => Promise.reject(new Error('nobody is signed in')),
      onPeopleChanged: async () => {},
      onAccountChanged: async () => {},
    }
    const nobody = {
      requireSession: () => Promise.reject(new Error('nobody is signed in')),
      isOperator: async () => false,
    }
    registerPageOperations(app, nobody, accountPages(deps))
    const ask = async (email: string) => {
      let answer: { statusCode: number; body: string } | undefined
      const statements = await work.statementsOf(async () => {
        answer = await app.inject({ method: 'POST', url: '/api/forgot-password', payload: { email } })
      })
      return { status: answer!.statusCode, body: answer!.body, statements, later: later.length }
    }
    // The first opens the window of the address.
    await ask(person.email)
    later.splice(0)
    const known = await ask(person.email)
    later.splice(0)
    const unknown = await ask('nobody@company.example')
    expect(known).toMatchObject({ status: 202, later: 1 })
    expect(known.statements.join()).not.toMatch(/person|outbox/)
    expect(unknown).toEqual(known)
    await app.close()
  })

  it('an address is verified by a click, once; opening the link alone changes nothing', async () => {
    await sql.query('update person set email_verified = 0 where id = $1', [person.id])
    expect((await person.send('POST', '/api/account/verify', {})).json).toEqual({ sent_to: person.email })
    const token = await tokenOf('verify_address')
    expect((await post('/api/verify-address/lookup', { token })).json).toEqual({ email: person.email, kind: 'verify' })
    expect(await verified(person.id)).toBe(false)
    // A link for one purpose is worth nothing for another.
    expect((await post('/api/reset-password', { token, password: OTHER_PASSWORD })).status).toBe(404)
    // Nor to whoever has the mailbox but not the account, which a stranger may have made with their address.
    expect((await post('/api/verify-address', { token })).status).toBe(401)
    const other = await memberOf(server, sql, { organisationId, role: 'viewer', nowMs: clock.now() })
    expect((await other.send('POST', '/api/verify-address', { token })).status).toBe(403)
    expect(await verified(person.id)).toBe(false)
    expect((await person.send('POST', '/api/verify-address', { token })).json).toEqual({ email: person.email })
    expect(await verified(person.id)).toBe(true)
    expect((await person.send('POST', '/api/verify-address', { token })).status).toBe(404)
    expect((await person.send('GET', '/api/account')).json.email_verified).toBe(true)
    expect((await person.send('POST', '/api/account/verify', {})).status).toBe(200)
    expect(await mails('verify_address')).toHaveLength(1)
  })

  it('a new address is confirmed by who has the mailbox and the account; the former one is told, and undoes it', async () => {
    const elsewhere = new Browser(server.url)
    await signInAs(elsewhere, person.email, PASSWORD)
    const [other, to] = [
      await memberOf(server, sql, { organisationId, role: 'viewer', nowMs: clock.now() }),
      `moved${clock.now()}@company.example`,
    ]
    const ask = (email: string) => person.send('POST', '/api/account/email', { email })
    expect((await ask('no address')).json.errors).toMatchObject([{ pointer: '/email' }])
    expect((await ask(person.email)).json.errors).toMatchObject([{ pointer: '/email' }])
    await sql.query('update console_session set proved_at = 0 where person_id = $1', [person.id])
    expect((await ask(to)).json.code).toBe('proof_needed')
    await sql.query('update console_session set proved_at = $2 where person_id = $1', [person.id, clock.now()])
    expect([(await ask(to)).status, (await person.send('GET', '/api/account')).json.pending_email]).toEqual([202, to])
    const token = await tokenOf('change_address')
    expect((await post('/api/verify-address/lookup', { token })).json).toEqual({ email: to, kind: 'change' })
    expect((await post('/api/reset-password', { token, password: OTHER_PASSWORD })).status).toBe(404)
    expect((await other.send('POST', '/api/verify-address', { token })).status).toBe(403)
    expect((await person.send('GET', '/api/account')).json.email).toBe(person.email)
    expect((await person.send('POST', '/api/verify-address', { token })).json).toEqual({ email: to })
    expect((await person.send('POST', '/api/verify-address', { token })).status).toBe(404)
    expect((await person.send('GET', '/api/account')).json).toMatchObject({ email: to, pending_email: null })
    expect((await elsewhere.fetch('/api/session')).status).toBe(401)
    expect((await post('/api/session', { email: person.email, password: PASSWORD })).status).toBe(401)
    expect((await post('/api/session', { email: to, password: PASSWORD })).status).toBe(200)
    const [told] = await mails('address_changed')
    expect(told).toMatchObject({ recipient: person.email, facts: { by: 'person' } })
    const undo = await tokenOf('address_changed')
    expect((await post('/api/reset-password/lookup', { token: undo })).json).toEqual({
      email: person.email,
      kind: 'undo',
    })
    expect((await post('/api/reset-password', { token: undo, password: OTHER_PASSWORD })).json).toEqual({
      email: person.email,
    })
    expect((await person.send('GET', '/api/session')).status).toBe(401)
    expect((await post('/api/session', { email: person.email, password: OTHER_PASSWORD })).status).toBe(200)
    expect((await audited('person.email')).map(({ detail }) => detail.to).sort()).toEqual([to, person.email].sort())
  })

  it('asking for an address answers the same, and does the same, for one that has an account; its holder alone learns it', async () => {
    const taken = await memberOf(server, sql, { organisationId, role: 'viewer', nowMs: clock.now() })
    const ask = async (email: string) => {
      let answer: Awaited<ReturnType<typeof post>> | undefined
      const statements = await work.statementsOf(async () => {
        answer = await person.send('POST', '/api/account/email', { email })
      })
      return { status: answer!.status, fields: Object.keys(answer!.json), statements }
    }
    const unknown = await ask(`free${clock.now()}@company.example`)
    await sql.query('delete from outbox_message')
    expect(await ask(taken.email)).toEqual(unknown)
    const refused = await person.send('POST', '/api/verify-address', { token: await tokenOf('change_address') })
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('Another account has')])
    for (let i = 0; i < 3; i++) await ask(`more${i}-${clock.now()}@company.example`)
    expect((await person.send('POST', '/api/account/email', { email: 'six@company.example' })).status).toBe(429)
  })

  it('the notice of a sign-in has a link for somebody who did not sign in: everything ends, and a new password is chosen', async () => {
    const thief = new Browser(server.url)
    await signInAs(thief, person.email, PASSWORD)
    const token = await tokenOf('new_sign_in')
    await sql.query(
      `insert into passkey (id, person_id, name, public_key, counter, transports, backed_up, created_at)
       values ($1, $2, 'Of the thief', 'a2V5', 0, '[]', 0, $3)`,
      [`thief of ${person.id}`, person.id, clock.now()],
    )
    clock.advance(2 * 60 * MINUTE_MS)
    expect((await post('/api/reset-password/lookup', { token })).json).toEqual({ email: person.email, kind: 'not_me' })
    expect((await thief.fetch('/api/session')).status).toBe(200)
    expect((await post('/api/reset-password', { token, password: OTHER_PASSWORD })).status).toBe(200)
    expect((await thief.fetch('/api/session')).status).toBe(401)
    expect((await post('/api/reset-password', { token, password: PASSWORD })).status).toBe(404)
    const signedIn = await post('/api/session', { email: person.email, password: OTHER_PASSWORD })
    expect(signedIn.json.user?.id).toBe(person.id)
    await sql.query('delete from outbox_message')
    await signInAs(new Browser(server.url), person.email, OTHER_PASSWORD)
    const late = await tokenOf('new_sign_in')
    clock.advance(3 * 24 * 60 * MINUTE_MS)
    expect((await post('/api/reset-password/lookup', { token: late })).status).toBe(404)
  })

  it('is deleted by its person after a waiting time in which they may stay; the last owner is told what to do first', async () => {
    const alone = await server.organisation({ name: 'Alone' })
    const owner = await memberOf(server, sql, { organisationId: alone.id, role: 'owner', nowMs: clock.now() })
    const held = (await owner.send('GET', '/api/account')).json.held_up_by
    expect(held).toEqual([{ id: alone.id, name: 'Alone', first: 'end' }])
    const kept = await owner.send('POST', '/api/account/delete', {})
    expect([kept.status, kept.json.detail]).toEqual([409, expect.stringContaining('end the subscription of Alone')])
    const asked = await person.send('POST', '/api/account/delete', {})
    expect([asked.status, asked.json.erased_from]).toEqual([202, iso(clock.now() + 7 * DAY_MS)])
    expect((await person.send('GET', '/api/account')).json.erased_from).toBe(asked.json.erased_from)
    expect((await person.send('POST', '/api/account/keep', {})).status).toBe(204)
    expect((await person.send('POST', '/api/account/keep', {})).status).toBe(404)
    expect((await person.send('GET', '/api/account')).json.erased_from).toBe(null)
    for (const kind of ['erasure_asked', 'erasure_cancelled']) {
      expect(await mails(kind), kind).toMatchObject([{ recipient: person.email }])
    }
    const browser = new Browser(server.url)
    await signInAs(browser, person.email, PASSWORD)
    const archive = await browser.fetch('/api/account/export')
    expect([archive.status, archive.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    expect(gunzipSync(Buffer.from(await archive.arrayBuffer())).toString()).toContain(person.email)
  })

  const invite = async (body: object = {}) => {
    const { json } = await person.send('POST', '/v1/organisation/invitations', { role: 'viewer', ...body })
    return new URL(json.link).hash.slice(1)
  }
  const accept = (token: string, email: string, more: object = {}) =>
    post('/v1/invitations/accept', {
      token,
      email,
      name: 'Grace',
      password: OTHER_PASSWORD,
      accept_terms: true,
      ...more,
    })
  const rolesOf = async (email: string) =>
    sql.query(
      'select m.organisation_id, m.role from membership m join person p on p.id = m.person_id where p.email = $1',
      [email],
    )

  it('accepting an open invitation creates the account only with the mailed link', async () => {
    const token = await invite()
    const email = `invited${clock.now()}@company.example`
    for (const [name, wrong] of Object.entries({ password: 'password1234', accept_terms: false })) {
      expect((await accept(token, email, { [name]: wrong })).json.errors).toMatchObject([{ pointer: `/${name}` }])
    }
    const answer = await accept(token, email)
    expect([answer.status, answer.json]).toEqual([202, { confirm_email: true }])
    expect(await sql.query('select id from person where email = $1', [email])).toEqual([])
    const link = await tokenOf('sign_up')
    expect((await post('/api/confirm-sign-up/lookup', { token: link })).json).toEqual({
      email,
      organisation: 'Analytical Engines',
      role: 'viewer',
      has_account: false,
      invited: true,
    })
    expect((await post('/api/confirm-sign-up', { token: link })).status).toBe(422)
    const done = await post('/api/confirm-sign-up', { token: link, password: OTHER_PASSWORD })
    expect(done.json).toEqual({ email, organisation_id: organisationId, is_new: true })
    expect(await rolesOf(email)).toEqual([{ organisation_id: organisationId, role: 'viewer' }])
    const [{ id }] = (await sql.query('select id from person where email = $1', [email])) as [{ id: string }]
    expect(await verified(id)).toBe(true)
    expect(await joined(sql, organisationId, id)).toMatchObject([{ terms_accepted: TERMS }])
    expect((await accept(token, `late${clock.now()}@company.example`)).status).toBe(409)
  })

  it('an open invitation answers the same, and does the same, for an address that has an account and one that has not', async () => {
    const second = await server.organisation({ name: 'Second' })
    const owner = await memberOf(server, sql, { organisationId: second.id, role: 'owner', nowMs: clock.now() })
    const open = (await owner.send('POST', '/v1/organisation/invitations', { role: 'developer' })).json.link
    const token = new URL(open).hash.slice(1)
    const ask = async (email: string) => {
      let answer: Awaited<ReturnType<typeof post>> | undefined
      const statements = await work.statementsOf(async () => {
        answer = await accept(token, email)
      })
      return { status: answer!.status, json: answer!.json, statements }
    }
    // The first opens the windows of the address and of the invitation.
    await ask(`first${clock.now()}@company.example`)
    const unknown = await ask(`second${clock.now()}@company.example`)
    expect(await ask(person.email)).toEqual(unknown)
    expect(await rolesOf(person.email)).toEqual([{ organisation_id: organisationId, role: 'owner' }])
    const link = await tokenOf('sign_up_again')
    expect((await post('/api/confirm-sign-up', { token: link })).status).toBe(200)
    expect(await rolesOf(person.email)).toContainEqual({ organisation_id: second.id, role: 'developer' })
    const [detail] = await joined(sql, second.id, person.id)
    expect([detail?.role, detail?.terms_accepted]).toEqual(['developer', undefined])
    expect((await post('/api/session', { email: person.email, password: PASSWORD })).status).toBe(200)
  })

  it('an invitation is accepted ten times a day at most, whatever address is tried', async () => {
    const token = await invite()
    for (let i = 0; i < 10; i++)
      expect((await accept(token, `guess${i}-${clock.now()}@company.example`)).status).toBe(202)
    const refused = await accept(token, person.email)
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited'])
    expect(refused.json.detail).toContain('accept this invitation')
    expect((await accept(await invite(), `other${clock.now()}@company.example`)).status).toBe(202)
  })

  it('the mailed link of an invitation proves the mailbox; the link that its maker sees does not', async () => {
    const email = `bound${clock.now()}@company.example`
    const announced = iso(clock.now() + 7 * DAY_MS)
    await sql.query('update organisation set second_factor_from = $1', [Date.parse(announced)])
    const seen = await invite({ email })
    const mailed = await tokenOf('invitation')
    expect(mailed.startsWith(`${seen}.`)).toBe(true)
    const look = async (token: string) => (await post('/v1/invitations/lookup', { token })).json
    const [{ name: inviter }] = (await sql.query('select name from person where id = $1', [person.id])) as [
      { name: string },
    ]
    expect(await look(mailed)).toMatchObject({ email_bound: true, email, inviter, has_account: false })
    // Nobody learns from a link that was passed on whether the address has an account.
    expect(await look(seen)).toMatchObject({ email, has_account: null })
    const again = await person.send('POST', '/v1/organisation/invitations', { role: 'viewer', email })
    expect([again.status, again.json.detail]).toEqual([409, expect.stringContaining('has an open invitation until')])
    for (const token of [seen, `${seen}.`, `${mailed.slice(0, -1)}!`]) {
      expect((await accept(token, email)).status).toBe(202)
      expect((await accept(token, `not-${email}`)).status).toBe(403)
    }
    expect((await accept(mailed, email)).status).toBe(200)
    expect(await mails('second_factor_needed')).toMatchObject([{ recipient: email, facts: { from: announced } }])
    await sql.query('update organisation set second_factor_from = null')
    const [{ id }] = (await sql.query('select id from person where email = $1', [email])) as [{ id: string }]
    expect(await verified(id)).toBe(true)
    const member = await person.send('POST', '/v1/organisation/invitations', { role: 'viewer', email })
    expect([member.status, member.json.detail]).toEqual([409, `${email} is a member already.`])
    expect((await look(mailed)).detail).toContain('You have joined Analytical Engines with this link already.')
  })

  const signUp = (email: string, more: object = {}) => ({
    organisation_name: 'Difference Engines',
    name: 'Charles',
    email,
    password: OTHER_PASSWORD,
    plan: 'free',
    accept_terms: true,
    ...more,
  })

  it('a sign-up answers the same, and does the same, for an address that has an account and one that has not', async () => {
    const ask = async (email: string) => {
      let answer: Awaited<ReturnType<typeof post>> | undefined
      const statements = await work.statementsOf(async () => {
        answer = await post('/v1/checkout', signUp(email))
      })
      const { id, organisation_id, claim_token, ...rest } = answer!.json
      return { status: answer!.status, fields: Object.keys(answer!.json), rest, statements, claim: { id, claim_token } }
    }
    const known = await ask(person.email)
    const unknown = await ask(`charles${clock.now()}@company.example`)
    expect(known).toMatchObject({ status: 201, rest: { state: 'complete', confirm_email: true } })
    expect(unknown.rest).toEqual(known.rest)
    expect(unknown.fields).toEqual(known.fields)
    expect(unknown.statements).toEqual(known.statements)
    for (const { claim } of [known, unknown]) {
      const { id, claim_token } = claim
      const claimed = await post(`/v1/checkout/${id}/claim`, { claim_token })
      expect(claimed.json.api_key).toMatch(/^ask_/)
    }
    expect((await mails('sign_up_again')).map(({ recipient }) => recipient)).toEqual([person.email])
    expect(await mails('sign_up')).toHaveLength(1)
  })

  it('a sign-up with a new address makes its owner when the link is used with the password that was chosen', async () => {
    const email = `new${clock.now()}@company.example`
    const { json: begun } = await post('/v1/checkout', signUp(email))
    expect((await post('/api/session', { email, password: OTHER_PASSWORD })).status).toBe(401)
    const token = await tokenOf('sign_up')
    expect((await post('/api/confirm-sign-up/lookup', { token })).json).toEqual({
      email,
      organisation: 'Difference Engines',
      role: 'owner',
      has_account: false,
      invited: false,
    })
    // Somebody who never signed up opens the link that a stranger had sent: no account with the stranger's password.
    expect((await post('/api/confirm-sign-up', { token })).status).toBe(422)
    expect((await post('/api/confirm-sign-up', { token, password: 'not what was chosen' })).status).toBe(422)
    expect(await sql.query('select id from person where email = $1', [email])).toEqual([])
    const done = await post('/api/confirm-sign-up', { token, password: OTHER_PASSWORD })
    expect(done.json).toEqual({ email, organisation_id: begun.organisation_id, is_new: true })
    expect((await post('/api/confirm-sign-up', { token, password: OTHER_PASSWORD })).status).toBe(404)
    const signedIn = await post('/api/session', { email, password: OTHER_PASSWORD })
    expect(signedIn.json.organisations).toMatchObject([{ id: begun.organisation_id, role: 'owner' }])
    expect(await verified(signedIn.json.user.id)).toBe(true)
  })

  it('a sign-up with an address that has an account adds the organisation to it, and forgets the password', async () => {
    await sql.query('update person set email_verified = 1 where id = $1', [person.id])
    const { json: begun } = await post('/v1/checkout', signUp(person.email))
    expect((await person.send('GET', '/api/session')).json.organisations).toHaveLength(1)
    const [message] = await mails('sign_up_again')
    expect(message!.facts.name).not.toBe('Charles')
    const token = await tokenOf('sign_up_again')
    expect((await post('/api/confirm-sign-up/lookup', { token })).json.has_account).toBe(true)
    const done = await post('/api/confirm-sign-up', { token })
    expect(done.json).toEqual({ email: person.email, organisation_id: begun.organisation_id, is_new: false })
    expect((await person.send('GET', '/api/session')).json.organisations).toHaveLength(2)
    expect((await post('/api/session', { email: person.email, password: OTHER_PASSWORD })).status).toBe(401)
    expect((await post('/api/session', { email: person.email, password: PASSWORD })).status).toBe(200)
    expect((await post('/api/confirm-sign-up', { token })).status).toBe(404)
    // Somebody else may have begun the checkout: they get no key to the person's organisation.
    const { id, claim_token } = begun
    expect((await post(`/v1/checkout/${id}/claim`, { claim_token })).status).toBe(409)
    expect((await post(`/v1/checkout/${id}/state`, { claim_token })).status).toBe(200)
  })

  it('the key of a sign-up ends when its organisation is added to an account without the password of the sign-up', async () => {
    const check = (key: string) => server.post('/v1/payment-risk', { email: 'a@example.com' }, key)
    for (const password of [undefined, OTHER_PASSWORD]) {
      await sql.query('delete from outbox_message')
      const { json: begun } = await post('/v1/checkout', signUp(person.email))
      const { id, claim_token } = begun
      const { json: claimed } = await post(`/v1/checkout/${id}/claim`, { claim_token })
      expect((await check(claimed.api_key)).status).toBe(200)
      const token = await tokenOf('sign_up_again')
      const wrong = await post('/api/confirm-sign-up', { token, password: 'not what was chosen' })
      expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([422, '/password'])
      expect((await post('/api/confirm-sign-up', { token, password })).status).toBe(200)
      expect((await check(claimed.api_key)).status).toBe(password === undefined ? 401 : 200)
      expect((await post(`/v1/checkout/${id}/claim`, { claim_token })).status).toBe(409)
      const { rows } = await readAudit(sql, { organisationId: begun.organisation_id, action: 'key.revoke', limit: 10 })
      expect(rows.map(({ target_id }) => target_id)).toEqual(password === undefined ? [claimed.key_id] : [])
    }
  })

  it('an account that a stranger made with the address of somebody else becomes theirs alone when they sign up', async () => {
    await sql.query('update person set email_verified = 0 where id = $1', [person.id])
    await sql.query(
      `insert into passkey (id, person_id, name, public_key, counter, transports, backed_up, created_at)
       values ($1, $2, 'Of the stranger', 'a2V5', 0, '[]', 0, $3)`,
      [`key-of-${person.id}`, person.id, clock.now()],
    )
    const { json: begun } = await post('/v1/checkout', signUp(person.email))
    const token = await tokenOf('sign_up')
    expect((await post('/api/confirm-sign-up/lookup', { token })).json.has_account).toBe(false)
    for (const body of [{ token }, { token, password: PASSWORD }]) {
      expect((await post('/api/confirm-sign-up', body)).status).toBe(422)
    }
    expect(await verified(person.id)).toBe(false)
    const done = await post('/api/confirm-sign-up', { token, password: OTHER_PASSWORD })
    expect(done.json).toEqual({ email: person.email, organisation_id: begun.organisation_id, is_new: true })
    expect((await person.send('GET', '/api/session')).status).toBe(401)
    expect((await post('/api/session', { email: person.email, password: PASSWORD })).status).toBe(401)
    const signedIn = await post('/api/session', { email: person.email, password: OTHER_PASSWORD })
    expect(signedIn.json.user).toMatchObject({ id: person.id, name: 'Charles' })
    expect(await verified(person.id)).toBe(true)
    expect(await sql.query('select id from passkey where person_id = $1', [person.id])).toEqual([])
    const { id, claim_token } = begun
    expect((await post(`/v1/checkout/${id}/claim`, { claim_token })).status).toBe(200)
  })

  it('a person who may make no more keys gets none by the checkout', async () => {
    const email = `gone${clock.now()}@company.example`
    const { json: begun } = await post('/v1/checkout', signUp(email))
    await post('/api/confirm-sign-up', { token: await tokenOf('sign_up'), password: OTHER_PASSWORD })
    await sql.query(`update membership set role = 'viewer' where organisation_id = $1`, [begun.organisation_id])
    const { id, claim_token } = begun
    expect((await post(`/v1/checkout/${id}/claim`, { claim_token })).status).toBe(409)
  })

  it('a new password by link takes the factors of an account that was never verified, and keeps those of one that was', async () => {
    for (const email_verified of [0, 1]) {
      await sql.query('delete from outbox_message')
      await sql.query('update person set email_verified = $2 where id = $1', [person.id, email_verified])
      await sql.query(
        `insert into passkey (id, person_id, name, public_key, counter, transports, backed_up, created_at)
         values ($1, $2, 'A passkey', 'a2V5', 0, '[]', 0, $3)`,
        [`${email_verified} of ${person.id}`, person.id, clock.now()],
      )
      await post('/api/forgot-password', { email: person.email })
      await afterAnswers()
      const token = await tokenOf('reset_password')
      expect((await post('/api/reset-password', { token, password: OTHER_PASSWORD })).status).toBe(200)
      const left = await sql.query('select id from passkey where person_id = $1', [person.id])
      expect(left).toHaveLength(email_verified)
    }
  })

  it('no browser is known after a new password by link, and a sign-in from one is told', async () => {
    const browser = new Browser(server.url)
    await signInAs(browser, person.email, PASSWORD)
    clock.advance(25 * 60 * MINUTE_MS)
    await post('/api/forgot-password', { email: person.email })
    await afterAnswers()
    const token = await tokenOf('reset_password')
    await sql.query('delete from outbox_message')
    expect((await post('/api/reset-password', { token, password: OTHER_PASSWORD })).status).toBe(200)
    await signInAs(browser, person.email, OTHER_PASSWORD)
    expect(await mails('new_sign_in')).toHaveLength(1)
    // Also where no browser at all is known: the account is older than a day.
    await sql.query('delete from known_device where person_id = $1', [person.id])
    await signInAs(browser, person.email, OTHER_PASSWORD)
    expect(await mails('new_sign_in')).toHaveLength(2)
  })

  it('a changed password leaves only the browser known that it was changed in', async () => {
    await signInAs(new Browser(server.url), person.email, PASSWORD)
    const known = () => sql.query('select digest from known_device where person_id = $1', [person.id])
    expect(await known()).toHaveLength(2)
    await person.send('POST', '/api/account/password', {
      present: PASSWORD,
      password: OTHER_PASSWORD,
      disconnect: false,
    })
    expect(await known()).toEqual(
      await sql.query('select device_digest as digest from console_session where person_id = $1', [person.id]),
    )
  })

  it('where no mail can be sent to an address a link that works goes on working, and a sign-up is refused', async () => {
    await post('/api/forgot-password', { email: person.email })
    await afterAnswers()
    const token = await tokenOf('reset_password')
    const unknown = `full${clock.now()}@company.example`
    for (const to of [person.email, unknown]) {
      for (let i = 0; i < 20; i++) {
        await changeIn(sql, clock, async (tx) => {
          await putMail(tx, { kind: 'sign_up', to, facts: { name: 'Ada', organisation: 'Engines' } })
          await putMail(tx, { kind: 'reset_password', to, facts: { name: 'Ada' } })
        })
      }
    }
    await post('/api/forgot-password', { email: person.email })
    await afterAnswers()
    expect((await post('/api/reset-password/lookup', { token })).status).toBe(200)
    const count = async () => (await sql.query<{ n: number }>('select count(*) as n from organisation'))[0]!.n
    const before = await count()
    const refused = []
    for (const email of [person.email, unknown]) {
      const { status, json } = await post('/v1/checkout', signUp(email))
      refused.push({ status, detail: json.detail })
    }
    expect(refused[0]).toEqual({ status: 429, detail: expect.stringContaining('Too many mails') })
    expect(refused[1]).toEqual(refused[0])
    expect(await count()).toBe(before)
  })

  it('the link of a sign-up ends after a day; it is sent again, also to another address, for 30 days', async () => {
    const email = `typo${clock.now()}@company.example`
    const key = `late-${clock.now()}`
    const { json: begun } = await server.post('/v1/checkout', signUp(email), undefined, { 'idempotency-key': key })
    const repeated = await server.post('/v1/checkout', signUp(email), undefined, { 'idempotency-key': key })
    expect(repeated.json).toEqual(begun)
    const { id, claim_token } = begun
    const again = async (body: object = {}) => {
      await sql.query('delete from outbox_message')
      return post(`/api/sign-up/${id}/mail`, { claim_token, ...body })
    }
    const first = await tokenOf('sign_up')
    clock.advance(24 * 60 * MINUTE_MS)
    expect((await post('/api/confirm-sign-up/lookup', { token: first })).status).toBe(404)
    await server.app.purgeTokens()
    const claimed = await post(`/v1/checkout/${id}/claim`, { claim_token })
    const check = () => server.post('/v1/payment-risk', { email: 'a@example.com' }, claimed.json.api_key)
    expect((await check()).status).toBe(200)
    expect((await again({ claim_token: 'guessed' })).status).toBe(404)
    expect((await again({ email: 'no address' })).status).toBe(422)
    // A mistyped address: its link ends when another is named.
    expect((await again()).json).toEqual({ email })
    const former = await tokenOf('sign_up')
    const right = `right${clock.now()}@company.example`
    expect((await again({ email: right })).json).toEqual({ email: right })
    expect((await post('/api/confirm-sign-up/lookup', { token: former })).status).toBe(404)
    const [mailed] = await mails('sign_up')
    expect(mailed?.recipient).toBe(right)
    const token = await tokenOf('sign_up')
    expect((await post('/api/confirm-sign-up', { token, password: OTHER_PASSWORD })).json.email).toBe(right)
    expect((await again()).json.detail).toContain('was confirmed')
    expect((await check()).status).toBe(200)
    const members = await listMembers(sql, begun.organisation_id, { limit: 10, from: undefined })
    expect(members.rows).toMatchObject([{ email: right, role: 'owner' }])
  })

  it('a sign-up that nobody confirms is forgotten after 30 days, and sends ten mails a day at most, alike for every address', async () => {
    const { json: begun } = await post('/v1/checkout', signUp(`never${clock.now()}@company.example`))
    const again = async (email?: string) => {
      await sql.query('delete from outbox_message')
      let answer: Awaited<ReturnType<typeof post>> | undefined
      const body = { claim_token: begun.claim_token, email }
      const statements = await work.statementsOf(async () => {
        answer = await post(`/api/sign-up/${begun.id}/mail`, body)
      })
      return { status: answer!.status, statements }
    }
    await again()
    const unknown = await again(`other${clock.now()}@company.example`)
    expect(await again(person.email)).toEqual(unknown)
    for (let i = 0; i < 7; i++) await again()
    expect((await again()).status).toBe(429)
    const left = () => sql.query('select digest from sign_up where organisation_id = $1', [begun.organisation_id])
    clock.advance(29 * 24 * 60 * MINUTE_MS)
    await server.app.purgeTokens()
    expect(await left()).toHaveLength(1)
    clock.advance(24 * 60 * MINUTE_MS)
    await server.app.purgeTokens()
    expect(await left()).toEqual([])
  })
})

describeRules('an account without mail', (open) => {
  it('is told so, whatever address is given; a sign-up makes its owner at once, an invitation its member', async () => {
    const sql = await open()
    const settings = { terms: TERMS, privacyUrl: 'https://operator.example/privacy' }
    const server = await startTestServer({ sql, engine: createTestEngine(), oauth: true, settings })
    try {
      expect((await server.send('/api/sign-up')).json).toMatchObject({ terms: TERMS, privacy_url: settings.privacyUrl })
      expect((await server.send('/api/forgot-password')).json).toEqual({ sends_mail: false })
      const { id } = await server.organisation()
      const person = await memberOf(server, sql, { organisationId: id, role: 'owner', nowMs: Date.now() })
      const answers = []
      for (const email of [person.email, 'nobody@company.example']) {
        const { status, json } = await server.post('/api/forgot-password', { email })
        answers.push({ status, detail: json.detail })
      }
      expect(answers[0]).toEqual({ status: 409, detail: expect.stringContaining('sends no mail') })
      expect(answers[1]).toEqual(answers[0])
      const order = {
        organisation_name: 'Difference Engines',
        name: 'Charles',
        email: 'charles@company.example',
        password: OTHER_PASSWORD,
        plan: 'free',
      }
      const refused = await server.post('/v1/checkout', order)
      expect([refused.status, refused.json.errors[0].pointer]).toEqual([422, '/accept_terms'])
      const begun = await server.post('/v1/checkout', { ...order, accept_terms: true })
      expect(begun.json.confirm_email).toBe(false)
      const organisationId = begun.json.organisation_id
      const { rows } = await readAudit(sql, { organisationId, action: 'checkout.complete', limit: 1 })
      expect(rows).toMatchObject([{ detail: { terms_accepted: TERMS } }])
      const change = await person.send('POST', '/api/account/email', { email: 'new@company.example' })
      expect([change.status, change.json.detail]).toEqual([409, expect.stringContaining('sends no mail')])
      const signedIn = await server.post('/api/session', { email: 'charles@company.example', password: OTHER_PASSWORD })
      expect(signedIn.json.organisations).toMatchObject([{ role: 'owner' }])
      const invited = await person.send('POST', '/v1/organisation/invitations', { role: 'viewer' })
      const token = new URL(invited.json.link).hash.slice(1)
      const accept = (email: string) =>
        server.post('/v1/invitations/accept', {
          token,
          email,
          name: 'Grace',
          password: OTHER_PASSWORD,
          accept_terms: true,
        })
      const taken = await accept(person.email)
      expect([taken.status, taken.json.detail]).toEqual([409, expect.stringContaining('with these details')])
      expect((await accept('grace@company.example')).status).toBe(200)
      const [grace] = await sql.query<{ id: string }>("select id from person where email = 'grace@company.example'")
      expect(await joined(sql, id, grace?.id)).toMatchObject([{ terms_accepted: TERMS }])
      expect(await sql.query('select id from outbox_message')).toEqual([])
    } finally {
      await server.close()
    }
  })
})
