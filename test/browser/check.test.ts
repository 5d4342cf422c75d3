import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { FULL } from '../support/full.ts'

let console: ConsoleTest

beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console?.close())
afterEach(async () => {
  expect(await console.leave()).toEqual([])
})

const box = (page: Page) => page.getByRole('textbox', { name: 'Email address, domain or IP address' })
const result = (page: Page) => page.getByRole('region', { name: 'Result' })
const region = (page: Page, name: string) => page.getByRole('region', { name })
const wordsIn = async (page: Page, name: string) => (await region(page, name).innerText()).replace(/\s+/g, ' ')

async function check(page: Page, entry: string): Promise<void> {
  await box(page).fill(entry)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await result(page).waitFor()
}

/** As a person pastes: the browser would leave out the ends of lines in a field of one line. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await box(page).focus()
  await page.keyboard.press('ControlOrMeta+v')
}

/** On the body, beside every field. */
const drag = (page: Page, type: 'dragover' | 'drop', name: string, content: string) =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}))
    document.body.dispatchEvent(new DragEvent('${type}', { dataTransfer, bubbles: true, cancelable: true }))
  }`)

const LOOK_ALIKE = 'ceo@rnicrosoft.com'
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }
const MAIL = `Return-Path: <bounce@mailer.example.net>
From: "Accounts" <${LOOK_ALIKE}>
Reply-To: pay.accounts@gmail.com
Subject: Overdue invoice
Content-Type: text/html

<a href="https://paypa1-login.com/x">www.paypal.com</a>
`

describe('an answer that a clerk acts on', () => {
  it('says what to do, shows the real name, and is copied and printed with what was done', async () => {
    const organisation = await console.server.organisation({ name: 'Paper Mill Ltd', creditPence: 1000 })
    const person = await console.member(organisation.id)
    const page = await console.open(person, '/console', CLIPBOARD)
    await check(page, LOOK_ALIKE)
    const names = region(page, 'Not the name it may be taken for')
    expect((await names.locator('mark').allInnerTexts()).map((text) => text.trim())).toEqual(['rn', 'm'])
    expect(await names.innerText()).toContain('rnicrosoft.com is not microsoft.com: “rn” in place of “m”.')
    const steps = page.getByRole('checkbox')
    expect(await steps.count()).toBe(4)
    await page.getByLabel('Call the supplier on a number you already have, not one from this mail.').check()
    expect(await seriousFindingsOfState(page)).toEqual([])

    await page.getByRole('button', { name: 'Copy summary' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toMatch(/^ceo@rnicrosoft\.com \(email address\)\nHigh risk: \d+ of 100\n/)
    expect(copied).toContain('Looks the same as microsoft (microsoft.com) to the eye')
    expect(copied).toContain('What to do: escalate and verify independently before paying.\n[ ] Do not pay')
    expect(copied).toContain('\n[x] Call the supplier on a number you already have')
    expect(copied).toMatch(/\nChecked .+ by .+, Paper Mill Ltd\nIntelligence: .+\nCost: £0\.03\n/)

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    expect(await box(page).isVisible()).toBe(false)
    expect(await result(page).innerText()).toMatch(/High risk, \d+ of 100[\s\S]+Checked .+ by .+, Paper Mill Ltd/)
    expect(await steps.nth(1).isChecked()).toBe(true)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  })

  it('never stands under another entry, or one that is not valid, and is found again by its own', async () => {
    const organisation = await console.server.organisation({ creditPence: 1000 })
    const page = await console.open(await console.member(organisation.id), '/console')
    await check(page, LOOK_ALIKE)
    await page.getByRole('checkbox').first().check()
    await box(page).press('End')
    await page.keyboard.press('Backspace')
    expect(await result(page).count()).toBe(0)
    expect(await wordsIn(page, 'Earlier answers')).toContain(`Answer for ${LOOK_ALIKE} High risk just now`)
    await box(page).fill('no@')
    await box(page).press('Enter')
    await page.locator('[aria-invalid=true]').waitFor()
    expect(await result(page).count()).toBe(0)

    await check(page, '45.9.148.7')
    expect(await result(page).innerText()).toContain('45.9.148.7 (IP address)')
    await page.getByRole('button', { name: `Answer for ${LOOK_ALIKE}` }).click()
    expect(await result(page).innerText()).toContain(LOOK_ALIKE)
    expect(await box(page).inputValue()).toBe(LOOK_ALIKE)
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true)
    expect((await console.server.accounts.read(organisation.id)).prepaidPence).toBe(1000 - 3 - 1)
  })

  it.runIf(FULL)('tells a name of foreign letters in both forms, and which letters do not belong', async () => {
    const organisation = await console.server.organisation({ creditPence: 1000 })
    const page = await console.open(await console.member(organisation.id), '/console')
    await check(page, 'xn--pypal-4ve.com')
    expect(await wordsIn(page, 'Result')).toContain(
      'The name reads pаypal.com and is xn--pypal-4ve.com in the DNS. Mixed alphabets Cyrillic “а” among Latin letters.',
    )
    expect(await region(page, 'Not the name it may be taken for').innerText()).toContain('Cyrillic “а” in place of “a”')
    expect(await result(page).locator('bdi').count()).toBeGreaterThan(2)
  })

  it.runIf(FULL)('402 leads to the top-up', async () => {
    const organisation = await console.server.organisation({ creditPence: 0 })
    const page = await console.open(await console.member(organisation.id), '/console')
    await box(page).fill(LOOK_ALIKE)
    await box(page).press('Enter')
    await page.getByRole('alert').getByRole('link', { name: 'Top up' }).click()
    await page.waitForURL('**/console/billing')
  })
})

describe('what holds more than one indicator', () => {
  it('a pasted mail: who wrote it, whom an answer reaches and where links lead; nothing is spent before Check', async () => {
    const organisation = await console.server.organisation({ creditPence: 1000 })
    const page = await console.open(await console.member(organisation.id), '/console', CLIPBOARD)
    await paste(page, MAIL)
    const found = region(page, 'In the mail “Overdue invoice”')
    expect(await found.getByRole('alert').innerText()).toMatch(
      /Reply-To differs from From: an answer goes to pay\.accounts@gmail\.com[\s\S]+A link shows www\.paypal\.com but leads to paypa1-login\.com/,
    )
    expect(await found.getByRole('button').allInnerTexts()).toEqual([
      '',
      LOOK_ALIKE,
      'pay.accounts@gmail.com',
      'bounce@mailer.example.net',
      'paypa1-login.com',
      'Check all 3',
    ])
    await found.getByRole('button', { name: 'paypa1-login.com' }).click()
    await page.getByText('This is a domain').waitFor()
    expect((await console.server.accounts.read(organisation.id)).prepaidPence).toBe(1000)
    await page.keyboard.press('Enter')
    await result(page).waitFor()
    await found.getByRole('button', { name: /paypa1-login\.com (High|Medium) risk/ }).waitFor()
    // Of the other three one is reserved for examples: it is not sent.
    await found.getByText(/^At most £0\.\d\d$/).waitFor()
    await found.getByRole('button', { name: 'Check all 2' }).click()
    await found.getByRole('button', { name: /gmail\.com (High|Medium|Low) risk/ }).waitFor()
    expect(await found.getByRole('button', { name: 'Check all' }).count()).toBe(0)
    await found.getByRole('button', { name: 'bounce@mailer.example.net', exact: true }).click()
    await page.getByText('Nothing to check: reserved for examples in documentation.').waitFor()
    await found.getByRole('button', { name: /paypa1-login\.com/ }).click()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await found.getByRole('button', { name: 'Clear this text' }).click()
    expect(await found.count()).toBe(0)
    expect(await result(page).count()).toBe(1)
  })

  it.runIf(FULL)(
    'a sentence, several lines, a chosen and a dropped file; a list is passed on, and no drop leaves the console',
    async () => {
      const organisation = await console.server.organisation()
      const page = await console.open(await console.member(organisation.id), '/console', CLIPBOARD)
      await box(page).fill('write to a@supplier.com or b@supplier.com')
      const found = region(page, 'In this text')
      expect(await found.getByRole('button').allInnerTexts()).toEqual([
        'a@supplier.com',
        'b@supplier.com',
        'Check all 2',
      ])
      await box(page).fill('')
      await paste(page, 'Supplier\tc@supplier.com\nOther\tsupplier.co.uk')
      await found.getByRole('button', { name: 'supplier.co.uk' }).waitFor()
      await paste(page, '\nhello\nworld\n')
      expect(await box(page).inputValue()).toBe('hello world')
      const mail = region(page, 'In the mail “Overdue invoice”')
      await box(page).fill('')
      await page.reload()
      const chosen = { name: 'invoice.eml', mimeType: '', buffer: Buffer.from(MAIL) }
      await page.getByLabel('A mail (.eml, .msg)').setInputFiles(chosen)
      await mail.waitFor()
      await mail.getByRole('button', { name: 'Clear this text' }).click()
      await drag(page, 'drop', 'invoice.eml', MAIL)
      await mail.waitFor()
      await drag(page, 'drop', 'suppliers.csv', 'domain\nsupplier.co.uk\n')
      await page.getByText('“suppliers.csv” is a list or a log, not a mail').waitFor()
      await page.getByRole('button', { name: 'Open it in Check a list' }).click()
      await page.getByRole('button', { name: 'Check 1 record' }).waitFor()
      await page.goto(`${console.server.url}/console/members`)
      await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
      await drag(page, 'dragover', 'invoice.eml', MAIL)
      await page.getByText('Drop it: a mail opens in Check').waitFor()
      await drag(page, 'drop', 'invoice.eml', MAIL)
      await mail.waitFor()
    },
  )
})
