import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { GUIDES } from '../../console/src/guides/catalogue.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { KINDS } from '../../src/lib/kinds.ts'
import type { Sample } from '../../src/risk/samples-http.ts'
import { overflowPx, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { freePort } from '../support/ports.ts'
import { startTestServer } from '../support/server.ts'

/** The pages for a stranger: the front page and the guides. */

const PHONE = { viewport: { width: 380, height: 800 }, colorScheme: 'dark' } as const

let test: ConsoleTest
beforeAll(async () => {
  test = await startConsole({ plans: loadPlans(), settings: { freeTries: 2 } })
})
afterAll(() => test?.close())
afterEach(async () => {
  expect(await test.leave()).toEqual([])
})

const main = (page: Page) => page.getByRole('main')
const choosePlan = (page: Page) => main(page).getByRole('link', { name: 'Choose a plan' })

describe('the front page', () => {
  it('shows a stranger what it is, live answers, readers and prices, from this server alone', async () => {
    const elsewhere: string[] = []
    const page = await test.stranger('/livez')
    page.on('request', (request) => {
      if (!request.url().startsWith(test.server.url) && !request.url().startsWith('data:'))
        elsewhere.push(request.url())
    })
    await page.goto(`${test.server.url}/`)
    await page.getByRole('heading', { level: 1, name: /^Know who you are dealing with/ }).waitFor()
    const shown = (await test.server.send('/api/samples')).json.samples as Sample[]
    expect(shown).toHaveLength(3)
    const { apiKey } = await test.server.organisation()
    for (const sample of shown) {
      const path = `/v1/${KINDS[sample.kind].family}?explain=true`
      const answer = (await test.server.post(path, { [sample.kind]: sample.indicator }, apiKey)).json
      expect(sample).toMatchObject({
        risk: answer.risk,
        risk_score: answer.risk_score,
        recommended_action: answer.recommended_action,
        signals: answer.signals,
      })
      const card = page.getByRole('article', { name: sample.indicator })
      const text = (await card.innerText()).replace(/\s+/g, ' ').toLowerCase()
      expect(text).toContain(`${answer.risk} risk ${answer.risk_score} of 100`)
      expect(text).toContain(answer.recommended_action)
      const [reason] = answer.signals.filter(({ effect }: { effect: number }) => effect !== 0)
      if (reason) expect(text).toContain(reason.description.toLowerCase())
    }
    for (const who of ['Accounts payable', 'Procurement', 'Security operations', 'Developers']) {
      await page.getByRole('heading', { name: who }).waitFor()
    }
    await page.getByRole('article', { name: 'Growth', exact: true }).waitFor()
    const reference = page.getByRole('banner').getByRole('link', { name: 'API reference' })
    const address = new URL((await reference.getAttribute('href')) ?? '', page.url())
    expect((await test.server.send(address.pathname)).status).toBe(200)
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect(elsewhere).toEqual([])
    await choosePlan(page).click()
    await page.waitForURL('**/pricing')
  })

  it.runIf(FULL)(
    'is readable on a phone in the dark, and leads to the sign-in and from there into the console',
    async () => {
      const organisation = await test.server.organisation()
      const person = await test.member(organisation.id)
      const page = await test.stranger('/', PHONE)
      await page.getByRole('article', { name: 'Growth', exact: true }).waitFor()
      expect(await overflowPx(page)).toBe(0)
      expect(await seriousFindingsOfState(page)).toEqual([])
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      const known = await test.open(person, '/')
      await known.getByRole('banner').getByRole('link', { name: 'Open the console' }).waitFor()
      expect(await known.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
      expect(await choosePlan(known).count()).toBe(0)
      await main(known).getByRole('link', { name: 'Open the console' }).click()
      await known.getByRole('heading', { name: 'Can I trust this?' }).waitFor()
    },
  )

  it('gives a stranger some free checks a day, with their reasons, and says when they are used up', async () => {
    const page = await test.stranger('/')
    const form = main(page).getByRole('form', { name: 'Try it' })
    const ask = async (text: string) => {
      await form.getByLabel(/^Try it/).fill(text)
      await form.getByRole('button', { name: 'Check' }).click()
    }
    await ask('no indicator')
    await form.getByText('There is no email address, domain or IP address in this text.').waitFor()
    await ask('paypa1-login.com')
    await main(page).getByRole('region', { name: 'Result' }).getByText('High risk').waitFor()
    await main(page).getByRole('region', { name: /^Why / }).getByText('domain.lookalike').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect(await page.content()).not.toContain('ask_')
    await ask('example.org')
    await main(page).getByRole('region', { name: 'Result' }).getByText('example.org').waitFor()
    await ask('example.com')
    await form.getByText('You have used the free checks of today. Wait 24 hours, then try again.').waitFor()
    await form.getByRole('button', { name: 'Try again in 24 hours' }).waitFor()
    await main(page).getByRole('link', { name: 'Sign up', exact: true }).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it.runIf(FULL)('promises no account where sign-up is closed, and stands without the engine', async () => {
    const port = await freePort()
    const settings = { signUp: 'closed' } as const
    const closed = await startTestServer({ sql: test.sql, engine: test.engine, oauth: true, port, settings })
    test.engine.down = true
    try {
      const page = await test.stranger('/livez')
      await page.goto(`${closed.url}/`)
      await page.getByText('gives no samples at the moment').waitFor()
      await page.getByText('Sign-up is closed here.').waitFor()
      expect(await choosePlan(page).count()).toBe(0)
      expect(await page.getByText(/signing up/i).count()).toBe(0)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await seriousFindingsOfState(page)).toEqual([])
    } finally {
      test.engine.down = false
      await closed.close()
    }
  })
})

describe('the guides', () => {
  it('are searched in their whole text, and lead to the section', async () => {
    const page = await test.stranger('/guides')
    await page.getByLabel('Search the guides').fill('idempotency-key 24 hours')
    await main(page).getByRole('link', { name: 'The HTTP interface: Retry safety' }).click()
    await page.waitForURL('**/guides/api#retry-safety')
    await page.goBack()
    await page.getByLabel('Search the guides').fill('xyzzy')
    await main(page).getByText('No guide has all of these words').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it.runIf(FULL)('are listed by whom they are for, and each opens with its text and fits on a phone', async () => {
    const page = await test.stranger('/guides', PHONE)
    await page.getByRole('heading', { name: 'Running the server' }).waitFor()
    expect(await main(page).getByRole('listitem').count()).toBe(GUIDES.length)
    expect(await overflowPx(page)).toBe(0)
    for (const link of await main(page).getByRole('listitem').getByRole('link').all()) {
      await link.click()
      await page.locator('.guide-text > *').first().waitFor()
      expect([page.url(), await overflowPx(page)]).toEqual([page.url(), 0])
      await page.goBack()
      await page.getByRole('heading', { name: 'Running the server' }).waitFor()
    }
  })

  it.runIf(FULL)('lead to each other and to the place a link names', async () => {
    const page = await test.stranger('/guides/console')
    await main(page).getByRole('link', { name: 'role', exact: true }).click()
    await page.waitForURL('**/guides/organisation#roles')
    const roles = page.locator('#roles')
    await roles.waitFor()
    await expect.poll(async () => ((await roles.boundingBox())?.y ?? -1) < 400).toBe(true)
    await page.reload()
    await roles.waitFor()
    await expect.poll(async () => ((await roles.boundingBox())?.y ?? -1) < 400).toBe(true)
    await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Feeds' }).click()
    await page.getByRole('heading', { level: 1, name: 'Feeds' }).waitFor()
    await page.goto(`${test.server.url}/guides/none`)
    await page.getByRole('link', { name: 'See all guides' }).click()
    await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor()
  })
})
