import { existsSync } from 'node:fs'

/** An error of the disk (full, read-only, no permission) or of SQLite on it, in one sentence; others unchanged. */
export function plainly(error: unknown, about: string): unknown {
  const ofDisk = error instanceof Error && ('syscall' in error || 'errcode' in error)
  return ofDisk ? new BackupRefused(`${about} (${error.message}).`, { cause: error }) : error
}

/** A backup that cannot be made, read or restored. The message says why and what to do. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

export function refuseExisting(file: string): void {
  if (existsSync(file)) throw new BackupRefused(`--to: ${file} exists already. Choose another name.`)
}
