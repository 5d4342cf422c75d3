import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { isInvitationOpen } from '../../src/identity/invitations/invitations.ts'
import { noteMailArrived, noteMailRefused } from '../../src/identity/people/mail-reach.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { createMailJob } from '../../src/mail/job.ts'
import { listMessages } from '../../src/outbox/outbox.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
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

  describe('that has ended', () => {
    async function ended(inviter: SignedIn) {
      const email = newAddress()
      await inviter.send('POST', INVITATIONS, { role: 'viewer', email, expires_in_days: 1 })
      await send()
      const token = linkIn(mail.received.find(({ to }) => to.includes(email))!).split('#')[1]
      mail.received.length = 0
      clock.advance(DAY_MS)
      return { email, ask: () => server.post('/v1/invitations/ask', { token }), token }
    }
    const somebody = (role: 'owner' | 'admin') => memberOf(server, sql, { organisationId, role, nowMs: clock.now() })
    const inboxOf = async (person: SignedIn) =>
      (await sql.query<{ type: string; data: string }>('select type, data from event where owner = $1', [person.id]))
        .filter(({ type }) => type === 'invitation.asked')
        .map(({ data }) => JSON.parse(data).summary)

    it('can be asked for by its addressee, three times; the inviter is told in the inbox and by mail', async () => {
      const inviter = await somebody('admin')
      const { email, ask, token } = await ended(inviter)
      const { json } = await server.post('/v1/invitations/lookup', { token })
      expect(json).toMatchObject({ status: 409, code: 'conflict', errors: [{ pointer: '/token', code: 'ended' }] })
      expect(await ask()).toMatchObject({ status: 200, json: { inviter: expect.stringMatching(/^Person/) } })
      await send()
      expect(mail.received.map(({ to, subject }) => [to[0], subject.replaceAll('\u2060', '')])).toEqual([
        [inviter.email, `${email} asks for a new invitation to Example <b>Ltd</b>`],
      ])
      expect(await inboxOf(inviter)).toEqual([`${email} asks for a new invitation to Example <b>Ltd</b> as viewer.`])
      const log = await sql.query<{ actor_id: string }>(
        `select actor_id from audit_entry where action = 'invitation.ask'`,
      )
      expect(log).toEqual([{ actor_id: 'somebody' }])
      expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429])
      // A new one was sent: its link is in the mailbox.
      const again = await somebody('admin')
      expect((await again.send('POST', INVITATIONS, { role: 'viewer', email })).status).toBe(201)
      expect(await ask()).toMatchObject({ status: 409, json: { detail: expect.stringContaining('Look for its mail') } })
    })

    it('is told to the owners if its inviter can no longer invite', async () => {
      const inviter = await somebody('admin')
      const { ask } = await ended(inviter)
      const boss = await somebody('owner')
      expect((await boss.send('DELETE', `/v1/organisation/members/${inviter.id}`)).status).toBe(204)
      expect((await ask()).json).toEqual({ inviter: null })
      expect([(await inboxOf(boss)).length, (await inboxOf(inviter)).length]).toEqual([1, 0])
    })

    it('404 or 409 for any other: open, withdrawn, for anybody, of a member, or ended long ago', async () => {
      const inviter = await somebody('owner')
      const askFor = (link: string) => server.post('/v1/invitations/ask', { token: link.split('#')[1] })
      const { json: open } = await inviter.send('POST', INVITATIONS, { role: 'viewer', email: newAddress() })
      const { json: anybody } = await inviter.send('POST', INVITATIONS, { role: 'viewer', expires_in_days: 1 })
      expect((await askFor(open.link)).json.detail).toBe('This invitation still works: open its link.')
      await inviter.send('DELETE', `${INVITATIONS}/${open.id}`)
      expect((await askFor(open.link)).status).toBe(404)
      const joined = newAddress()
      const { json: used } = await inviter.send('POST', INVITATIONS, { role: 'viewer', email: joined })
      await send()
      const token = linkIn(mail.received.find(({ to }) => to.includes(joined))!).split('#')[1]
      await server.post('/v1/invitations/accept', { token, email: joined, name: 'New', password: PASSWORD })
      expect((await askFor(used.link)).json.detail).toBe(`${joined} is a member already.`)
      const { json: seen } = await server.post('/v1/invitations/lookup', { token })
      expect([seen.detail, seen.errors]).toEqual([
        'You have joined Example <b>Ltd</b> with this link already. Sign in.',
        undefined,
      ])
      const { ask } = await ended(inviter)
      expect((await askFor(anybody.link)).json.detail).toContain('was for anybody with the link')
      clock.advance(90 * DAY_MS)
      expect((await ask()).json.detail).toContain('ended too long ago')
    })
  })

  it('opened by somebody who is signed in proves their address, if the link was mailed to it', async () => {
    const inviter = await memberOf(server, sql, { organisationId, role: 'owner', nowMs: clock.now() })
    const elsewhere = (await server.organisation({})).id
    const isVerified = async ({ id }: SignedIn) =>
      (await sql.query<{ v: number }>('select email_verified as v from person where id = $1', [id]))[0]?.v === 1
    for (const mailed of [true, false]) {
      const guest = await memberOf(server, sql, { organisationId: elsewhere, role: 'viewer', nowMs: clock.now() })
      await sql.query('update person set email_verified = 0 where id = $1', [guest.id])
      const { json } = await inviter.send('POST', INVITATIONS, { role: 'viewer', email: guest.email })
      await send()
      const sent = mail.received.find(({ to }) => to.includes(guest.email))!
      const token = (mailed ? linkIn(sent) : json.link).split('#')[1]
      expect((await guest.send('POST', '/v1/invitations/accept', { token })).status).toBe(200)
      expect(await isVerified(guest)).toBe(mailed)
    }
  })
})
