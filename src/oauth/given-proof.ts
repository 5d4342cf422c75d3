import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { themselvesIn } from '../access/actor.ts'
import type { Sql } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import type { ByOperator } from '../identity/members/members.ts'
import { countCode, type Proof, WAYS } from '../identity/people/factors/factors.ts'
import { checkPasskey, passkeyAnswer, passkeyRefused, type RelyingParty } from '../identity/people/factors/passkeys.ts'
import type { Clock } from '../lib/clock.ts'
import { fieldOf, textField } from './csrf.ts'

const CODE_LENGTH_MAX = 100

/** The second proof in a body: `passkey`, `code` or `recovery_code`. A code is counted before it is looked at. */
export async function readProof(
  deps: { readonly sql: Sql; readonly clock: Clock; readonly party: RelyingParty | undefined },
  body: unknown,
  asked: { readonly personId: string; readonly challenge: string },
): Promise<Proof> {
  const given = WAYS.filter((way) => fieldOf(body, way) !== undefined)
  const [way, ...others] = given
  if (way === undefined || others.length > 0) {
    throw new Problem('validation_failed', { detail: `Send exactly one of ${WAYS.join(', ')}.` })
  }
  if (way === 'passkey') {
    if (!deps.party) throw passkeyRefused()
    const answer = passkeyAnswer<AuthenticationResponseJSON>(fieldOf(body, 'passkey'))
    const used = await checkPasskey(deps.sql, deps.party, answer, { challenge: asked.challenge, alone: false })
    if (used.passkey.person_id !== asked.personId) throw passkeyRefused()
    return { way, used }
  }
  const code = textField(body, way, CODE_LENGTH_MAX)
  await countCode(deps, asked.personId)
  return { way, code }
}

/** Somebody about their own account, in each of their organisations. */
export function byPerson(request: FastifyRequest, personId: string): ByOperator {
  return (place) => themselvesIn(place, { id: personId, ip: request.ip, requestId: request.id })
}
