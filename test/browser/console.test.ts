import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { changeIn } from '../../src/db/sql.ts'
import { addMember } from '../../src/identity/members/members.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openAccountMenu, scriptBytesOf, seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { KNOWN } from '../support/engine.ts'
import { FULL } from '../support/full.ts'

let console: ConsoleTest

beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console?.close())
afterEach(async () => {
  expect(await console.leave()).toEqual([])
})

describe('checking one indicator', () => {
  it('recognises it, shows level, action, reasons, cost and what is left, and charges once', async () => {
    const organisation = await console.server.organisation({ creditPence: 1000 })
    const page = await console.open(await console.member(organisation.id, 'developer'), '/console')
    await page.getByText('£10.00 of credit left').waitFor()
    const box = page.getByRole('textbox', { name: 'Email address, domain or IP address' })
    await box.fill(KNOWN.badIp)
    await page.getByText('This is an IP address · costs £0.01').waitFor()
    await box.fill(`accounts@${KNOWN.badDomain}`)
    await page.getByText('This is an email address · costs £0.03').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('High risk').waitFor()
    await page.getByText('Escalate and verify independently before paying.').waitFor()
    await page.getByRole('img', { name: /^Score (7\d|8\d|9\d|100) of 100, high risk$/ }).waitFor()
    expect(await page.getByRole('img', { name: /^raises the score by \d+$/ }).count()).toBeGreaterThan(0)
    const why = page.getByRole('region', { name: /^Why \d+$/ }).getByRole('listitem')
    const points = (await why.allInnerTexts()).map((text) =>
      Number(/([+−]?)\s*(\d+)$/.exec(text)?.slice(1).join('').replace('−', '-')),
    )
    expect(await why.nth(1).innerText()).toContain('test-feed · seen')
    expect(await why.first().innerText()).toMatch(/^Starts at 10\b/)
    expect(points.slice(0, -1).reduce((sum, effect) => sum + effect, 0)).toBe(points.at(-1))
    expect(await page.getByRole('region', { name: 'What is known' }).innerText()).toMatch(
      /Known bad\. Listed for phishing by Test feed; last seen 2026-01-01\.\s+Asked: 1 list/,
    )
    expect(await page.getByRole('region', { name: 'Cost' }).innerText()).toMatch(/cost\s+£0\.03\s+Credit left\s+£9\.97/)
    expect(await seriousFindingsOfState(page)).toEqual([])
    expect((await console.server.accounts.read(organisation.id)).prepaidPence).toBe(997)
  })

  it.runIf(FULL)('tells nothing to check and nothing known apart from low risk', async () => {
    const organisation = await console.server.organisation({ creditPence: 1000 })
    const page = await console.open(await console.member(organisation.id), '/console')
    const check = async (indicator: string) => {
      await page.getByRole('textbox').first().fill(indicator)
      // A click waits until the last check is done; Enter would be lost.
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      const result = page.getByRole('region', { name: 'Result' }).filter({ hasText: indicator })
      return (await result.innerText()).replace(/\s+/g, ' ')
    }
    await page.getByRole('textbox').first().fill('10.1.2.3')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing to check: private use.').waitFor()
    expect((await console.server.accounts.read(organisation.id)).prepaidPence).toBe(1000)
    // The service knows more of them.
    const reserved = await check('server.nosuchending')
    expect(reserved).toMatch(/Nothing to check \.nosuchending is not a public ending\. Checked/)
    expect(reserved).not.toMatch(/low|proceed/i)
    expect(await page.getByRole('img', { name: /^Score/ }).count()).toBe(0)
    expect(await check('2a00:1450::1')).toContain('Low risk')
    const known = await page.getByRole('region', { name: 'What is known' }).innerText()
    expect(known).toMatch(
      /Nothing is known about it: the only list .* does not name it\.\s+This does not mean that it is safe/,
    )
    expect(await check('paypal-login.top')).toContain('High risk')
    expect(await page.getByRole('region', { name: 'What is known' }).innerText()).toMatch(
      /The only list .* does not name it\. The score comes only from its name\.\s+Asked: 1 list/,
    )
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it('says what is wrong before anything is sent, and keeps the answer of a failed check safe to repeat', async () => {
    const organisation = await console.server.organisation({ creditPence: 1000 })
    const page = await console.open(await console.member(organisation.id), '/console')
    await page.getByRole('textbox').fill('10.0.0.0/8')
    await page.keyboard.press('Enter')
    await page.getByText('This is a range: enter one IP address.').waitFor()
    await page.getByRole('textbox').fill(KNOWN.badIp)
    console.engine.down = true
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').innerText()).toMatch(/nothing was charged[\s\S]*Request req_/)
    console.engine.down = false
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('High risk').waitFor()
    expect((await console.server.accounts.read(organisation.id)).prepaidPence).toBe(999)
  })

  it('two organisations of one person are kept apart', async () => {
    const first = await console.server.organisation({ name: 'Northern Branch', creditPence: 1000 })
    const second = await console.server.organisation({ name: 'Southern Branch', creditPence: 5000 })
    const person = await console.member(first.id)
    await changeIn(console.sql, systemClock, (tx) =>
      addMember(tx, operatorIn(second.id), { personId: person.id, role: 'viewer' }),
    )
    const page = await console.open(person, '/console')
    const chooseOrganisation = async (label: string) => {
      await (await openAccountMenu(page)).getByRole('button', { name: label }).click()
    }
    await chooseOrganisation('Northern Branch')
    await page.getByText('£10.00 of credit left').waitFor()
    await page.getByRole('textbox').fill(KNOWN.badIp)
    await page.keyboard.press('Enter')
    await page.getByText('High risk').waitFor()
    await chooseOrganisation('Southern Branch')
    await page.getByText('£50.00 of credit left').waitFor()
    expect(await page.getByText('High risk').count()).toBe(0)
    await page.getByText('Your role may read but not check.').waitFor()
    await page.reload()
    await page.getByText('£50.00 of credit left').waitFor()
    expect((await console.server.accounts.read(second.id)).prepaidPence).toBe(5000)
    expect((await console.server.accounts.read(first.id)).prepaidPence).toBe(999)
  })
})

describe('the first load of the check page', () => {
  it('takes under 300 KB of compressed script', async () => {
    const organisation = await console.server.organisation()
    const page = await console.open(await console.member(organisation.id), '/livez', { fresh: true })
    const scriptBytes = await scriptBytesOf(page, async () => {
      await page.goto(`${console.server.url}/console`)
      await page.getByText(/of credit left/).waitFor()
    })
    globalThis.console.log(`first load of the check page: ${Math.round(scriptBytes / 1024)} KiB of compressed script`)
    expect(scriptBytes).toBeGreaterThan(0)
    expect(scriptBytes).toBeLessThan(300_000)
  })
})

describe('a path where there is nothing', () => {
  it('is a page for a browser, a problem for a program', async () => {
    const page = await console.stranger('/no/such/page')
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    const asked = await console.server.send('/no/such/page', { headers: { accept: 'text/html' } })
    expect(asked.status).toBe(404)
    expect((await console.server.send('/no/such/page')).json.code).toBe('not_found')
    expect((await console.server.send('/v1/none', { headers: { accept: 'text/html' } })).json.code).toBe('not_found')
  })
})
