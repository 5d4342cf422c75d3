import { join } from 'node:path'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

// Each file has a process, and each store and engine a thread of its own: none of them compiles what another has compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile-cache')

export default defineConfig({
  // The client as it stands in this repository, not as it was built.
  ssr: { resolve: { conditions: ['@assay/source', ...defaultServerConditions] } },
  test: {
    include: ['src', 'test', 'sdk', 'reader', 'cli', 'console'].map((folder) => `${folder}/**/*.test.ts`),
    globalSetup: ['test/support/global-setup.ts', 'test/support/fresh-build.ts'],
    // Nothing that works takes as long; a machine whose processor is lent to others for minutes may.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 240_000,
    expect: { poll: { timeout: 240_000 } },
    pool: 'forks',
    // Many tests wait for a disk, a process or a browser: a third worker fills the gaps on two cores.
    maxWorkers: 3,
  },
})
