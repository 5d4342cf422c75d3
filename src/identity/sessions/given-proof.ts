import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Sql } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { countCode, type Proof, WAYS } from '../people/factors/factors.ts'
import { checkPasskey, passkeyAnswer, passkeyRefused, type RelyingParty } from '../people/factors/passkeys.ts'

/** The second proof in a body: exactly one of these. */
export interface GivenProof {
  readonly passkey?: unknown
  readonly code?: string | undefined
  readonly recovery_code?: string | undefined
}

/** A code counts as an attempt before it is checked. */
export async function readProof(
  deps: { readonly sql: Sql; readonly clock: Clock; readonly party: RelyingParty | undefined },
  given: GivenProof,
  asked: { readonly personId: string; readonly challenge: string },
): Promise<Proof> {
  const [way, ...others] = WAYS.filter((one) => given[one] !== undefined)
  if (way === undefined || others.length > 0) {
    throw new Problem('validation_failed', { detail: `Send exactly one of ${WAYS.join(', ')}.` })
  }
  if (way === 'passkey') {
    if (!deps.party) throw passkeyRefused()
    const answer = passkeyAnswer<AuthenticationResponseJSON>(given.passkey)
    const used = await checkPasskey(deps.sql, deps.party, answer, { challenge: asked.challenge, alone: false })
    if (used.passkey.person_id !== asked.personId) throw passkeyRefused()
    return { way, used }
  }
  await countCode(deps, asked.personId)
  return { way, code: given[way] ?? '' }
}
