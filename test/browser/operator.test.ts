import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { listInvoices } from '../../src/billing/invoices/invoices.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { requestTopUp } from '../../src/billing/subscription/subscription.ts'
import { changeIn } from '../../src/db/sql.ts'
import { setOperator } from '../../src/identity/people/operators.ts'
import { createPerson } from '../../src/identity/people/people.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { bytesOf, clickTwice, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { keepCheck } from '../support/kept-checks.ts'
import { PASSWORD_HASH } from '../support/passwords.ts'
import { BANK, fillSignUp, organisationOf, overflowPx, PHONE } from '../support/paying.ts'
import type { SignedIn } from '../support/people.ts'

/** The operator looks after customers in the console; what was done is read in the audit log. */

let test: ConsoleTest
let operator: SignedIn
beforeAll(async () => {
  test = await startConsole({ plans: loadPlans(), settings: { ...BANK, signUp: 'approval' } })
  operator = await test.member((await test.server.organisation({ name: 'The house' })).id)
  await changeIn(test.sql, systemClock, (tx) => setOperator(tx, operator.id, true))
})
afterAll(async () => {
  expect(await verifyLedger(test.sql)).toMatchObject({ clean: true })
  await test.close()
})
afterEach(async () => {
  expect(await test.leave()).toEqual([])
})

const account = (page: Page) => page.getByRole('region', { name: 'Account' })
const told = (page: Page) => page.getByRole('main').getByRole('status')
const answer = (asked: Locator, name: string) => asked.getByRole('button', { name, exact: true })

it('finds an organisation, gives it credit once, settles and takes back, disables it and enables it again', async () => {
  const customer = await test.server.organisation({ name: 'Eastern Branch', plan: 'prepaid', creditPence: 100 })
  const owner = await test.member(customer.id)
  const [paid, mistaken] = [5000, 9900].map((amountPence) =>
    changeIn(test.sql, systemClock, (tx) =>
      requestTopUp(tx, test.server.accounts.rules, operatorIn(customer.id), { amountPence }),
    ),
  )
  const [first, second] = [await paid!, await mistaken!]
  const page = await test.open(operator, '/console/organisations')
  await page.getByLabel('Find by name, id, email address or invoice').fill('eastern')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const refused = await test.server.post('/v1/payment-risk', { email: 'no address' }, customer.apiKey)
  await page.getByLabel('Request id').fill(refused.json.instance)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('422 validation_failed').waitFor()
  await page.getByText(customer.id).last().waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Eastern Branch' }).click()
  await account(page).getByText('£1.00').first().waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])

  await page.getByRole('button', { name: 'Give credit' }).click()
  const credit = page.getByRole('dialog')
  await credit.getByLabel('Amount in pounds').fill('25')
  await credit.getByLabel('Reason').fill('An apology')
  await credit.getByText('£25.00 is added today to the £1.00 that Eastern Branch has.').waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  await clickTwice(answer(credit, 'Give £25.00'))
  await told(page).getByText('£25.00 was added. The credit is now £26.00.').waitFor()
  await page.getByRole('row', { name: /An apology \+£25\.00/ }).waitFor()
  expect((await test.server.accounts.read(customer.id)).prepaidPence).toBe(2600)

  await page.getByRole('button', { name: `Settle invoice INV-${first.number}` }).click()
  const settling = page.getByRole('dialog')
  await settling
    .getByText(/over £50\.00, due on .* counts as paid from today, .* £50\.00 of credit is added immediately\.$/)
    .waitFor()
  await settling.getByLabel('Reference of the payment').fill('bank 42')
  await clickTwice(answer(settling, 'Settle £50.00'))
  await page
    .getByRole('row', { name: new RegExp(`^INV-${first.number} `) })
    .getByText(/^Paid /)
    .waitFor()
  await account(page).getByText('£76.00').first().waitFor()

  await page.getByRole('button', { name: `Take back invoice INV-${second.number}` }).click()
  await page.getByRole('dialog').getByText('£99.00, due on').waitFor()
  await answer(page.getByRole('dialog'), 'Take back £99.00').click()
  await page
    .getByRole('row', { name: new RegExp(`^INV-${second.number} `) })
    .getByText('Cancelled')
    .waitFor()

  await account(page).getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByText('Its credit of £76.00 and its plan stay.').waitFor()
  await answer(page.getByRole('dialog'), 'Disable').click()
  await account(page).getByText('disabled', { exact: true }).waitFor()
  const member = await test.open(owner, '/console', PHONE)
  await member.getByText('The operator has disabled this organisation. Contact the operator.').waitFor()
  await account(page).getByRole('button', { name: 'Enable' }).click()
  await answer(page.getByRole('dialog'), 'Enable').click()
  await account(page).getByText('active', { exact: true }).waitFor()
  if (!FULL) return
  await member.goto(`${test.server.url}/console/billing/invoices`)
  await member.getByRole('row', { name: /Paid/ }).waitFor()
  expect(await overflowPx(member)).toBe(0)

  await member.goto(`${test.server.url}/console/audit`)
  await member.getByText(/^Person \d+, for the operator, added £25\.00 of credit: An apology\.$/).waitFor()
  await page.goto(`${test.server.url}/console/organisations/org_nobody`)
  await page.getByRole('alert').getByText('There is no organisation org_nobody.').waitFor()
})

it('needs no organisation of its own: there are the pages of operators, and no others', async () => {
  const email = 'operator@house.example'
  const person = { email, name: 'Of the house', emailVerified: true, passwordHash: PASSWORD_HASH }
  await changeIn(test.sql, systemClock, async (tx) => setOperator(tx, (await createPerson(tx, person)).id, true))
  const page = await test.open({ email }, '/console')
  await page.getByRole('heading', { level: 1, name: 'All organisations' }).waitFor()
  await page.getByRole('link', { name: 'The house' }).click()
  await account(page).waitFor()
  const pages = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
  expect(await pages.allTextContents()).toEqual(['All organisations', 'Status', 'Feedback'])
  await pages.filter({ hasText: 'Status' }).click()
  await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
})

it.runIf(FULL)('approves who signed up, and gives somebody a new password', async () => {
  const customer = await test.stranger('/checkout?plan=growth')
  await fillSignUp(customer, 'waiting@company.example')
  await customer.getByRole('button', { name: 'Subscribe' }).click()
  await customer.getByRole('heading', { name: /How to pay|Waiting for the approval/ }).waitFor()
  const id = await organisationOf(test, 'waiting@company.example')

  const page = await test.open(operator, '/console/organisations', PHONE)
  await page.getByLabel('State').selectOption('Waiting for approval')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByRole('link', { name: 'Northern Branch' }).click()
  await account(page).getByRole('button', { name: 'Approve' }).click()
  const { rows } = await listInvoices(test.sql, { organisationId: id, limit: 1 })
  await page
    .getByRole('dialog')
    .getByText(`It can start. Its plan begins when invoice INV-${rows[0]?.number} over £99.00 is settled.`)
    .waitFor()
  await answer(page.getByRole('dialog'), 'Approve').click()
  await told(page).getByText('The organisation is approved.').waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  expect(await overflowPx(page)).toBe(0)

  await page.getByRole('button', { name: 'Reset the password of Ada Lovelace' }).click()
  await answer(page.getByRole('dialog'), 'Set a new password').click()
  const password = await page.getByLabel('New password of Ada Lovelace', { exact: true }).innerText()
  await answer(page.getByRole('dialog'), 'Done').click()
  const signedIn = await test.server.post('/api/session', { email: 'waiting@company.example', password })
  expect(signedIn.status).toBe(200)
})

it('the audit log is read in sentences, filtered by what, who and when, and kept in the address', async () => {
  const organisation = await test.server.organisation({ name: 'Southern Branch' })
  const owner = await test.member(organisation.id)
  const made = await owner.send('POST', '/v1/organisation/keys', { name: 'Payments', scopes: ['risk:payment'] })
  const scopes = ['risk:payment', 'risk:bulk']
  await owner.send('PATCH', `/v1/organisation/keys/${made.json.id}`, { scopes }, { 'if-match': '*' })
  const page = await test.open(owner, '/console/audit')
  const entries = page.getByRole('table').getByRole('row')
  const gave = page.getByRole('cell', { name: /^Person \d+ gave the key “Payments” the scope risk:bulk\.$/ })
  await gave.waitFor()
  const everything = await entries.count()
  expect(await gave.locator('bdi').allInnerTexts()).toEqual([
    expect.stringMatching(/^Person/),
    'key',
    'Payments',
    'risk:bulk',
  ])

  const filters = page.getByRole('form', { name: 'Filter the audit log' })
  await filters.getByLabel('What').selectOption('An API key was changed')
  await expect.poll(() => entries.count()).toBe(2)
  await page.reload()
  await gave.waitFor()
  expect(await entries.count()).toBe(2)
  expect(new URL(page.url()).search).toBe('?action=key.update')
  // Both before the page is drawn again: neither change is lost.
  await filters.evaluate((form) => {
    const chosen = { What: 'Every change: key', Who: 'Anybody signed in' }
    for (const select of form.querySelectorAll('select')) {
      const wanted = chosen[select.labels[0]?.textContent as keyof typeof chosen]
      select.value = [...select.options].find(({ text }) => text === wanted)?.value ?? ''
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  await expect.poll(() => entries.count()).toBe(3)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect((await bytesOf(download)).toString('utf8').trim().split('\r\n')).toHaveLength(3)

  await filters.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No entry matches.').waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  if (!FULL) return
  await filters.getByRole('button', { name: 'Show everything' }).click()
  await expect.poll(() => entries.count()).toBe(everything)
  // The name leads to all that one did: two sign-ins, and the key made and changed.
  await gave.getByRole('link').click()
  await expect.poll(() => entries.count()).toBe(5)
  await expect.poll(() => filters.getByLabel('Who').inputValue()).toBe(owner.id)
  await page.goto(`${test.server.url}/console/audit?action=nonsense&from=2020-01-01`)
  await gave.waitFor()
})

it('reads the feedback of customers and exports it; anybody verifies a receipt', async () => {
  const { id: organisationId } = await test.server.organisation({ name: 'Northern Branch' })
  const customer = await test.member(organisationId)
  const check = await keepCheck(test.sql, ringOf(TEST_SECRET), { organisationId })
  const about = { wrong: 'too_high', reason: 'Our supplier for ten years' }
  expect((await customer.send('PUT', `/v1/checks/${check}/feedback`, about)).status).toBe(200)
  const page = await test.open(operator, '/console/feedback')
  await page.getByRole('row', { name: /accounts@acme\.example.*legitimate.*Our supplier.*email\.free_mail/ }).waitFor()
  expect(await seriousFindingsOfState(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await bytesOf(await download)).toString()).toContain(
    'email,accounts@acme.example,legitimate,4,email.free_mail,Our supplier for ten years,',
  )

  const { text: receipt } = await customer.send('GET', `/v1/checks/${check}/receipt`, undefined, { accept: '*/*' })
  const stranger = await test.stranger(`/receipt#${receipt}`)
  await stranger.getByText('This receipt is genuine.').waitFor()
  await stranger.getByLabel('Indicator, if you know it').fill('Accounts@acme.example')
  await stranger.getByRole('button', { name: 'Verify' }).click()
  await stranger.getByText('It is about this indicator.').waitFor()
  await stranger.getByRole('textbox', { name: /^Receipt/ }).fill(receipt.replace('.', '.e'))
  await stranger.getByRole('button', { name: 'Verify' }).click()
  await stranger.getByText('This receipt is not genuine.').waitFor()
  const file = { name: 'receipt.jws', mimeType: 'application/jose', buffer: Buffer.from(receipt) }
  await stranger.getByLabel('Receipt file').setInputFiles(file)
  await stranger.getByText('This receipt is genuine.').waitFor()
  expect(await stranger.getByText(check).count()).toBe(1)
  expect(await seriousFindingsOfState(stranger)).toEqual([])
})
