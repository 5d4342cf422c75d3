import { type Actor, isUnlimited } from '../../access/actor.ts'
import { requireProof, requireWriter } from '../../access/rights.ts'
import type { Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../audit.ts'
import { factorsOf, hasFactor, membersWithoutFactor } from '../people/factors/factors.ts'
import { endGrants } from '../people/grants.ts'
import { lockOrganisation, type Organisation, organisations } from './organisations.ts'

/**
 * Sets whether members need a second factor in the organisation. A signed-in owner decides, and only with a
 * factor of their own, or they would lock themselves out. Keys and applications keep working;
 * grants of members without a factor end.
 */
export async function setSecondFactorRequired(tx: Tx, actor: Actor, required: boolean): Promise<Organisation> {
  const before = await lockOrganisation(tx, actor.organisationId)
  requireWriter(actor)
  if (!isUnlimited(actor)) {
    if (actor.kind !== 'person' || actor.role !== 'owner') {
      throw new Problem('forbidden', {
        detail: 'Whether members need a second factor is decided by an owner who is signed in.',
      })
    }
    requireProof(actor)
    if (required && !hasFactor(await factorsOf(tx, actor.id))) {
      throw new Problem('conflict', { detail: 'Add a passkey or one-time codes to your own account first.' })
    }
  }
  if (before.requires_second_factor === required) return before
  const after = await organisations.update(tx, { ...before, requires_second_factor: required, updated_at: tx.nowMs })
  let grantsEnded = 0
  if (required) {
    for (const personId of await membersWithoutFactor(tx, before.id)) {
      grantsEnded += await endGrants(tx, { personId, organisationId: before.id }, tx.nowMs)
    }
  }
  await audit(tx, actor, 'organisation.second_factor', before.id, { required, grants_ended: grantsEnded })
  return after
}
