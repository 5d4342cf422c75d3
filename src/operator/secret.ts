import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'

/** The server's secret: as configured, or made once and kept in the data folder. Production demands the former. */
export function loadSecret(config: Config): string {
  if (config.ASSAY_SECRET) return config.ASSAY_SECRET
  const file = join(config.ASSAY_DATA_DIR, 'secret')
  mkdirSync(config.ASSAY_DATA_DIR, { recursive: true, mode: 0o700 })
  try {
    // `wx`: of two processes starting at once, one writes and the other reads.
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) {
    throw new ConfigError([`ASSAY_SECRET: ${file} holds less than 32 characters. Restore it, or set ASSAY_SECRET.`])
  }
  return secret
}

export function lifetimesOf(config: Config): Lifetimes {
  return {
    authorizationCodeSeconds: config.ASSAY_AUTHORIZATION_CODE_SECONDS,
    accessTokenSeconds: config.ASSAY_ACCESS_TOKEN_SECONDS,
    idTokenSeconds: config.ASSAY_ID_TOKEN_SECONDS,
    refreshTokenSeconds: config.ASSAY_REFRESH_TOKEN_SECONDS,
    refreshChainSeconds: config.ASSAY_REFRESH_CHAIN_SECONDS,
    deviceCodeSeconds: config.ASSAY_DEVICE_CODE_SECONDS,
    deviceIntervalSeconds: config.ASSAY_DEVICE_INTERVAL_SECONDS,
    sessionSeconds: config.ASSAY_SESSION_SECONDS,
  }
}
