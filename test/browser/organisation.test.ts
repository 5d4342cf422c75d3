import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { setOperatorWord } from '../../src/billing/subscription/subscription.ts'
import { changeIn } from '../../src/db/sql.ts'
import { setRole } from '../../src/identity/members/members.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { createWebhookJob } from '../../src/notify/deliveries.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { clickTwice, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { startReceiver } from '../support/receiver.ts'

let test: ConsoleTest

beforeAll(async () => {
  test = await startConsole({ settings: { terms: { url: 'https://operator.example/terms', version: '2026-11' } } })
})
afterAll(() => test?.close())
afterEach(async () => {
  expect(await test.leave()).toEqual([])
})

const shown = (page: Page, label: string) => page.getByLabel(label, { exact: true }).innerText()
const checkWith = (apiKey: string) => test.server.post('/v1/payment-risk', { email: 'a@company.example' }, apiKey)

/** Does what the command does, word for word, on machines without curl too. */
async function runCurl(command: string): Promise<unknown> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const after = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []))
  const headers = Object.fromEntries(after('-H').map((header) => header.split(': ') as [string, string]))
  const url = words.find((word) => word.startsWith('http')) ?? ''
  expect(words[0]).toBe('curl')
  return (await fetch(url, { method: 'POST', headers, body: after('-d')[0] ?? '' })).json()
}

describe('subscribing', () => {
  it.runIf(FULL)('leads from the prices to a key, shown once, whose first curl works', async () => {
    const page = await test.stranger('/pricing')
    await page.getByRole('link', { name: 'Choose free' }).click()
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('Accept the terms to continue.').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByLabel('Organisation').fill('Northern Branch')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Email address').fill('ada@subscriber.example')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await page.getByLabel('I accept the terms of the service').check()
    await clickTwice(page.getByRole('button', { name: 'Subscribe' }))
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor()
    const apiKey = await shown(page, 'API key')
    expect(apiKey).toMatch(/^ask_/)
    expect(await seriousFindingsOfState(page)).toEqual([])
    const answer = await runCurl(await shown(page, 'A first request'))
    expect(answer).toMatchObject({ endpoint: 'payment-risk', is_free: true })
    const made = await test.sql.query("select id from organisation where name = 'Northern Branch'", [])
    expect(made).toHaveLength(1)

    await page.getByRole('link', { name: 'Go to the console' }).click()
    await page.getByText('Northern Branch').waitFor()
    await page.goto(`${test.server.url}/checkout?checkout=cho_gone`)
    await page.getByRole('heading', { name: 'This checkout is finished' }).waitFor()
    expect(await page.getByText(apiKey).count()).toBe(0)
  })
})

describe('events', () => {
  it.runIf(FULL)(
    'are counted in the menu, shown in the inbox once as new, and sent to a webhook that is tested',
    async () => {
      const organisation = await test.server.organisation()
      const page = await test.open(await test.member(organisation.id), '/console/inbox')
      const inbox = page.getByRole('link', { name: 'Inbox' })
      await page
        .getByRole('row', { name: /Person \d+ joined as owner/ })
        .getByText('new')
        .waitFor()
      await expect.poll(() => inbox.innerText()).toBe('Inbox')
      expect(await seriousFindingsOfState(page)).toEqual([])
      await test.member(organisation.id, 'viewer')
      await page.reload()
      await page
        .getByRole('row', { name: /joined as viewer/ })
        .getByText('new')
        .waitFor()
      expect(await page.getByText('new', { exact: true }).count()).toBe(1)

      await page.getByRole('link', { name: 'Webhooks' }).click()
      const receiver = await startReceiver()
      await page.getByLabel('Address', { exact: true }).fill(receiver.url)
      await page.getByLabel('check.decided').uncheck()
      await clickTwice(page.getByRole('button', { name: 'Add', exact: true }))
      await page.getByLabel('Secret', { exact: true }).waitFor()
      expect(await shown(page, 'Secret')).toMatch(/^whsec_/)
      const row = page.getByRole('row', { name: /127\.0\.0\.1.*enabled/s })
      await row.getByRole('button', { name: 'Send a test' }).click()
      await page
        .getByRole('row', { name: /webhook\.test/ })
        .getByText('waiting')
        .waitFor()
      const job = createWebhookJob({
        sql: test.sql,
        clock: systemClock,
        ring: ringOf(TEST_SECRET),
        allowLoopback: true,
        sendsMail: false,
        onError: (error) => {
          throw error
        },
      })
      await job.run(new AbortController().signal)
      await page.getByRole('row', { name: /webhook\.test.*delivered.*200 after/s }).waitFor()
      expect(receiver.received).toHaveLength(1)
      expect(await seriousFindingsOfState(page)).toEqual([])
      await row.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('row', { name: /disabled.*by a member/s }).waitFor()
      await receiver.close()

      await page.goto(`${test.server.url}/console/account`)
      await page.getByLabel('How often').selectOption('weekly')
      await expect.poll(() => test.sql.query('select frequency from event_digest')).toEqual([{ frequency: 'weekly' }])
    },
  )
})

describe('keys', () => {
  it('are made with a first request, rotated with a grace period, and revoked', async () => {
    const organisation = await test.server.organisation()
    const page = await test.open(await test.member(organisation.id, 'developer'), '/console/keys')
    await page
      .getByRole('row', { name: /test key/ })
      .getByRole('button', { name: 'Rotate' })
      .click()
    const asked = page.getByRole('dialog', { name: /^Rotate the key/ })
    await asked.getByText('The old one works for 24 more hours').waitFor()
    const rotate = asked.getByRole('button', { name: 'Rotate the key' })
    // Nothing is lost at once: the button is not red.
    const colour = (button: Locator) => button.evaluate('(one) => getComputedStyle(one).backgroundColor')
    expect(await colour(rotate)).toBe(await colour(page.locator('button', { hasText: 'New key' })))
    await rotate.click()
    await page.getByLabel('API key', { exact: true }).waitFor()
    const rotated = await shown(page, 'API key')
    expect(rotated).not.toBe(organisation.apiKey)
    expect((await checkWith(rotated)).status).toBe(200)
    expect((await checkWith(organisation.apiKey)).status).toBe(200)
    expect(await seriousFindingsOfState(page)).toEqual([])

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Purpose').fill('Nightly batch')
    await page.getByLabel('Check IP addresses').uncheck()
    await clickTwice(page.getByRole('button', { name: 'Create the key' }))
    const row = page.getByRole('row', { name: /Nightly batch/ })
    await row.waitFor()
    expect(await row.count()).toBe(1)
    const made = await shown(page, 'API key')
    expect((await checkWith(made)).status).toBe(200)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await row.getByRole('button', { name: 'Yes, revoke' }).click()
    await row.getByText('revoked').waitFor()
    expect((await checkWith(made)).status).toBe(401)
  })

  it('an application is registered, disabled and deleted', async () => {
    const organisation = await test.server.organisation()
    const page = await test.open(await test.member(organisation.id), '/console/keys')
    await page.getByRole('button', { name: 'New application' }).click()
    await page.getByLabel('Name, as people see it').fill('Invoice Desk')
    await page.getByRole('button', { name: 'Register it' }).click()
    await page.getByLabel('Client secret', { exact: true }).waitFor()
    const row = page.getByRole('row', { name: /Invoice Desk/ })
    await row.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('disabled').waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.getByRole('button', { name: 'Yes, delete' }).click()
    await page.getByText('No application yet.').waitFor()
  })

  it.runIf(FULL)(
    'an application gets a new secret beside the former one, which somebody ends; after a leak its tokens end too',
    async () => {
      const organisation = await test.server.organisation()
      const page = await test.open(await test.member(organisation.id), '/console/keys')
      await page.getByRole('button', { name: 'New application' }).click()
      await page.getByLabel('Name, as people see it').fill('Invoice Desk')
      await page.getByRole('button', { name: 'Register it' }).click()
      const former = await shown(page, 'Client secret')
      const id = await shown(page, 'Client id')
      const tokenOf = async (secret: string) => {
        const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
        const answer = await fetch(`${test.server.url}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams(form),
        })
        return ((await answer.json()) as { access_token?: string }).access_token
      }
      const works = async (secret: string) => (await tokenOf(secret)) !== undefined
      const row = page.getByRole('row', { name: /Invoice Desk/ })
      await row.getByRole('button', { name: 'New secret' }).click()
      await page.getByLabel('The current secret works').selectOption('168')
      expect(await seriousFindingsOfState(page)).toEqual([])
      await page.getByRole('button', { name: 'Give a new secret' }).click()
      await row.getByText('former secret works until').waitFor()
      const present = await shown(page, 'Client secret')
      expect(present).not.toBe(former)
      expect([await works(former), await works(present)]).toEqual([true, true])
      expect(await seriousFindingsOfState(page)).toEqual([])
      await row.getByRole('button', { name: 'End former secret' }).click()
      await row.getByRole('button', { name: 'Yes, it stops now' }).click()
      await row.getByText('former secret works until').waitFor({ state: 'hidden' })
      expect([await works(former), await works(present)]).toEqual([false, true])
      const headers = { authorization: `Bearer ${await tokenOf(present)}` }
      const answers = async () => (await fetch(`${test.server.url}/v1/organisation`, { headers })).status
      expect(await answers()).toBe(200)
      await row.getByRole('button', { name: 'New secret' }).click()
      await page
        .getByLabel('The current secret works')
        .selectOption({ label: 'No longer, and all tokens end too: it leaked' })
      await page.getByRole('button', { name: 'Give a new secret' }).click()
      await expect.poll(answers).toBe(401)
      expect(await works(present)).toBe(false)
    },
  )
})

describe('members', () => {
  it('a link brings a colleague in, once; an ended one says so', async () => {
    const organisation = await test.server.organisation({ name: 'Northern Branch' })
    const owner = await test.member(organisation.id)
    const page = await test.open(owner, '/console/members')
    await page.getByRole('button', { name: 'Create a link' }).click()
    await page.getByLabel('Invitation link', { exact: true }).waitFor()
    const link = new URL(await shown(page, 'Invitation link'))
    expect(await seriousFindingsOfState(page)).toEqual([])

    const guest = await test.stranger(link.pathname + link.hash)
    await guest.getByRole('heading', { name: 'Join Northern Branch' }).waitFor()
    expect(await seriousFindingsOfState(guest)).toEqual([])
    await guest.getByLabel('Your name').fill('Grace Hopper')
    await guest.getByLabel('Email address').fill('grace@colleague.example')
    await guest.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await guest.getByLabel('I accept the terms of the service').check()
    await clickTwice(guest.getByRole('button', { name: 'Join' }))
    await guest.getByText('Your role: developer').waitFor()
    const late = await test.stranger(link.pathname + link.hash)
    await late.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
    expect(await late.getByRole('alert').innerText()).toMatch(/Request req_/)

    await page.reload()
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
    // Somebody else changes the role first: the choice was made on an outdated page.
    const [grace] = await test.sql.query<{ id: string }>('select id from person where email = $1', [
      'grace@colleague.example',
    ])
    await changeIn(test.sql, systemClock, (tx) =>
      setRole(tx, operatorIn(organisation.id), { personId: grace?.id ?? '', role: 'admin' }),
    )
    await page.getByLabel('Role of Grace Hopper').selectOption('viewer')
    await page.getByRole('alert').getByText('Nothing was changed').waitFor()
    await expect.poll(() => page.getByLabel('Role of Grace Hopper').inputValue()).toBe('admin')
    await page.getByLabel('Role of Grace Hopper').selectOption('viewer')
    await expect.poll(() => page.getByLabel('Role of Grace Hopper').inputValue()).toBe('viewer')

    if (!FULL) return
    await page
      .getByRole('row', { name: /\(you\)/ })
      .getByRole('button', { name: 'Leave' })
      .click()
    await page.getByRole('button', { name: 'Yes, leave' }).click()
    await page.getByRole('alert').getByText('Nothing was changed').waitFor()
    await page.goto(`${test.server.url}/console/audit`)
    // The owner, by the operator, and the colleague, by the link.
    await expect.poll(() => page.getByRole('cell', { name: /as a member, with|joined as/ }).count()).toBe(2)
  })

  it.runIf(FULL)(
    'a checker checks and reads usage; pages of keys and changes are not offered, leaving is',
    async () => {
      const organisation = await test.server.organisation()
      const owner = await test.open(await test.member(organisation.id), '/console/members')
      await owner
        .getByLabel('Role', { exact: true })
        .selectOption('Checker: checks, reads usage and counterparties, creates no keys')

      const page = await test.open(await test.member(organisation.id, 'checker'), '/console')
      await page.getByText('Your role: checker').waitFor()
      await page.getByRole('link', { name: 'Usage and billing' }).waitFor()
      for (const name of ['Keys and applications', 'Audit log']) {
        expect(await page.getByRole('link', { name }).count(), name).toBe(0)
      }
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByText('Your role checker does not let you see other members.').waitFor()
      expect(await seriousFindingsOfState(page)).toEqual([])
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('button', { name: 'Yes, leave' }).click()
      await page.getByRole('heading', { name: 'You are not a member of an organisation yet' }).waitFor()
    },
  )

  it.runIf(FULL)('a developer is offered only the scopes they have, and no button for a key beyond them', async () => {
    const organisation = await test.server.organisation({ scopes: ['risk:payment', 'billing:write'] })
    const page = await test.open(await test.member(organisation.id, 'developer'), '/console/keys')
    const beyond = page.getByRole('row', { name: /narrow key/ })
    await beyond.waitFor()
    expect(await beyond.getByRole('button').count()).toBe(0)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Check IP addresses').waitFor()
    expect(await page.getByLabel('Buy credit and change the plan').count()).toBe(0)
  })
})

describe('billing', () => {
  it('shows credit, usage and ledger; a top-up is bought once; an alert is set', async () => {
    const organisation = await test.server.organisation({ creditPence: 5000 })
    await checkWith(organisation.apiKey)
    const page = await test.open(await test.member(organisation.id), '/console/billing')
    await page.getByRole('region', { name: 'Credit' }).getByText('£49.97').first().waitFor()
    const chart = page.getByRole('img', { name: '1 record this month for £0.03' })
    await chart.getByText('1', { exact: true }).waitFor()
    expect(await chart.getByText(/^\d+\.\d+$/).count()).toBe(0)
    await page.getByRole('cell', { name: 'Checks: 1 email' }).waitFor()
    await page.getByLabel('Amount in pounds').fill('20')
    await clickTwice(page.getByRole('button', { name: 'Buy credit' }))
    const dialog = page.getByRole('dialog', { name: 'How to pay' })
    await dialog.getByText('£20.00 is added to your credit').waitFor()
    await dialog.getByText('Ask billing@operator.example how to pay.').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await dialog.getByText('Close', { exact: true }).click()
    const invoices = await test.sql.query('select id from invoice where organisation_id = $1', [organisation.id])
    expect(invoices).toHaveLength(1)
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByLabel('Threshold in pounds').fill('60')
    await page.getByRole('button', { name: 'Set the alert' }).click()
    await page.getByText('Credit below £60.00').waitFor()
  })
})

describe('all organisations', () => {
  it.runIf(FULL)('are shown to whom the operator marked, and to nobody else', async () => {
    const organisation = await test.server.organisation({ name: 'Eastern Branch', creditPence: 4200 })
    const person = await test.member(organisation.id)
    const page = await test.open(person, '/console/organisations')
    await page.getByRole('alert').getByText('There is nothing at this path.').waitFor()
    expect(await page.getByRole('link', { name: 'All organisations' }).count()).toBe(0)
    await changeIn(test.sql, systemClock, (tx) => setOperator(tx, person.id, true))
    await page.reload()
    await page.getByRole('link', { name: 'All organisations' }).waitFor()
    await page.getByLabel('Find by name, id, email address or invoice').fill('eastern')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(await page.getByRole('row').nth(1).innerText()).toMatch(/Eastern Branch[\s\S]*£42\.00/)
    await changeIn(test.sql, systemClock, (tx) =>
      setOperatorWord(tx, test.server.accounts.rules, operatorIn(organisation.id), 'deactivate'),
    )
    await page.reload()
    await page.getByLabel('Find by name, id, email address or invoice').fill('eastern')
    await page
      .getByRole('row', { name: /Eastern Branch/ })
      .getByText('deactivated')
      .waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
  })
})
