import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The configured secret, or one made on first start and kept beside the database, readable by its owner only. A lost
 * secret makes the stored signing keys unreadable, so it is never replaced silently.
 */
export function loadSecret(configured: string | undefined, dataDir: string): string {
  if (configured) return configured
  const file = join(dataDir, 'secret')
  try {
    return readSecret(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    // Exclusive: of two nodes starting at once in one folder, the second reads what the first wrote.
    writeFileSync(file, `${randomBytes(36).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readSecret(file)
}

function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32)
    throw new Error(`${file} holds fewer than 32 characters: restore it from a backup, or set ASSAY_SECRET`)
  return secret
}
