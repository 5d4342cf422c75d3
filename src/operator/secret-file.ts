import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'

/** The server's secret as configured, or as stored in the data folder; undefined if neither exists. */
export function findSecret(config: Config): string | undefined {
  if (config.ASSAY_SECRET) return config.ASSAY_SECRET
  const { secret } = secretFiles(config)
  return existsSync(secret) ? readSecret(secret) : undefined
}

/** The secret; the next one, which will replace it; the former one, until the replacement is finished. */
export function secretFiles({ ASSAY_DATA_DIR: folder }: Config) {
  return { secret: join(folder, 'secret'), next: join(folder, 'secret.new'), former: join(folder, 'secret.former') }
}

/** Creates a secret that only its owner can read, unless the file exists. */
export function makeSecret(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    // `wx`: of two processes that start at the same time, one writes and the other reads.
    writeFileSync(file, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Replaces the secret by the new one; the old one is stored until the replacement is finished. */
export function replaceSecret({ secret, next, former }: ReturnType<typeof secretFiles>): void {
  rmSync(former, { force: true })
  // A copy: some file systems have no links, and the database already uses the new secret.
  writeFileSync(former, readFileSync(secret), { mode: 0o600, flag: 'wx', flush: true })
  renameSync(next, secret)
}

export function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) {
    throw new ConfigError([`ASSAY_SECRET: ${file} contains fewer than 32 characters. Restore it, or set ASSAY_SECRET.`])
  }
  return secret
}
