import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { unpackBrowser } from './unpack-browser.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** Where the filled database is kept that query plans are looked at on. */
    filledFolder: string
  }
}

/**
 * One real PostgreSQL for the whole run, and the browser unpacked before any test waits for it. When either cannot be
 * had the run fails: neither is ever skipped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres] = await Promise.all([startPostgres(), unpackBrowser()])
  project.provide('postgresUrl', postgres.url)
  const folder = mkdtempSync(join(tmpdir(), 'assay-filled-'))
  project.provide('filledFolder', folder)
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await postgres.stop()
  }
}
