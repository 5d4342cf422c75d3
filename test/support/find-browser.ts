import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { installedBrowser } from './installed-browser.ts'

export interface FoundBrowser {
  readonly path: string
  /** What it lacks on a bare machine: libraries and fonts. */
  readonly lacking: Readonly<Record<string, string>>
}

/** A browser that runs on this machine. The package of npm has one for Intel and AMD. */
export async function findBrowser(): Promise<FoundBrowser> {
  if (process.arch !== 'x64') return { path: installedBrowser(), lacking: {} }
  const home = await unpackBrowser()
  return {
    path: join(home, 'chromium'),
    lacking: { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts') },
  }
}

/**
 * The package holds a compressed browser and unpacks it into the temporary folder, taking any file that lies there
 * for a finished one. Here it goes into a folder of its own that gets its name once it is whole, so that what starts
 * meanwhile never runs a browser half written. Gives that folder.
 */
async function unpackBrowser(): Promise<string> {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url)
  if (manifest === undefined) throw new Error('@sparticuz/chromium is not installed: run npm ci')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const home = join(tmpdir(), `assay-chromium-${version}-${userInfo().uid}`)
  if (await exists(home)) return home
  const { inflate } = await import('@sparticuz/chromium')
  const bin = join(dirname(manifest), 'bin')
  const partial = await mkdtemp(`${home}-partial-`)
  const within = <T>(work: () => T): T => {
    const before = process.env.TMPDIR
    process.env.TMPDIR = partial
    try {
      return work()
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
  }
  // It asks for the temporary folder when it is called: nobody else of this process is sent there.
  const files = within(() => ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => inflate(join(bin, name))))
  await Promise.all(files)
  try {
    await rename(partial, home)
  } catch (error) {
    if (!(await exists(home))) throw error
    // Another run was faster.
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
