import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seriousFindingsOfState } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { createTestEngine } from '../support/engine.ts'
import { freshFacts, type LookedUp, ODD_REGISTRAR, oldFacts, reverseFacts, withFacts } from '../support/facts.ts'
import { FULL } from '../support/full.ts'

/** The facts that a check page shows, from an engine that looked them up. */

const FRESH = 'fresh-supplier.com'
const OLD = 'old-supplier.com'
const LATE = 'late-supplier.com'
const IP = '185.220.101.1'

function lookUp(name: string, nowMs: number): LookedUp {
  if (name === FRESH) return { facts: freshFacts(nowMs), live: 'complete' }
  if (name === OLD) return { facts: oldFacts(nowMs), live: 'complete' }
  if (name === LATE) return { facts: { registration: oldFacts(nowMs).registration! }, live: 'partial' }
  if (name === IP) return { facts: reverseFacts(nowMs), live: 'complete' }
  return { facts: {}, live: 'off' }
}

let console: ConsoleTest

beforeAll(async () => {
  const engine = withFacts(createTestEngine(), (indicator) =>
    lookUp(indicator.kind === 'ip' ? IP : indicator.domain, Date.now()),
  )
  console = await startConsole({ engine })
})
afterAll(() => console?.close())
afterEach(async () => {
  expect(await console.leave()).toEqual([])
})

describe('facts beside a result', () => {
  it('are told in words with the time they were seen, and what to look at twice is marked', async () => {
    const page = await openCheck()
    const facts = await check(page, FRESH)
    expect(facts.Age).toMatch(/^Very new 6 days old, registered \d+ \w+ 20\d\d seen 3 days ago$/)
    expect(facts.Expires).toMatch(/^Soon in 9 days, \d+ \w+ 20\d\d seen/)
    expect(facts.Changed).toMatch(/^5 days ago, /)
    expect(facts.Registry).toBe('Unusual client hold seen 3 days ago')
    expect(facts.Mail).toBe(
      'No mail Cannot receive mail: declared in its DNS; no SPF, no DMARC, so anybody can send mail in its name seen 4 minutes ago',
    )
    expect(facts.Website).toBe('Parked by Parking Ltd seen 4 minutes ago')
    expect(facts['Name servers']).toContain('ns1.parking.example, ns2.parking.example')
    expect(Object.keys(facts)).not.toContain('Hosted at')
    // Texts of strangers stay texts, each isolated from the words around it.
    expect(facts.Registrar).toContain(ODD_REGISTRAR)
    expect(await page.locator('.seen-facts bdi').allTextContents()).toEqual(
      expect.arrayContaining([ODD_REGISTRAR, 'client hold', 'Parking Ltd', 'ns1.parking.example']),
    )
    expect(await page.locator('.seen-facts b').count()).toBe(0)
  })

  it.runIf(FULL)('an old name with mail has no mark; its networks have names, numbers and countries', async () => {
    const page = await openCheck()
    const facts = await check(page, `accounts@${OLD}`)
    expect(await page.getByRole('heading', { name: 'Facts about its domain' }).count()).toBe(1)
    expect(facts.Age).toMatch(/^\d\d years old, registered 2 May 1998 /)
    expect(facts.Mail).toContain(
      'Receives mail at mx1.mail.example, mx2.mail.example, mx3.mail.example and 2 more; SPF that distrusts other servers, DMARC reject',
    )
    expect(facts['Hosted at']).toMatch(/^Hosting GmbH \(AS24940\), Germany: 185\.220\.101\.1, 185\.220\.101\.2; /)
    expect(facts['Hosted at']).toContain('Everything plc (AS15169), Ireland: 2a00:1450::1')
    expect(facts['Hosted at']).toContain('Network unknown: 9.9.9.9')
    expect(facts.Certificate).toMatch(/^By An Authority, from 1 Oct 2026 to .*, for old-supplier\.com, www\./)
    expect(Object.keys(facts)).not.toContain('Registry')
    expect(await page.locator('.fact-mark').count()).toBe(0)
    expect(await noteBelow(page)).toBe('')
  })

  it.runIf(FULL)('an IP address has its network and its reverse name', async () => {
    const page = await openCheck()
    const facts = await check(page, IP)
    expect(facts.Network).toMatch(/^Hosting GmbH \(AS24940\), Germany seen \d+ days ago$/)
    expect(facts['Reverse name']).toBe(
      'static.185-220-101-1.hosting.example, mail.hosting.example, 1 of 2 confirmed seen 4 minutes ago',
    )
  })

  it.runIf(FULL)('says when facts came too late, or when nobody looks', async () => {
    const page = await openCheck()
    const late = await check(page, LATE)
    expect(late.Age).toContain('registered 2 May 1998')
    expect(await noteBelow(page)).toBe(
      'Some facts were not available, or not in time. A new check, charged as usual, may have them.',
    )
    expect(await check(page, 'quiet-hill-bakery.com')).toEqual({})
    expect(await noteBelow(page)).toBe('Live look-ups are off on this server.')
    expect(await check(page, 'server.nosuchending')).toEqual({})
    expect(await page.getByRole('heading', { name: 'Facts' }).count()).toBe(0)
  })

  it.each([
    [390, 'dark'],
    ...(FULL
      ? ([
          [1440, 'light'],
          [390, 'light'],
        ] as const)
      : []),
  ] as const)('at %i px, %s, nothing scrolls sideways and nobody is kept out', async (width, colorScheme) => {
    const page = await openCheck({ viewport: { width, height: 900 }, colorScheme })
    for (const indicator of [FRESH, OLD, IP]) {
      await check(page, indicator)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      expect(await seriousFindingsOfState(page)).toEqual([])
      const levels = await page
        .locator('h1, h2, h3')
        .evaluateAll((all: { tagName: string }[]) => all.map((one) => one.tagName))
      expect(levels).toEqual(['H1', ...levels.slice(1).map(() => 'H2')])
    }
  })
})

async function openCheck(options: Parameters<ConsoleTest['open']>[2] = {}): Promise<Page> {
  const organisation = await console.server.organisation({ creditPence: 1000 })
  return console.open(await console.member(organisation.id), '/console', options)
}

/** The facts shown about an indicator, by their names. */
async function check(page: Page, indicator: string): Promise<Record<string, string>> {
  await page.getByRole('textbox').first().fill(indicator)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('region', { name: 'Result' }).filter({ hasText: indicator }).waitFor()
  const rows = await page.locator('.seen-facts > div').all()
  const told = rows.map(async (row) => {
    const [term = '', ...words] = await row.locator('dt, dd').allInnerTexts()
    return [term, words.join(' ').replace(/\s+/g, ' ')] as const
  })
  return Object.fromEntries(await Promise.all(told))
}

async function noteBelow(page: Page): Promise<string> {
  const notes = await page
    .getByRole('region', { name: /^Facts/ })
    .locator('p')
    .allInnerTexts()
  return notes.join(' ')
}
