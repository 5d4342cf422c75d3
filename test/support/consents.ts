import { randomBytes } from 'node:crypto'
import type { Role } from '../../src/access/roles.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { bindGrant, type ConsentPlace } from '../../src/identity/people/grants.ts'
import { type Clock, HOUR_MS } from '../../src/lib/clock.ts'
import { sha256Hex } from '../../src/lib/hashing.ts'

/**
 * A person gives an application access, with the same writes as the consent page and the token endpoint; returns the
 * token.
 */
export async function allowApplication(
  sql: Sql,
  clock: Clock,
  { role, scope = 'openid risk:payment', ...place }: ConsentPlace & { readonly role: Role; readonly scope?: string },
): Promise<string> {
  const grantDigest = sha256Hex(randomBytes(16).toString('hex'))
  const token = randomBytes(33).toString('base64url').slice(0, 43)
  const insert = (digest: string, kind: string, under: string | null, payload: object) =>
    sql.query(
      `insert into oauth_record (digest, kind, payload, client_id, person_id, grant_digest, scope, issued_at, expires_at,
         purge_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [
        digest,
        kind,
        JSON.stringify(payload),
        place.clientId,
        place.personId,
        under,
        scope,
        clock.now(),
        clock.now() + HOUR_MS,
      ],
    )
  await insert(grantDigest, 'Grant', null, { openid: { scope } })
  await changeIn(sql, clock, (tx) => bindGrant(tx, grantDigest, { role, ...place }))
  await insert(sha256Hex(token), 'AccessToken', grantDigest, {})
  return token
}

/** The id of a consent, as the API gives it. */
export const consentId = (place: ConsentPlace) => `${place.personId}.${place.clientId}.${place.organisationId}`
