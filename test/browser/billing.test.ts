import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { listInvoices } from '../../src/billing/invoices/invoices.ts'
import { settleByHand } from '../../src/billing/payments/payments.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import type { BillingSettings } from '../../src/billing/settings.ts'
import { setOperatorWord } from '../../src/billing/subscription/subscription.ts'
import { changeIn } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { clickTwice, seriousFindings } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { PASSWORD } from '../support/people.ts'

/** The plans as sold, in a browser: choosing, paying, cancelling, signing up. */

const PHONE = { viewport: { width: 390, height: 844 } }
const BANK = { paymentInstructions: 'Example Bank\nSort code 00-00-00\nAccount 12345678' }

let test: ConsoleTest

/** The whole product with these settings, for the tests of one group. */
function during(settings: Partial<BillingSettings>, payments?: Parameters<typeof startConsole>[0]): void {
  beforeAll(async () => {
    test = await startConsole({ plans: loadPlans(), settings: { ...BANK, ...settings }, ...payments })
  })
  afterAll(() => test?.close())
  afterEach(async () => {
    expect(await test.leave()).toEqual([])
  })
}

/** The operator notes the transfers for every open invoice. */
async function settleAll(organisationId: string): Promise<void> {
  const { rows } = await listInvoices(test.sql, { organisationId, state: 'open', limit: 10 })
  for (const invoice of rows) {
    await changeIn(test.sql, systemClock, (tx) =>
      settleByHand(tx, test.server.accounts.rules, operatorIn(organisationId), { invoice, reference: null }),
    )
  }
}

const card = (page: Page, plan: string) => page.getByRole('article', { name: plan })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const close = (open: Locator) => open.getByText('Close', { exact: true }).click()
const overflowPx = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth')

async function choose(page: Page, plan: string): Promise<Locator> {
  await card(page, plan)
    .getByRole('button', { name: `Change to ${plan}` })
    .click()
  return dialog(page, `Choose ${plan}?`)
}

let subscribers = 0

/** Somebody who signed up by the API, and has not paid. */
async function subscriber(plan: string): Promise<{ organisationId: string; email: string }> {
  const email = `subscriber${++subscribers}@company.example`
  const begun = await test.server.post('/v1/checkout', {
    organisation_name: 'Western Branch',
    name: 'Ada Lovelace',
    email,
    password: PASSWORD,
    plan,
    accept_terms: true,
  })
  expect(begun.status).toBe(201)
  return { organisationId: begun.json.organisation_id, email }
}

async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Organisation').fill('Northern Branch')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('I accept the terms of the service').check()
}

async function organisationOf(email: string): Promise<string> {
  const rows = await test.sql.query<{ organisation_id: string }>(
    'select m.organisation_id from membership m join person p on p.id = m.person_id where p.email = $1',
    [email],
  )
  return rows[0]?.organisation_id ?? ''
}

describe('without card payment', () => {
  during({ signUpPlans: ['free', 'prepaid', 'growth', 'enterprise'] })

  it('a chosen plan says what it costs, then how to pay, and is there once the operator has noted the payment', async () => {
    const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing', { ...PHONE, colorScheme: 'dark' })
    const asked = await choose(page, 'Growth')
    await asked.getByText('Growth begins when an invoice of £99.00 is paid. Until then you keep Free.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await overflowPx(page)).toBe(0)
    await clickTwice(asked.getByRole('button', { name: 'Choose it and pay £99.00' }))
    const how = dialog(page, 'How to pay')
    await how.getByText('INV-1', { exact: true }).waitFor()
    expect(await how.getByText('Example Bank').innerText()).toBe('Example Bank\nSort code 00-00-00\nAccount 12345678')
    expect(await seriousFindings(page)).toEqual([])
    expect(await overflowPx(page)).toBe(0)
    await page.keyboard.press('Escape')
    await how.waitFor({ state: 'detached' })
    await page.getByText('Growth waits for its payment').waitFor()
    await card(page, 'Growth').getByText('Waits for its payment').waitFor()
    expect((await listInvoices(test.sql, { organisationId: id, limit: 10 })).rows).toHaveLength(1)

    await settleAll(id)
    await page.reload()
    await card(page, 'Growth').getByText('Your plan').waitFor()
    await page.getByRole('region', { name: 'Credit' }).getByText('£120.00').first().waitFor()
    expect(await page.getByText('Growth waits for its payment').count()).toBe(0)
    await page
      .getByRole('row', { name: /Growth/ })
      .getByText('Paid')
      .waitFor()

    // Dearer: the difference. Cheaper: with the next month, and taken back.
    await (await choose(page, 'Enterprise')).getByText('begins when an invoice of £891.00 is paid').waitFor()
    await page.keyboard.press('Escape')
    const cheaper = await choose(page, 'Prepaid')
    await cheaper
      .getByText(/^Prepaid begins on 1 \w+ \d+\. Nothing is to be paid now\. Until then you keep Growth\.$/)
      .waitFor()
    await cheaper.getByRole('button', { name: 'Choose it' }).click()
    await card(page, 'Prepaid')
      .getByText(/^Begins on 1 /)
      .waitFor()
    await card(page, 'Growth').getByRole('button', { name: 'Keep Growth' }).click()
    await dialog(page, 'Choose Growth?').getByRole('button', { name: 'Choose it' }).click()
    await card(page, 'Growth').getByText('Your plan').waitFor()
    await card(page, 'Prepaid').getByRole('button', { name: 'Change to Prepaid' }).waitFor()
  })

  it('a plan that waits is cancelled; the question states the amount', async () => {
    const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing')
    await (await choose(page, 'Enterprise')).getByRole('button', { name: 'Choose it and pay £990.00' }).click()
    await close(dialog(page, 'How to pay'))
    const row = page.getByRole('row', { name: /Enterprise/ })
    await row.getByText('To pay').waitFor()
    await row.getByRole('button', { name: /^Cancel invoice/ }).click()
    const asked = page.getByRole('dialog')
    await asked.getByText('£990.00 is then no longer to be paid, and the plan does not begin.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await clickTwice(asked.getByRole('button', { name: 'Cancel £990.00' }))
    await row.getByText('Cancelled').waitFor()
    await card(page, 'Enterprise').getByRole('button', { name: 'Change to Enterprise' }).waitFor()
    expect(await page.getByText('Enterprise waits for its payment').count()).toBe(0)
    expect(await row.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  })

  it('an invoice cancelled elsewhere meanwhile is refused in the words of the server', async () => {
    const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing')
    await page.getByRole('button', { name: 'Buy credit' }).click()
    await close(dialog(page, 'How to pay'))
    await page.getByRole('button', { name: /^Cancel invoice/ }).click()
    await settleAll(id)
    await page.getByRole('button', { name: 'Cancel £50.00' }).click()
    await page
      .getByRole('dialog')
      .getByText(/is not open and cannot be cancelled/)
      .waitFor()
  })

  it('details are saved and stand on the document, as a page and as a PDF', async () => {
    const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing')
    const form = page.getByRole('form', { name: 'Details on invoices' })
    await form.getByLabel('Name').fill('Analytical Engines Ltd, accounts')
    await form.getByLabel('Address').fill('1 High Street\nLondon')
    await form.getByLabel('Tax number').fill('GB123456789')
    await form.getByRole('button', { name: 'Save the details' }).click()
    await form.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Buy credit' }).click()
    await close(dialog(page, 'How to pay'))
    const [document] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: /^Open invoice/ }).click(),
    ])
    await document.getByText('Analytical Engines Ltd, accounts').waitFor()
    const text = await document.locator('body').innerText()
    expect(text).toContain('1 High Street')
    expect(text).toContain('GB123456789')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^PDF of invoice/ }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^assay-invoice-\d+\.pdf$/)
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
    await page.reload()
    await expect.poll(() => form.getByLabel('Address').inputValue()).toBe('1 High Street\nLondon')
  })

  it('whoever has not paid reads on every page why checks are refused, and what helps', async () => {
    const { organisationId, email } = await subscriber('growth')
    const page = await test.open({ email }, '/console', PHONE)
    await page.getByText('The first invoice is not paid yet. Pay it to start.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('status').getByRole('link', { name: 'Usage and billing' }).click()
    await page.getByRole('heading', { name: 'Usage and billing' }).waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Pay £99.00' }).click()
    await close(dialog(page, 'How to pay'))
    await settleAll(organisationId)
    await page.reload()
    await card(page, 'Growth').getByText('Your plan').waitFor()
    expect(await page.getByText('Checks are refused').count()).toBe(0)

    await page.getByRole('button', { name: 'End the subscription' }).click()
    const ending = dialog(page, 'End the subscription?')
    await ending.getByRole('radio', { name: 'Now' }).check()
    await ending.getByText(/Checks are refused at once/).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await ending.getByRole('button', { name: 'End it now' }).click()
    await page.getByText('The subscription has ended. Choose a plan to go on.').waitFor()
    await page.getByRole('link', { name: 'Choose a plan' }).click()
    await card(page, 'Growth').getByRole('button', { name: 'Choose Growth' }).click()
    // The month is paid for already.
    await dialog(page, 'Choose Growth?').getByText('Growth begins at once. Nothing is to be paid now.').waitFor()
    await dialog(page, 'Choose Growth?').getByRole('button', { name: 'Choose it' }).click()
    await card(page, 'Growth').getByText('Your plan').waitFor()
  })

  it('the limit beyond the credit is lowered, refused above that of the plan, and given back', async () => {
    const { organisationId, email } = await subscriber('growth')
    await settleAll(organisationId)
    const page = await test.open({ email }, '/console/billing')
    const limits = page.getByRole('region', { name: 'Limit beyond the credit' })
    await limits.getByLabel('Your limit in pounds').fill('200')
    await limits.getByRole('button', { name: 'Set the limit' }).click()
    await limits.getByText('Your limit is £200.00.').waitFor()
    await expect.poll(() => limits.getByText('£200.00', { exact: true }).count()).toBe(2)
    await limits.getByLabel('Your limit in pounds').fill('2000')
    await limits.getByRole('button', { name: 'Set the limit' }).click()
    await limits.getByText(/can be lowered only/).waitFor()
    await limits.getByRole('button', { name: 'Use the limit of the plan' }).click()
    await limits.getByText('The limit of the plan holds.').waitFor()
    await expect.poll(() => limits.getByText('£1,000.00', { exact: true }).count()).toBe(3)
  })

  it('a viewer reads it all and is offered nothing to pay or change', async () => {
    const { organisationId } = await subscriber('growth')
    const page = await test.open(await test.member(organisationId, 'viewer'), '/console/billing')
    await page.getByText('An owner or an admin of the organisation can do that.').waitFor()
    await page.getByRole('button', { name: /^Open invoice/ }).waitFor()
    await card(page, 'Free').waitFor()
    for (const name of [/^Pay/, /^Cancel/, /^Change to/, /^Save/, 'Set the limit', 'Buy credit']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    }
  })

  it('a prepaid plan is bought with its first credit: how to pay survives a reload, then the key, whose first call is paid from it', async () => {
    const page = await test.stranger('/checkout?plan=prepaid', { ...PHONE, colorScheme: 'dark' })
    await page.getByLabel('Credit to buy now, in pounds').fill('0.5')
    await page.getByText('From £1 to £1,000,000.').waitFor()
    await page.getByLabel('Credit to buy now, in pounds').fill('25')
    await fillSignUp(page, 'prepaid@subscriber.example')
    expect(await seriousFindings(page)).toEqual([])
    await clickTwice(page.getByRole('button', { name: 'Subscribe' }))
    await page.getByRole('heading', { name: 'How to pay' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'How to pay' }).waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('£25.00')
    expect(text).toMatch(/INV-\d+/)
    expect(text).toContain('Sort code 00-00-00')
    expect(await seriousFindings(page)).toEqual([])
    expect(await overflowPx(page)).toBe(0)
    const organisationId = await organisationOf('prepaid@subscriber.example')
    await settleAll(organisationId)
    await page.getByRole('button', { name: 'Show my API key' }).click()
    const apiKey = await page.getByLabel('API key', { exact: true }).innerText()
    const answer = await test.server.post('/v1/payment-risk', { email: 'a@company.example' }, apiKey)
    expect(answer.json).toMatchObject({ is_free: false, total_price_pence: 3 })
    expect((await test.server.accounts.read(organisationId)).prepaidPence).toBe(2497)
  })
})

describe('with card payment', () => {
  during({}, { payments: { name: 'stripe', startPayment: async () => ({ url: `${test.server.url}/done` }) } })

  it('paying goes to the page of the provider, and coming back shows the payment', async () => {
    const { organisationId, email } = await subscriber('growth')
    const page = await test.open({ email }, '/console/billing')
    await page.getByRole('status').getByRole('button', { name: 'Pay £99.00' }).click()
    await page.waitForURL('**/done')
    const { rows } = await listInvoices(test.sql, { organisationId, limit: 1 })
    await page.goto(`${test.server.url}/console/billing?invoice=${rows[0]?.id}`)
    await page.getByText('Invoice 1 is not paid yet').waitFor()
    await settleAll(organisationId)
    await page.getByText('Invoice 1 is paid').waitFor()
    await card(page, 'Growth').getByText('Your plan').waitFor()
  })

  it('a payment page that does not open says why, and how to pay by transfer', async () => {
    const { email } = await subscriber('growth')
    const page = await test.open({ email }, '/console/billing')
    await page.route('**/payment', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 404, json: { code: 'not_found', detail: 'There is no such page.' } })
        : route.continue(),
    )
    await page.getByRole('status').getByRole('button', { name: 'Pay £99.00' }).click()
    const how = dialog(page, 'How to pay')
    await how.getByText('The payment page did not open').waitFor()
    await how.getByText('Sort code 00-00-00').waitFor()
    await page.unroute('**/payment')
    await how.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL('**/done')
  })

  it('signing up leads to the payment page', async () => {
    const page = await test.stranger('/checkout?plan=growth')
    await fillSignUp(page, 'card@subscriber.example')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL('**/done')
  })
})

describe('where the operator approves new accounts', () => {
  during({ signUp: 'approval', signUpPlans: ['free'] })

  it('says so before and after, offers the plans of customers alone, and shows the key once approved', async () => {
    const page = await test.stranger('/pricing', PHONE)
    await page.getByText('approves every new account before its first check').waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Choose Free' }).click()
    await page.getByText('approves every new account before its first check').waitFor()
    await fillSignUp(page, 'approval@subscriber.example')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('heading', { name: 'Waiting for the approval' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'Waiting for the approval' }).waitFor()
    const organisationId = await organisationOf('approval@subscriber.example')
    await changeIn(test.sql, systemClock, (tx) =>
      setOperatorWord(tx, test.server.accounts.rules, operatorIn(organisationId), 'approve'),
    )
    await page.getByRole('button', { name: 'Show my API key' }).click()
    await page.getByLabel('API key', { exact: true }).waitFor()
  })

  it('a customer is not offered what the operator gives, and keeps the plan that was given', async () => {
    const { id } = await test.server.organisation({ plan: 'growth', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing')
    await card(page, 'Growth').getByText('Your plan').waitFor()
    await card(page, 'Free').waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
  })
})

describe('where sign-up is closed', () => {
  during({ signUp: 'closed' })

  it('the pages say so in place of a form', async () => {
    const page = await test.stranger('/pricing')
    await page.getByText('Sign-up is closed here. Ask the operator of this server for an account.').waitFor()
    await card(page, 'Growth').waitFor()
    expect(await page.getByRole('link', { name: /^Choose/ }).count()).toBe(0)
    await page.goto(`${test.server.url}/checkout?plan=growth`)
    await page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
  })
})
