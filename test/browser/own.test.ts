import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seriousFindingsOfState } from '../support/browser.ts'
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

const IBAN = 'DE89 3704 0044 0532 0130 00'
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

async function sure(page: Page, label: string): Promise<void> {
  await button(page, label).click()
  await button(page, `Yes, ${label.toLowerCase()}`).click()
}

async function dropFile(page: Page, name: string, content: string): Promise<void> {
  await page.getByLabel('Excel or CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
}

async function check(page: Page, entry: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email address, domain or IP address' }).fill(entry)
  await button(page, 'Check').click()
  await page.getByRole('region', { name: 'Result' }).waitFor()
}

const VENDORS = 'Vendor;No;E-Mail;IBAN;Town'

describe('whom an organisation deals with', () => {
  it('a vendor master is imported, a counterparty added and changed; checks know it and compare its account; the text of a mail is not sent', async () => {
    const organisation = await test.server.organisation({ creditPence: 1000, scopes: ['organisation:write'] })
    const page = await test.open(await test.member(organisation.id), '/console/counterparties/import')
    await dropFile(page, 'vendors.csv', `${VENDORS}\nBolt GmbH;4712;info@bolt-tools.de;DE89370400440532013000;Bonn\n`)
    await page.getByLabel('Content of Vendor').waitFor()
    expect(await page.getByLabel('Content of Vendor').inputValue()).toBe('name')
    expect(await page.getByLabel('Content of IBAN').inputValue()).toBe('accounts')
    expect(await page.getByLabel('Content of Town').inputValue()).toBe('')
    await button(page, 'Show the differences').click()
    await button(page, 'New: 1').click()
    await row(page, /Bolt GmbH.*4712/).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await button(page, 'Import them').click()
    await page.getByText('The import is done').waitFor()
    await button(page, 'See the counterparties').click()
    await row(page, /Bolt GmbH.*…3000/).waitFor()
    // A change after the import is lost only by a second decision.
    await test.server.post('/v1/counterparties', { name: 'Later' }, organisation.apiKey)
    await sure(page, 'Undo')
    await page.getByText('The undo would lose').waitFor()
    await sure(page, 'Undo, lose the changes')
    await page.getByText('None yet. Import the list of suppliers').waitFor()

    await page.getByRole('link', { name: 'Add one' }).click()
    await page.getByLabel('Name').fill('Harbourlight Ltd')
    await page.getByLabel('Reference').fill('4711')
    await page.getByLabel('Domains').fill('harbourlight.com\ngmail.com')
    await page.getByLabel('Bank accounts').fill(IBAN)
    await button(page, 'Add it').click()
    await page
      .getByText(/gmail\.com is a public mail provider/)
      .first()
      .waitFor()
    await page.getByLabel('Domains').fill('harbourlight.com')
    await button(page, 'Add it').click()
    await page.getByRole('heading', { name: 'Harbourlight Ltd' }).waitFor()
    const record = page.getByRole('region', { name: 'On record' })
    expect(await record.innerText()).toContain('…3000')
    expect(await page.content()).not.toContain('0532 0130')
    await page.getByLabel('Known since').fill('2019')
    await button(page, 'Save').click()
    await record.getByText('2019').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])

    await page.getByRole('link', { name: 'Check', exact: true }).click()
    await check(page, 'accounts@harbourlight.com')
    const own = page.getByRole('region', { name: 'From your organisation' })
    expect(await own.innerText()).toContain('Harbourlight Ltd (4711), known since 2019')
    await page.getByRole('textbox', { name: 'Account' }).fill('GB29 NWBK 6016 1331 9268 19')
    // The typed text stays when the record of the check arrives.
    await page.getByRole('region', { name: 'On the record' }).waitFor()
    await button(page, 'Compare').click()
    await page.getByText('The account …6819 is not one of Harbourlight Ltd (4711): on record are …3000.').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])

    const mail = [
      'From: "Harbourlight Ltd, Accounts" <harbourlight@invoices.example>',
      'Subject: A confidential matter',
      '',
      'Please pay the confidential sum to GB29 NWBK 6016 1331 9268 19.',
    ].join('\r\n')
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData()}`))
    await page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([${JSON.stringify(mail)}], 'invoice.eml'))
      document.forms[0].dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }`)
    await page
      .getByText('The sender bears the name of Harbourlight Ltd (4711), but harbourlight@invoices.example is none of')
      .waitFor()
    expect(sent.some((one) => one.includes('/v1/payments/compare') && one.includes('GB29NWBK60161331926819'))).toBe(
      true,
    )
    expect(sent.filter((one) => one.includes('confidential'))).toEqual([])
  })

  it.runIf(FULL)('a row with an error stops an import; a counterparty is found, recognised, and deleted', async () => {
    const organisation = await test.server.organisation({ creditPence: 1000 })
    const page = await test.open(await test.member(organisation.id), '/console/counterparties/import')
    await dropFile(page, 'vendors.csv', `${VENDORS}\nBolt GmbH;4712;info@bolt-tools.de;DE8937040044053201300;Bonn\n`)
    await button(page, 'Show the differences').click()
    await page.getByText('Rows with an error stop the import').waitFor()
    await page.getByText(/an IBAN of DE has 22/).waitFor()
    await button(page, 'Back').click()
    await page.getByLabel('Rows with an error').waitFor()
    await button(page, 'Another file').click()
    await dropFile(page, 'vendors.csv', `${VENDORS}\nHarbourlight Ltd;4711;ap@harbourlight.com;${IBAN};Ulm\n`)
    await button(page, 'Show the differences').click()
    await button(page, 'Import them').click()
    await page.getByText('The import is done').waitFor()
    await button(page, 'See the counterparties').click()
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('None matches.').waitFor()
    await page.getByRole('searchbox').fill('harbour')
    await row(page, /Harbourlight Ltd.*4711/).waitFor()

    await page.getByRole('link', { name: 'Check', exact: true }).click()
    await check(page, 'ap@harbourlight.com')
    await page.getByRole('textbox', { name: 'Account' }).fill(IBAN)
    await button(page, 'Compare').click()
    await page.getByText('The account …3000 is a known account of Harbourlight Ltd (4711).').waitFor()
    await check(page, 'accounts@harbourlights.com')
    await page.getByText('One letter', { exact: false }).first().waitFor()
    const own = page.getByRole('region', { name: 'From your organisation' })
    expect(await own.innerText()).toContain('Harbourlight Ltd (4711)')

    await page.getByRole('link', { name: 'Counterparties' }).click()
    await page.getByRole('link', { name: 'Harbourlight Ltd' }).click()
    await sure(page, 'Delete')
    await page.getByText('None yet. Import the list of suppliers').waitFor()
  })
})

async function addRule(page: Page, name: string, level: string, outcome: string): Promise<void> {
  await button(page, 'Add a rule').click()
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel(level, { exact: true }).check()
  await dialog(page).getByLabel('Then').selectOption(outcome)
  await dialog(page).getByLabel('Text for the clerk').fill(`Text of ${name}`)
  expect(await seriousFindingsOfState(page)).toEqual([])
  await button(page, 'Keep the rule').click()
  await row(page, new RegExp(name)).waitFor()
}

describe('own lists, decision rules and own domains', () => {
  it('an entry is added, changed and removed; a rule decides a check; a domain is claimed with its record', async () => {
    const organisation = await test.server.organisation({ creditPence: 1000 })
    const page = await test.open(await test.member(organisation.id), '/console/own-lists/block')
    await page.getByLabel('Address, domain or network').fill('bad-supplier.com')
    await page.getByLabel('Reason').fill('Forged')
    await button(page, 'Add').click()
    await row(page, /bad-supplier\.com.*Forged.*never/).waitFor()
    await button(page, 'Edit').click()
    await dialog(page).getByLabel('Until').fill('2020-01-31')
    await button(page, 'Save').click()
    await dialog(page).getByText('would have expired already', { exact: false }).first().waitFor()
    await dialog(page).getByLabel('Reason').fill('Forged twice')
    await dialog(page).getByLabel('Until').fill('2099-01-31')
    expect(await seriousFindingsOfState(page)).toEqual([])
    await button(page, 'Save').click()
    await row(page, /bad-supplier\.com.*Forged twice.*2099/).waitFor()
    await sure(page, 'Remove')
    await page.getByText('None yet. Always high', { exact: false }).waitFor()

    await page.getByRole('link', { name: 'Decision rules' }).click()
    await page.getByText('No rules yet').waitFor()
    await addRule(page, 'Stop high', 'High', 'stop')
    await addRule(page, 'Take low', 'Low', 'approve')
    await button(page, 'Up: Take low').click()
    await row(page, /^1 Risk: low Approve Take low/).waitFor()
    await button(page, 'Save the rules').click()
    await row(page, /^1 .*2 rules/).waitFor()
    await page.getByRole('link', { name: 'Check', exact: true }).click()
    await check(page, 'plain-supplier.com')
    const own = page.getByRole('region', { name: 'From your organisation' })
    expect((await own.innerText()).replace(/\s+/g, ' ')).toContain('Approve Text of Take low Your rule “Take low”')

    await page.getByRole('link', { name: 'Own domains' }).click()
    await page.getByLabel('Domain', { exact: true }).fill('paper-mill.com')
    await button(page, 'Add').click()
    await row(page, /paper-mill\.com.*pending.*assay-verification=/).waitFor()
    await button(page, 'Verify').click()
    await page.getByText('This server makes no look-ups.', { exact: false }).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await sure(page, 'Remove')
    await page.getByText('None yet. Add a domain').waitFor()
  })

  it.runIf(FULL)(
    'an allow entry is approved by a second person, and seen by a checker; a file is imported',
    async () => {
      const organisation = await test.server.organisation()
      const [owner, second] = [await test.member(organisation.id), await test.member(organisation.id, 'admin')]
      const page = await test.open(owner, '/console/own-lists/allow')
      await page.getByLabel('A new allow entry needs the approval of a second person').click()
      await page.getByLabel('Address, domain or network').fill('gmail.com')
      await page.getByLabel('Reason').fill('Everybody')
      await button(page, 'Add').click()
      await page.getByText('Anyone can open a mailbox under gmail.com.', { exact: false }).waitFor()
      await row(page, /gmail\.com.*Everybody.*pending/).waitFor()
      expect(await button(page, 'Approve').count()).toBe(0)
      expect(await seriousFindingsOfState(page)).toEqual([])
      const other = await test.open(second, '/console/own-lists/allow')
      await sure(other, 'Approve')
      await row(other, /gmail\.com.*active/).waitFor()
      await sure(other, 'Remove')
      await other.getByText('None yet. Always low', { exact: false }).waitFor()
      const checker = await test.open(await test.member(organisation.id, 'checker'), '/console')
      await checker.getByRole('link', { name: 'Own lists' }).click()
      await checker.getByRole('link', { name: 'Allow', exact: true }).click()
      await checker.getByText('None yet. Always low', { exact: false }).waitFor()
      expect(await button(checker, 'Add').count()).toBe(0)
      expect(await checker.getByText('This part did not load').count()).toBe(0)

      await page.getByRole('link', { name: 'Block', exact: true }).click()
      await page.getByRole('region', { name: 'Block list', exact: true }).waitFor()
      await dropFile(page, 'wrong.csv', 'indicator,reason,expires_at\ngood.example,,\nhttp://bad.example/,,soon\n')
      await button(page, 'Add 2 entries to the block list').click()
      await page.getByText('line 3: The domain is not a bare host name', { exact: false }).waitFor()
      await button(page, 'Another file').click()
      expect(await page.getByText('line 3', { exact: false }).count()).toBe(0)
      await dropFile(page, 'block.csv', 'indicator,reason,expires_at\nbad.example,Forged invoice,\n192.0.2.0/24,,\n')
      await button(page, 'Add 2 entries to the block list').click()
      await page.getByText('2 added, 0 changed, 0 as before.').waitFor()
      await row(page, /bad\.example.*Forged invoice/).waitFor()
      const download = page.waitForEvent('download')
      await button(page, 'Download CSV').click()
      expect((await download).suggestedFilename()).toBe('assay-block-list.csv')
    },
  )

  it.runIf(FULL)('a version of the rules is taken back into the table', async () => {
    const organisation = await test.server.organisation()
    const page = await test.open(await test.member(organisation.id), '/console/decision-rules')
    await addRule(page, 'Take low', 'Low', 'approve')
    await addRule(page, 'Stop high', 'High', 'stop')
    await button(page, 'Save the rules').click()
    await row(page, /^1 .*2 rules/).waitFor()
    await row(page, /^1 Risk: low/)
      .getByRole('button', { name: 'Delete' })
      .click()
    await button(page, 'Yes, delete').click()
    await button(page, 'Save the rules').click()
    await row(page, /^2 .*1 rule/).waitFor()
    await row(page, /^1 .*2 rules/)
      .getByRole('button', { name: 'Take into the table' })
      .click()
    await row(page, /^2 Risk: high/).waitFor()
    await page.getByText('Not saved yet: answers still use version 2.').waitFor()
    await button(page, 'Discard the changes').click()
  })
})
