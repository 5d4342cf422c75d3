import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './release/places.ts'

/** The version is in package.json of the root. Every other place that must repeat it is listed here. */

const WORKSPACES: readonly string[] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).workspaces

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** `"version"` of one of our packages, and the versions of the others that it requires. */
const inManifest = (text: string, version: string) =>
  text
    .replace(/^( {2}"version": ")[^"]+/m, `$1${version}`)
    .replace(/("@assay\/(?:sdk|reader|cli|console|lab)": ")\d[^"]*/g, `$1${version}`)

/** The versions in the lock file, where our packages are the ones without an address. */
function inLock(text: string, version: string): string {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> }
  lock.version = version
  for (const path of ['', ...WORKSPACES]) if (lock.packages[path]) lock.packages[path].version = version
  return inManifest(`${JSON.stringify(lock, null, 2)}\n`, version)
}

/** Names of released files, and the version of an image. */
const inDocument = (text: string, version: string) =>
  text
    .replace(/\b(assay-(?:(?:sdk|reader|cli)-)?)\d+\.\d+\.\d+(?=\.(?:tgz|cdx\.json))/g, `$1${version}`)
    .replace(/\b(assay:|VERSION(?:=|: ))\d+\.\d+\.\d+/g, `$1${version}`)

const DOCUMENTS = [
  'README.md',
  'docs/cli.md',
  'docs/install.md',
  'docs/sdk.md',
  'deploy/Containerfile',
  'deploy/compose.yaml',
]

/** Every file that contains the version, by its path, with its text for this version. */
export function filesOfVersion(version: string): Map<string, string> {
  const manifests = ['package.json', ...WORKSPACES.map((workspace) => `${workspace}/package.json`)]
  return new Map([
    ...manifests.map((path) => [path, inManifest(read(path), version)] as const),
    ['package-lock.json', inLock(read('package-lock.json'), version)],
    ...DOCUMENTS.map((path) => [path, inDocument(read(path), version)] as const),
  ])
}
