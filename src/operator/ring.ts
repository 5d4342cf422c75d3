import { type Config, ConfigError } from '../config.ts'
import { type FollowedRing, openRing, type RingDependencies, readSecrets, SecretRefused } from '../db/ring.ts'
import type { SqlQueries } from '../db/sql.ts'
import { hasSigningKeys, opensSigningKeys } from '../oauth/keys.ts'
import { findSecret, makeSecret, readSecret, secretFiles } from './secret-file.ts'

/**
 * The server's secret: as configured, or created once and stored in the data folder. Production requires the former. A
 * new secret cannot open existing sealed data, so none is created for a database with sealed data.
 */
export async function loadSecret(config: Config, sql: SqlQueries): Promise<string> {
  // Read before the file: another process that starts right now writes the file first.
  const sealedUnder = (await readSecrets(sql)).at(-1)
  const sealed = sealedUnder !== undefined || (await hasSigningKeys(sql))
  const secret = findSecret(config)
  if (secret !== undefined) return secret
  const file = secretFiles(config).secret
  if (sealed) {
    throw new ConfigError([
      `ASSAY_SECRET: is missing, but the database is sealed with ${sealedUnder ? `the secret ${sealedUnder.id}` : 'a secret'}. ` +
        `Set the secret of the server, or restore the file ${file}.`,
    ])
  }
  makeSecret(file)
  return readSecret(file)
}

type RingPlace = Pick<RingDependencies, 'sql' | 'clock' | 'onTrouble'>

/** The ring of sealing keys, opened with the configured secret; followed for changes if errors can be reported. */
export async function openConfiguredRing(config: Config, place: RingPlace): Promise<FollowedRing> {
  return openRingWith(await loadSecret(config, place.sql), place)
}

export async function openRingWith(secret: string, { sql, clock, onTrouble }: RingPlace): Promise<FollowedRing> {
  try {
    return await openRing({ sql, clock, secret, sealedBefore: opensSigningKeys, ...(onTrouble && { onTrouble }) })
  } catch (error) {
    throw error instanceof SecretRefused ? new ConfigError([`ASSAY_SECRET: ${error.message}`]) : error
  }
}
