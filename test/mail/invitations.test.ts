import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { isInvitationOpen } from '../../src/identity/invitations/invitations.ts'
import { noteMailArrived, noteMailRefused } from '../../src/identity/people/mail-reach.ts'
import { DAY_MS, ManualClock } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { createMailJob } from '../../src/mail/job.ts'
import { listMessages } from '../../src/outbox/outbox.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { createTestEngine } from '../support/engine.ts'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.ts'
import { memberOf, PASSWORD, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const INVITATIONS = '/v1/organisation/invitations'

describeRules('an invitation by mail', (open) => {
  const clock = new ManualClock('2026-03-01T09:00:00Z')
  let sql: Sql
  let server: TestServer
  let withoutMail: TestServer
  let mail: MailServer
  let owner: SignedIn
  let organisationId: string
  let invited = 0

  beforeAll(async () => {
    sql = await open()
    const parts = { sql, engine: createTestEngine(), clock, oauth: true }
    server = await startTestServer({ ...parts, sendsMail: true })
    withoutMail = await startTestServer(parts)
    mail = await startMailServer()
    organisationId = (await server.organisation({ name: 'Example <b>Ltd</b>' })).id
    owner = await memberOf(server, sql, { organisationId, role: 'owner', nowMs: clock.now() })
  })
  afterAll(async () => {
    await mail.close()
    await server.close()
    await withoutMail.close()
  })
  beforeEach(() => {
    mail.received.length = 0
  })

  const newAddress = () => `invited${++invited}@company.example`
  const send = () =>
    createMailJob({
      sql,
      clock,
      ring: ringOf(TEST_SECRET),
      settings: { smtpUrl: mail.url, from: 'assay@assay.example', baseUrl: 'http://localhost:8080' },
      isWanted: (_message, link) => isInvitationOpen(sql, link, clock.now()),
      onRefused: noteMailRefused,
      onSent: noteMailArrived,
      onTrouble: (error) => expect.fail(error),
    }).run(new AbortController().signal)

  it('carries the link that the inviter also gets, with a proof of the mailbox, and who opens it joins', async () => {
    const email = newAddress()
    const made = await owner.send('POST', INVITATIONS, { role: 'developer', email })
    expect(made).toMatchObject({ status: 201, json: { email, mailed: true } })
    await send()
    expect(mail.received.map(({ to }) => to)).toEqual([[email]])
    const [received] = mail.received
    expect(linkIn(received!).startsWith(`${made.json.link}.`)).toBe(true)
    expect(received!.html).toContain('Example &lt;b&gt;Ltd&lt;/b&gt;')
    expect(received!.html).toMatch(/<bdi>Person \d+<\/bdi> invites you/)
    const token = linkIn(received!).split('#')[1]
    const joined = await server.post('/v1/invitations/accept', { token, email, name: 'New', password: PASSWORD })
    expect(joined).toMatchObject({ status: 200, json: { role: 'developer', organisation: { id: organisationId } } })
  })

  it.each([
    'x,b5@victim.example',
    'b8:b9@victim.example',
    'x<b6@victim.example',
    'b11(z)@victim.example',
    'root@localhost',
    '"a"@victim.example',
  ])('422 for %j on every path, and no mail', async (email) => {
    const password = 'purple tram under seven clouds'
    const { link } = (await owner.send('POST', INVITATIONS, { role: 'viewer' })).json
    const signUp = { organisation_name: 'X', name: 'X', plan: 'free', accept_terms: true, email, password }
    for (const answer of [
      await owner.send('POST', INVITATIONS, { role: 'viewer', email }),
      await server.post('/v1/checkout', signUp),
      await withoutMail.post('/v1/checkout', signUp),
      await server.post('/v1/invitations/accept', { token: link.split('#')[1], email, name: 'X', password }),
      await server.post('/api/forgot-password', { email }),
    ]) {
      expect([answer.status, answer.json.errors]).toEqual([422, [expect.objectContaining({ pointer: '/email' })]])
    }
    await send()
    expect(mail.received).toEqual([])
  })

  /** An address has one open invitation: the last one is withdrawn. */
  async function inviteAgain(email: string) {
    const { json } = await owner.send('POST', INVITATIONS, { role: 'viewer', email })
    await owner.send('DELETE', `${INVITATIONS}/${json.id}`)
    return json
  }

  it('to an address in any spelling reaches the stored one, and counts for it', async () => {
    const mailed: boolean[] = []
    for (const email of [
      'b18@victim\u3002example',
      'B18@victim.example',
      ' b18@VICTIM.example ',
      'b18@victim\uff0eexample',
    ]) {
      clock.advance(1000)
      const json = await inviteAgain(email)
      expect(json.email).toBe('b18@victim.example')
      mailed.push(json.mailed)
    }
    for (let i = 0; i < 2; i++) {
      clock.advance(1000)
      mailed.push((await inviteAgain('b18@victim.example')).mailed)
    }
    expect(mailed).toEqual([true, true, true, true, true, false])
    const queued = await listMessages(sql, 'mail', { limit: 6 })
    expect(queued.slice(0, 5).map(({ recipient }) => recipient)).toEqual(Array(5).fill('b18@victim.example'))
    await send()
  })

  it('is sent once, also when the request is repeated with its key', async () => {
    const email = newAddress()
    const again = () =>
      owner.send('POST', INVITATIONS, { role: 'viewer', email }, { 'idempotency-key': `invite-${email}` })
    const [first, second] = [await again(), await again()]
    expect(second.json).toEqual(first.json)
    await send()
    expect(mail.received).toHaveLength(1)
  })

  it('that was withdrawn, or whose maker may no longer make it, is not sent', async () => {
    const withdrawn = newAddress()
    const lost = newAddress()
    const admin = await memberOf(server, sql, { organisationId, role: 'admin', nowMs: clock.now() })
    const { id } = (await owner.send('POST', INVITATIONS, { role: 'viewer', email: withdrawn })).json
    expect((await admin.send('POST', INVITATIONS, { role: 'admin', email: lost })).status).toBe(201)
    expect((await owner.send('DELETE', `${INVITATIONS}/${id}`)).status).toBe(204)
    expect((await owner.send('DELETE', `/v1/organisation/members/${admin.id}`)).status).toBe(204)
    await send()
    expect(mail.received).toEqual([])
    const ended = (await listMessages(sql, 'mail', { limit: 100 })).filter(({ recipient }) =>
      [withdrawn, lost].includes(recipient),
    )
    expect(ended.map(({ state, sealed }) => ({ state, sealed }))).toEqual([
      { state: 'expired', sealed: null },
      { state: 'expired', sealed: null },
    ])
  })

  it('is not made without an address, without mail, or beyond what an address gets in an hour', async () => {
    const before = (await listMessages(sql, 'mail', { limit: 1000 })).length
    expect((await owner.send('POST', INVITATIONS, { role: 'viewer' })).json).toMatchObject({
      email: null,
      mailed: false,
    })
    const person = await memberOf(withoutMail, sql, { organisationId, role: 'owner', nowMs: clock.now() })
    const unmailed = await person.send('POST', INVITATIONS, { role: 'viewer', email: newAddress() })
    expect(unmailed).toMatchObject({ status: 201, json: { mailed: false, link: expect.stringContaining('#') } })
    expect(await listMessages(sql, 'mail', { limit: 1000 })).toHaveLength(before)
    const email = newAddress()
    const mailed: boolean[] = []
    for (let i = 0; i <= 5; i++) {
      clock.advance(1000)
      mailed.push((await inviteAgain(email)).mailed)
    }
    expect(mailed).toEqual([...Array<boolean>(5).fill(true), false])
  })

  it('is not sent after the invitation has ended', async () => {
    clock.advance(2 * DAY_MS)
    const email = newAddress()
    const person = await memberOf(server, sql, { organisationId, role: 'owner', nowMs: clock.now() })
    expect((await person.send('POST', INVITATIONS, { role: 'viewer', email, expires_in_days: 1 })).status).toBe(201)
    clock.advance(DAY_MS)
    await send()
    expect(mail.received.filter(({ to }) => to.includes(email))).toEqual([])
  })
})
