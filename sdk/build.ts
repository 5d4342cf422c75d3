import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * `npm run build -w sdk` writes the package as it is published (`npm publish sdk/dist`): plain JavaScript and type
 * declarations. Inside this repository the source is imported as it stands, so nothing has to be built to work on it.
 */
const here = fileURLToPath(new URL('.', import.meta.url))

export function buildSdk(outDir: string): void {
  rmSync(outDir, { recursive: true, force: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', here, '--outDir', outDir], { stdio: ['ignore', 'inherit', 'inherit'] })
  const { scripts: _ours, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  manifest.exports = {
    '.': { types: './index.d.ts', default: './index.js' },
    './tables': { types: './generated/tables.d.ts', default: './generated/tables.js' },
  }
  manifest.sideEffects = false
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(here, '..', 'LICENSE'), join(outDir, 'LICENSE'))
  copyFileSync(join(here, '..', 'docs', 'sdk.md'), join(outDir, 'README.md'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildSdk(join(here, 'dist'))
