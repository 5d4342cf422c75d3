import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** `npm run build -w cli` writes the package as it is published (`npm publish cli/dist`): plain JavaScript. */
const here = fileURLToPath(new URL('.', import.meta.url))

export function buildCli(outDir: string): void {
  rmSync(outDir, { recursive: true, force: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', here, '--outDir', join(outDir, 'src')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  mkdirSync(join(outDir, 'bin'))
  const bin = readFileSync(join(here, 'bin', 'assay.js'), 'utf8').replace('../src/main.ts', '../src/main.js')
  writeFileSync(join(outDir, 'bin', 'assay.js'), bin)
  chmodSync(join(outDir, 'bin', 'assay.js'), 0o755)
  const { scripts: _ours, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(here, '..', 'LICENSE'), join(outDir, 'LICENSE'))
  copyFileSync(join(here, '..', 'docs', 'cli.md'), join(outDir, 'README.md'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildCli(join(here, 'dist'))
