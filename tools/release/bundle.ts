import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type OutputChunk, type RolldownPlugin, rolldown } from 'rolldown'
import { lockedVersion } from './lock.ts'
import { ROOT } from './places.ts'

/**
 * Bundles the server as JavaScript. Node strips types, but not below node_modules, and finding, reading and linking
 * 1,900 modules one by one takes half of the start time: our own code and the packages with hundreds of small ES
 * modules are joined into a few files. The other packages stay dependencies that npm installs.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // All packages of this scope: each comes in three formats, and together they would install 20 MB.
  '@opentelemetry',
  '@simplewebauthn/server',
  'commander',
  'jose',
  'oidc-provider',
  'typebox',
  // Comes in twelve formats, of which one is used.
  'otpauth',
])

/** The program, and every module that is loaded by its address: threads, routines and makers of documents. They keep their paths. */
const ENTRIES: readonly string[] = [
  'main',
  'db/sqlite-worker',
  'documents/document-thread',
  'feeds/worker',
  'live/observer-thread',
  'risk/worker-thread',
  ...modulesByAddress(),
]

/** Routines and makers say where they are, so none can be forgotten here. */
function modulesByAddress(): string[] {
  return globSync('**/*.ts', { cwd: join(ROOT, 'src') })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /(?: module: |Maker\()import\.meta\.url,/.test(readFileSync(join(ROOT, 'src', file), 'utf8')))
    .map((file) => file.slice(0, -3))
    .sort()
}

export interface Bundle {
  /** Packages that are now part of these files. */
  readonly builtIn: ReadonlySet<string>
  /** Packages that the files import, with the tested version. */
  readonly imported: ReadonlyMap<string, string>
  /** All code, to find the names of packages whose files are read as data. */
  readonly code: string
}

export async function bundleServer(folder: string): Promise<Bundle> {
  const imported = new Map<string, string>()
  await using build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(ROOT, 'src', `${entry}.ts`)])),
    external(id, importer) {
      if (isBuiltin(id)) return true
      if (id.startsWith('.') || id.startsWith('/')) return false
      const name = packageName(id)
      if (BUILT_IN.has(name) || BUILT_IN.has(name.split('/')[0]!)) return false
      if (!id.startsWith('#')) imported.set(name, lockedVersion(name, placeOfFile(importer)))
      return !id.startsWith('#')
    },
    plugins: [keepAddresses()],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'src/[name].js',
    chunkFileNames: 'src/parts/[name]-[hash].js',
    // The stack trace of an operator must name functions and lines that can be found.
    minify: false,
  })
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk')
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  return {
    builtIn: new Set(modules.flatMap((file) => placeOfFile(file)?.replace(/^.*node_modules\//, '') ?? [])),
    imported,
    code: chunks.map(({ code }) => code).join('\n'),
  }
}

/**
 * Modules find their files and threads by their own address. Joining moves the code to another file: each module keeps
 * the address that it would have as a separate file.
 */
function keepAddresses(): RolldownPlugin {
  const SOURCES = join(ROOT, 'src/')
  const URL_MARK = '__moduleUrl__'
  const FOLDER_MARK = '__moduleFolder__'
  const marked = new RegExp(`(${URL_MARK}|${FOLDER_MARK})\\("([^"]+)"\\)`, 'g')
  return {
    name: 'keep-addresses',
    transform(code, id) {
      if (!id.startsWith(SOURCES)) return null
      const file = JSON.stringify(relative(ROOT, id).replace(/\.ts$/, '.js'))
      return {
        code: code
          .replace(/(?<=new URL\('\.\/[\w-]+)\.ts(?=', import\.meta\.url\))/g, '.js')
          .replaceAll('import.meta.url', `${URL_MARK}(${file})`)
          .replaceAll('import.meta.dirname', `${FOLDER_MARK}(${file})`),
        map: null,
      }
    },
    renderChunk(code, chunk) {
      const way = (file: string) => relative(dirname(chunk.fileName), file)
      return {
        code: code.replace(marked, (_all, mark: string, file: string) =>
          mark === URL_MARK
            ? `new URL(${JSON.stringify(way(file))}, import.meta.url).href`
            : `(import.meta.dirname + ${JSON.stringify(`/${way(dirname(file))}`)})`,
        ),
        map: null,
      }
    },
  }
}

export function packageName(id: string): string {
  return id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The package of a file, as the key of its place in package-lock.json; undefined for our own files. */
function placeOfFile(file: string | undefined): string | undefined {
  if (!file?.includes('node_modules/')) return undefined
  const path = relative(ROOT, file)
  const end = path.lastIndexOf('node_modules/') + 'node_modules/'.length
  return path.slice(0, end) + packageName(path.slice(end))
}

/** Bundles the command line together with our own packages, because they are on no registry. */
export async function bundleCli(folder: string): Promise<ReadonlyMap<string, string>> {
  const imported = new Set<string>()
  await using build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: { main: join(ROOT, 'cli/dist/main.js') },
    external(id) {
      if (id.startsWith('node:')) return true
      if (id.startsWith('.') || id.startsWith('/') || id.startsWith('@assay/')) return false
      imported.add(packageName(id))
      return true
    },
  })
  // In one folder: the program finds its package.json above it.
  await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  const wanted = { ...readDependencies('reader'), ...readDependencies('cli') }
  return new Map(
    [...imported].sort().map((name) => {
      const version = wanted[name]
      if (version === undefined) throw new Error(`${name} is imported by the command line and no dependency of it`)
      return [name, version]
    }),
  )
}

function readDependencies(workspace: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')).dependencies
}
