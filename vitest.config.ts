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
    // Nothing that works takes as long; a machine that pauses may.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    pool: 'forks',
    // Many tests wait for a disk, a process or a browser: a third worker fills the gaps on two cores.
    maxWorkers: 3,
  },
})
