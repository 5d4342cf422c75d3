import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { inject } from 'vitest'
import { FULL } from './full.ts'

// Long enough for a busy machine, and shorter than the tests' own limit, so that the failing step is named.
const STEP_MS_MAX = 60_000

/**
 * The Chromium of the run (global-setup.ts), shared by all files: contexts isolate their visitors, and starting a
 * browser takes as long as a dozen pages. Files of one process also share its connection, and so the tabs of
 * `visitAgain`: a file closes its visits, never the browser.
 */
export function startBrowser(): Promise<Browser> {
  connected ??= chromium.connect(inject('browserEndpoint'))
  return connected
}

let connected: Promise<Browser> | undefined

/** The content of a downloaded file. */
export async function bytesOf(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream())
}

export interface Visit {
  readonly page: Page
  /** Complaints of the browser: refused by the policy, thrown by a script, failed to load. */
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

/** A new visitor: own cookies, own storage, empty caches. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(STEP_MS_MAX)
  const page = await context.newPage()
  return { page, complaints: listen(page), close: () => context.close() }
}

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // The browser writes a line for every refused request; pages show those to the person, and tests check the page.
    if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) return
    complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

const DESK = { width: 1280, height: 720 }
/** Tabs that are free for the next visitor. */
const freeTabs = new WeakMap<Browser, Page[]>()

/**
 * A new visitor in a tab that another visitor has left: it has no cookies and no stored data, but the scripts are
 * already compiled. Opening a new tab takes two thirds of the time to start a visit.
 */
export async function visitAgain(
  browser: Browser,
  { cookies = [], viewport = DESK, colorScheme = null }: VisitAgainOptions = {},
): Promise<Visit> {
  const free = freeTabs.get(browser) ?? []
  freeTabs.set(browser, free)
  const page = free.pop() ?? (await visit(browser)).page
  page.removeAllListeners()
  const context = page.context()
  const origins = new Set<string>()
  page.on('framenavigated', (frame) => {
    if (/^https?:/.test(frame.url())) origins.add(new URL(frame.url()).origin)
  })
  await context.addCookies(cookies)
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
  return {
    page,
    complaints: listen(page),
    async close() {
      page.removeAllListeners()
      if (page.isClosed()) return context.close()
      await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())))
      if (/^https?:/.test(page.url())) await page.evaluate('sessionStorage.clear()')
      await page.goto('about:blank')
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.clearCookies()
      const session = await context.newCDPSession(page)
      for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      await session.detach()
      await page.emulateMedia({ media: null, reducedMotion: 'reduce' })
      free.push(page)
    },
  }
}

interface VisitAgainOptions {
  readonly cookies?: Parameters<ReturnType<Page['context']>['addCookies']>[0]
  readonly viewport?: { readonly width: number; readonly height: number } | undefined
  readonly colorScheme?: BrowserContextOptions['colorScheme']
}

/**
 * Two immediate clicks, as of an impatient person: with two mouse clicks the second may come after the answer to the
 * first, and hit another element of the page.
 */
export async function clickTwice(button: Locator): Promise<void> {
  await button.click({ trial: true })
  await button.evaluate((element: { click(): void }) => {
    element.click()
    element.click()
  })
}

/** Opens the menu at the person's name. */
export async function openAccountMenu(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: / account menu$/ }).click()
  return page.getByRole('dialog', { name: 'Account' })
}

/** The width in pixels by which the page can be scrolled sideways. */
export function overflowPx(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
}

/** Widens the text as much as readers may (WCAG 1.4.12); this also covers fonts wider than those of this machine. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
    document.adoptedStyleSheets.push(sheet)
  }`)
}

/** The script bytes sent for a page, counted from now until `act` has finished waiting for the page. */
export async function scriptBytesOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const asked: Request[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(request)
  })
  await act()
  const sizes = asked.map(async (request) => {
    await (await request.response())?.finished()
    return (await request.sizes()).responseBodySize
  })
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}

/** The serious findings of an accessibility scan; a test expects none. With `rule`, only that rule is scanned. */
export async function seriousFindings(page: Page, rule?: string): Promise<string[]> {
  return findings(page, rule, (impact) => impact === 'serious' || impact === 'critical')
}

/**
 * Like `seriousFindings`, for a state of a page: an open dialog, an answer, an error. `npm test` scans every page once
 * (every-page.test.ts); a scan takes longer than most steps, so that only `npm run test:full` scans states.
 */
export async function seriousFindingsOfState(page: Page): Promise<string[]> {
  return FULL ? seriousFindings(page) : []
}

/**
 * All findings of an accessibility scan, including minor ones. Contrast takes longer than all the other rules together:
 * it is measured where asked for, and everywhere in `npm run test:full`.
 */
export async function allFindings(page: Page, { contrast = FULL } = {}): Promise<string[]> {
  return findings(page, undefined, () => true, contrast)
}

/**
 * Injected into a page once: parsing half a megabyte of script again for every scan would take longer than most scans.
 */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function findings(
  page: Page,
  rule: string | undefined,
  counts: (impact: string | null | undefined) => boolean,
  contrast = true,
): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  const options = {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: contrast } },
    ...(rule === undefined ? {} : { runOnly: [rule] }),
  }
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  )
  return violations
    .filter(({ impact }) => counts(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}
