import { systemIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import { audit } from '../audit.ts'
import { endGrants } from './grants.ts'

export interface Reuse {
  readonly grantDigest: string
  readonly clientId: string
  readonly what: 'code' | 'refresh_token' | 'device_code'
  readonly requestId: string | undefined
}

/**
 * Ends a grant because a code or token under it was used twice, and audits it once in the charged organisation.
 * Returns true if the grant was still active.
 */
export async function endReusedGrant(tx: Tx, { grantDigest, clientId, what, requestId }: Reuse): Promise<boolean> {
  const [grant] = await tx.query<{ organisation_id: string | null }>(
    `select organisation_id from oauth_record where digest = $1 and kind = 'Grant'`,
    [grantDigest],
  )
  if ((await endGrants(tx, { grantDigest }, tx.nowMs)) === 0) return false
  if (grant?.organisation_id) {
    const [client] = await tx.query<{ name: string }>('select name from oauth_client where id = $1', [clientId])
    const from = { id: clientId, ...(requestId === undefined ? {} : { requestId }) }
    const actor = { ...systemIn(grant.organisation_id, from), kind: 'application' } as const
    await audit(tx, actor, 'grant.reuse', clientId, { name: client?.name ?? clientId, what })
  }
  return true
}
