import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the packages that other programs install: plain JavaScript and types in `dist`, LICENSE and README beside it.
 * npm runs it at the end of an install (`prepare`) and before it packs one of them (`prepack`). An install without
 * development dependencies keeps what it was given.
 */
const ROOT = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** Each after those it is compiled against. */
const PACKAGES = ['sdk', 'reader', 'cli'] as const

function build(name: (typeof PACKAGES)[number]): void {
  const folder = join(ROOT, name)
  const made = join(folder, '.tmp', String(process.pid))
  const old = `${made}.old`
  try {
    execFileSync(process.execPath, [TSC, '-p', folder, '--outDir', made], { stdio: 'inherit' })
    // Renamed into place, so that a program that is running finds the one or the other.
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
