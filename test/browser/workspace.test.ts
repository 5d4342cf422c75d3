import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { money } from '../../console/src/shell/format.ts'
import { operatorIn } from '../../src/access/actor.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { changeIn } from '../../src/db/sql.ts'
import { readCatalogue } from '../../src/feeds/catalogue.ts'
import { createFeedStore } from '../../src/feeds/store.ts'
import { addMember } from '../../src/identity/members/members.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { openAccountMenu, overflowPx, seriousFindings, seriousFindingsOfState } from '../support/browser.ts'
import { ManualClock } from '../support/clock.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'
import { PASSWORD } from '../support/people.ts'

/** The parts around every page of the console: the account menu and the banners. */

const PHONE = { viewport: { width: 380, height: 800 } }

let test: ConsoleTest
const clock = new ManualClock(Date.now())
beforeAll(async () => {
  // Plans as sold; a paid one is given before its first invoice is paid, so that there is one to be owed.
  test = await startConsole({ plans: loadPlans(), settings: { creditBeforePaymentPence: 12_000 }, clock })
})
afterAll(() => test?.close())
afterEach(async () => {
  expect(await test.leave()).toEqual([])
})

const scheme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')
/** A page may have a place for what is spoken, too: it is empty. */
const banners = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: /\S/ })
/** Everything the page asks for has come. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}
const bannerTitles = async (page: Page) =>
  (await banners(page).allInnerTexts()).map((text) => text.split('\n')[0]?.trim())

describe('the account menu', () => {
  it('is used with the keyboard alone: who I am, organisation, guides, a theme that is kept, sign out', async () => {
    const first = await test.server.organisation({ name: 'Northern Branch', creditPence: 1000 })
    const second = await test.server.organisation({ name: 'Southern Branch', creditPence: 5000 })
    const person = await test.member(first.id)
    await changeIn(test.sql, clock, (tx) =>
      addMember(tx, operatorIn(second.id), { personId: person.id, role: 'viewer' }),
    )
    const page = await test.open(person, '/console/members', { colorScheme: 'light' })
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    const navigation = page.getByRole('navigation', { name: 'Console' })
    await navigation.getByText('Northern Branch').waitFor()
    const button = page.getByRole('button', { name: /^Person \d+ account menu$/ })
    await button.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('dialog', { name: 'Account' })
    await menu.getByText('Owner of Northern Branch').waitFor()
    await menu.getByText(person.email).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])

    const focused = () => page.locator(':focus').innerText()
    const tab = async () => {
      await page.keyboard.press('Tab')
      return focused()
    }
    expect([await tab(), await tab()]).toEqual(['Northern Branch', 'Southern Branch'])
    await page.keyboard.press('Enter')
    await navigation.getByText('Southern Branch').waitFor()
    await menu.waitFor({ state: 'hidden' })
    await expect.poll(focused).toBe('Members')

    await button.focus()
    await page.keyboard.press('Enter')
    await menu.getByText('Viewer of Southern Branch').waitFor()
    await tab()
    await tab()
    expect([await tab(), await tab(), await tab(), await tab()]).toEqual([
      'Your account',
      'Guides',
      'API reference',
      'Front page',
    ])
    await page.keyboard.press('Tab')
    expect(await scheme(page)).toBe('light')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => scheme(page)).toBe('dark')
    expect(await seriousFindings(page, 'color-contrast')).toEqual([])
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    expect(await button.evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'))).toBe(
      true,
    )

    await page.reload()
    await navigation.getByText('Southern Branch').waitFor()
    expect(await scheme(page)).toBe('dark')
    await button.focus()
    await page.keyboard.press('Space')
    await menu.getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await scheme(page)).toBe('dark')
  })

  it.runIf(FULL)(
    'fits on a phone, closes at a touch elsewhere, and shows one organisation without a choice',
    async () => {
      const { id } = await test.server.organisation({ name: 'Eastern Branch', creditPence: 1000 })
      const page = await test.open(await test.member(id, 'checker'), '/console', PHONE)
      const menu = await openAccountMenu(page)
      await menu.getByText('Checker of Eastern Branch').waitFor()
      expect(await menu.getByRole('list', { name: 'Organisation' }).count()).toBe(0)
      expect(await overflowPx(page)).toBe(0)
      expect(await seriousFindingsOfState(page)).toEqual([])
      await page.mouse.click(20, 700)
      await menu.waitFor({ state: 'hidden' })
      await (await openAccountMenu(page)).getByRole('link', { name: 'Guides' }).click()
      await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor()
    },
  )
})

describe('banners', () => {
  it.runIf(FULL)('tell of low credit and then of the alert set on it, until they are dismissed', async () => {
    const { id } = await test.server.organisation({ plan: 'prepaid', creditPence: 59 })
    const owner = await test.member(id)
    const page = await test.open(owner, '/console', PHONE)
    await banners(page)
      .getByText(`Credit is low: ${money(59)} left`)
      .waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect(await overflowPx(page)).toBe(0)
    await page.getByRole('button', { name: /^Dismiss: Credit is low/ }).click()
    await expect.poll(() => banners(page).count()).toBe(0)
    await page.reload()
    await settled(page)
    expect(await banners(page).count()).toBe(0)

    await owner.send('POST', '/v1/billing/alerts', { kind: 'credit_below', threshold_pence: 5000 })
    const other = await test.open(await test.member(id, 'checker'), '/console')
    await banners(other).getByText('Credit is below £50.00').waitFor()
    await banners(other)
      .getByText(`${money(59)} is left. Reached on`)
      .waitFor()
    expect(await bannerTitles(other)).toEqual(['Credit is below £50.00'])
    await banners(other).getByRole('link', { name: 'Usage and billing' }).click()
    await other.getByRole('heading', { level: 1, name: 'Usage and billing' }).waitFor()
    expect(await banners(other).getByText('Credit is below').count()).toBe(0)
  })

  it('tell of an invoice with its amount and date; once it is overdue, that checks are refused, which stays', async () => {
    const email = 'subscriber@company.example'
    const begun = await test.server.post('/v1/checkout', {
      organisation_name: 'Western Branch',
      name: 'Ada Lovelace',
      email,
      password: PASSWORD,
      plan: 'growth',
      accept_terms: true,
    })
    expect(begun.status).toBe(201)
    const page = await test.open({ email }, '/console')
    await banners(page)
      .getByText(/^Invoice INV-\d+ over £99\.00 is not paid$/)
      .waitFor()
    const due = /From (\d+ \w+ 2\d{3}) on, checks are refused/.exec(await banners(page).innerText())?.[1]
    expect(due).toBeDefined()

    clock.advance(60 * DAY_MS)
    const later = await test.open({ email }, '/console')
    await banners(later).getByText('Checks are refused').waitFor()
    await banners(later).getByText(`Invoice INV-1 over £99.00 was due on ${due}.`).waitFor()
    expect(await later.getByRole('button', { name: /^Dismiss: Checks/ }).count()).toBe(0)
    expect(await seriousFindingsOfState(later)).toEqual([])
  })

  it.runIf(FULL)(
    'tell an operator of feeds that do not come, nobody else; and everybody of missing intelligence',
    async () => {
      const { id } = await test.server.organisation({ plan: 'prepaid', creditPence: 5000 })
      const person = await test.member(id)
      const feeds = createFeedStore(test.sql)
      const [feed] = readCatalogue('feeds.json').filter(({ key, enabled }) => key === undefined && enabled)
      if (!feed) throw new Error('feeds.json has no feed that is on')
      await feeds.save([feed], undefined, clock.now())
      const at = { nowMs: clock.now(), nextDueAtMs: clock.now() + DAY_MS }
      await feeds.recordFailure(feed.id, 'getaddrinfo ENOTFOUND', at)
      const asked: string[] = []
      const page = await test.open(person, '/livez')
      page.on('response', (response) => {
        if (response.status() >= 400) asked.push(`${response.status()} ${response.url()}`)
      })
      await page.goto(`${test.server.url}/console`)
      await settled(page)
      expect(await banners(page).count()).toBe(0)
      expect(asked).toEqual([])

      await changeIn(test.sql, clock, (tx) => setOperator(tx, person.id, true))
      await page.reload()
      await banners(page).getByText('1 feed is stale or missing').waitFor()
      await banners(page).getByText(`${feed.name}. None of them was ever fetched.`).waitFor()
      test.engine.down = true
      await page.reload()
      await banners(page).getByText('Nothing can be checked').waitFor()
      expect(await bannerTitles(page)).toEqual(['Nothing can be checked', '1 feed is stale or missing'])
      const viewer = await test.open(await test.member(id, 'viewer'), '/console')
      await banners(viewer).getByText('Nothing can be checked').waitFor()
      expect(await banners(viewer).count()).toBe(1)
      test.engine.down = false
      await banners(page).first().getByRole('link', { name: 'Intelligence' }).click()
      await page.getByRole('heading', { level: 1, name: 'Intelligence' }).waitFor()
      await expect.poll(() => banners(page).count()).toBe(0)
    },
  )
})
