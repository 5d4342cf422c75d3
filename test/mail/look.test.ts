import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { renderMail } from '../../src/mail/templates.ts'
import { seriousFindings, startBrowser, visit } from '../support/browser.ts'
import { MAIL_KINDS, mailFacts } from '../support/mail-facts.ts'

/** Mails as a program that shows HTML shows them. */

const BASE = 'https://assay.example'
const PLACE = { baseUrl: BASE, link: `${BASE}/somewhere#1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv` }

describe.each(['light', 'dark'] as const)('mails in %s colours', (colorScheme) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })

  it('are readable for everybody, fit a phone, and fetch nothing', async () => {
    const { page, complaints, close } = await visit(browser, { colorScheme, viewport: { width: 380, height: 800 } })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    for (const kind of MAIL_KINDS) {
      await page.setContent(renderMail(kind, mailFacts('An Organisation With A Long Name')[kind], PLACE).html)
      // Only the colours differ.
      expect(await seriousFindings(page, colorScheme === 'dark' ? 'color-contrast' : undefined), kind).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), kind).toBeLessThanOrEqual(
        0,
      )
    }
    expect([requests, complaints]).toEqual([[], []])
    await close()
  })
})
