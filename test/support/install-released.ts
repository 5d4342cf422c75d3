import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../tools/release/places.ts'

const run = promisify(execFile)

/** Creates a release in `folder` from the last build. */
export async function makeRelease(folder: string): Promise<void> {
  await run(process.execPath, [join(ROOT, 'tools/release/release.ts'), '--to', folder])
}

/**
 * Installs released packages into an empty folder, as an operator does. Packages in npm's cache are not fetched again.
 */
export async function installReleased(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  await run('npm', ['install', ...options, ...packages], { cwd: folder })
}

/** The size of a folder on disk, as `du` counts it. */
export function megabytesOf(folder: string): number {
  const blocks = (path: string): number => {
    const found = lstatSync(path)
    const below = found.isDirectory() ? readdirSync(path).map((name) => blocks(join(path, name))) : []
    return below.reduce((sum, one) => sum + one, found.blocks)
  }
  return (blocks(folder) * 512) / 2 ** 20
}
