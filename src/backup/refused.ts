/** A backup that cannot be made, read or restored. The message says why and what to do. */
export class BackupRefused extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'BackupRefused'
  }
}
