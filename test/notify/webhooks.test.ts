import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '@assay/sdk'
import { Webhook as ForeignVerifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { parsePlans } from '../../src/billing/plans.ts'
import { resealColumn } from '../../src/db/reseal.ts'
import { changeIn, type Sql, type Tx } from '../../src/db/sql.ts'
import { emit } from '../../src/events/emit.ts'
import { countUnread, eventsSince, purgeEvents, readEvents, readInbox, UNREAD_MAX } from '../../src/events/events.ts'
import { webhooks } from '../../src/events/subscribers.ts'
import { addMember } from '../../src/identity/members/members.ts'
import { createPerson } from '../../src/identity/people/people.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/lib/clock.ts'
import { createRing } from '../../src/lib/seal.ts'
import { LIMITS } from '../../src/limits.ts'
import { createWebhookJob, type DeliveryDependencies, replay } from '../../src/notify/deliveries.ts'
import { chooseFrequency, sendDigests } from '../../src/notify/digest.ts'
import {
  createWebhook,
  deleteWebhook,
  rotateSecret,
  SEALED_WEBHOOK_SECRETS,
  setEnabled,
} from '../../src/notify/webhooks.ts'
import { listMessages, pageOfMessages } from '../../src/outbox/outbox.ts'
import { testAccounts } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { FULL } from '../support/full.ts'
import { meeting } from '../support/meeting.ts'
import { PASSWORD_HASH } from '../support/passwords.ts'
import { plan } from '../support/plans.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { describeEachStore } from '../support/stores.ts'

/** Events and their delivery, against receivers on this machine. */

const PLANS = parsePlans([plan('prepaid', {})], 'the plans of this test')
const keys = [1, 2].map((id) => ({ id, material: Buffer.from(`the sealing key number ${id}, which is long`) }))
const never = new AbortController().signal
const TYPES = ['key.expiring', 'webhook.disabled']
const EXPIRING = {
  type: 'key.expiring',
  data: { key_id: 'key_1', name: 'Payments', expires_at: '2026-03-15T00:00:00.000Z' },
} as const
let organisations = 0

describeEachStore('webhooks', (open, engine) => {
  const ring = createRing(keys.slice(0, 1), 1)
  let sql: Sql
  let clock: ManualClock
  let receivers: Receiver[]
  let jobs: ReturnType<typeof createWebhookJob>[]
  let errors: unknown[]

  beforeEach(async () => {
    sql ??= await open()
    await sql.query('delete from outbox_message')
    await sql.query('delete from webhook')
    clock = new ManualClock('2026-03-01T09:00:00Z')
    receivers = []
    jobs = []
    errors = []
  })
  afterEach(async () => {
    await Promise.all(jobs.map((job) => job.close()))
    await Promise.all(receivers.map((one) => one.close()))
    expect(errors).toEqual([])
  })

  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  const rules = { ring, allowLoopback: true }
  async function receiver() {
    const one = await startReceiver()
    receivers.push(one)
    return one
  }
  async function organisation() {
    const id = `org_webhooks${++organisations}`
    await testAccounts({ sql, clock, plans: PLANS }).open(id, 'prepaid')
    return id
  }
  const webhookTo = (organisationId: string, url: string) =>
    change((tx) => createWebhook(tx, operatorIn(organisationId), rules, { url, events: TYPES, description: '' }))
  const expiring = (organisationId: string) => change(async (tx) => emit(tx, { organisationId, ...EXPIRING }))
  const fillQueue = (webhookId: string, name = 'full') =>
    sql.query(
      `insert into outbox_message (id, channel, kind, recipient, facts, state, created_at, due_at, expires_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LIMITS.queues.webhookMessagesMax})
       select 'msg_${name}' || i, 'webhook', 'key.expiring', '${webhookId}', '{}', 'waiting', 1, 1, 1 from n`,
    )
  function job(more: Partial<DeliveryDependencies> = {}) {
    const made = createWebhookJob({
      sql,
      clock,
      ring,
      allowLoopback: true,
      sendsMail: true,
      onError: (error) => errors.push(error),
      ...more,
    })
    jobs.push(made)
    return made
  }
  const run = (more?: Partial<DeliveryDependencies>) => job(more).run(never)
  const logOf = async (webhookId: string) => (await pageOfMessages(sql, webhookId, { limit: 50 })).rows
  const stateOf = async (id: string) => (await webhooks.find(sql, { id }))!
  const eventsOf = async (organisationId: string, afterSeq = 0) =>
    (await readEvents(sql, organisationId, { afterSeq, limit: 100, seesMoney: true })).events

  it('get an event once, after its commit, signed so that a foreign library and the client verify it', async () => {
    const own = await organisation()
    const hook = await receiver()
    const { webhook, secret } = await webhookTo(own, hook.url)
    await expect(
      change(async (tx) => {
        emit(tx, {
          organisationId: own,
          type: 'member.left',
          data: { member_id: 'usr_1', name: 'Jane', role: 'owner' },
        })
        throw new Error('the cause failed')
      }),
    ).rejects.toThrow('the cause failed')
    await change(async (tx) =>
      emit(tx, { organisationId: own, type: 'member.left', data: { member_id: 'usr_1', name: 'Jane', role: 'owner' } }),
    )
    await expiring(own)
    await run()
    await run()
    expect(hook.received).toHaveLength(1)
    const [{ body, headers }] = hook.received as [Receiver['received'][number]]
    const sent = { 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '' }
    for (const name of Object.keys(sent) as (keyof typeof sent)[]) sent[name] = String(headers[name])
    const [, event] = await eventsOf(own)
    expect(JSON.parse(body)).toEqual({
      id: event!.id,
      type: 'key.expiring',
      timestamp: '2026-03-01T09:00:00.000Z',
      data: {
        key_id: 'key_1',
        name: 'Payments',
        expires_at: '2026-03-15T00:00:00.000Z',
        summary: 'The API key “Payments” expires on 2026-03-15.',
      },
    })
    expect(sent['webhook-id']).toBe(event!.id)
    expect((await stateOf(webhook.id)).secrets).not.toContain(secret)

    // The foreign library reads the machine's clock, so it checks a delivery of now.
    clock = new ManualClock(Date.now())
    const { secret: second } = await change((tx) => rotateSecret(tx, operatorIn(own), rules, webhook.id))
    await expiring(own)
    await run()
    const latest = hook.received.at(-1)!
    for (const valid of [secret, second]) {
      expect(new ForeignVerifier(valid).verify(latest.body, latest.headers as Record<string, string>)).toMatchObject({
        type: 'key.expiring',
      })
      expect(await verifyWebhook(latest.body, latest.headers, valid)).toMatchObject({ type: 'key.expiring' })
    }
    const { headers: signed } = latest
    for (const [text, names, key] of [
      [`${latest.body} `, signed, second],
      [latest.body, { ...signed, 'webhook-id': 'evt_other' }, second],
      [
        latest.body,
        { ...signed, 'webhook-signature': `v1a,${String(signed['webhook-signature']).slice(3)}` },
        'whsec_AAAA',
      ],
      [latest.body, {}, second],
    ] as const) {
      await expect(verifyWebhook(text, names, key)).rejects.toMatchObject({ code: 'webhook_invalid' })
    }
    await expect(verifyWebhook(latest.body, signed, second, { nowMs: Date.now() + 301_000 })).rejects.toThrow('too old')

    clock.advance(DAY_MS)
    await expiring(own)
    await run()
    const after = hook.received.at(-1)!
    const later = { nowMs: clock.now() }
    await expect(verifyWebhook(after.body, after.headers, secret, later)).rejects.toThrow('No signature')
    await expect(verifyWebhook(after.body, after.headers, second, later)).resolves.toBeDefined()
  })

  it('that hang delay nobody else, and hold few places', async () => {
    const [slow, quick] = [await organisation(), await organisation()]
    const [hanging, fine] = [await receiver(), await receiver()]
    hanging.answer = 'hang'
    const { webhook } = await webhookTo(slow, hanging.url)
    await webhookTo(quick, fine.url)
    for (let n = 0; n < 12; n++) await expiring(slow)
    for (let n = 0; n < 6; n++) await expiring(quick)
    const patient = job({ timeoutMs: 60_000 })
    await patient.run(never)
    expect(fine.received).toHaveLength(6)
    expect(hanging.received).toHaveLength(LIMITS.queues.webhookAttemptsMax)
    // The next run finds the attempts still in progress, and serves others.
    await expiring(quick)
    await patient.run(never)
    expect(fine.received).toHaveLength(7)
    expect(hanging.received).toHaveLength(LIMITS.queues.webhookAttemptsMax)
    // An attempt that ends with the node is not counted.
    await patient.close()
    expect((await logOf(webhook.id)).every(({ attempts, state }) => attempts === 0 && state === 'waiting')).toBe(true)
  })

  it('are tried again after growing waits, eleven times in three days, and then replayed', async () => {
    const own = await organisation()
    const hook = await receiver()
    hook.answer = { status: 500, text: 'x'.repeat(9000) }
    const { webhook } = await webhookTo(own, hook.url)
    await expiring(own)
    const beganMs = clock.now()
    for (;;) {
      await run()
      const [message] = await logOf(webhook.id)
      if (message!.state !== 'waiting') break
      expect(message!.due_at).toBeGreaterThan(clock.now())
      clock.set(message!.due_at)
    }
    expect(hook.received).toHaveLength(11)
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(clock.now() - beganMs).toBeGreaterThan(2.9 * DAY_MS)
    expect(clock.now() - beganMs).toBeLessThan(3 * DAY_MS)
    const [failed] = await logOf(webhook.id)
    expect(failed).toMatchObject({ state: 'failed', error: 'the receiver answered 500' })
    expect(failed!.attempt_log).toHaveLength(11)
    expect(failed!.attempt_log![0]).toMatchObject({ status: 500, error: null, at: '2026-03-01T09:00:00.000Z' })
    expect(failed!.attempt_log![0]!.answer).toHaveLength(500)

    hook.answer = { status: 204 }
    expect(await change((tx) => replay(tx, operatorIn(own), webhook.id, { sinceMs: clock.now() }))).toBe(0)
    expect(await change((tx) => replay(tx, operatorIn(own), webhook.id, { sinceMs: 0 }))).toBe(1)
    await run()
    expect((await logOf(webhook.id))[0]).toMatchObject({ state: 'sent', error: null })
    expect((await stateOf(webhook.id)).failing_since).toBeNull()
    expect(await change((tx) => replay(tx, operatorIn(own), webhook.id, { sinceMs: 0 }))).toBe(0)
    expect(await change((tx) => replay(tx, operatorIn(own), webhook.id, { id: failed!.id }))).toBe(1)
    await run()
    expect(hook.received).toHaveLength(13)
  })

  it('are disabled after five days of failure, which the owners are told once', async () => {
    const own = await organisation()
    await change(async (tx) => {
      const { id } = await createPerson(tx, {
        email: `owner@${own.replace('_', '')}.example`,
        name: 'Jane',
        emailVerified: true,
        passwordHash: PASSWORD_HASH,
      })
      await addMember(tx, operatorIn(own), { personId: id, role: 'owner' })
    })
    const { webhook } = await webhookTo(own, 'http://127.0.0.1:1/nobody-listens')
    await expiring(own)
    await run()
    expect(await logOf(webhook.id)).toMatchObject([
      { state: 'waiting', error: expect.stringContaining('ECONNREFUSED') },
    ])
    clock.advance(5 * DAY_MS - HOUR_MS)
    await expiring(own)
    await run()
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_at: null })
    clock.advance(HOUR_MS)
    await run()
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_at: clock.now(), disabled_why: 'failing' })
    expect((await logOf(webhook.id)).map(({ state }) => state)).toEqual(['failed', 'expired'])
    await run()
    const told = (await eventsOf(own)).filter(({ type }) => type === 'webhook.disabled')
    expect(told.map(({ data }) => data.summary)).toEqual([
      'The webhook to 127.0.0.1:1 was disabled. Nothing could be delivered for 5 days.',
    ])
    const mails = (await listMessages(sql, 'mail', { limit: 10 })).filter(({ kind }) => kind === 'webhook_disabled')
    expect(mails.map(({ facts }) => facts)).toEqual([
      { organisation: 'Test', host: '127.0.0.1:1', reason: 'Nothing could be delivered for 5 days.' },
    ])
    await expiring(own)
    expect(await logOf(webhook.id)).toHaveLength(2)
    await change((tx) => setEnabled(tx, operatorIn(own), webhook.id, true))
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_at: null, failing_since: null })
  })

  it('are not disabled by a failure beside a delivery that succeeded', async () => {
    const own = await organisation()
    const hook = await receiver()
    hook.answer = { status: 500 }
    const { webhook } = await webhookTo(own, hook.url)
    await expiring(own)
    await run()
    clock.advance(5 * DAY_MS)
    await sql.query('delete from outbox_message')
    await expiring(own)
    await expiring(own)
    hook.answer = 'hang'
    const running = run()
    await vi.waitFor(() => expect(hook.received).toHaveLength(3))
    // The other attempt has just succeeded.
    await sql.query('update webhook set failing_since = null where id = $1', [webhook.id])
    hook.hangUp()
    await running
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_at: null, failing_since: clock.now() })
  })

  it('that answer 410 are disabled at once', async () => {
    const own = await organisation()
    const [gone, other] = [await receiver(), await receiver()]
    gone.answer = { status: 410 }
    const { webhook } = await webhookTo(own, gone.url)
    await webhookTo(own, other.url)
    await expiring(own)
    await run()
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_why: 'gone' })
    expect(await logOf(webhook.id)).toMatchObject([{ state: 'failed', attempt_log: [{ status: 410 }] }])
    await run()
    expect(other.received.map(({ body }) => JSON.parse(body).type)).toEqual(['key.expiring', 'webhook.disabled'])
  })

  it('are never led into the network: no redirect is followed, and the address is checked at every attempt', async () => {
    const own = await organisation()
    const [hook, inside] = [await receiver(), await receiver()]
    hook.answer = { status: 302, headers: { location: inside.url } }
    const { webhook } = await webhookTo(own, hook.url)
    await expiring(own)
    await run()
    expect(await logOf(webhook.id)).toMatchObject([{ state: 'waiting', error: 'the receiver answered 302' }])
    await change((tx) => deleteWebhook(tx, operatorIn(own), webhook.id))
    expect(await logOf(webhook.id)).toMatchObject([{ state: 'failed', error: 'the webhook was deleted' }])

    hook.answer = { status: 200 }
    const port = new URL(hook.url).port
    const named = (await webhookTo(own, `http://hooks.company.example:${port}/hook`)).webhook
    let address = '127.0.0.1'
    const resolve = async () => [{ address, family: 4 }]
    await expiring(own)
    await run({ resolve })
    expect(hook.received).toHaveLength(2)
    for (address of ['10.0.0.1', '169.254.169.254']) {
      clock.advance(SECOND_MS)
      await expiring(own)
      await run({ resolve })
      expect((await logOf(named.id))[0]).toMatchObject({ error: 'the host is not on the public internet' })
    }
    address = '127.0.0.1'
    await run({ resolve, allowLoopback: false })
    expect([hook.received.length, inside.received.length]).toEqual([2, 0])
    for (const url of [
      'http://hooks.company.example/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://a:b@c.example/',
    ]) {
      const strict = { ring, allowLoopback: false }
      const wanted = { url, events: TYPES, description: '' }
      await expect(change((tx) => createWebhook(tx, operatorIn(own), strict, wanted))).rejects.toMatchObject({
        code: 'validation_failed',
      })
    }
  })

  it('are disabled when too many events wait, and the event stays readable', async () => {
    const own = await organisation()
    const { webhook } = await webhookTo(own, (await receiver()).url)
    await expiring(own)
    await fillQueue(webhook.id)
    await expiring(own)
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_why: 'queue' })
    expect((await eventsOf(own)).map(({ type }) => type)).toEqual(['key.expiring', 'key.expiring', 'webhook.disabled'])
  })

  // SQLite has one writer at a time.
  it.runIf(engine === 'postgres')('keep what another node changes in the moment that disables them', async () => {
    const own = await organisation()
    const { webhook } = await webhookTo(own, (await receiver()).url)
    await expiring(own)
    await fillQueue(webhook.id)
    let secrets = ''
    const rotates = async () => {
      await changeIn(sql, clock, (tx) => rotateSecret(tx, operatorIn(own), rules, webhook.id))
      secrets = (await stateOf(webhook.id)).secrets
    }
    const raced = meeting(sql, (text) => text.includes('from outbox_message') && secrets === '', rotates)
    await changeIn(raced, clock, async (tx) => emit(tx, { organisationId: own, ...EXPIRING }))
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_why: 'queue', secrets })
    // It was disabled in the same moment, by a member: once is enough.
    await change((tx) => setEnabled(tx, operatorIn(own), webhook.id, true))
    await fillQueue(webhook.id, 'again')
    let isDisabled = false
    const disables = async () => {
      isDisabled = true
      await changeIn(sql, clock, (tx) => setEnabled(tx, operatorIn(own), webhook.id, false))
    }
    const late = meeting(sql, (text) => text.includes('from outbox_message') && !isDisabled, disables)
    await changeIn(late, clock, async (tx) => emit(tx, { organisationId: own, ...EXPIRING }))
    expect(await stateOf(webhook.id)).toMatchObject({ disabled_why: 'person' })
  })

  it('read their secrets after a rotation of the server’s key', async () => {
    const own = await organisation()
    const hook = await receiver()
    const { webhook } = await webhookTo(own, hook.url)
    const next = createRing(keys, 2)
    expect(await resealColumn(sql, next, SEALED_WEBHOOK_SECRETS)).toMatchObject({ unreadable: 0 })
    expect((await stateOf(webhook.id)).secrets).toMatch(/^2\./)
    await expiring(own)
    await run({ ring: createRing(keys.slice(1), 2) })
    expect(hook.received).toHaveLength(1)
  })

  it('follow events in the order of their commits: who continues after the last one misses none', async () => {
    const own = await organisation()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const other = sql.engine === 'postgres' ? await open() : sql
    let slow: Promise<void> | undefined
    const emitted = new Promise<void>((resolve) => {
      slow = changeIn(other, clock, async (tx) => {
        emit(tx, {
          organisationId: own,
          type: 'member.left',
          data: { member_id: 'usr_1', name: 'Slow', role: 'owner' },
        })
        resolve()
        // SQLite has one writer: there the slow one cannot wait for the quick one.
        if (sql.engine === 'postgres') await held
      })
    })
    await emitted
    await expiring(own)
    const first = await eventsOf(own)
    release()
    await slow
    const all = await eventsOf(own)
    expect(all.map(({ seq }) => seq)).toEqual([1, 2])
    expect(all.slice(0, first.length)).toEqual(first)
    clock.advance(90 * DAY_MS)
    await expiring(own)
    expect(await purgeEvents(sql, clock.now())).toBeGreaterThanOrEqual(2)
    // The number in an id outlives the event.
    expect((await eventsOf(own, 2)).map(({ seq }) => seq)).toEqual([3])
  })

  it('and digests: a person gets the events that the role may read, at the chosen time, and no empty mail', async () => {
    const own = await organisation()
    const person = (name: string, role: 'viewer' | 'checker') =>
      change(async (tx) => {
        const made = await createPerson(tx, {
          email: `${name}@${own.replace('_', '')}.example`,
          name,
          emailVerified: true,
          passwordHash: PASSWORD_HASH,
        })
        await addMember(tx, operatorIn(own), { personId: made.id, role })
        await chooseFrequency(tx, made.id, 'daily')
        return made.id
      })
    const reader = await person('reader', 'viewer')
    await person('checker', 'checker')
    clock.advance(HOUR_MS)
    await expiring(own)
    const digests = async () => {
      await sendDigests(sql, clock)
      return (await listMessages(sql, 'mail', { limit: 10 })).filter(({ kind }) => kind === 'event_digest')
    }
    expect(await digests()).toEqual([])
    clock.advance(DAY_MS)
    const [mail, ...others] = await digests()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      person_id: reader,
      facts: {
        frequency: 'daily',
        organisations: [
          { name: 'Test', lines: expect.arrayContaining([expect.stringMatching(/^2026-03-01: The API key/)]) },
        ],
      },
    })
    clock.advance(DAY_MS)
    expect(await digests()).toHaveLength(1)
    await change((tx) => chooseFrequency(tx, reader, 'never'))
    await expiring(own)
    clock.advance(DAY_MS)
    expect(await digests()).toHaveLength(1)
  })

  it('count what the reader may see: events about money take no place of others', async () => {
    const own = await organisation()
    await expiring(own)
    await change(async (tx) => {
      const data = { invoice_id: 'bil_1', number: '1', total_pence: 100 }
      for (let n = 0; n < UNREAD_MAX; n++) emit(tx, { organisationId: own, type: 'invoice.paid', data })
    })
    const blind = { personId: 'usr_1', organisationId: own, seesMoney: false }
    const types = (found: readonly { readonly type: string }[]) => found.map(({ type }) => type)
    expect(types(await eventsSince(sql, own, { sinceMs: 0, limit: 50, seesMoney: false }))).toEqual(['key.expiring'])
    expect(await countUnread(sql, blind)).toBe(1)
    const { entries, next } = await readInbox(sql, blind, { limit: 50 })
    expect([types(entries.map(({ event }) => event)), next]).toEqual([['key.expiring'], null])
    const read = { afterSeq: 0, limit: 1, seesMoney: false }
    expect(await readEvents(sql, own, read)).toMatchObject({ events: [{ type: 'key.expiring' }], hasMore: false })
  })

  it('lose nothing when the node is killed between event and delivery', async () => {
    const own = await organisation()
    const hook = await receiver()
    clock = new ManualClock(Date.now())
    await webhookTo(own, hook.url)
    const committed: string[] = []
    for (let round = 0; round < (FULL ? 50 : 2); round++) {
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL('./emitting-node.ts', import.meta.url)), JSON.stringify({ place: sql.place, own })],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      )
      onTestFinished(() => void child.kill('SIGKILL'))
      let seen = 0
      for await (const line of createInterface({ input: child.stdout })) {
        committed.push(line)
        // A different moment of the work in every round.
        if (++seen === 5 + ((round * 7) % 23)) child.kill('SIGKILL')
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(child.signalCode).toBe('SIGKILL')
    }
    // Attempts that died with their node are made again when they are due.
    clock.advance(5 * 60 * SECOND_MS)
    await run()
    const stored = await sql.query<{ id: string; name: string }>(
      `select id, data as name from event where owner = $1`,
      [own],
    )
    const names = stored.map(({ name }) => JSON.parse(name).name as string)
    expect(committed.length).toBeGreaterThan(15)
    expect(committed.filter((name) => !names.includes(name))).toEqual([])
    const delivered = new Set(hook.received.map(({ body }) => JSON.parse(body).id))
    expect(stored.filter(({ id }) => !delivered.has(id))).toEqual([])
    expect(delivered.size).toBe(stored.length)
  }, 600_000)
})
