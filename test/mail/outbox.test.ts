import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resealColumn } from '../../src/db/reseal.ts'
import { changeIn, type Sql, type Tx } from '../../src/db/sql.ts'
import { noteMailArrived, noteMailRefused } from '../../src/identity/people/mail-reach.ts'
import { createPerson } from '../../src/identity/people/people.ts'
import { createJobRunner } from '../../src/jobs/runner.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts'
import { createRing } from '../../src/lib/seal.ts'
import { createMailJob, type MailJobDependencies, TRIES_MAX } from '../../src/mail/job.ts'
import { putMail } from '../../src/mail/mail.ts'
import { type MailWay, openMailWay } from '../../src/mail/smtp.ts'
import {
  listMessages,
  type OutboxMessage,
  purgeMessages,
  putMessage,
  SEALED_MESSAGES,
  sealSecret,
} from '../../src/outbox/outbox.ts'
import { makeCertificate } from '../support/certificates.ts'
import { ManualClock } from '../support/clock.ts'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.ts'
import { PASSWORD_HASH } from '../support/passwords.ts'
import { describeRules } from '../support/stores.ts'

/** The outbox and the job that empties it, against a mail server. */

const BASE = 'https://assay.example'
const LINK = `${BASE}/reset#aSecretThatIsLongEnough1234567890`
const FROM = 'Assay <assay@assay.example>'
const keys = [1, 2].map((id) => ({ id, material: Buffer.from(`the sealing key number ${id}, which is long`) }))
let addresses = 0

describeRules('mail', (open) => {
  let sql: Sql
  let mail: MailServer
  let clock: ManualClock
  const ring = createRing(keys.slice(0, 1), 1)
  /** The reasons of failed runs, each once. */
  let troubles: Set<string>
  let outcomes: string[]

  beforeEach(async () => {
    sql ??= await open()
    await sql.query('delete from outbox_message')
    mail = await startMailServer()
    clock = new ManualClock('2026-03-01T09:00:00Z')
    troubles = new Set()
    outcomes = []
  })
  afterEach(() => mail.close())

  const jobOn = (more: Partial<MailJobDependencies> = {}) => {
    const job = createMailJob({
      sql,
      clock,
      ring,
      settings: { smtpUrl: mail.url, from: FROM, baseUrl: BASE },
      isWanted: async () => true,
      onRefused: noteMailRefused,
      onSent: noteMailArrived,
      onOutcome: (kind, outcome) => outcomes.push(`${kind} ${outcome}`),
      ...more,
    })
    const noted = (error: Error) => {
      if (!error.message.startsWith('Mail cannot be sent')) throw error
      troubles.add(error.message)
    }
    return { ...job, run: (signal: AbortSignal) => job.run(signal).catch(noted) }
  }
  const never = new AbortController().signal
  const newAddress = () => `person${++addresses}@company.example`
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  const put = (to: string) =>
    change((tx) =>
      putMail(tx, {
        kind: 'reset_password',
        to,
        facts: { name: 'Jane' },
        sealedLink: sealSecret(ring, to, LINK),
      }),
    )
  const messages = (store = sql) => listMessages(store, 'mail', { limit: 1000 })
  const only = async (): Promise<OutboxMessage> => {
    const [message, ...others] = await messages()
    expect(others).toEqual([])
    return message!
  }
  const refusedAt = async (email: string) => {
    const rows = await sql.query<{ at: number | null }>('select mail_refused_at as at from person where email = $1', [
      email,
    ])
    return rows[0]?.at
  }

  it('is sent once, after the commit of its cause, and never when that was rolled back', async () => {
    const to = newAddress()
    const lost = newAddress()
    await expect(
      change(async (tx) => {
        await putMail(tx, { kind: 'reset_password', to: lost, facts: { name: 'Nobody' } })
        throw new Error('the cause failed')
      }),
    ).rejects.toThrow('the cause failed')
    await put(to)
    const job = jobOn()
    await job.run(never)
    await job.run(never)
    expect(mail.received.map((one) => one.to)).toEqual([[to]])
    const [received] = mail.received
    expect(received).toMatchObject({ from: 'assay@assay.example', subject: 'Set a new password' })
    expect(received!.headers).toMatchObject({
      from: FROM,
      to,
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'message-id': `<${(await only()).id}@assay.example>`,
    })
    expect(linkIn(received!)).toBe(LINK)
    expect(received!.html).toContain(`href="${LINK}"`)
    expect(await only()).toMatchObject({
      state: 'sent',
      attempts: 1,
      sealed: null,
      error: null,
      finished_at: clock.now(),
    })
    expect(outcomes).toEqual(['reset_password sent'])
  })

  it('has one recipient: the stored address in normal form, or nobody', async () => {
    const others = ['x,b5@victim.example', 'b8:b9@victim.example', 'x<b6@victim.example', 'root', 'a@b@victim.example']
    for (const to of others) await put(to)
    await jobOn().run(never)
    expect(mail.received).toEqual([])
    for (const { state, error, sealed } of await messages()) {
      expect([state, error, sealed]).toEqual(['failed', 'its recipient is not a valid address', null])
    }
    await put('Jane@company\u3002example')
    await jobOn().run(never)
    expect(mail.received.map((one) => one.to)).toEqual([['jane@company.example']])
  })

  it('gives the address to the mail library as it is, so that no text is read as two', async () => {
    const way = await openMailWay({ smtpUrl: mail.url, from: FROM, baseUrl: BASE })
    for (const to of ['x,b5@victim.example', 'b8:b9@victim.example', 'b11(z)@victim.example']) {
      await way.send({ to, id: 'msg_test', subject: 'S', text: 'T', html: '<p>T</p>' })
    }
    way.close()
    expect(mail.received.map((one) => one.to)).toEqual([
      ['"x,b5"@victim.example'],
      ['"b8:b9"@victim.example'],
      ['"b11(z)"@victim.example'],
    ])
  })

  it('keeps its link sealed in the database', async () => {
    await put(newAddress())
    const { sealed, facts } = await only()
    expect(sealed).toMatch(/^1\./)
    expect(JSON.stringify([sealed, facts])).not.toContain('aSecret')
  })

  it('is sent once by two nodes', async () => {
    const recipients = Array.from({ length: 45 }, newAddress)
    for (const to of recipients) await put(to)
    const other = await open()
    const runners = [sql, other].map((store) =>
      createJobRunner({
        sql: store,
        jobs: [jobOn({ sql: store })],
        onError: (_job, error) => {
          throw error
        },
      }),
    )
    await Promise.all(runners.map((runner) => runner.runNow('mail')))
    // Also without the lock that lets one node run it: a try is claimed.
    for (const to of recipients) await put(to)
    await Promise.all([jobOn().run(never), jobOn({ sql: other }).run(never)])
    const sent = mail.received.map((one) => one.to[0]!).sort()
    expect(sent).toEqual([...recipients, ...recipients].sort())
  })

  it('arrives again with the same Message-ID when the node died before it was marked', async () => {
    await put(newAddress())
    const settings = { smtpUrl: mail.url, from: FROM, baseUrl: BASE }
    const dying = jobOn({
      async openWay() {
        const way = await openMailWay(settings)
        return {
          ...way,
          async send(outgoing) {
            await way.send(outgoing)
            throw new Error('killed')
          },
        }
      },
    })
    await expect(dying.run(never)).rejects.toThrow('killed')
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 1 })
    await jobOn().run(never)
    expect(mail.received).toHaveLength(1)
    clock.advance(MINUTE_MS)
    await jobOn().run(never)
    const [first, second] = mail.received.map(({ headers }) => headers['message-id'])
    expect(first).toBeDefined()
    expect(second).toBe(first)
    expect(await only()).toMatchObject({ state: 'sent', attempts: 2 })
  })

  it('is tried again after a growing time when the recipient is busy, and then arrives', async () => {
    const to = newAddress()
    await put(to)
    mail.refuse(to, 451)
    const job = jobOn()
    await job.run(never)
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 1, due_at: clock.now() + MINUTE_MS })
    expect((await only()).error).toMatch(/^451 /)
    clock.advance(MINUTE_MS)
    await job.run(never)
    expect(await only()).toMatchObject({ attempts: 2, due_at: clock.now() + 5 * MINUTE_MS })
    mail.refuse(to, undefined)
    clock.advance(5 * MINUTE_MS)
    await job.run(never)
    expect(mail.received).toHaveLength(1)
    expect(await only()).toMatchObject({ state: 'sent', attempts: 3, error: null })
    expect(outcomes).toEqual(['reset_password delayed', 'reset_password delayed', 'reset_password sent'])
    expect([...troubles]).toEqual([])
  })

  it('is given up after eight tries, or when it ends, and its link goes with it', async () => {
    const [busy, late] = [newAddress(), newAddress()]
    for (const to of [busy, late]) mail.refuse(to, 451)
    await change((tx) => putMail(tx, { kind: 'invoice_overdue', to: busy, facts: OVERDUE }))
    const job = jobOn()
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      await job.run(never)
      clock.advance(9 * HOUR_MS)
    }
    expect(await only()).toMatchObject({ state: 'failed', attempts: TRIES_MAX, error: expect.stringMatching(/^451 /) })
    await sql.query('delete from outbox_message')

    await put(late)
    await job.run(never)
    clock.advance(HOUR_MS)
    await job.run(never)
    expect(await only()).toMatchObject({ state: 'expired', attempts: 1, sealed: null })
    expect(mail.received).toEqual([])
    expect(outcomes.slice(-2)).toEqual(['reset_password delayed', 'reset_password expired'])
  })

  it('that is refused for good is not tried again, and the person is marked until mail arrives', async () => {
    const to = newAddress()
    await change((tx) =>
      createPerson(tx, { email: to, name: 'Jane', emailVerified: true, passwordHash: PASSWORD_HASH }),
    )
    await put(to)
    mail.refuse(to, 550)
    const job = jobOn()
    await job.run(never)
    expect(await only()).toMatchObject({
      state: 'failed',
      attempts: 1,
      sealed: null,
      error: expect.stringMatching(/^550 /),
    })
    expect(await refusedAt(to)).toBe(clock.now())
    expect(outcomes).toEqual(['reset_password refused'])
    clock.advance(DAY_MS)
    await job.run(never)
    expect(outcomes).toHaveLength(1)
    mail.refuse(to, undefined)
    await put(to)
    await job.run(never)
    expect(mail.received).toHaveLength(1)
    expect(await refusedAt(to)).toBeNull()
    // The error names nobody.
    for (const { error } of await messages()) expect(error ?? '').not.toContain(to)
  })

  it('waits, without losing tries, while the server cannot be reached; the job fails until it can', async () => {
    const { url } = mail
    const recipients = Array.from({ length: 30 }, newAddress)
    for (const to of recipients) await put(to)
    await mail.close()
    const job = jobOn({ settings: { smtpUrl: url, from: FROM, baseUrl: BASE } })
    for (let i = 0; i < 12; i++) {
      await job.run(never)
      clock.advance(MINUTE_MS)
    }
    expect(new Set((await messages()).map(({ attempts, state }) => `${state} ${attempts}`))).toEqual(
      new Set(['waiting 0']),
    )
    expect([...troubles]).toEqual([expect.stringMatching(/^Mail cannot be sent.*ECONNREFUSED/)])
    troubles.clear()
    mail = await startMailServer({ port: Number(new URL(url).port) })
    clock.advance(MINUTE_MS)
    await job.run(never)
    clock.advance(MINUTE_MS)
    await job.run(never)
    expect(mail.received.map((one) => one.to[0]!).sort()).toEqual([...recipients].sort())
    // A connection carries many mails.
    expect(mail.connections).toBeLessThanOrEqual(10)
    expect([...troubles]).toEqual([])
  })

  it('with a wrong password waits too, and neither the error nor the outbox repeats it', async () => {
    const user = { name: 'assay', password: 'p@ss/wörd-that-is-secret' }
    const strict = await startMailServer({ user })
    const right = strict.url
    const wrong = right.replace(encodeURIComponent(user.password), encodeURIComponent(`${user.password}-not`))
    const to = newAddress()
    await put(to)
    await jobOn({ settings: { smtpUrl: wrong, from: FROM, baseUrl: BASE } }).run(never)
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 0, error: expect.stringMatching(/^535 /) })
    expect(JSON.stringify([await only(), ...troubles])).not.toMatch(/ss\/w|ss%2Fw|secret-not/)
    clock.advance(MINUTE_MS)
    await jobOn({ settings: { smtpUrl: right, from: FROM, baseUrl: BASE } }).run(never)
    expect(strict.received.map((one) => one.to)).toEqual([[to]])
    await strict.close()
  })

  it('refused at its end by the server is tried again, and the operator is told', async () => {
    await put(newAddress())
    mail.refuseData(554)
    await jobOn().run(never)
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 1, error: expect.stringMatching(/^554 /) })
    expect([...troubles]).toEqual([expect.stringMatching(/ 554 /)])
  })

  it('refused for good for another reason than its recipient, such as relaying, is no mark against the person', async () => {
    const to = newAddress()
    await change((tx) =>
      createPerson(tx, { email: to, name: 'Jane', emailVerified: true, passwordHash: PASSWORD_HASH }),
    )
    await put(to)
    mail.refuse(to, 554)
    await jobOn().run(never)
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(await refusedAt(to)).toBeNull()
    expect([...troubles]).toEqual([])
  })

  it('refused so to one recipient after another is told, and told to be over once a mail goes', async () => {
    const [first, second, fine] = [newAddress(), newAddress(), newAddress()]
    for (const to of [first, second]) mail.refuse(to, 554)
    const job = jobOn()
    for (const to of [first, fine, second]) {
      await put(to)
      await job.run(never)
    }
    expect([...troubles]).toEqual([])
    for (const to of [first, second]) {
      await put(to)
      await job.run(never)
    }
    expect([...troubles]).toEqual([expect.stringMatching(/ 554 /)])
    troubles.clear()
    await put(fine)
    await job.run(never)
    expect([...troubles]).toEqual([])
  })

  it('that makes the server hang up or fall silent holds up no other, and its tries are counted', async () => {
    const [closing, silent, fine] = [newAddress(), newAddress(), newAddress()]
    mail.refuse(closing, 421)
    mail.ignore(silent)
    // Longer than a busy machine takes to answer for the third.
    const job = jobOn({ openWay: (settings) => openMailWay(settings, { silenceMsMax: 500 }) })
    for (const to of [closing, silent, fine]) {
      await put(to)
      clock.advance(1000)
    }
    for (let tries = 1; tries <= 3; tries++) {
      await job.run(never)
      const now = Object.fromEntries((await messages()).map((one) => [one.recipient, `${one.state} ${one.attempts}`]))
      expect(now).toEqual({ [closing]: `waiting ${tries}`, [silent]: `waiting ${tries}`, [fine]: 'sent 1' })
      clock.advance(16 * MINUTE_MS)
    }
    expect(mail.received.map((one) => one.to)).toEqual([[fine]])
    expect([...troubles]).toEqual([])
  })

  it('goes over TLS from the first byte, and not to a server whose certificate nobody vouches for', async () => {
    const secondMs = Math.floor(Date.now() / 1000) * 1000
    const tls = makeCertificate({
      commonName: 'localhost',
      names: ['localhost'],
      notBeforeMs: secondMs - DAY_MS,
      notAfterMs: secondMs + DAY_MS,
    })
    const secure = await startMailServer({ tls })
    await put(newAddress())
    await jobOn({ settings: { smtpUrl: secure.url, from: FROM, baseUrl: BASE } }).run(never)
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 0, error: expect.stringMatching(/certificate/i) })
    clock.advance(MINUTE_MS)
    const trusting = `${secure.url}/?tls.rejectUnauthorized=false`
    await jobOn({ settings: { smtpUrl: trusting, from: FROM, baseUrl: BASE } }).run(never)
    expect(secure.received).toHaveLength(1)
    await secure.close()
  })

  it('that nobody wants any more is not sent', async () => {
    await put(newAddress())
    await jobOn({ isWanted: async (_message, link) => link !== LINK }).run(never)
    expect(mail.received).toEqual([])
    expect(await only()).toMatchObject({ state: 'expired', sealed: null, error: 'was withdrawn before it was sent' })
  })

  it('with a link that leads elsewhere, or cannot be opened, fails at once', async () => {
    const [elsewhere, moved] = [newAddress(), newAddress()]
    for (const to of [elsewhere, moved]) {
      const link = to === elsewhere ? 'https://evil.example/#x' : LINK
      const sealedLink = sealSecret(ring, to === moved ? elsewhere : to, link)
      await change((tx) => putMail(tx, { kind: 'reset_password', to, facts: { name: 'Jane' }, sealedLink }))
    }
    await jobOn().run(never)
    expect(mail.received).toEqual([])
    const ended = Object.fromEntries((await messages()).map((one) => [one.recipient, one]))
    expect(ended[elsewhere]).toMatchObject({ state: 'failed', error: expect.stringContaining('does not lead to this') })
    expect(ended[moved]).toMatchObject({ state: 'failed', error: expect.stringContaining('cannot be opened') })
  })

  it('begins no other when the node stops, and finishes those in progress', async () => {
    for (let i = 0; i < 12; i++) await put(newAddress())
    const stopping = new AbortController()
    await jobOn({ onSent: async () => stopping.abort() }).run(stopping.signal)
    const left = (await messages()).filter(({ state, attempts }) => state === 'waiting' && attempts === 0)
    expect(left.length).toBeGreaterThanOrEqual(12 - 5)
    expect(mail.received).toHaveLength(12 - left.length)
  })

  it('that hangs delays nobody, however many hang and whatever else its recipient gets', async () => {
    const hanging = Array.from({ length: 7 }, newAddress)
    for (const to of hanging) {
      mail.ignore(to)
      for (let i = 0; i < 10; i++) await put(to)
    }
    clock.advance(1000)
    const stopping = new AbortController()
    const running = jobOn({ hangsMs: 20 }).run(stopping.signal)
    const others = Array.from({ length: 10 }, newAddress)
    for (const to of others) await put(to)
    // It was put into the outbox while the job was running.
    for (const to of others) await mail.waitFor((one) => one.to.includes(to))
    stopping.abort()
    await running
    expect(mail.received.map((one) => one.to[0]!).sort()).toEqual([...others].sort())
    const tried = (await messages()).filter(({ recipient, attempts }) => hanging.includes(recipient) && attempts > 0)
    expect(new Set(tried.map(({ recipient }) => recipient)).size).toBe(tried.length)
    expect([...troubles]).toEqual([])
  })

  it('goes over fewer connections to a server that accepts no more, which is no outage', async () => {
    const narrow = await startMailServer({ connectionsMax: 2 })
    const recipients = Array.from({ length: 12 }, newAddress)
    for (const to of recipients) await put(to)
    await jobOn({ settings: { smtpUrl: narrow.url, from: FROM, baseUrl: BASE } }).run(never)
    expect(narrow.received.map((one) => one.to[0]!).sort()).toEqual([...recipients].sort())
    expect([...troubles]).toEqual([])
    await narrow.close()
  })

  it.each(['opening', 'sending'] as const)(
    'goes on over the connection that works when another one is refused after its last mail, while %s',
    async (late) => {
      const recipients = [newAddress(), newAddress()]
      for (const to of recipients) await put(to)
      const otherIsSent = () =>
        expect.poll(async () => (await messages()).some(({ state }) => state === 'sent')).toBe(true)
      let opened = 0
      const job = jobOn({
        async openWay(settings) {
          const first = ++opened === 1
          const way = await openMailWay(settings)
          if (first) return way
          if (late === 'opening') await otherIsSent()
          const send = async () => {
            if (late === 'sending') await otherIsSent()
            return { outcome: 'unreachable', error: '421 too many connections', atRecipient: false } as const
          }
          return { ...way, send }
        },
      })
      await job.run(never)
      expect(mail.received.map((one) => one.to[0]!).sort()).toEqual([...recipients].sort())
      expect([...troubles]).toEqual([])
    },
  )

  it('goes on to a recipient whose last mail ends while others are looked for', async () => {
    const [first, second] = [newAddress(), newAddress()]
    for (const to of [first, second, second, second]) {
      await change((tx) => putMail(tx, { kind: 'invoice_overdue', to, facts: OVERDUE }))
    }
    const isSent = async (to: string) =>
      (await messages()).some(({ recipient, state }) => recipient === to && state === 'sent')
    let lookedFor = 0
    // The mail to the first recipient ends first, and that to the second one while only others are looked for.
    const query: Sql['query'] = async (text, ...rest) => {
      if (text.includes('sealed is null and recipient not in') && rest[0]?.at(-1) === second) {
        if (lookedFor++ === 0) await expect.poll(() => isSent(second)).toBe(true)
      }
      return sql.query(text, ...rest)
    }
    const job = jobOn({
      sql: { ...sql, query },
      async openWay(settings) {
        const way = await openMailWay(settings)
        const send: MailWay['send'] = async (outgoing) => {
          if (outgoing.to === second && lookedFor === 0) await expect.poll(() => lookedFor).toBe(1)
          return way.send(outgoing)
        }
        return { ...way, send }
      },
    })
    await job.run(never)
    expect(lookedFor).toBeGreaterThan(0)
    expect(mail.received).toHaveLength(4)
  })

  it('to one address is bounded in an hour, by what can cause it', async () => {
    const to = newAddress()
    const taken: boolean[] = []
    for (let i = 0; i < 22; i++) taken.push(await put(to))
    expect(taken).toEqual([...Array<boolean>(20).fill(true), false, false])
    expect(await put(newAddress())).toBe(true)
    clock.advance(HOUR_MS)
    expect(await put(to)).toBe(true)
  })

  it('that strangers cause keeps nothing away that its recipient has to know, and of money nothing is left out', async () => {
    const to = newAddress()
    const organisation = 'Example Ltd'
    const at = '2026-03-01T09:00:00.000Z'
    const strange = () =>
      change(async (tx) => [
        await putMail(tx, { kind: 'invitation', to, facts: { organisation, inviter: 'Eve', role: 'viewer' } }),
        await putMail(tx, { kind: 'sign_up', to, facts: { name: 'Jane', organisation } }),
        await putMail(tx, { kind: 'sign_up_again', to, facts: { name: 'Jane', organisation } }),
      ])
    expect([await strange(), await strange()].flat()).toEqual([true, true, true, true, true, false])
    expect(await put(to)).toBe(true)
    const security = { kind: 'password_changed', to, facts: { name: 'Jane', at, ip: null } } as const
    expect(await change((tx) => putMail(tx, security))).toBe(true)
    for (let i = 0; i < 30; i++) {
      expect(await change((tx) => putMail(tx, { kind: 'invoice_overdue', to, facts: OVERDUE }))).toBe(true)
    }
  })

  it('with a link goes before notices that wait longer', async () => {
    const [notified, waiting] = [newAddress(), newAddress()]
    for (let i = 0; i < 25; i++) {
      await change((tx) => putMail(tx, { kind: 'invoice_overdue', to: notified, facts: OVERDUE }))
    }
    clock.advance(1000)
    await put(waiting)
    const begun: string[] = []
    await jobOn({
      async openWay(settings) {
        const way = await openMailWay(settings)
        return {
          ...way,
          send(outgoing) {
            begun.push(outgoing.to)
            return way.send(outgoing)
          },
        }
      },
    }).run(never)
    expect(mail.received).toHaveLength(26)
    // Two recipients are served at once, and either connection may open first.
    expect(begun.slice(0, 2)).toContain(waiting)
  })

  it('is sealed anew when the secret is rotated, and can still be sent', async () => {
    const to = newAddress()
    await put(to)
    const rotating = createRing(keys, 2)
    expect(await resealColumn(sql, rotating, SEALED_MESSAGES)).toEqual({ resealed: 1, unreadable: 0 })
    expect((await only()).sealed).toMatch(/^2\./)
    await jobOn({ ring: createRing(keys.slice(1), 2) }).run(never)
    expect(linkIn(mail.received[0]!)).toBe(LINK)
    // A message that is over has nothing to seal.
    expect(await resealColumn(sql, createRing(keys, 1), SEALED_MESSAGES)).toEqual({ resealed: 0, unreadable: 0 })
  })

  describe('what is over', () => {
    it('is deleted after a month; without a mail server messages end by themselves', async () => {
      await put(newAddress())
      expect(await purgeMessages(sql, clock.now())).toBe(0)
      expect(await only()).toMatchObject({ state: 'waiting' })
      clock.advance(HOUR_MS)
      expect(await purgeMessages(sql, clock.now())).toBe(0)
      expect(await only()).toMatchObject({ state: 'expired', sealed: null })
      clock.advance(31 * DAY_MS)
      expect(await purgeMessages(sql, clock.now())).toBe(0)
      clock.advance(DAY_MS)
      expect(await purgeMessages(sql, clock.now())).toBe(1)
      expect(await messages()).toEqual([])
    })

    it('is bounded: the oldest go first', async () => {
      const job = jobOn()
      const recipients = Array.from({ length: 5 }, newAddress)
      for (const to of recipients) {
        await put(to)
        await job.run(never)
        clock.advance(1000)
      }
      expect(await purgeMessages(sql, clock.now(), 2)).toBe(3)
      expect((await messages()).map(({ recipient }) => recipient).sort()).toEqual(recipients.slice(3).sort())
    })

    it('is bounded fairly: an organisation with few messages keeps them', async () => {
      const told = (organisationId: string) =>
        change((tx) =>
          putMessage(tx, {
            channel: 'webhook',
            kind: 'k',
            recipient: `whk_${organisationId}`,
            organisationId,
            facts: {},
            lifetimeMs: 1,
          }),
        )
      for (const organisationId of ['few', 'many', 'many', 'many', 'many']) await told(organisationId)
      clock.advance(HOUR_MS)
      expect(await purgeMessages(sql, clock.now(), 3)).toBe(4)
      expect((await listMessages(sql, 'webhook', { limit: 10 })).map(({ organisation_id }) => organisation_id)).toEqual(
        ['few'],
      )
    })

    it('beyond the bound stays where it says who was told this month', async () => {
      const facts = { organisation: 'Example Ltd', credit_pence: 900 }
      await change((tx) => putMail(tx, { kind: 'credit_low', to: newAddress(), facts }))
      const job = jobOn()
      for (let i = 0; i < 3; i++) {
        await put(newAddress())
        await job.run(never)
        clock.advance(1000)
      }
      expect(await purgeMessages(sql, clock.now(), 2)).toBe(1)
      expect((await messages()).map(({ kind }) => kind).sort()).toEqual([
        'credit_low',
        'reset_password',
        'reset_password',
      ])
    })
  })
})

const OVERDUE = {
  organisation: 'Example Ltd',
  number: '7',
  total_pence: 1000,
  due_at: '2026-02-01T00:00:00.000Z',
}
