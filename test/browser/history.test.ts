import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, overflowPx, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'

let test: ConsoleTest

beforeAll(async () => {
  test = await startConsole()
})
afterAll(() => test?.close())
afterEach(async () => {
  expect(await test.leave()).toEqual([])
})

const LOOK_ALIKE = 'ceo@rnicrosoft.com'
const STEP = 'Call the supplier on a number you already have, not one from this mail.'
const PHONE = { viewport: { width: 390, height: 844 } }
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
const region = (page: Page, name: string) => page.getByRole('region', { name })
const wordsIn = async (page: Page, name: string) => (await region(page, name).innerText()).replace(/\s+/g, ' ')
const pathOf = (page: Page) => new URL(page.url()).pathname

/** By the keyboard alone. Gives the address of the answer. */
async function ask(page: Page, entry: string): Promise<string> {
  const from = page.url()
  await page.getByRole('textbox', { name: 'Email address, domain or IP address' }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(entry)
  await page.keyboard.press('Enter')
  // The record of the answer before is still there when the heading of the new one comes.
  await page.waitForURL((url) => url.href !== from && url.pathname.startsWith('/console/checks/'))
  await page.getByRole('heading', { name: `Can I trust ${entry}?` }).waitFor()
  await region(page, 'On the record').waitFor()
  return pathOf(page)
}

async function fileOf(page: Page, name: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) }
}

describe('checks on record', () => {
  it.runIf(FULL)(
    'an answer and its address are drawn together: a step back in between would show the wrong answer',
    async () => {
      const organisation = await test.server.organisation({ creditPence: 1000 })
      const page = await test.open(await test.member(organisation.id), '/console')
      await link(page, 'Check').waitFor()
      await page.evaluate(`
      void (window.currentAtAnswer = new Promise((drawn) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector('h1')?.textContent.includes('${LOOK_ALIKE}')) return
          observer.disconnect()
          drawn(document.querySelector('nav [aria-current=page]').textContent)
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }))
    `)
      await ask(page, LOOK_ALIKE)
      expect(await page.evaluate('window.currentAtAnswer')).toBe('History')
    },
  )

  it('an answer has its address at once; two people in two browsers decide about it', async () => {
    const organisation = await test.server.organisation({ creditPence: 1000 })
    const ada = await test.member(organisation.id)
    const bob = await test.member(organisation.id, 'admin')
    const page = await test.open(ada, '/console/checks')
    await page.getByText('No check is kept yet.').waitFor()
    await page.getByLabel('Approved and false alarm need two people').click()

    await link(page, 'Check').click()
    const address = await ask(page, LOOK_ALIKE)
    expect(address).toMatch(/^\/console\/checks\/chk_/)
    await ask(page, 'plain-supplier.com')
    await page.goBack()
    await page.getByRole('heading', { name: `Can I trust ${LOOK_ALIKE}?` }).waitFor()
    await page.reload()
    expect(await wordsIn(page, 'Result')).toMatch(/ceo@rnicrosoft\.com .*High risk .*Checked .* by /)

    // By the keyboard: tick, choose, write, save.
    await page.getByLabel(STEP).press('Space')
    await page.getByRole('radio', { name: 'Approved' }).press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Verified by telephone with the supplier')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('It counts when a second person makes the same decision.').waitFor()
    expect(await button(page, /^Agree/).count()).toBe(0)

    const other = await test.open(bob, address)
    await button(other, 'Agree: approved').waitFor()
    expect(await wordsIn(other, 'Decision and note')).toContain('Verified by telephone with the supplier')
    expect(await other.getByLabel(STEP).isChecked()).toBe(true)
    await button(other, 'Agree: approved').click()
    await button(other, 'Agree: approved').waitFor({ state: 'detached' })
    expect(await wordsIn(other, 'Decision and note')).toMatch(/Approved .*; second: /)

    await link(other, 'Audit log').click()
    await link(other, 'Open the check').first().click()
    await other.waitForURL(`**${address}`)
    await link(other, 'Usage and billing').click()
    await row(other, /1 email address/)
      .getByRole('link', { name: 'Check' })
      .click()
    await other.waitForURL(`**${address}`)

    const viewer = await test.open(await test.member(organisation.id, 'viewer'), address, PHONE)
    await region(viewer, 'On the record').waitFor()
    expect(await viewer.getByRole('radio').count()).toBe(0)
    expect(await button(viewer, /wrong|Erase/).count()).toBe(0)
    expect(await overflowPx(viewer)).toBeLessThanOrEqual(0)
    expect(await seriousFindingsOfState(viewer)).toEqual([])
  })

  it.runIf(FULL)('is reviewed, called wrong, proved, found, and erased', async () => {
    const organisation = await test.server.organisation({ creditPence: 1000 })
    const page = await test.open(await test.member(organisation.id), '/console')
    const clerk = await test.member(organisation.id, 'checker')
    const address = await ask(page, LOOK_ALIKE)
    const domain = await ask(page, 'plain-supplier.com')
    await page.goto(test.server.url + address)

    await page.getByLabel(/^Assigned to/).selectOption(clerk.id)
    await link(page, /To review 1 waiting/).click()
    await row(page, /ceo@rnicrosoft\.com/).waitFor()
    const other = await test.open(clerk, '/console/to-review', PHONE)
    await link(other, LOOK_ALIKE).click()
    await other.getByRole('radio', { name: 'Stopped' }).click()
    await button(other, 'Save the decision').click()
    await region(other, 'Decision and note').getByText('Stopped').waitFor()
    expect(await overflowPx(other)).toBeLessThanOrEqual(0)
    // A clerk finds no check of others that is not assigned to them.
    await other.goto(test.server.url + domain)
    await other.getByText('This check is not on record').waitFor()
    await page.reload()
    await page.getByText('Nothing waits for a decision.').waitFor()

    await page.goto(test.server.url + domain)
    await button(page, 'This answer is wrong').click()
    await page.getByLabel('It should have warned').check()
    await page.getByLabel('Reason').fill('It sent a forged invoice')
    await page.getByLabel('For your organisation, from now on').selectOption('block')
    expect(await seriousFindingsOfState(page)).toEqual([])
    await button(page, 'Send it').click()
    await region(page, 'On the record').getByText('It sent a forged invoice').waitFor()
    const receipt = await fileOf(page, 'Signed receipt')
    expect(receipt.bytes.toString()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect((await fileOf(page, 'Evidence as PDF')).bytes.toString('latin1')).toMatch(/^%PDF-/)
    await link(page, 'Check').click()
    await ask(page, 'plain-supplier.com')
    expect(await wordsIn(page, 'Since the last check')).toContain('Your block list has plain-supplier.com')

    await link(page, 'History').click()
    await page.getByRole('combobox', { name: 'Decision' }).selectOption('stopped')
    await expect.poll(() => row(page, /plain-supplier/).count()).toBe(0)
    expect(page.url()).toContain('decision=stopped')
    await page.reload()
    await row(page, /ceo@rnicrosoft\.com.*High.*Stopped/i).waitFor()
    expect((await fileOf(page, 'Download CSV')).bytes.toString()).toContain(LOOK_ALIKE)
    expect((await fileOf(page, 'Download Excel')).bytes.subarray(0, 2).toString()).toBe('PK')
    await button(page, 'Show everything').click()
    await page.getByLabel('Indicator').fill('not one')
    await page.keyboard.press('Enter')
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Indicator').fill('plain-supplier.com')
    await page.keyboard.press('Enter')
    await row(page, /ceo@/).waitFor({ state: 'detached' })
    expect(await row(page, /plain-supplier/).count()).toBe(2)
    expect(await button(page, 'Erase this indicator').count()).toBe(1)
    await row(page, /plain-supplier/)
      .first()
      .getByRole('link')
      .click()
    await region(page, 'On the record').getByRole('button', { name: 'Erase this indicator' }).click()
    await page.getByText('This cannot be undone.').waitFor()
    await page.getByLabel('Also remove it from own lists').check()
    await button(page, 'Erase it').click()
    await page.getByText('2 kept checks erased.').waitFor()
    await page.getByText('No kept check matches.').waitFor()
  })

  it.runIf(FULL)(
    'without a history, the answer says so and keeps the address of the page; rules are tried on kept checks',
    async () => {
      const organisation = await test.server.organisation({ creditPence: 1000 })
      const page = await test.open(await test.member(organisation.id), '/console')
      await ask(page, LOOK_ALIKE)
      await link(page, 'Decision rules').click()
      await button(page, 'Add a rule').click()
      await page.getByRole('dialog').getByLabel('Name').fill('Stop high')
      await page.getByRole('dialog').getByLabel('High', { exact: true }).check()
      await page.getByRole('dialog').getByLabel('Then').selectOption('stop')
      await button(page, 'Keep the rule').click()
      await button(page, 'Try on kept checks').click()
      await page.getByText('1 check of the last 1 would be decided otherwise.').waitFor()
      await row(page, /No decision Stop 1/).waitFor()
      expect(await seriousFindingsOfState(page)).toEqual([])

      await link(page, 'History').click()
      await page.getByLabel('Nothing').check()
      await button(page, 'Save').click()
      await button(page, 'Save').and(page.locator(':disabled')).waitFor()
      await link(page, 'Check').click()
      await page.getByRole('textbox', { name: 'Email address, domain or IP address' }).fill('plain-supplier.com')
      await page.keyboard.press('Enter')
      await page.getByText('This answer is not kept: your organisation keeps no history.').waitFor()
      expect(pathOf(page)).toBe('/console')
      expect(await region(page, 'Decision and note').count()).toBe(0)
    },
  )
})
