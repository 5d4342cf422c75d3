import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stageServer } from '../../tools/release/server.ts'

/**
 * Stages the released form of the server in dist/server: renamed into place, so that nobody finds an incomplete one.
 */
const dist = join(import.meta.dirname, '../../dist')
const made = mkdtempSync(join(dist, 'making-'))
try {
  await stageServer(join(made, 'server'))
  if (existsSync(join(dist, 'server'))) renameSync(join(dist, 'server'), join(made, 'old'))
  renameSync(join(made, 'server'), join(dist, 'server'))
} finally {
  rmSync(made, { recursive: true, force: true })
}
