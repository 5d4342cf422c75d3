import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receivePayment } from '../../src/billing/payments/payments.ts'
import { followPayment } from '../../src/billing/payments/refunds-and-disputes.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { signUp } from '../../src/billing/subscription/subscription.ts'
import { openStore } from '../../src/db/open.ts'
import { changeIn } from '../../src/db/sql.ts'
import { createOrganisation } from '../../src/identity/organisation/organisations.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { testAccounts } from '../support/accounts.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { assayd } from '../support/process.ts'
import { STRIPE_KEY, type StripeServer, startStripeServer, WEBHOOK_SECRET } from '../support/stripe-server.ts'

/** The operator's side of card payments: what needs a person, disputes, the comparison with the provider. */
describe('assayd payment', () => {
  const folder = migratedFolder('payment')
  const plain = { ASSAY_DATA_DIR: folder }
  let stripe: StripeServer
  let env: Record<string, string>
  let organisationId: string
  let invoiceId: string
  beforeAll(async () => {
    stripe = await startStripeServer()
    const keys = { ASSAY_STRIPE_SECRET_KEY: STRIPE_KEY, ASSAY_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }
    env = { ...plain, ...keys, ASSAY_STRIPE_API_BASE: stripe.url }
    const sql = await openStore({ dataDir: folder })
    const { rules } = testAccounts({ sql, plans: loadPlans(), clock: systemClock })
    const which = { provider: 'stripe', reference: 'pi_1' }
    await changeIn(sql, systemClock, async (tx) => {
      organisationId = (await createOrganisation(tx, { name: 'Payer', awaitingApproval: false })).id
      invoiceId = (await signUp(tx, rules, { organisationId, planId: 'growth', topUpPence: 0 }))!.id
      await receivePayment(tx, rules, { ...which, invoiceId, amountPence: 9900, currency: 'gbp' })
    })
    await changeIn(sql, systemClock, async (tx) => {
      await followPayment(tx, rules, which, { kind: 'refunded', refundedPence: 10_000 })
      await followPayment(tx, rules, which, { kind: 'disputed', id: 'dp_1', state: 'open', amountPence: 9900 })
    })
    await sql.close()
  })
  afterAll(async () => {
    await stripe.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const json = async (...args: string[]) => {
    const result = await assayd([...args, '--json'], env)
    expect(result.stderr).toBe('')
    return { code: result.code, value: JSON.parse(result.stdout) }
  }

  it('lists the payments that need a person, and the disputes that are open', async () => {
    const { value } = await json('payment', 'list', '--attention')
    expect(value).toMatchObject([{ reference: 'pi_1', amount_pence: 9900, refunded_pence: 10_000, lost_pence: 0 }])
    expect((await json('payment', 'list', '--attention', '--outcome', 'unmatched')).value).toEqual([])
    const disputes = await json('payment', 'dispute', 'list', '--open')
    expect(disputes.value).toMatchObject([{ dispute_id: 'dp_1', state: 'open', organisation_id: organisationId }])
    const text = (await assayd(['payment', 'dispute', 'list', '--org', organisationId], env)).stdout
    expect(text).toMatch(/DISPUTE +PAYMENT +ORGANISATION/)
  })

  it('compares with the provider: exit code 2 while something differs, 0 when nothing does', async () => {
    const created = Math.floor(Date.now() / 1000)
    const metadata = { invoice_id: invoiceId }
    stripe.records.payment_intents.push({
      id: 'pi_1',
      created,
      status: 'succeeded',
      currency: 'gbp',
      amount_received: 9900,
      metadata,
      latest_charge: { amount_refunded: 10_000 },
    })
    stripe.records.disputes.push({ id: 'dp_1', created, payment_intent: 'pi_1', status: 'won', amount: 9900 })
    const differs = await json('payment', 'reconcile')
    expect(differs.code).toBe(2)
    expect(differs.value).toMatchObject({
      payments: 1,
      disputes: 1,
      differences: [{ reference: 'pi_1', problem: 'has the dispute dp_1, won there and open here' }],
    })
    const told = await assayd(['payment', 'reconcile', '--days', '3'], env)
    expect([told.code, told.stdout]).toEqual([2, expect.stringContaining('assayd payment dispute close')])

    const closed = await json('payment', 'dispute', 'close', '--dispute', 'dp_1', '--outcome', 'won')
    expect(closed.value).toMatchObject({ dispute_id: 'dp_1', state: 'won' })
    expect(await assayd(['payment', 'reconcile'], env)).toMatchObject({
      code: 0,
      stdout: '1 payments and 1 disputes of the last 30 days agree with stripe.\n',
    })
    const { value } = await json('audit', 'list', '--org', organisationId)
    expect(value.find((one: { action: string }) => one.action === 'payment.dispute')).toMatchObject({
      actor_kind: 'operator',
      detail: { outcome: 'dispute_won', dispute: 'dp_1' },
    })
  })

  it('says in one line what cannot be done', async () => {
    stripe.failNext(1, { forGood: true })
    const unread = await assayd(['payment', 'reconcile'], env)
    expect([unread.code, unread.stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(unread.stderr).toContain('The records of Stripe cannot be read (Stripe answered 500: api_error')
    for (const [args, words, where] of [
      [['dispute', 'close', '--dispute', 'dp_9', '--outcome', 'won'], 'There is no dispute dp_9', env],
      [['dispute', 'close', '--dispute', 'dp_1', '--outcome', 'won'], 'is already won', env],
      [['dispute', 'close', '--dispute', 'dp_1', '--outcome', 'drawn'], '--outcome: must be one of won, lost', env],
      [['reconcile'], 'there is no provider to compare with', plain],
    ] as const) {
      const result = await assayd(['payment', ...args], where)
      expect([result.code, result.stderr.trim().split('\n').length]).toEqual([1, 1])
      expect(result.stderr).toContain(words)
    }
  })
})
