import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** `npm run build -w cli` writes the package as it is published (`npm publish cli/dist`): plain JavaScript. */
const here = fileURLToPath(new URL('.', import.meta.url))

export function buildCli(outDir: string): void {
  rmSync(outDir, { recursive: true, force: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const compile = (project: string, to: string) =>
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', join(outDir, to)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  compile(here, 'src')
  // The reader is published as a part of the command line, not as a package.
  compile(join(here, '..', 'reader'), 'reader')
  for (const file of readdirSync(join(outDir, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.js')) useOwnReader(outDir, join('src', file))
  }
  mkdirSync(join(outDir, 'bin'))
  const bin = readFileSync(join(here, 'bin', 'assay.js'), 'utf8').replace('../src/main.ts', '../src/main.js')
  writeFileSync(join(outDir, 'bin', 'assay.js'), bin)
  chmodSync(join(outDir, 'bin', 'assay.js'), 0o755)
  const { scripts: _ours, ...manifest } = readManifest('.')
  const { '@assay/reader': _inside, ...dependencies } = {
    ...manifest.dependencies,
    ...readManifest('../reader').dependencies,
  }
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`)
  copyFileSync(join(here, '..', 'LICENSE'), join(outDir, 'LICENSE'))
  copyFileSync(join(here, '..', 'docs', 'cli.md'), join(outDir, 'README.md'))
}

const readManifest = (folder: string) => JSON.parse(readFileSync(join(here, folder, 'package.json'), 'utf8'))

function useOwnReader(outDir: string, file: string): void {
  const path = join(outDir, file)
  const reader = relative(dirname(path), join(outDir, 'reader')).replaceAll('\\', '/')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/(['"])@assay\/reader\/([\w-]+)\1/g, `'${reader}/$2.js'`))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildCli(join(here, 'dist'))
