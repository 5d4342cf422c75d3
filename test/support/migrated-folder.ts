import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

/** A new data folder with an empty database, as `assayd migrate` leaves it. */
export function migratedFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`))
  putMigrated(folder)
  return folder
}

export function putMigrated(folder: string): void {
  mkdirSync(folder, { recursive: true })
  copyFileSync(inject('migrated').sqlite, join(folder, 'assay.db'))
}
