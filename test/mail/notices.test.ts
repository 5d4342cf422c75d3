import { afterEach, beforeEach, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Role } from '../../src/access/roles.ts'
import { createAlert, deleteAlert, readAlerts, readFigures } from '../../src/billing/alerts/alerts.ts'
import { listInvoices } from '../../src/billing/invoices/invoices.ts'
import { runBilling } from '../../src/billing/job.ts'
import type { Meter } from '../../src/billing/ledger/meter.ts'
import { settleByHand } from '../../src/billing/payments/payments.ts'
import { invoiceProvider } from '../../src/billing/payments/provider.ts'
import { parsePlans } from '../../src/billing/plans.ts'
import { sendDraft } from '../../src/billing/subscription/open-account.ts'
import { cancelInvoice, changeSubscription, requestTopUp } from '../../src/billing/subscription/subscription.ts'
import { changeIn, type Sql, type Tx } from '../../src/db/sql.ts'
import { addMember } from '../../src/identity/members/members.ts'
import { noteMailArrived, noteMailRefused } from '../../src/identity/people/mail-reach.ts'
import { createPerson } from '../../src/identity/people/people.ts'
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { createMailJob } from '../../src/mail/job.ts'
import { TEST_SECRET, testAccounts, testMeter } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { PASSWORD_HASH } from '../support/passwords.ts'
import { plan } from '../support/plans.ts'
import { describeRules } from '../support/stores.ts'

/** Mails about money to owners and admins, as they arrive at a mail server. */

const PRICES = { 'payment-risk': 10, 'supply-chain-risk': 5, 'infrastructure-risk': 1 }
const PLANS = parsePlans(
  [
    plan('prepaid', { unit_price_pence: PRICES }),
    plan('free', { unit_price_pence: PRICES, free_units: 1000 }),
    plan('growth', {
      unit_price_pence: PRICES,
      monthly_price_pence: 5000,
      included_credit_pence: 2000,
      overage_allowed: true,
    }),
  ],
  'the plans of this test',
)
const BASE = 'https://assay.example'
let organisations = 0

describeRules('notices', (open) => {
  let sql: Sql
  let clock: ManualClock
  let mail: MailServer
  let meter: Meter
  let accounts: ReturnType<typeof testAccounts>
  let failures: unknown[]
  let before: number

  beforeEach(async () => {
    sql ??= await open()
    await sql.query('delete from outbox_message')
    // Later than every test before, because the accounts of those are billed along.
    clock = new ManualClock(`20${30 + organisations}-03-10T09:00:00Z`)
    before = organisations
    mail = await startMailServer()
    accounts = testAccounts({ sql, clock, plans: PLANS })
    meter = testMeter({ sql, clock, rules: rules() })
    failures = []
  })
  afterEach(async () => {
    await meter.close()
    await mail.close()
    expect(failures).toEqual([])
  })

  const rules = (sendsMail = true) => ({ ...accounts.rules, sendsMail })
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  const bill = (sendsMail = true) =>
    runBilling({
      ...rules(sendsMail),
      sql,
      clock,
      payments: invoiceProvider,
      onError: (_about, error) => failures.push(error),
    })
  /** Everything that waits is sent; returns who of this test's organisations got what, since the last time. */
  async function delivered(): Promise<string[]> {
    mail.received.length = 0
    await createMailJob({
      sql,
      clock,
      ring: ringOf(TEST_SECRET),
      settings: { smtpUrl: mail.url, from: 'assay@assay.example', baseUrl: BASE },
      isWanted: async () => true,
      onRefused: noteMailRefused,
      onSent: noteMailArrived,
    }).run(new AbortController().signal)
    const own = mail.received.filter(({ to }) => Number(/@notices(\d+)\./.exec(to[0]!)?.[1]) > before)
    mail.received.splice(0, mail.received.length, ...own)
    return own.map(({ to, subject }) => `${to[0]!.split('@')[0]}: ${subject}`).sort()
  }

  async function organisation(planId: string) {
    const id = `org_notices${++organisations}`
    await accounts.open(id, planId)
    const person = (name: string, role: Role, emailVerified = true) =>
      change(async (tx) => {
        const made = await createPerson(tx, {
          email: `${name}@notices${organisations}.example`,
          name,
          emailVerified,
          passwordHash: PASSWORD_HASH,
        })
        await addMember(tx, operatorIn(id), { personId: made.id, role })
        return made
      })
    const owner = await person('owner', 'owner')
    await person('admin', 'admin')
    await person('unverified', 'owner', false)
    await person('developer', 'developer')
    await person('viewer', 'viewer')
    const gone = await person('gone', 'admin')
    await sql.query(`update person set state = 'disabled' where id = $1`, [gone.id])
    return {
      id,
      owner,
      use: async (units: number) => {
        const answer = await meter.charge({
          organisationId: id,
          family: 'payment-risk',
          units,
          requestId: `req_${id}_${clock.now()}_${units}`,
          credentialId: 'key_test',
          answer: () => ({ before: '{', after: '}' }),
        })
        clock.advance(MINUTE_MS)
        return answer
      },
    }
  }

  it('of an issued invoice go to owners and admins who confirmed their address, once', async () => {
    const { id } = await organisation('prepaid')
    await change((tx) => changeSubscription(tx, rules(), operatorIn(id), { plan: 'growth' }))
    const { rows } = await listInvoices(sql, { organisationId: id, limit: 10 })
    expect(rows).toHaveLength(1)
    const { number } = rows[0]!
    const subject = `Test: invoice INV-${number} over £50.00`
    expect(await delivered()).toEqual([`admin: ${subject}`, `owner: ${subject}`])
    expect(mail.received[0]!.text).toContain(`Invoice INV-${number} over £50.00 was issued for “Test”.`)
    expect(mail.received[0]!.text).toMatch(/It is due on 20\d\d-03-24\./)
    await bill()
    expect(await delivered()).toEqual([])
  })

  it('of an invoice that was rolled back, and without mail, are not written', async () => {
    const { id } = await organisation('prepaid')
    await expect(
      change(async (tx) => {
        await requestTopUp(tx, rules(), operatorIn(id), { amountPence: 1000 })
        throw new Error('the rest failed')
      }),
    ).rejects.toThrow('the rest failed')
    const quiet = await change((tx) => requestTopUp(tx, rules(false), operatorIn(id), { amountPence: 1000 }))
    clock.advance(5 * MINUTE_MS)
    await bill(false)
    expect(await delivered()).toEqual([])
    await change((tx) => cancelInvoice(tx, rules(false), operatorIn(id), quiet))
    await change((tx) => requestTopUp(tx, rules(), operatorIn(id), { amountPence: 1000 }))
    await bill()
    expect(await delivered()).toEqual([])
    // After five minutes it is no longer a draft.
    clock.advance(5 * MINUTE_MS)
    await bill()
    await bill()
    expect((await delivered()).map((one) => one.replace(/\d+ over/, 'N over'))).toEqual([
      'admin: Test: invoice INV-N over £10.00',
      'owner: Test: invoice INV-N over £10.00',
    ])
    expect(mail.received[0]!.text).toContain('The plan or credit begins when it is paid.')
  })

  it('of an overdue invoice are sent once each, and not when it was paid in time', async () => {
    const late = await organisation('prepaid')
    const punctual = await organisation('prepaid')
    for (const { id } of [late, punctual]) {
      await change((tx) => changeSubscription(tx, rules(), operatorIn(id), { plan: 'growth' }))
    }
    await delivered()
    const [invoice] = (await listInvoices(sql, { organisationId: punctual.id, limit: 10 })).rows
    await change((tx) => settleByHand(tx, rules(), operatorIn(punctual.id), { invoice: invoice!, reference: null }))
    clock.advance(14 * DAY_MS - MINUTE_MS)
    await bill()
    expect(await delivered()).toEqual([])
    clock.advance(MINUTE_MS)
    await bill()
    const [owed] = (await listInvoices(sql, { organisationId: late.id, limit: 10 })).rows
    const subject = `Test: invoice INV-${owed!.number} is overdue`
    expect(await delivered()).toEqual([`admin: ${subject}`, `owner: ${subject}`])
    // Over the month's end, when the standing is worked out again.
    for (let day = 0; day < 12; day++) {
      clock.advance(DAY_MS)
      await bill()
      const again = await delivered()
      expect(again.filter((one) => one.includes('overdue'))).toEqual([])
    }
    expect(new Date(clock.now()).getUTCMonth()).toBe(3)
  })

  it('of an alert are sent without anybody looking, once each time it is reached', async () => {
    const { id, use } = await organisation('prepaid')
    await accounts.credit(id, 5000)
    const figures = () => readFigures({ ...accounts.deps }, id)
    const set = (kind: 'credit_below' | 'overage_above', thresholdPence: number) =>
      figures().then((now) => change((tx) => createAlert(tx, operatorIn(id), { kind, thresholdPence, figures: now })))
    const { id: alertId } = await set('credit_below', 4000)
    await set('credit_below', 1000)
    await bill()
    expect(await delivered()).toEqual([])
    await use(101)
    await bill()
    const subject = 'Test: credit is below £40.00'
    expect(await delivered()).toEqual([`admin: ${subject}`, `owner: ${subject}`])
    expect(mail.received[0]!.text).toContain('The credit of “Test” is £39.90, below your alert at £40.00.')
    await use(1)
    await bill()
    await bill()
    expect(await delivered()).toEqual([])
    // Also by whoever reads first: it is told once.
    await accounts.credit(id, 1000)
    await bill()
    await use(100)
    await Promise.all([
      bill(),
      figures().then((now) => readAlerts({ ...rules(), sql, clock }, { organisationId: id, figures: now })),
    ])
    expect(await delivered()).toEqual([`admin: ${subject}`, `owner: ${subject}`])
    await change((tx) => deleteAlert(tx, operatorIn(id), alertId))
    await bill()
    expect(await delivered()).toEqual([])
  })

  it('of an alert that is crossed when it is made are sent at once', async () => {
    const { id } = await organisation('prepaid')
    await accounts.credit(id, 500)
    const figures = await readFigures({ ...accounts.deps }, id)
    await change((tx) =>
      createAlert(tx, operatorIn(id), { kind: 'credit_below', thresholdPence: 1000, figures }, rules()),
    )
    const subject = 'Test: credit is below £10.00'
    expect(await delivered()).toEqual([`admin: ${subject}`, `owner: ${subject}`])
    await bill()
    expect(await delivered()).toEqual([])
  })

  it('of overage go by the same way', async () => {
    const { id, use } = await organisation('growth')
    const figures = await readFigures({ ...accounts.deps }, id)
    await change((tx) => createAlert(tx, operatorIn(id), { kind: 'overage_above', thresholdPence: 500, figures }))
    await use(260)
    await bill()
    const subject = 'Test: overage is above £5.00'
    expect(await delivered()).toEqual([`admin: ${subject}`, `owner: ${subject}`])
    expect(mail.received[0]!.text).toContain('The overage of “Test” this month is £6.00')
  })

  it('of low credit are sent once a month where checks would be refused next, and not after an alert told', async () => {
    const low = await organisation('prepaid')
    const warned = await organisation('prepaid')
    const overage = await organisation('growth')
    const free = await organisation('free')
    const unused = await organisation('prepaid')
    for (const { id } of [low, warned]) await accounts.credit(id, 2000)
    await accounts.credit(unused.id, 500)
    const figures = { creditPence: 2000, overagePence: 0 }
    await change((tx) =>
      createAlert(tx, operatorIn(warned.id), { kind: 'credit_below', thresholdPence: 1500, figures }),
    )
    await low.use(100)
    await bill()
    // Exactly a hundred checks are left.
    expect(await delivered()).toEqual([])
    await low.use(1)
    await warned.use(101)
    await overage.use(190)
    await free.use(10)
    await bill()
    const subject = 'Test: credit is nearly used up'
    const alerted = 'Test: credit is below £15.00'
    expect(await delivered()).toEqual([
      `admin: ${alerted}`,
      `admin: ${subject}`,
      `owner: ${alerted}`,
      `owner: ${subject}`,
    ])
    const about = mail.received.find((one) => one.subject === subject)!
    expect(about.to[0]).toContain(low.owner.email.split('@')[1]!)
    expect(about.text).toContain('The credit of “Test” is £9.90')
    await low.use(1)
    await bill()
    expect(await delivered()).toEqual([])
    clock.advance(31 * DAY_MS)
    await bill()
    expect(await delivered()).toEqual([])
    await low.use(1)
    await bill()
    expect(await delivered()).toEqual([`admin: ${subject}`, `owner: ${subject}`])
  })

  it('go to nobody whose address was refused this week', async () => {
    const { id, owner } = await organisation('prepaid')
    mail.refuse(owner.email, 550)
    const buy = async () => {
      const draft = await change((tx) => requestTopUp(tx, rules(), operatorIn(id), { amountPence: 1000 }))
      await sendDraft({ ...rules(), sql, clock }, draft)
    }
    const who = async () => (await delivered()).map((one) => one.split(':')[0])
    await buy()
    expect(await who()).toEqual(['admin'])
    mail.refuse(owner.email, undefined)
    await buy()
    expect(await who()).toEqual(['admin'])
    clock.advance(7 * DAY_MS + 1)
    await buy()
    expect(await who()).toEqual(['admin', 'owner'])
    await buy()
    expect(await who()).toEqual(['admin', 'owner'])
  })
})
