import { type Config, ConfigError } from '../config.ts'
import { type FollowedRing, openRing, type RingDependencies, SecretRefused } from '../db/ring.ts'
import { opensSigningKeys } from '../oauth/keys.ts'
import { loadSecret } from './secret-file.ts'

/** The ring of sealing keys, opened with the configured secret; followed when somebody is to be told of trouble. */
export async function openConfiguredRing(
  config: Config,
  deps: Pick<RingDependencies, 'sql' | 'clock' | 'onTrouble'>,
): Promise<FollowedRing> {
  return openRingWith(loadSecret(config), deps)
}

export async function openRingWith(
  secret: string,
  deps: Pick<RingDependencies, 'sql' | 'clock' | 'onTrouble'>,
): Promise<FollowedRing> {
  try {
    return await openRing({ ...deps, secret, sealedBefore: opensSigningKeys })
  } catch (error) {
    throw error instanceof SecretRefused ? new ConfigError([`ASSAY_SECRET: ${error.message}`]) : error
  }
}
