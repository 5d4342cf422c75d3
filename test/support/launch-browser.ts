import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'
import { findBrowser } from './find-browser.ts'

const START_MS_MAX = 60_000

/** A real Chromium of this process alone. */
export function launchBrowser(): Promise<Browser> {
  return launchWith((options) => chromium.launch(options))
}

/** A real Chromium that other processes connect to. */
export function launchBrowserServer(): Promise<BrowserServer> {
  return launchWith((options) => chromium.launchServer(options))
}

async function launchWith<T>(launch: (options: LaunchOptions) => Promise<T>): Promise<T> {
  const { path, lacking } = await findBrowser()
  const options = {
    executablePath: path,
    headless: true,
    timeout: START_MS_MAX,
    // Chromium's sandbox does not run as root, and the pages opened here are our own.
    chromiumSandbox: false,
    // Pages of tests live for seconds: optimised code and a careful collection of garbage cost more than they save.
    args: [
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      '--no-zygote',
      '--js-flags=--no-maglev --no-turbofan --min-semi-space-size=32 --single-threaded-gc',
    ],
  }
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  try {
    return await launch({ ...options, env })
  } catch (error) {
    if (!/error while loading shared libraries/.test(String(error))) throw error
    // A bare machine lacks NSS: the package brings a copy of it, and fonts.
    return launch({ ...options, env: { ...env, ...lacking } })
  }
}
