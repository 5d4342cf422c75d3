import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { FULL } from './test/support/full.ts'

// Each process, and each store and engine on a thread of its own: none of them compiles what another has compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile-cache')

// Every commit waits for the disk, and the databases of tests need not survive a power cut.
const MEMORY = '/dev/shm'
if (process.env.TMPDIR === undefined && hasRoom(MEMORY)) {
  const folder = mkdtempSync(join(MEMORY, 'assay-tests-'))
  // For PostgreSQL, which does not run as root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

const SOURCES = ['src', 'sdk', 'reader', 'cli', 'console', ...(FULL ? ['lab'] : [])].map(
  (folder) => `${folder}/**/*.test.ts`,
)
const WITH_THREADS = 'src/**/*.threads.test.ts'
const WITH_STORES = 'src/**/*.store.test.ts'

/** Files that wait begin first; the short ones without threads fill the end of the run. */
class PureLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return ['service', 'threads', 'pure'].flatMap((name) => sorted.filter(({ project }) => project.name === name))
  }
}

export default defineConfig({
  test: {
    teardownTimeout: 60_000,
    setupFiles: ['test/support/seed.ts'],
    pool: 'forks',
    // Many tests wait for a disk, a process or a browser: four workers fill the gaps on two cores.
    maxWorkers: 4,
    sequence: { sequencer: PureLast },
    // Node reads the sources itself, as in production. The condition gives the client as it stands in this repository, not as it was built.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Less collecting of garbage: a process of tests has memory enough.
    execArgv: ['--conditions=@assay/source', '--min-semi-space-size=32'],
    // Files share a process, and so what they import. A file leaves its process as it found it.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: SOURCES,
          exclude: [WITH_THREADS, WITH_STORES, '**/node_modules/**'],
          setupFiles: ['test/support/pure.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: 'threads', include: [WITH_THREADS], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'service',
          // `npm run faults` and `npm run test:cluster` have files that nothing else runs.
          include: [WITH_STORES, 'test/**/*.test.ts', ...(process.env.FAULTS ? ['test/**/*.long.ts'] : [])],
          // Neighbours are measured against each other, without other tests beside them: `npm run neighbours`.
          exclude: [
            ...(FULL ? [] : ['test/**/*.full.test.ts']),
            ...(process.env.NEIGHBOURS ? [] : ['test/neighbours/**']),
          ],
          setupFiles: ['test/support/cheap-passwords.ts'],
          globalSetup: ['test/support/global-setup.ts', 'test/support/fresh-build.ts'],
          // On idle cores nothing takes a quarter of it; other programs may want the processor too.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
})

/** A folder in memory with room for a run, from which programs may be started, too. */
function hasRoom(folder: string): boolean {
  if (!existsSync('/proc/mounts') || !existsSync(folder)) return false
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === folder)
  const { bavail, bsize } = statfsSync(folder)
  return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize > 2 * 2 ** 30
}
