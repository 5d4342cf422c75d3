import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { bundleCli } from './bundle.ts'
import { ROOT } from './places.ts'
import { writeBom } from './sbom.ts'
import { stageServer } from './server.ts'

/**
 * `npm run release`: all published files in one folder. The server, the client library and the command line as packages
 * that npm installs, the bill of materials, and the checksums of all.
 */
const { values } = parseArgs({ options: { to: { type: 'string', default: join(ROOT, 'release') } } })
const target = resolve(values.to)
const strangers = existsSync(target) ? readdirSync(target).filter((name) => !isOurs(name)) : []
if (strangers.length > 0)
  throw new Error(`${target} holds ${strangers[0]}, which is no part of a release; name another`)
using temporary = mkdtempDisposableSync(join(tmpdir(), 'assay-release-'))
const work = temporary.path
const made = join(work, 'made')
mkdirSync(made)
const server = await stageServer(join(work, 'server'))
const { version } = readManifest(join(ROOT, 'package.json'))
const folders = [server.folder, stage('sdk', ['dist']), await stageCli()]
await Promise.all([
  promisify(execFile)('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', made, ...folders]),
  writeBom(server, work, join(made, `assay-${version}.cdx.json`)),
])
writeFileSync(join(made, 'SHA256SUMS'), checksums(made))
rmSync(target, { recursive: true, force: true })
cpSync(made, target, { recursive: true })
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

/** A workspace without the parts that only this repository needs. */
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

/** A release replaces the files of the last release and nothing else. */
function isOurs(name: string): boolean {
  return name === 'SHA256SUMS' || /^assay-.*\.(tgz|cdx\.json)$/.test(name)
}

/** In the format of `sha256sum --check`. */
function checksums(folder: string): string {
  const digestOf = (name: string) => hash('sha256', readFileSync(join(folder, name)))
  const names = readdirSync(folder).sort()
  return names.map((name) => `${digestOf(name)}  ${name}\n`).join('')
}
