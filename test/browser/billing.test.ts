import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { listInvoices } from '../../src/billing/invoices/invoices.ts'
import { bytesOf, clickTwice, seriousFindingsOfState } from '../support/browser.ts'
import type { ConsoleTest } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { card, close, consoleDuring, dialog, overflowPx, PHONE, settleAll, subscriber } from '../support/paying.ts'

/** The plans as sold, in a browser: choosing, paying, cancelling. */

let test: ConsoleTest

const during = consoleDuring((started) => {
  test = started
})

async function choose(page: Page, plan: string): Promise<Locator> {
  await card(page, plan)
    .getByRole('button', { name: `Change to ${plan}` })
    .click()
  return dialog(page, `Choose ${plan}?`)
}

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Billing' })
const goTo = (page: Page, tab: string) => tabs(page).getByRole('link', { name: tab }).click()

const NEXT = /1 \w+ \d{4}/.source
const NOTHING_NOW = new RegExp(`^Nothing now, then £99\\.00 on ${NEXT} and every month\\.$`)

describe('without card payment', () => {
  during({ signUpPlans: ['free', 'prepaid', 'growth', 'enterprise'] })

  it('a chosen plan says what it costs and when, then how to pay, and costs just that', async () => {
    const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing/plan', { ...PHONE, colorScheme: 'dark' })
    const asked = await choose(page, 'Growth')
    await asked.getByText(new RegExp(`^£99\\.00 now, then £99\\.00 on ${NEXT} and every month\\.$`)).waitFor()
    await asked.getByText('Growth begins when the invoice of £99.00 is paid. Until then you keep Free.').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect(await overflowPx(page)).toBe(0)
    await clickTwice(asked.getByRole('button', { name: 'Choose it and pay £99.00' }))
    const how = dialog(page, 'How to pay')
    await how.getByText('INV-1', { exact: true }).waitFor()
    expect(await how.getByText('Example Bank').innerText()).toBe('Example Bank\nSort code 00-00-00\nAccount 12345678')
    await how.getByText(/^Growth, \d{4}-\d{2} begins when invoice INV-1 over £99\.00 is settled\.$/).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect(await overflowPx(page)).toBe(0)
    await page.keyboard.press('Escape')
    await how.waitFor({ state: 'detached' })
    await card(page, 'Growth').getByText('Waits for its payment').waitFor()
    const { rows } = await listInvoices(test.sql, { organisationId: id, limit: 10 })
    expect(rows).toMatchObject([{ number: 1, total_pence: 9900, state: 'open' }])
    await goTo(page, 'Overview')
    await page.getByText('Growth waits for its payment').waitFor()
    const credit = page.getByRole('region', { name: 'Credit' })
    await expect.poll(async () => (await credit.innerText()).replace(/\s+/g, ' ')).toContain('Open invoices £99.00')
    expect(await credit.getByText('owed').count()).toBe(0)
    await goTo(page, 'Invoices')
    // None from before the sign-up.
    await expect.poll(() => page.getByLabel('Month').getByRole('option').count()).toBe(1)
    await goTo(page, 'Overview')

    await settleAll(test, id)
    await page.reload()
    await page.getByRole('region', { name: 'Credit' }).getByText('£120.00').first().waitFor()
    await page.getByRole('row', { name: /\+£120\.00/ }).waitFor()
    expect((await test.server.accounts.read(id)).includedPence).toBe(12_000)
    expect(await page.getByText('Growth waits for its payment').count()).toBe(0)
    await page.getByText(new RegExp(`^£99\\.00 is invoiced for the next month on ${NEXT}`)).waitFor()
    await goTo(page, 'Invoices')
    await page
      .getByRole('row', { name: /Growth/ })
      .getByText(/^Paid /)
      .waitFor()

    if (!FULL) return
    // Dearer: the difference. Cheaper: with the next month, and taken back.
    await goTo(page, 'Plan')
    await card(page, 'Growth').getByText('Your plan').waitFor()
    await page.goto(`${test.server.url}/console/billing/plan?choose=enterprise`)
    const dearer = dialog(page, 'Choose Enterprise?')
    await dearer.getByText(new RegExp(`^£891\\.00 now, then £990\\.00 on ${NEXT} and every month\\.$`)).waitFor()
    await page.keyboard.press('Escape')
    const cheaper = await choose(page, 'Prepaid')
    await cheaper.getByText('Nothing now, and nothing every month.').waitFor()
    await cheaper.getByText(new RegExp(`^Prepaid begins on ${NEXT}\\. Until then you keep Growth\\.$`)).waitFor()
    await cheaper.getByRole('button', { name: 'Choose it' }).click()
    await card(page, 'Prepaid')
      .getByText(/^Begins on 1 /)
      .waitFor()
    await card(page, 'Growth').getByRole('button', { name: 'Keep Growth' }).click()
    await dialog(page, 'Choose Growth?').getByText(NOTHING_NOW).waitFor()
    await dialog(page, 'Choose Growth?').getByRole('button', { name: 'Choose it' }).click()
    await card(page, 'Growth').getByText('Your plan').waitFor()
    await card(page, 'Prepaid').getByRole('button', { name: 'Change to Prepaid' }).waitFor()
  })

  it.runIf(FULL)('each part has its address, stays there on reload, and is reached by the keyboard', async () => {
    const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing')
    const current = () => tabs(page).locator('[aria-current=page]').innerText()
    for (const [tab, path, region] of [
      ['Invoices', '/invoices', 'Statements'],
      ['Plan', '/plan', 'Details on invoices'],
      ['Alerts', '/alerts', 'Alerts'],
      ['Overview', '', 'How Free works'],
    ] as const) {
      await tabs(page).getByRole('link', { name: tab }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: region, exact: true }).waitFor()
      await page.reload()
      await page.getByRole('region', { name: region, exact: true }).waitFor()
      expect([new URL(page.url()).pathname, await current()]).toEqual([`/console/billing${path}`, tab])
    }
    await page.goto(`${test.server.url}/console/billing/nothing`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  })

  it.runIf(FULL)(
    'a plan that waits is cancelled, with its amount in the question; what was settled meanwhile is not',
    async () => {
      const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
      const page = await test.open(await test.member(id), '/console/billing/plan')
      await (await choose(page, 'Enterprise')).getByRole('button', { name: 'Choose it and pay £990.00' }).click()
      await close(dialog(page, 'How to pay'))
      await goTo(page, 'Invoices')
      const row = page.getByRole('row', { name: /Enterprise/ })
      await row.getByText('To pay').waitFor()
      await row.getByRole('button', { name: /^Cancel invoice/ }).click()
      const asked = page.getByRole('dialog')
      await asked
        .getByText(/^£990\.00, due on \d+ \w+ \d{4}, will no longer have to be paid, and the plan does not begin\./)
        .waitFor()
      expect(await seriousFindingsOfState(page)).toEqual([])
      await clickTwice(asked.getByRole('button', { name: 'Cancel £990.00' }))
      await row.getByText('Cancelled').waitFor()
      expect(await row.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
      await goTo(page, 'Plan')
      await card(page, 'Enterprise').getByRole('button', { name: 'Change to Enterprise' }).waitFor()

      await goTo(page, 'Overview')
      await page.getByRole('button', { name: 'Buy credit' }).click()
      await close(dialog(page, 'How to pay'))
      await goTo(page, 'Invoices')
      await page.getByRole('button', { name: /^Cancel invoice/ }).click()
      await settleAll(test, id)
      await page.getByRole('button', { name: 'Cancel £50.00' }).click()
      await page
        .getByRole('dialog')
        .getByText(/is not open and cannot be cancelled/)
        .waitFor()
    },
  )

  it.runIf(FULL)('details are saved and stand on the document, as a page and as a PDF', async () => {
    const { id } = await test.server.organisation({ plan: 'free', creditPence: 0 })
    const page = await test.open(await test.member(id), '/console/billing/plan')
    const form = page.getByRole('form', { name: 'Details on invoices' })
    await form.getByLabel('Name').fill('Analytical Engines Ltd, accounts')
    await form.getByLabel('Address').fill('1 High Street\nLondon')
    await form.getByLabel('Tax number').fill('GB123456789')
    await form.getByRole('button', { name: 'Save the details' }).click()
    await form.getByText('Saved.').waitFor()
    await goTo(page, 'Overview')
    await page.getByRole('button', { name: 'Buy credit' }).click()
    await dialog(page, 'How to pay')
      .getByText(/^£50\.00 is added to your credit when invoice INV-\d+ is settled\.$/)
      .waitFor()
    await close(dialog(page, 'How to pay'))
    await goTo(page, 'Invoices')
    await page.getByRole('button', { name: /^Open invoice/ }).waitFor()
    // From here on no list is answered: a file is read whatever else the page waits for.
    const lists = /\/v1\/[a-z/]+(\?|$)/
    await page.route(lists, () => {})
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
    expect(download.suggestedFilename()).toMatch(/^assay-INV-\d+\.pdf$/)
    expect((await bytesOf(download)).subarray(0, 5).toString()).toBe('%PDF-')
    await page.unroute(lists)
    await goTo(page, 'Plan')
    await page.reload()
    await expect.poll(() => form.getByLabel('Address').inputValue()).toBe('1 High Street\nLondon')
  })

  it.runIf(FULL)('a customer who has not paid reads on every page why checks are refused, and what helps', async () => {
    const { organisationId, email } = await subscriber(test, 'growth')
    const page = await test.open({ email }, '/console', PHONE)
    await page.getByText('The first invoice is not paid yet. Pay it to start.').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('status').getByRole('link', { name: 'Usage and billing' }).click()
    await page.getByRole('heading', { name: 'Usage and billing' }).waitFor()
    await page.getByText('Months that begin while checks are refused are not invoiced.').waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Pay £99.00' }).click()
    await close(dialog(page, 'How to pay'))
    await settleAll(test, organisationId)
    await goTo(page, 'Plan')
    await page.reload()
    await card(page, 'Growth').getByText('Your plan').waitFor()
    expect(await page.getByText('Checks are refused').count()).toBe(0)

    await page.getByRole('button', { name: 'End the subscription' }).click()
    const ending = dialog(page, 'End the subscription?')
    await ending
      .getByText(/^Your plan ends on \d+ \w+ \d{4}; until then nothing changes\. Nothing more is invoiced now;/)
      .waitFor()
    await ending.getByRole('radio', { name: 'Now' }).check()
    await ending.getByText(/^Checks are refused immediately\. Nothing more is invoiced\./).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await ending.getByRole('button', { name: 'End it now' }).click()
    await page.getByText('The subscription has ended. Choose a plan to continue.').waitFor()
    await goTo(page, 'Overview')
    await page.getByRole('link', { name: 'Choose a plan' }).click()
    await card(page, 'Growth').getByRole('button', { name: 'Choose Growth' }).click()
    // The month is paid for already.
    await dialog(page, 'Choose Growth?').getByText(NOTHING_NOW).waitFor()
    await dialog(page, 'Choose Growth?').getByText('Growth begins immediately.').waitFor()
    await dialog(page, 'Choose Growth?').getByRole('button', { name: 'Choose it' }).click()
    await card(page, 'Growth').getByText('Your plan').waitFor()
  })

  it.runIf(FULL)('the limit beyond the credit is lowered, refused above that of the plan, and given back', async () => {
    const { organisationId, email } = await subscriber(test, 'growth')
    await settleAll(test, organisationId)
    const page = await test.open({ email }, '/console/billing/plan')
    const limits = page.getByRole('region', { name: 'Limit beyond the credit' })
    await limits.getByLabel('Your limit in pounds').fill('200')
    await limits.getByRole('button', { name: 'Set the limit' }).click()
    await limits.getByText('Your limit is £200.00.').waitFor()
    await expect.poll(() => limits.getByText('£200.00', { exact: true }).count()).toBe(2)
    await limits.getByLabel('Your limit in pounds').fill('2000')
    await limits.getByRole('button', { name: 'Set the limit' }).click()
    await limits.getByText(/can only be lowered/).waitFor()
    await limits.getByRole('button', { name: 'Use the limit of the plan' }).click()
    await limits.getByText('The limit of the plan applies.').waitFor()
    await expect.poll(() => limits.getByText('£1,000.00', { exact: true }).count()).toBe(3)
  })

  it.runIf(FULL)('a viewer reads it all and is offered nothing to pay or change', async () => {
    const { organisationId } = await subscriber(test, 'growth')
    const page = await test.open(await test.member(organisationId, 'viewer'), '/console/billing')
    await page.getByText('An owner or an admin of the organisation can do that.').waitFor()
    const offered = async () => {
      for (const name of [
        /^Pay/,
        /^Cancel/,
        /^Change to/,
        /^Save/,
        /^End/,
        'Set the limit',
        'Buy credit',
        'Set the alert',
      ]) {
        expect(await page.getByRole('button', { name }).count()).toBe(0)
      }
    }
    await offered()
    await goTo(page, 'Invoices')
    await page.getByRole('button', { name: /^Open invoice/ }).waitFor()
    await offered()
    await page.goto(`${test.server.url}/console/billing/plan?choose=enterprise`)
    await card(page, 'Free').waitFor()
    await offered()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await goTo(page, 'Alerts')
    await page.getByText('None set.').waitFor()
    await offered()
  })
})

describe('with card payment', () => {
  during({}, { payments: { name: 'stripe', startPayment: async () => ({ url: `${test.server.url}/done` }) } })

  it('paying goes to the page of the provider, and coming back shows the payment', async () => {
    const { organisationId, email } = await subscriber(test, 'growth')
    const page = await test.open({ email }, '/console/billing')
    await page.getByRole('status').getByRole('button', { name: 'Pay £99.00' }).click()
    await page.waitForURL('**/done')
    const { rows } = await listInvoices(test.sql, { organisationId, limit: 1 })
    await page.goto(`${test.server.url}/console/billing?invoice=${rows[0]?.id}`)
    await page.getByText('Invoice INV-1 is not paid yet').waitFor()
    await settleAll(test, organisationId)
    await page.getByText('Invoice INV-1 is paid').waitFor()
    await goTo(page, 'Plan')
    await card(page, 'Growth').getByText('Your plan').waitFor()
  })

  it.runIf(FULL)('a payment page that does not open says why, and how to pay by transfer', async () => {
    const { email } = await subscriber(test, 'growth')
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
})
