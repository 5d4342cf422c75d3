import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleCli } from './bundle.ts'
import { ROOT } from './places.ts'
import { writeBom } from './sbom.ts'
import { stageServer } from './server.ts'

/**
 * `npm run release`: everything that is handed out, in one folder. The server, the client library and the command line
 * as packages that npm installs, the bill of materials, and the checksums of all.
 */
const { values } = parseArgs({ options: { to: { type: 'string', default: join(ROOT, 'release') } } })
const target = resolve(values.to)
const work = mkdtempSync(join(tmpdir(), 'assay-release-'))
try {
  const made = join(work, 'made')
  mkdirSync(made)
  const server = await stageServer(join(work, 'server'))
  pack(server.folder, made)
  pack(stage('sdk', ['dist']), made)
  pack(await stageCli(), made)
  const { version } = readManifest(join(ROOT, 'package.json'))
  writeBom(server, work, join(made, `assay-${version}.cdx.json`))
  writeFileSync(join(made, 'SHA256SUMS'), checksums(made))
  rmSync(target, { recursive: true, force: true })
  cpSync(made, target, { recursive: true })
} finally {
  rmSync(work, { recursive: true, force: true })
}
for (const name of readdirSync(target)) console.log(join(target, name))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts?: object
  readonly dependencies?: Readonly<Record<string, string>>
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}

/** A workspace without what only this repository needs of it. */
function stage(workspace: string, parts: readonly string[], dependencies?: Record<string, string>): string {
  const folder = join(work, workspace)
  mkdirSync(folder)
  for (const part of parts) cpSync(join(ROOT, workspace, part), join(folder, part), { recursive: true })
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(ROOT, 'docs', `${workspace}.md`), join(folder, 'README.md'))
  const { scripts, dependencies: own, ...manifest } = readManifest(join(ROOT, workspace, 'package.json'))
  const released = JSON.stringify({ ...manifest, ...(dependencies ? { dependencies } : {}) }, withoutSources, 2)
  writeFileSync(join(folder, 'package.json'), `${released}\n`)
  return folder
}

/** Sources are not part of the package. */
function withoutSources(key: string, value: unknown): unknown {
  return key === '@assay/source' ? undefined : value
}

async function stageCli(): Promise<string> {
  const built = join(work, 'cli-dist')
  const dependencies = Object.fromEntries(await bundleCli(built))
  const folder = stage('cli', ['bin'], dependencies)
  renameSync(built, join(folder, 'dist'))
  return folder
}

function pack(folder: string, to: string): void {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', to, folder], { stdio: 'ignore' })
}

/** As `sha256sum --check` reads them. */
function checksums(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}`,
    )
  return `${lines.join('\n')}\n`
}
