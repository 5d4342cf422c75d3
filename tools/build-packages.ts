import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the published packages: plain JavaScript and types in `dist`, LICENSE and README beside it. npm runs it at the
 * end of an install (`prepare`) and before it packs a package (`prepack`). An install without development dependencies
 * keeps the build that came with it.
 */
const ROOT = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** In build order: each after the packages it is compiled against. */
const PACKAGES = ['sdk', 'reader', 'cli'] as const

function build(name: (typeof PACKAGES)[number]): void {
  const folder = join(ROOT, name)
  const made = join(folder, '.tmp', String(process.pid))
  const old = `${made}.old`
  try {
    execFileSync(process.execPath, [TSC, '-p', folder, '--outDir', made], { stdio: 'inherit' })
    // Renamed into place, so that a running program finds either the old or the new build.
    if (existsSync(join(folder, 'dist'))) renameSync(join(folder, 'dist'), old)
    renameSync(made, join(folder, 'dist'))
  } finally {
    for (const left of [made, old]) rmSync(left, { recursive: true, force: true })
  }
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(ROOT, 'docs', `${name}.md`), join(folder, 'README.md'))
}

if (existsSync(TSC)) for (const name of PACKAGES) build(name)
else console.error('sdk, reader, cli: not built, because TypeScript is a development dependency and was not installed')
