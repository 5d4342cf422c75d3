import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Download, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../reader/src/list.ts'
import { writeXlsx } from '../../reader/src/xlsx.ts'
import { bytesOf, clickTwice, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { KNOWN } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import { PASSWORD } from '../support/people.ts'

let test: ConsoleTest

beforeAll(async () => {
  test = await startConsole()
})
afterAll(() => test?.close())
afterEach(async () => {
  test.engine.down = false
  expect(await test.leave()).toEqual([])
})

async function atWork(
  options: Parameters<ConsoleTest['server']['organisation']>[0],
  path = '/console/bulk',
  visitOptions: Parameters<ConsoleTest['open']>[2] = {},
) {
  const organisation = await test.server.organisation(options)
  const person = await test.member(organisation.id)
  return { ...organisation, person, page: await test.open(person, path, visitOptions) }
}

const file = (name: string, content: string | Uint8Array) => ({ name, mimeType: '', buffer: Buffer.from(content) })
const drop = (page: Page, name: string, content: string | Uint8Array) =>
  page.getByLabel('CSV file').setInputFiles(file(name, content))
const filter = (page: Page, name: string) =>
  page
    .getByRole('radiogroup', { name: 'Level' })
    .getByText(new RegExp(`^${name} [\\d,]+$`))
    .click()
const creditOf = async (id: string) => (await test.server.accounts.read(id)).prepaidPence
const emails = (count: number, name = 'company') => Array.from({ length: count }, (_, i) => `pay@${name}${i}.com`)

/** The charges in the ledger. */
async function charged(organisationId: string) {
  const [row] = await test.sql.query<{ units: number; free: number; entries: number }>(
    "select coalesce(sum(units), 0) as units, coalesce(sum(free_units), 0) as free, count(*) as entries from ledger_entry where organisation_id = $1 and kind = 'charge'",
    [organisationId],
  )
  return { units: Number(row?.units), free: Number(row?.free), entries: Number(row?.entries) }
}

/** Batches on their way. */
async function watchBatches(page: Page) {
  const state = {
    /** How often each key was sent. */
    sent: new Map<string, number>(),
    /** True if the answer of a charged batch is lost on its way to the page. */
    isLost: (_batch: number, _indicator: string): boolean => false,
    lost: 0,
    /** Done when a batch has left the page, before the server sees it. */
    onTheWay: async (_batch: number): Promise<unknown> => undefined,
  }
  await page.context().route('**/v1/*/bulk?explain=true', async (route: Route) => {
    const key = route.request().headers()['idempotency-key'] ?? ''
    const batch = Number(key.split('-')[1])
    state.sent.set(key, (state.sent.get(key) ?? 0) + 1)
    const [first] = Object.values(route.request().postDataJSON() as Record<string, string[]>)
    await state.onTheWay(batch)
    const response = await route.fetch()
    if (!state.isLost(batch, first?.[0] ?? '')) return route.fulfill({ response })
    state.lost++
  })
  return state
}

const titles = ['Firma', 'Webseite', 'E-Mail', 'Score']
/** As a spreadsheet saves it: links, names, umlauts; some rows twice, some empty, some wrong. */
const rows = Array.from({ length: 2000 }, (_, i) => {
  const address = `rechnung${i}@firma${i}.com`
  const cell =
    i % 100 === 7
      ? 'rechnung1@FIRMA1.com'
      : i % 100 === 11
        ? ''
        : i % 100 === 13
          ? 'telefonisch'
          : i % 100 === 17
            ? `Böse Grüße <rechnung${i}@${KNOWN.badDomain}>`
            : i % 2 === 0
              ? `Jörg Müller <${address}>`
              : `mailto:${address}`
  return [`=Müller ${i}`, `https://firma${i}.com/über?x=1`, cell, String(i % 7)]
})
const latin1 = Buffer.from([titles, ...rows].map((cells) => cells.join(';')).join('\r\n'), 'latin1')

async function contentOf(download: Download) {
  const { columns, rows } = await readTable(new Uint8Array(await bytesOf(download)))
  return { columns, rows: rows.map(({ cells }) => columns.map((_, at) => cells[at] ?? '')) }
}

describe('2,000 rows of a spreadsheet', () => {
  it('every row is answered or has its reason, a reload in the middle costs nothing, and the report is a file again', async () => {
    const { id, apiKey, page } = await atWork({ creditPence: 10_000 })
    const batches = await watchBatches(page)
    await drop(page, 'Lieferanten.csv', latin1)
    const figures = page.getByRole('region', { name: 'Records to check' })
    await figures.waitFor()
    expect(await figures.innerText()).toMatch(
      /To check\s+1,940\s+Duplicates, checked once\s+20\s+Cannot be checked\s+20\s+Empty rows\s+20/,
    )
    await page.getByText('£58.20').first().waitFor()
    expect(batches.sent.size).toBe(0)

    batches.isLost = (batch) => batch === 1
    await clickTwice(page.getByRole('button', { name: 'Check 1,940 records' }))
    await page.getByText('Checking: 1,000 of 1,940 records').waitFor()
    await expect.poll(() => batches.lost).toBe(1)
    await page.reload()
    await page.getByText('Stopped: 1,000 of 1,940 records').waitFor()
    batches.isLost = () => false
    await clickTwice(page.getByRole('button', { name: 'Continue' }))
    await page.getByText('Finished: 1,940 of 1,940 records').waitFor()
    expect(await charged(id)).toEqual({ units: 1940, free: 0, entries: 2 })
    expect(await creditOf(id)).toBe(10_000 - 1940 * 3)
    expect([...batches.sent.values()].sort()).toEqual([1, 2])
    expect(await page.getByRole('region', { name: 'Progress' }).innerText()).toMatch(/Cost\s+£58\.20/)
    await page
      .getByRole('button', { name: /explain row/ })
      .first()
      .waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])

    await compareFiles(page)
    await compareExplanation(page, apiKey)
    await page.setViewportSize({ width: 380, height: 800 })
    await page.getByLabel('Sort by').selectOption('row')
    await page.getByRole('button', { name: /Row 3\b/ }).waitFor()
    // The rows become cards before the rest of the page has taken its new width.
    await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(380)
    expect(await seriousFindingsOfState(page)).toEqual([])

    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByText('Only this browser has the 1,940 answers').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Drop an Excel or CSV file here').waitFor()
    await page.reload()
    await page.getByText('Drop an Excel or CSV file here').waitFor()
    expect(await page.getByText('Lieferanten').count()).toBe(0)
  })

  async function compareFiles(page: Page): Promise<void> {
    const download = async (name: string) => {
      const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
      return saved
    }
    // It opens worst first.
    expect(
      await page
        .getByRole('button', { name: /explain row/ })
        .first()
        .innerText(),
    ).toBe('19')
    await page.getByRole('button', { name: 'Row', exact: true }).click()
    const csv = await download('CSV')
    expect(csv.suggestedFilename()).toBe('Lieferanten-checked.csv')
    const whole = await contentOf(csv)
    expect(whole.columns).toEqual([...titles, 'Level', 'Score (Assay)', 'Main reason', 'What to do', 'Note'])
    expect(whole.rows.map((cells) => cells.slice(0, 4))).toEqual(rows)
    const answers = whole.rows.map((cells) => cells.slice(4))
    for (const [level, score, reason, toDo] of answers) {
      expect(level).toMatch(/^(low|medium|high|not checked)$/)
      expect(score === '').toBe(level === 'not checked')
      expect(reason).not.toBe('')
      expect(toDo).not.toBe('')
    }
    expect(answers[17]).toMatchObject(
      ['high', /^\d+$/, /phishing/, /^Do not pay/, ''].map((one) => expect.stringMatching(one)),
    )
    expect(answers[7]).toEqual([...(answers[1] ?? []).slice(0, 4), 'Same as row 3'])
    expect(answers[11]).toMatchObject(['not checked', '', 'The cell is empty.', expect.anything(), ''])
    expect(answers[13]?.[0]).toBe('not checked')

    await filter(page, 'High')
    await page.getByText('20 of 2,000 rows').waitFor()
    expect(page.url()).toMatch(/\?level=high$/)
    await page.getByLabel('Find').fill('MÜLLER 18')
    await page.getByText('1 of 2,000 rows', { exact: true }).waitFor()
    await page.getByLabel('Find').fill('Phishing')
    await page.getByText('20 of 2,000 rows').waitFor()
    await page.getByRole('button', { name: 'Row' }).first().click()
    const shown = await contentOf(await download('Excel'))
    const expected = whole.rows.filter((cells) => cells[4] === 'high').reverse()
    expect(shown).toEqual({ columns: whole.columns, rows: expected })
    await page.getByLabel('Find').fill('')
    await filter(page, 'Not checked')
    await page.getByText('40 of 2,000 rows').waitFor()
    await filter(page, 'All')
    await page.getByText('2,000 of 2,000 rows').waitFor()
    await page.getByRole('button', { name: 'Row', exact: true }).click()
  }

  /** The drawer of row 19 says what the service says about its address. */
  async function compareExplanation(page: Page, apiKey: string): Promise<void> {
    await page.getByLabel('Find').fill('Müller 17')
    await page.getByRole('button', { name: '19, explain row' }).click()
    const drawer = page.getByRole('dialog', { name: 'Row 19' })
    const email = `rechnung17@${KNOWN.badDomain}`
    const { json } = await test.server.post('/v1/payment-risk?explain=true', { email }, apiKey)
    await drawer.getByText(`Why ${json.risk_score}`).waitFor()
    await drawer.getByText(`Starts at ${json.base_score}`).waitFor()
    for (const { description, code, effect } of json.signals) {
      const item = drawer.getByRole('listitem').filter({ hasText: code })
      expect(await item.innerText()).toContain(description)
      expect(await item.innerText()).toContain(effect > 0 ? `+${effect}` : String(-effect))
    }
    expect(await drawer.getByText('Böse Grüße').innerText()).toBe(rows[17]?.[2])
    expect(await seriousFindingsOfState(page)).toEqual([])
    await drawer.getByRole('link', { name: 'Open the kept check' }).click()
    await page.getByRole('heading', { name: `Can I trust ${email}?` }).waitFor()
    await page.goBack()
    await page.getByText('2,000 of 2,000 rows').waitFor()
  }

  it.runIf(FULL)('a workbook is read as well, and another column is looked at again', async () => {
    const { page } = await atWork({})
    await drop(page, 'Lieferanten.xlsx', writeXlsx([titles, ...rows]))
    await page.getByRole('button', { name: 'Check 1,940 records' }).waitFor()
    const columnAs = (title: string) => page.getByLabel(`Check “${title}” as`)
    await columnAs('Webseite').selectOption('domain')
    await page.getByRole('button', { name: 'Check 3,940 records' }).waitFor()
    await columnAs(titles[2]!).selectOption('not checked')
    await page.getByRole('button', { name: 'Check 2,000 records' }).waitFor()
    await columnAs('Webseite').selectOption('not checked')
    await page.getByText('Choose a column').waitFor()
    await columnAs('Firma').selectOption('domain')
    await page.getByText('There is nothing to check').waitFor()
    await page.getByText('2,000 values that are not sent, and why; the first 200').click()
    await page.getByRole('cell', { name: '=Müller 7', exact: true }).waitFor()
  })
})

it('website and email of the same supplier are checked in one run, from a sheet below a heading', async () => {
  const { id, page } = await atWork({ creditPence: 10_000 })
  const suppliers = [
    ['Suppliers, 17 November', '', ''],
    ['Name', 'Website', 'E-mail'],
    ['Acme', 'acme-tools.co.uk; www.acme-tools.co.uk', 'ap@acme-tools.co.uk'],
    ['Bad', `https://${KNOWN.badDomain}/pay`, `pay@${KNOWN.badDomain}`],
    ['Printer', 'printer.local', 'none yet'],
  ]
  await drop(page, 'suppliers.xlsx', writeXlsx(suppliers))
  await page.getByText('The titles are in line 2').waitFor()
  await page.getByLabel('Check “Website” as').selectOption('domain')
  expect(await seriousFindingsOfState(page)).toEqual([])
  const counts = page.getByRole('region', { name: 'Records to check' })
  expect(await counts.innerText()).toMatch(/Cannot be checked\s+1\s+Nothing to check\s+1/)
  await page.getByRole('button', { name: 'Check 4 records' }).click()
  await page.getByText('Finished: 4 of 4 records').waitFor()
  expect(await charged(id)).toEqual({ units: 4, free: 0, entries: 2 })
  const progress = page.getByRole('region', { name: 'Progress' })
  expect(await progress.innerText()).toMatch(/Cannot be checked\s+1\s+Nothing to check\s+1/)
  await filter(page, 'Not checked')
  await page.getByText('2 of 6 rows').waitFor()
  await page.getByText('.local is not a public ending.').waitFor()
  await filter(page, 'High')
  await page.getByText('2 of 6 rows').waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  const toDo = await page.getByRole('columnheader', { name: 'What to do' }).boundingBox()
  expect((toDo?.x ?? 9999) + (toDo?.width ?? 0)).toBeLessThan(1280)
})

it('the text of a PDF is a list of values of several kinds', async () => {
  const { page } = await atWork({ creditPence: 10_000 })
  const document = new PDFDocument()
  document.text('Acme acme-tools.co.uk ap@acme-tools.co.uk').end()
  await drop(page, 'suppliers.pdf', await buffer(document))
  await page.getByText('Read as the text of a PDF, 1 page').waitFor()
  expect(await page.getByLabel('Check “Indicator” as').inputValue()).toBe('any kind')
  await page.getByRole('button', { name: 'Check 2 records' }).waitFor()
})

describe('several lists and tabs', () => {
  it.runIf(FULL)(
    'two lists go on at once and while other pages are open; another tab sees them, pauses one, and pays for nothing twice',
    async () => {
      const { id, page } = await atWork({ creditPence: 100_000 })
      const batches = await watchBatches(page)
      batches.isLost = (batch) => batch === 1
      const begin = async (name: string) => {
        await drop(page, `${name}.csv`, emails(1100, name).join('\n'))
        await page.getByRole('button', { name: 'Check 1,100 records' }).click()
        await page.getByText('Checking: 1,000 of 1,100 records').waitFor()
        await page.getByRole('link', { name: 'All lists' }).click()
      }
      await begin('first')
      await begin('second')
      await expect.poll(() => batches.lost).toBe(2)
      await page.getByRole('link', { name: 'Members' }).click()
      expect(await charged(id)).toMatchObject({ units: 2200, entries: 4 })

      const other = await page.context().newPage()
      await other.goto(page.url().replace(/members$/, 'bulk'))
      const first = other.getByRole('listitem').filter({ hasText: 'first.csv' })
      await first.getByText('Checking in another tab: 1,000 of 1,100 records').waitFor()
      batches.isLost = () => false
      await first.getByRole('button', { name: 'Pause' }).click()
      await first.getByText('Stopped: 1,000 of 1,100 records').waitFor()
      const letGo = await holdShared(page, await first.getByRole('link').getAttribute('href'))
      await first.getByRole('button', { name: 'Continue' }).click()
      await first.getByText('Checking: 1,000 of 1,100 records').waitFor()
      await letGo()
      await first.getByText('Finished: 1,100 of 1,100 records').waitFor()
      // The tab that sends the second one goes away with an answer on its way.
      await page.close()
      const second = other.getByRole('listitem').filter({ hasText: 'second.csv' })
      await second.getByText('Stopped: 1,000 of 1,100 records').waitFor()
      await second.getByRole('button', { name: 'Continue' }).click()
      await second.getByText('Finished: 1,100 of 1,100 records').waitFor()
      expect(await charged(id)).toMatchObject({ units: 2200, entries: 4 })
      expect(await seriousFindingsOfState(other)).toEqual([])
    },
  )

  it.runIf(FULL)('two tabs that go on at the same moment, in a browser without locks, pay once', async () => {
    const { id, page } = await atWork({ creditPence: 2000 * 3 }, '/console/bulk', { fresh: true })
    const batches = await watchBatches(page)
    await page.context().addInitScript("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
    await page.reload()
    batches.isLost = (batch) => batch === 1
    await drop(page, 'both.csv', emails(3000).join('\n'))
    await page.getByRole('button', { name: 'Check 2,000 records' }).click()
    await page.getByText('Checking: 1,000 of 3,000 records').waitFor()
    await expect.poll(() => batches.lost).toBe(1)
    batches.isLost = () => false
    await page.reload()
    const other = await page.context().newPage()
    await other.goto(page.url())
    const tabs = [page, other]
    const both = async (button: string, then: string) => {
      for (const tab of tabs) await tab.getByRole('button', { name: button }).waitFor()
      // Without waiting in between: the first may be done before a click of the mouse comes to the second.
      await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: button }).dispatchEvent('click')))
      for (const tab of tabs) await tab.getByText(then).waitFor()
    }
    await both('Continue', 'Waiting: 2,000 of 3,000 records')
    expect(await charged(id)).toMatchObject({ units: 2000, entries: 2 })
    // Both have seen that there is no credit before there is some.
    for (const tab of tabs) await tab.getByRole('button', { name: 'Look again' }).waitFor()
    await test.server.accounts.credit(id, 6000)
    for (const tab of tabs) await tab.getByRole('button', { name: 'Look again' }).click()
    await both('Continue with 1,000 records', 'Finished: 3,000 of 3,000 records')
    expect(await charged(id)).toMatchObject({ units: 3000, entries: 3 })
  })

  it.runIf(FULL)('a batch that was sent more than a day ago is not sent again without a question', async () => {
    const { id, page } = await atWork({ creditPence: 100_000 })
    const batches = await watchBatches(page)
    batches.isLost = (batch) => batch > 0
    await drop(page, 'old.csv', emails(3500).join('\n'))
    await page.getByRole('button', { name: 'Check 3,500 records' }).click()
    await expect.poll(() => batches.lost).toBe(2)
    await page.getByText('Checking: 1,000 of 3,500 records').waitFor()
    // Of the two on their way, one was sent long before the other.
    await page.evaluate(`(${makeOlder})({ batch: 1, days: 2 })`)
    await page.reload()
    const alert = page.getByRole('alert')
    await alert.getByText('1,000 records may have been charged without an answer').waitFor()
    expect(await alert.innerText()).toMatch(/sent \d+ \w+ \d{4}/)
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
    expect(await seriousFindingsOfState(page)).toEqual([])
    batches.isLost = () => false
    await alert.getByRole('button', { name: 'Leave them out' }).click()
    // The younger one is still remembered by the service, and costs nothing more.
    await page.getByRole('button', { name: 'Continue' }).click()
    // The last batch was never sent: its price is agreed to anew.
    await page.getByText('Waiting: 3,000 of 3,500 records').waitFor()
    expect(await charged(id)).toMatchObject({ units: 3000, entries: 3 })
    await page.getByRole('button', { name: 'Continue with 500 records' }).click()
    await page.getByText('Finished: 3,500 of 3,500 records').waitFor()
    expect(await charged(id)).toMatchObject({ units: 3500, entries: 4 })
    await filter(page, 'Not checked')
    await page.getByText('1,000 of 3,500 rows').waitFor()
    await page.getByText('It was left out.').first().waitFor()

    await page.goto(`${test.server.url}/console/bulk`)
    batches.isLost = () => true
    await drop(page, 'again.csv', emails(10, 'again').join('\n'))
    await page.getByRole('button', { name: 'Check 10 records' }).click()
    await page.getByText('Checking: 0 of 10 records').waitFor()
    await expect.poll(() => batches.lost).toBe(3)
    await page.evaluate(`(${makeOlder})({ batch: 0, days: 2 })`)
    await page.reload()
    batches.isLost = () => false
    await page
      .getByRole('alert')
      .getByText('which costs £0.30 at most')
      .or(page.getByText('which costs £0.30 at most'))
      .waitFor()
    await page.getByRole('button', { name: 'Check them again' }).click()
    await page.getByRole('button', { name: 'Continue with 10 records' }).click()
    await page.getByText('Finished: 10 of 10 records').waitFor()
    expect(await charged(id)).toMatchObject({ units: 3520, entries: 6 })
  })
})

/** Runs in the page: turns the clock of a batch without an answer back. */
const makeOlder = `async ({ batch, days }) => {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open('assay-lists')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const transaction = database.transaction('sent', 'readwrite')
  const all = transaction.objectStore('sent').getAll()
  all.onsuccess = () => {
    for (const one of all.result) {
      if (one.number !== batch || one.answers) continue
      transaction.objectStore('sent').put({ ...one, begunAtMs: one.begunAtMs - days * 86400000 })
    }
  }
  await new Promise((resolve) => { transaction.oncomplete = resolve })
  database.close()
}`

describe('money', () => {
  it('free units and credit cover a part of a list: that part is checked, and the rest waits for a top-up', async () => {
    const { id, page } = await atWork({ plan: 'free', creditPence: 6 })
    await drop(page, 'free.csv', emails(12).join('\n'))
    await page.getByText('Your plan covers 7 of 12 records now').waitFor()
    await page.getByText(/the others wait here until a top-up or until 1 \w+ \d{4}/).waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('button', { name: 'Check 7 records' }).click()
    await page.getByText('Waiting: 7 of 12 records').waitFor()
    // The five free ones are a request of their own: one of seven would have been charged as a whole.
    expect(await charged(id)).toEqual({ units: 7, free: 5, entries: 2 })
    expect(await creditOf(id)).toBe(0)
    await page.getByText('Not checked yet: 5 records of this list').waitFor()
    await page.getByText('Your plan covers 0 of 5 records now').waitFor()
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await test.server.accounts.credit(id, 100)
    // A tab that hears nothing of the others, as one that the browser had put away.
    const stale = await page.context().newPage()
    await stale.addInitScript('BroadcastChannel.prototype.addEventListener = () => {}')
    await stale.goto(page.url())
    await stale.getByRole('button', { name: 'Continue with 5 records' }).waitFor()
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByRole('button', { name: 'Continue with 5 records' }).click()
    await page.getByText('Finished: 12 of 12 records').waitFor()
    await stale.getByRole('button', { name: 'Continue with 5 records' }).click()
    await stale.getByText('Finished: 12 of 12 records').waitFor()
    expect(await charged(id)).toEqual({ units: 12, free: 5, entries: 3 })
    expect(await creditOf(id)).toBe(100 - 15)
    expect(await page.getByRole('region', { name: 'Progress' }).innerText()).toMatch(/Cost\s+£0\.21/)
  })

  it.runIf(FULL)(
    'a list that was stopped is priced anew, and a charge for what was free when agreed to stops it',
    async () => {
      const { id, apiKey, page } = await atWork({ plan: 'free', creditPence: 21 })
      const batches = await watchBatches(page)
      batches.onTheWay = () => new Promise(() => {})
      await drop(page, 'paused.csv', emails(12).join('\n'))
      await page.getByRole('button', { name: 'Check 12 records' }).click()
      await expect.poll(() => batches.sent.size).toBe(1)
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByText('may charge for 5 records').waitFor()
      await page.getByRole('button', { name: 'Keep it' }).click()
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText(/for 5 records, sent as free\..* The price of the other 7 is shown after that/).waitFor()
      await test.server.post('/v1/payment-risk/bulk', { emails: emails(5, 'other') }, apiKey)
      expect(await charged(id)).toEqual({ units: 5, free: 5, entries: 1 })

      batches.onTheWay = async () => undefined
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('The service charged £0.15 for 5 records that were free when you agreed').waitFor()
      await page.getByText('Waiting: 5 of 12 records').waitFor()
      await page.getByText('Your plan covers 2 of 7 records now').waitFor()
      expect(await charged(id)).toEqual({ units: 10, free: 5, entries: 2 })
      expect([...batches.sent.values()]).toEqual([2])
      await page.getByRole('button', { name: 'Continue with 2 records' }).click()
      await page.getByText('Waiting: 7 of 12 records').waitFor()
      expect(await creditOf(id)).toBe(0)
    },
  )

  it.runIf(FULL)(
    'credit that somebody else spends meanwhile stops it; records only the server finds invalid cost nothing',
    async () => {
      const { id, apiKey, page } = await atWork({ creditPence: 2000 * 3 })
      const batches = await watchBatches(page)
      const spent = Promise.withResolvers<void>()
      batches.onTheWay = (batch) => (batch === 1 ? spent.promise : Promise.resolve())
      // A character that Unicode has not given out: only the server knows which those are.
      const list = ['jo\u{e0fff}@company.com', 'jane@server.nosuchending', ...emails(1998)]
      await drop(page, 'mixed.txt', list.join('\n'))
      await page.getByRole('button', { name: 'Check 2,000 records' }).click()
      await page.getByText('Checking: 1,000 of 2,000 records').waitFor()
      await test.server.post('/v1/payment-risk/bulk', { emails: emails(101, 'other') }, apiKey)
      spent.resolve()
      const alert = page.getByRole('alert').filter({ hasText: 'The checks have stopped' })
      await alert.getByRole('link', { name: 'Top up' }).waitFor()
      await page.getByText('Your plan covers 900 of 1,000 records now').waitFor()
      await page.getByRole('button', { name: 'Continue with 900 records' }).click()
      await page.getByText('Waiting: 1,900 of 2,000 records').waitFor()
      expect(await creditOf(id)).toBe(0)
      await test.server.accounts.credit(id, 1000)
      await page.reload()
      await page.getByRole('button', { name: 'Continue with 100 records' }).click()
      await page.getByText('Finished: 2,000 of 2,000 records').waitFor()
      expect(await charged(id)).toMatchObject({ units: 1999 + 101 })
      expect(await creditOf(id)).toBe(1000 - 300)
      expect(await page.getByRole('region', { name: 'Progress' }).innerText()).toMatch(/Cost\s+£59\.97/)

      await filter(page, 'Not checked')
      await page.getByText('2 of 2,000 rows', { exact: true }).waitFor()
      expect(await page.getByRole('row', { name: /jo.*@company\.com/u }).innerText()).toMatch(
        /Not checked[\s\S]*Correct/,
      )
      // Low by the service, which says nothing about a name that nobody can register.
      expect(await page.getByRole('row', { name: /server\.nosuchending/ }).innerText()).toMatch(/Nothing to check\s+–/)
    },
  )

  it.runIf(FULL)('overage is said before, and a plan without lists says where to choose another', async () => {
    const { id, page } = await atWork({ plan: 'growth', creditPence: 0 })
    await page.getByLabel('Or paste a list').fill(emails(40).join('\n'))
    await page.getByRole('button', { name: 'Read this list' }).click()
    await page.getByText(/^£0\.20 of it is beyond your credit/).waitFor()
    await page.getByRole('button', { name: 'Check 40 records' }).click()
    await page.getByText('Finished: 40 of 40 records').waitFor()
    expect(await page.getByRole('region', { name: 'Progress' }).innerText()).toMatch(/Part beyond credit\s+£0\.20/)
    await test.server.accounts.setPlan(id, 'single')
    await page.goto(`${test.server.url}/console/bulk`)
    await page.getByRole('link', { name: 'Choose another plan' }).waitFor()
    expect(await page.getByRole('button', { name: 'Choose a file' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Pasted list' }).waitFor()
  })
})

describe('trouble in the middle', () => {
  it.runIf(FULL)('an engine that is away is waited for, and a session that ends is renewed in place', async () => {
    const { id, person, page } = await atWork({ creditPence: 100_000 })
    const batches = await watchBatches(page)
    batches.onTheWay = async (batch) => {
      if (batch === 1) test.engine.down = true
    }
    await drop(page, 'long.csv', emails(2100).join('\n'))
    await page.getByRole('button', { name: 'Check 2,100 records' }).click()
    await page.getByText('The service does not answer: trying again').waitFor()
    // Two batches are on the way: a later one could be the last to be asked, before the session ends.
    batches.onTheWay = async () => {}
    await test.sql.query('delete from console_session where person_id = $1', [person.id])
    test.engine.down = false
    const dialog = page.getByRole('dialog', { name: 'You were signed out' })
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Finished: 2,100 of 2,100 records').waitFor()
    expect(await charged(id)).toEqual({ units: 2100, free: 0, entries: 3 })
  })
})

describe('lists that cannot be used', () => {
  it.runIf(FULL)('are refused in plain words, and nothing is sent', async () => {
    const { page } = await atWork({})
    const batches = await watchBatches(page)
    const refuse = async (content: string, words: RegExp) => {
      await drop(page, 'list.csv', content)
      await page.getByRole('alert').getByText(words).waitFor()
    }
    await refuse('a.example\n'.repeat(500_002), /more than 500,000 rows/)
    await refuse('a@b.example\n"c@d.example\n', /Line 2: a quotation mark/)
    await refuse('PK\u0003\u0004', /This workbook is damaged/)
    await drop(page, 'list.csv', 'name,town\nJane,Leeds\nJohn,York\n')
    await page.getByText('No column looks like emails, domains or IP addresses').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect(batches.sent.size).toBe(0)
  })
})

/** 100,000 show how a page copes with a long report; 2,000 show that nothing is lost. */
const RECORDS_KEPT = FULL ? 100_000 : 2000
const SCROLLS = FULL ? 20 : 4

describe(`${RECORDS_KEPT.toLocaleString('en-GB')} answers of an earlier version`, () => {
  it('are still there; what had no answer is asked about; the longest frames are reported', async () => {
    const { id, person, page } = await atWork({}, '/console')
    await page.getByRole('textbox').waitFor()
    const kept = RECORDS_KEPT.toLocaleString('en-GB')
    const list = { owner: `${person.id} ${id}`, records: RECORDS_KEPT }
    await page.evaluate(`(${putAnswers})(${JSON.stringify(list)})`)
    await page.getByRole('navigation').getByRole('link', { name: 'Check a list' }).click()
    await page.getByRole('link', { name: 'measured.csv' }).click()
    await page.getByText('1,000 records may have been charged without an answer').waitFor()
    await page.getByRole('button', { name: 'Leave them out' }).click()
    await page.getByText(`Finished: ${kept} of ${kept} records`).waitFor()
    await page.getByText(`${kept} of ${kept} rows`).waitFor()
    const longestMs = async (act: () => Promise<unknown>) => {
      await page.evaluate(
        'window.frames_=[];(function tick(last){requestAnimationFrame((now)=>{window.frames_.push(now-last);tick(now)})})(performance.now())',
      )
      await act()
      return page.evaluate<number>('Math.max(...window.frames_)')
    }
    const scroller = page.getByRole('region', { name: 'Report, scrolling' })
    const scrollMs = await longestMs(async () => {
      for (let step = 1; step <= SCROLLS; step++) {
        await scroller.evaluate(
          (element: { scrollTop: number }, top) => {
            element.scrollTop = top
          },
          (step * 50 * RECORDS_KEPT) / SCROLLS,
        )
      }
    })
    const filterMs = await longestMs(async () => {
      await page.getByLabel('Find').pressSequentially('user99')
      await page.getByText(`${FULL ? '1,111' : '11'} of ${kept} rows`).waitFor()
    })
    const sortMs = await longestMs(async () => {
      await page.getByLabel('Find').fill('')
      await page.getByRole('button', { name: 'domain' }).click()
      await page.getByText(`${kept} of ${kept} rows`, { exact: true }).waitFor()
    })
    globalThis.console.log(
      `longest frame over ${kept} rows: scrolling ${Math.round(scrollMs)} ms, filtering ${Math.round(filterMs)} ms, sorting ${Math.round(sortMs)} ms`,
    )
    expect(await page.getByRole('row').count()).toBeLessThan(100)
  })
})

/** Runs in the page: a list as version 1 kept it, the last batch without an answer. */
const putAnswers = `async ({ owner, records }) => {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open('assay-lists', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('jobs', { keyPath: 'owner' })
      request.result.createObjectStore('batches', { keyPath: ['jobId', 'index'] })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const transaction = database.transaction(['jobs', 'batches'], 'readwrite')
  const all = Array.from({ length: records }, (_, index) => 'user' + index + '.company.example')
  transaction.objectStore('jobs').put({
    id: 'measured', owner, kind: 'domain', name: 'measured.csv', createdAtMs: 0, records: all,
    rowOf: all.map((_, index) => index + 1), times: all.map(() => 1), duplicates: 0, invalid: 0, batchSize: 1000,
  })
  for (let index = 0; index < records / 1000 - 1; index++) {
    const scores = Int16Array.from({ length: 1000 }, (_, at) => ((index * 1000 + at) * 37) % 101)
    transaction.objectStore('batches').put({ jobId: 'measured', index, scores, pricePence: 0, freeUnits: 0, leftPence: 0 })
  }
  await new Promise((resolve) => { transaction.oncomplete = resolve })
  database.close()
}`

/** A tab at the moment when it notices that another has stopped: it holds the list's lock, shared. */
async function holdShared(tab: Page, address: string | null): Promise<() => Promise<unknown>> {
  const name = `assay-list ${address?.split('/').at(-1)}`
  await tab.evaluate(`new Promise((held) => navigator.locks.request('${name}', { mode: 'shared' }, () => {
    held()
    return new Promise((done) => { globalThis.letGo = done })
  }))`)
  return () => tab.evaluate('letGo()')
}
