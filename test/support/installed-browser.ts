import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const PACKAGE = 'chromium-headless-shell'

/**
 * The Chromium of this machine, for processors without an npm package (ARM). A CI machine installs Debian's; a person
 * gets instructions.
 */
export function installedBrowser(): string {
  const found = find()
  if (found !== undefined) return found
  if (process.env.CI !== 'true' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `The tests of pages need a Chromium, and npm has none for ${process.arch}. Install one: apt-get install ${PACKAGE}`,
    )
  }
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  apt('update')
  apt('install', '--yes', '--no-install-recommends', PACKAGE)
  const installed = find()
  if (installed === undefined) throw new Error(`${PACKAGE} was installed, and is not to be found on the PATH`)
  return installed
}

function find(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}
