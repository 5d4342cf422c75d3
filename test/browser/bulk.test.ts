import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeXlsx } from '../../reader/src/xlsx.ts'
import { clickTwice, seriousFindings } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { KNOWN } from '../support/engine.ts'
import { PASSWORD } from '../support/people.ts'

let test: ConsoleTest

beforeAll(async () => {
  test = await startConsole()
})
afterAll(() => test?.close())
afterEach(async () => {
  expect(await test.leave()).toEqual([])
})

const csv = (text: string) => ({ name: 'suppliers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
const drop = (page: Page, text: string) => page.getByLabel('CSV file').setInputFiles(csv(text))
const creditOf = async (id: string) => (await test.server.accounts.read(id)).prepaidPence

/** Batches on their way: which were sent and how often, which are held back, which are refused. */
async function watchBatches(page: Page) {
  const sent = new Map<number, number>()
  const state = {
    holdFrom: Number.POSITIVE_INFINITY,
    failing: undefined as number | undefined,
    held: 0,
    /** Done when a batch has left the page, before the server sees it. */
    onTheWay: async (): Promise<unknown> => undefined,
  }
  await page.route('**/v1/payment-risk/bulk', async (route) => {
    const batch = Number(route.request().headers()['idempotency-key']?.split('-')[1])
    sent.set(batch, (sent.get(batch) ?? 0) + 1)
    if (batch === state.failing) {
      await route.fulfill({ status: 503, headers: { 'x-request-id': 'req_refused' }, body: '{"detail":"Try again."}' })
      return
    }
    await state.onTheWay()
    const response = await route.fetch()
    if (batch >= state.holdFrom) {
      // Answered and charged by the server, but the answer never reaches the page.
      state.held++
      return
    }
    await route.fulfill({ response })
  })
  return { sent, state }
}

describe('a list of 25,000 rows', () => {
  it('survives a reload and a failing batch, and is charged once for each record', async () => {
    const organisation = await test.server.organisation({ creditPence: 100_000 })
    const page = await test.open(await test.member(organisation.id, 'developer'), '/console/bulk')
    const { sent, state } = await watchBatches(page)
    const rows = Array.from({ length: 24_999 }, (_, index) =>
      index % 5000 === 0 ? `Bad,billing${index}@${KNOWN.badDomain}` : `Fine,billing${index}@company${index}.com`,
    )
    const awkward = ['Odd,=2+5@company.example', 'Twice,BILLING7@company7.com', 'None,', 'Wrong,nobody']
    await drop(page, ['Supplier,Contact', ...rows, ...awkward].join('\n'))
    const figures = page.getByRole('region', { name: 'What would be checked' })
    await figures.waitFor()
    expect(await figures.innerText()).toMatch(
      /To check\s+25,000\s+Duplicates left out\s+1\s+Invalid rows left out\s+1\s+Empty rows\s+1/,
    )
    await page.getByText('£750.00').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(sent.size).toBe(0)

    state.holdFrom = 12
    await clickTwice(page.getByRole('button', { name: 'Check 25,000 records' }))
    await page.getByText('Checking: 12,000 of 25,000 records').waitFor()
    await expect.poll(() => state.held).toBe(2)
    await page.reload()
    await page.getByText('Stopped: 12,000 of 25,000 records').waitFor()
    state.holdFrom = Number.POSITIVE_INFINITY
    state.failing = 20
    await page.getByRole('button', { name: 'Go on' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(/1 batch failed[\s\S]*1,000 records got no answer and cost nothing/)
    expect(await alert.innerText()).toContain('Request req_refused')
    expect(await creditOf(organisation.id)).toBe(100_000 - 24_000 * 3)

    state.failing = undefined
    await page.getByRole('button', { name: 'Try the failed batches again' }).click()
    await page.getByText('Finished: 25,000 of 25,000 records').waitFor()
    expect(await creditOf(organisation.id)).toBe(100_000 - 25_000 * 3)
    const repeated = [...sent].filter(([, times]) => times > 1).map(([batch]) => batch)
    expect(repeated.sort((a, b) => a - b)).toEqual([12, 13, 20])
    expect(await page.getByRole('region', { name: 'Progress' }).innerText()).toMatch(/Cost\s+£750\.00/)
    expect(await seriousFindings(page)).toEqual([])

    await page.getByText('High', { exact: true }).first().click()
    await page.getByText('5 of 25,000').waitFor()
    await page.getByLabel('Find').fill('billing20000@')
    await page.getByText('1 of 25,000', { exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(lines[0]).toBe('\ufeffrow,email,times,risk,risk_score,note')
    expect(lines).toHaveLength(25_002)
    expect(lines[1]).toMatch(/^2,billing0@evil-supplier\.example,1,high,\d+,$/)
    expect(lines[8]).toMatch(/^9,billing7@company7\.com,2,[a-z]+,\d+,$/)
    expect(lines[25_000]).toMatch(
      /^25001,'=2\+5@company\.example,1,low,\d+,nothing to check: \.example is not a public ending$/,
    )
  })
})

describe('trouble in the middle of a list', () => {
  it('a session that ends holds it up; after signing in again it goes on where it was', async () => {
    const organisation = await test.server.organisation({ creditPence: 100_000 })
    const person = await test.member(organisation.id)
    const page = await test.open(person, '/console/bulk')
    const { state } = await watchBatches(page)
    state.holdFrom = 1
    await drop(page, Array.from({ length: 3000 }, (_, index) => `a${index}@company.example`).join('\n'))
    await page.getByRole('button', { name: 'Check 3,000 records' }).click()
    await page.getByText('Checking: 1,000 of 3,000 records').waitFor()
    // None of these may still be on its way when the session ends with a later one.
    await expect.poll(() => state.held).toBe(2)
    await page.getByRole('button', { name: 'Cancel' }).click()
    state.holdFrom = Number.POSITIVE_INFINITY
    // It ends with a batch on its way: sooner, and any other question of the page might notice it first.
    let ended: Promise<unknown> | undefined
    state.onTheWay = () => {
      ended ??= test.sql.query('delete from console_session where person_id = $1', [person.id])
      return ended
    }
    const refused = page.waitForResponse((response) => response.status() === 401 && response.url().endsWith('/bulk'))
    await page.getByRole('button', { name: 'Go on' }).click()
    await refused
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Finished: 3,000 of 3,000 records').waitFor()
    expect(await creditOf(organisation.id)).toBe(100_000 - 3000 * 3)
  })

  it('empty credit stops it with what to do; records only the server finds invalid are left out', async () => {
    const organisation = await test.server.organisation({ creditPence: 999 * 3 })
    const page = await test.open(await test.member(organisation.id), '/console/bulk')
    // A character that Unicode has not given out: only the server knows which those are.
    const emails = Array.from({ length: 998 }, (_, index) => `jane@company${index}.com`)
    await page
      .getByLabel('Or paste a list')
      .fill(['jo\u{e0fff}@company.com', 'jane@server.internal', ...emails].join('\n'))
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('button', { name: 'Check 1,000 records' }).click()
    await page.getByText('Finished: 1,000 of 1,000 records').waitFor()
    await page.getByText('None', { exact: true }).click()
    await page.getByText('2 of 1,000', { exact: true }).waitFor()
    expect(await page.getByRole('row', { name: /jo.*@company\.com/u }).innerText()).toContain('Invalid')
    // Low by the service, which says nothing about a name that nobody can register.
    expect(await page.getByRole('row', { name: /server\.internal/ }).innerText()).toMatch(/Nothing to check\s+–$/)
    const levels = await page.getByRole('region', { name: 'Levels' }).innerText()
    expect(levels.replace(/\s+/g, ' ')).toMatch(/Nothing to check 1$/)
    expect(await creditOf(organisation.id)).toBe(0)

    await page.getByRole('button', { name: 'New list' }).click()
    await page.getByLabel('Or paste a list').fill('jane@company.com')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('3p of credit is missing').waitFor()
    await page.getByRole('button', { name: 'Check 1 record' }).click()
    await page.getByRole('alert').getByText('The checks have stopped').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('nothing is charged twice')
  })
})

describe('lists as spreadsheets save them', () => {
  const rows = Array.from({ length: 2000 }, (_, index) => [
    `Müller ${index}`,
    `https://firma${index}.com/über?x=1`,
    index % 2 === 0 ? `Jörg <rechnung@firma${index}.com>` : `mailto:rechnung@firma${index}.com`,
  ])
  const titles = ['Firma', 'Webseite', 'E-Mail']
  const latin1 = [titles, ...rows].map((cells) => cells.join(';')).join('\r\n')
  it.each([
    ['CSV with semicolons in Windows-1252', 'liste.csv', Buffer.from(latin1, 'latin1')],
    ['a workbook', 'liste.xlsx', Buffer.from(writeXlsx([titles, ...rows]))],
  ])('%s: every row is read, and another column is looked at again', async (_name, name, buffer) => {
    const organisation = await test.server.organisation()
    const page = await test.open(await test.member(organisation.id), '/console/bulk')
    await page.getByLabel('CSV file').setInputFiles({ name, mimeType: '', buffer })
    const figures = page.getByRole('region', { name: 'What would be checked' })
    await page.getByRole('button', { name: 'Check 2,000 records' }).waitFor()
    expect(await figures.innerText()).toMatch(/To check\s+2,000\s+Duplicates left out\s+0\s+Invalid rows left out\s+0/)
    expect(await page.getByLabel('Holds').inputValue()).toBe('email')
    await page.getByLabel('Column').selectOption({ label: 'Webseite' })
    await expect.poll(() => page.getByLabel('Holds').inputValue()).toBe('domain')
    await page.getByRole('button', { name: 'Check 2,000 records' }).waitFor()
    await page.getByLabel('Column').selectOption({ label: 'Firma' })
    await page.getByText('There is nothing to check').waitFor()
    await page.getByText('2,000 rows cannot be checked; the first 200').click()
    await page.getByRole('cell', { name: 'Müller 7', exact: true }).waitFor()
  })
})

describe('lists that cannot be used', () => {
  it('are refused in plain words, and nothing is sent', async () => {
    const organisation = await test.server.organisation()
    const page = await test.open(await test.member(organisation.id), '/console/bulk')
    const { sent } = await watchBatches(page)
    const refuse = async (content: Buffer, words: RegExp) => {
      await page.getByLabel('CSV file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: content })
      await page.getByRole('alert').getByText(words).waitFor()
    }
    await refuse(Buffer.from('a.example\n'.repeat(1_000_000)), /more than 500,000 rows/)
    await refuse(Buffer.from('a@b.example\n"c@d.example\n'), /Line 2: a quotation mark/)
    await refuse(Buffer.from('PK\u0003\u0004'), /This workbook is damaged/)
    await drop(page, 'name,town\nJane,Leeds\nJohn,York\n')
    await page.getByText('No column looks like emails, domains or IP addresses').waitFor()
    await page.getByText('There is nothing to check').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(sent.size).toBe(0)
  })
})

describe('a hundred thousand answers', () => {
  it('scroll and filter; the longest frames are reported', async () => {
    const organisation = await test.server.organisation()
    const person = await test.member(organisation.id)
    const page = await test.open(person, '/console/bulk')
    await page.getByText('Drop an Excel or CSV file here').waitFor()
    const list = { owner: `${person.id} ${organisation.id}`, records: 100_000 }
    await page.evaluate(`(${putAnswers})(${JSON.stringify(list)})`)
    await page.reload()
    await page.getByText('Finished: 100,000 of 100,000 records').waitFor()
    const longestMs = async (act: () => Promise<unknown>) => {
      await page.evaluate(
        'window.frames_=[];(function tick(last){requestAnimationFrame((now)=>{window.frames_.push(now-last);tick(now)})})(performance.now())',
      )
      await act()
      return page.evaluate<number>('Math.max(...window.frames_)')
    }
    const scroller = page.getByRole('region', { name: 'Answers, scrolling' })
    const scrollMs = await longestMs(async () => {
      for (let step = 1; step <= 20; step++) {
        await scroller.evaluate((element: { scrollTop: number }, top) => {
          element.scrollTop = top
        }, step * 190_000)
      }
    })
    const filterMs = await longestMs(async () => {
      await page.getByLabel('Find').pressSequentially('user99')
      await page.getByText('1,111 of 100,000').waitFor()
    })
    const sortMs = await longestMs(async () => {
      await page.getByLabel('Find').fill('')
      await page.getByRole('button', { name: 'Domain' }).click()
      await page.getByText('100,000 of 100,000', { exact: true }).waitFor()
    })
    globalThis.console.log(
      `longest frame over 100,000 rows: scrolling ${Math.round(scrollMs)} ms, filtering ${Math.round(filterMs)} ms, sorting ${Math.round(sortMs)} ms`,
    )
    expect(await page.getByRole('row').count()).toBeLessThan(100)
  })
})

/** Runs in the page: a finished list, as the page itself would have kept it. */
const putAnswers = `async ({ owner, records }) => {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open('assay-lists', 1)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const transaction = database.transaction(['jobs', 'batches'], 'readwrite')
  const all = Array.from({ length: records }, (_, index) => 'user' + index + '.company.example')
  transaction.objectStore('jobs').put({
    id: 'measured', owner, kind: 'domain', name: 'measured.csv', createdAtMs: 0, records: all,
    rowOf: all.map((_, index) => index + 1), times: all.map(() => 1), duplicates: 0, invalid: 0, batchSize: records,
  })
  const scores = Int16Array.from(all, (_, index) => (index * 37) % 101)
  transaction.objectStore('batches').put({ jobId: 'measured', index: 0, scores, pricePence: 0, freeUnits: 0, leftPence: 0 })
  await new Promise((resolve) => { transaction.oncomplete = resolve })
}`
