import { describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { setOperatorWord } from '../../src/billing/subscription/subscription.ts'
import { changeIn } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { clickTwice, seriousFindingsOfState } from '../support/browser.ts'
import type { ConsoleTest } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { card, consoleDuring, fillSignUp, organisationOf, overflowPx, PHONE, settleAll } from '../support/paying.ts'

/** Signing up in a browser, as the operator's settings allow it. */

let test: ConsoleTest

const during = consoleDuring((started) => {
  test = started
})

describe('paying by transfer', () => {
  during({})

  it('a prepaid plan is bought with its first credit: how to pay survives a reload, then the key, whose first call is paid from it', async () => {
    const page = await test.stranger('/checkout?plan=prepaid', { ...PHONE, colorScheme: 'dark' })
    await page.getByLabel('Credit to buy now, in pounds').fill('0.5')
    await page.getByText('From £1 to £1,000,000.').waitFor()
    await page.getByLabel('Credit to buy now, in pounds').fill('25')
    await fillSignUp(page, 'prepaid@subscriber.example')
    expect(await seriousFindingsOfState(page)).toEqual([])
    await clickTwice(page.getByRole('button', { name: 'Subscribe' }))
    await page.getByRole('heading', { name: 'How to pay' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'How to pay' }).waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('£25.00')
    expect(text).toMatch(/INV-\d+/)
    expect(text).toContain('Sort code 00-00-00')
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect(await overflowPx(page)).toBe(0)
    const organisationId = await organisationOf(test, 'prepaid@subscriber.example')
    await settleAll(test, organisationId)
    await page.getByRole('button', { name: 'Show my API key' }).click()
    const apiKey = await page.getByLabel('API key', { exact: true }).innerText()
    const answer = await test.server.post('/v1/payment-risk', { email: 'a@company.example' }, apiKey)
    expect(answer.json).toMatchObject({ is_free: false, total_price_pence: 3 })
    expect((await test.server.accounts.read(organisationId)).prepaidPence).toBe(2497)
  })
})

describe('paying by card', () => {
  during({}, { payments: { name: 'stripe', startPayment: async () => ({ url: `${test.server.url}/done` }) } })

  it.runIf(FULL)('signing up leads to the payment page', async () => {
    const page = await test.stranger('/checkout?plan=growth')
    const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1))
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(next)
    await page.getByText(new RegExp(`^£99\\.00 is charged today, .* The next £99\\.00 is charged on ${day}`)).waitFor()
    await fillSignUp(page, 'card@subscriber.example')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL('**/done')
  })
})

describe('where the operator approves new accounts', () => {
  during({ signUp: 'approval', signUpPlans: ['free'] })

  it.runIf(FULL)(
    'says so before and after, offers the plans of customers alone, and shows the key once approved',
    async () => {
      const page = await test.stranger('/pricing', PHONE)
      await page.getByText('approves every new account before its first check').waitFor()
      expect(await page.getByRole('article').count()).toBe(1)
      expect(await seriousFindingsOfState(page)).toEqual([])
      await page.getByRole('link', { name: 'Choose Free' }).click()
      await page.getByText('approves every new account before its first check').waitFor()
      await fillSignUp(page, 'approval@subscriber.example')
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByRole('heading', { name: 'Waiting for the approval' }).waitFor()
      expect(await seriousFindingsOfState(page)).toEqual([])
      await page.reload()
      await page.getByRole('heading', { name: 'Waiting for the approval' }).waitFor()
      const organisationId = await organisationOf(test, 'approval@subscriber.example')
      await changeIn(test.sql, systemClock, (tx) =>
        setOperatorWord(tx, test.server.accounts.rules, operatorIn(organisationId), 'approve'),
      )
      await page.getByRole('button', { name: 'Show my API key' }).click()
      await page.getByLabel('API key', { exact: true }).waitFor()
    },
  )

  it.runIf(FULL)('a customer is not offered what the operator gives, and keeps the plan that was given', async () => {
    const { id } = await test.server.organisation({ plan: 'growth', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing/plan')
    await card(page, 'Growth').getByText('Your plan').waitFor()
    await card(page, 'Free').waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
  })
})

describe('where sign-up is closed', () => {
  during({ signUp: 'closed' })

  it.runIf(FULL)('the pages say so in place of a form', async () => {
    const page = await test.stranger('/pricing')
    await page
      .getByText(
        /^Sign-up is closed here\. Ask the operator of this server for an account: billing@operator\.example\.$/,
      )
      .waitFor()
    await card(page, 'Growth').waitFor()
    expect(await page.getByRole('link', { name: /^Choose/ }).count()).toBe(0)
    await page.goto(`${test.server.url}/checkout?plan=growth`)
    await page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await seriousFindingsOfState(page)).toEqual([])
  })
})
