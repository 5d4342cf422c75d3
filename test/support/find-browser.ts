import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { installedBrowser } from './installed-browser.ts'

export interface FoundBrowser {
  readonly path: string
  /** Libraries and fonts that it needs on a bare machine. */
  readonly lacking: Readonly<Record<string, string>>
}

/** A browser that runs on this machine. The npm package has one for Intel and AMD. */
export async function findBrowser(): Promise<FoundBrowser> {
  if (process.arch !== 'x64') return { path: installedBrowser(), lacking: {} }
  const home = await unpackBrowser()
  return {
    path: join(home, 'chromium'),
    lacking: { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts') },
  }
}

/**
 * The package contains a compressed browser and unpacks it into the temporary folder, where it takes any existing file
 * for a complete one. Here it is unpacked into a separate folder that is renamed when complete, so that a parallel
 * start never runs a half-written browser. Returns that folder.
 */
async function unpackBrowser(): Promise<string> {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url)
  if (manifest === undefined) throw new Error('@sparticuz/chromium is not installed: run npm ci')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const caches = join(import.meta.dirname, '../../node_modules/.cache')
  await mkdir(caches, { recursive: true })
  const home = join(caches, `chromium-${version}`)
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
  // The package reads the temporary folder when it is called: other code of this process is not affected.
  const files = within(() => ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => inflate(join(bin, name))))
  await Promise.all(files)
  try {
    await rename(partial, home)
  } catch (error) {
    if (!(await exists(home))) throw error
    // Another run has already unpacked it.
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
