import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** A real Chromium from npm, for tests of pages. When it cannot start the test fails: it is never skipped. */

const START_MS_MAX = 30_000
const STEP_MS_MAX = 20_000

export async function startBrowser(): Promise<Browser> {
  const home = await unpackOnce()
  const launch = (env: Record<string, string>) =>
    chromium.launch({
      executablePath: join(home, 'chromium'),
      headless: true,
      timeout: START_MS_MAX,
      // Root cannot have Chromium's sandbox, and the pages opened here are our own.
      chromiumSandbox: false,
      args: ['--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none', '--no-zygote'],
      env,
    })
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  try {
    return await launch(env)
  } catch (error) {
    if (!/error while loading shared libraries/.test(String(error))) throw error
    // A bare machine lacks NSS: the package brings its own copy of it, and fonts.
    return launch({ ...env, LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts') })
  }
}

/**
 * The package holds a compressed browser and unpacks it into the temporary folder, taking any file that lies there
 * for a finished one. Here it goes into a folder of its own that gets its name once it is whole, so that test
 * files which start together never run a browser half written.
 */
async function unpackOnce(): Promise<string> {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url)
  if (manifest === undefined) throw new Error('@sparticuz/chromium is not installed: run npm ci')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const home = join(tmpdir(), `assay-chromium-${version}-${userInfo().uid}`)
  if (await exists(home)) return home
  const { inflate } = await import('@sparticuz/chromium')
  const bin = join(dirname(manifest), 'bin')
  const partial = await mkdtemp(`${home}-partial-`)
  const before = process.env.TMPDIR
  process.env.TMPDIR = partial
  try {
    await Promise.all(['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => inflate(join(bin, name))))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  try {
    await rename(partial, home)
  } catch (error) {
    if (!(await exists(home))) throw error
    // Another test file was faster.
    await rm(partial, { recursive: true, force: true })
  }
  return home
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

export interface Visit {
  readonly page: Page
  /** What the browser complained about: refused by the policy, thrown by a script, failed to load. */
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

/** A fresh visitor: own cookies, own storage. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(STEP_MS_MAX)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // The browser writes a line for every refused request; pages show those to the person, and tests look there.
    if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) return
    complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints, close: () => context.close() }
}

/** What an accessibility scan finds that keeps people out; empty is what a test asks for. With a rule, that one only. */
export async function seriousFindings(page: Page, rule?: string): Promise<string[]> {
  // Our pages have no frames: the scan need not open a page of its own to put results together.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rule === undefined ? axe : axe.withRules(rule)).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}
