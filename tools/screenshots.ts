import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { parseConfig } from '../src/config.ts'
import { createLogger } from '../src/ops/logging.ts'
import { type RunningNode, startNode } from '../src/serve.ts'
import { visit } from '../test/support/browser.ts'
import { startDnsServer } from '../test/support/dns-server.ts'
import { launchBrowser } from '../test/support/launch-browser.ts'
import { startRdapServer } from '../test/support/rdap-server.ts'

/** `npm run screenshots`: takes the main pages from the running product into docs/screenshots. */

const FOLDER = join(import.meta.dirname, '../docs/screenshots')
const DESK = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' } as const
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

/** Names that the bundled intelligence and the models recognise, among many unknown ones. */
const ODD = ['paypal.security@gmail.com', 'billing@mailinator.com', 'invoices@paypa1-login.com', 'ceo@rnicrosoft.com']
const LIST = [
  'Supplier,Contact',
  ...Array.from({ length: 2400 }, (_, index) => `Supplier ${index},accounts@supplier${index}.co.uk`),
  ...ODD.flatMap((email, at) => Array.from({ length: 30 + 10 * at }, (_, index) => `Other,${index}.${email}`)),
  'Twice,accounts@supplier7.co.uk',
  'Wrong,nobody',
].join('\n')

const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'))
mkdirSync(FOLDER, { recursive: true })
const port = await freePort()
// A local resolver and registry: the pictures show facts without any request to the internet.
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const dns = await startDnsServer(
  { 'rnicrosoft.com': { A: ['104.21.5.6', '172.67.130.2'], NS: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] } },
  () => ({ A: ['35.214.10.7'], MX: [[10, 'mx.example.net']], NS: ['ns1.example.net'] }),
)
const rdap = await startRdapServer({
  'rnicrosoft.com': { registered: daysAgo(6), expires: daysAgo(-359), registrar: 'Example Registrar Ltd' },
})
const config = parseConfig({
  ASSAY_DATA_DIR: folder,
  HOST: '127.0.0.1',
  PORT: String(port),
  ASSAY_FEEDS_REFRESH: 'off',
  ASSAY_LIVE: 'on',
  ASSAY_LIVE_BUDGET_MS: '5000',
  ASSAY_DNS_SERVERS: dns.address,
  ASSAY_RDAP_URL: rdap.url,
})
const node = await startNode(config, createLogger({ level: 'error' }))
const browser = await launchBrowser()
try {
  const { page: stranger } = await visit(browser, DESK)
  for (const [name, path] of [
    ['front', '/'],
    ['pricing', '/pricing'],
    ['guide', '/guides/cli'],
  ] as const) {
    await stranger.goto(node.url + path)
    await settle(stranger)
    await shoot(stranger, name)
  }
  const page = await signedIn(browser, node, DESK)
  await check(page, 'ceo@rnicrosoft.com')
  await shoot(page, 'check')
  await checkList(page)
  await shoot(page, 'list')
  await check(page, '185.220.101.1')
  for (const name of ['billing', 'keys', 'intelligence']) {
    await page.goto(`${node.url}/console/${name}`)
    await settle(page)
    await shoot(page, name)
  }
  const phone = await signedIn(browser, node, PHONE)
  await check(phone, 'paypal.security@gmail.com')
  await shoot(phone, 'phone')
} finally {
  await browser.close()
  await node.stop()
  await dns.close()
  await rdap.close()
  rmSync(folder, { recursive: true, force: true })
}

async function signedIn(from: Browser, { url, demo }: RunningNode, options: typeof DESK | typeof PHONE): Promise<Page> {
  if (!demo) throw new Error('the database was not empty')
  const { page } = await visit(from, options)
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email address').fill(demo.email)
  await page.getByLabel('Password', { exact: true }).fill(demo.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Can I trust this?' }).waitFor()
  return page
}

async function check(page: Page, indicator: string): Promise<void> {
  await page.goto(`${node.url}/console`)
  await page.getByRole('textbox').fill(indicator)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Why' }).waitFor()
  await page.locator('[data-loading]').first().waitFor({ state: 'detached' })
}

async function checkList(page: Page): Promise<void> {
  await page.goto(`${node.url}/console/bulk`)
  const buffer = Buffer.from(LIST)
  await page.getByLabel('CSV file').setInputFiles({ name: 'suppliers.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: /^Check \d/ }).click()
  await page.getByText('Finished').waitFor()
}

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate('document.activeElement?.blur(); window.scrollTo(0, 0)')
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' })
  console.log(`docs/screenshots/${name}.png`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return free
}
