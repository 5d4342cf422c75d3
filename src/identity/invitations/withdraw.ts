import type { Actor } from '../../access/actor.ts'
import { type Holder, mayInvite } from '../../access/rights.ts'
import { ROLE_NAMES } from '../../access/roles.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Tx } from '../../db/sql.ts'

export type Maker = Pick<Actor, 'kind' | 'id' | 'organisationId'>

/** Ends unused invitations that their maker, with the rights `left`, may no longer make. They stay ended. */
export async function withdrawInvitations(
  tx: Tx,
  { kind, id, organisationId }: Maker,
  left: { readonly scopes: readonly Scope[]; readonly role?: Holder['role'] } = { scopes: [] },
): Promise<void> {
  const holder: Holder = { kind, scopes: new Set(left.scopes), role: left.role }
  for (const role of ROLE_NAMES.filter((name) => !mayInvite(holder, name))) {
    await tx.query(
      `update invitation set revoked_at = $5 where organisation_id = $1 and made_by_kind = $2 and made_by = $3
         and role = $4 and accepted_at is null and revoked_at is null`,
      [organisationId, kind, id, role, tx.nowMs],
    )
  }
}
