import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const CONSOLE = join(import.meta.dirname, '../../console')

/** Tests of pages run the pages as they are now: what was built at install time may be older than its source. */
export default async function setup(): Promise<void> {
  const built = await changedAtMs(join(CONSOLE, 'dist/index.html'))
  const sources = await readdir(join(CONSOLE, 'src'), { recursive: true })
  const paths = ['index.html', 'build.ts', 'vite.config.ts', ...sources.map((path) => join('src', path))]
  const changed = await Promise.all(paths.map((path) => changedAtMs(join(CONSOLE, path))))
  if (changed.every((atMs) => atMs <= built)) return
  await promisify(execFile)(process.execPath, [join(CONSOLE, 'build.ts')])
}

async function changedAtMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.mtimeMs ?? 0
}
