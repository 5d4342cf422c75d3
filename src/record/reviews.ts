/** The work list: checks that somebody has to look at, and to whom they are assigned. */
import type { Actor } from '../access/actor.ts'
import { roleMay } from '../access/roles.ts'
import { type KeptCheck, keptChecks } from '../db/kept-checks.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import { invalidField } from '../errors.ts'
import { emit } from '../events/emit.ts'
import { audit } from '../identity/audit.ts'
import { findMember } from '../identity/members/members.ts'
import { KINDS } from '../lib/kinds.ts'
import type { Reader } from './checks.ts'
import { eventData, lockCheck } from './decisions.ts'

/** Opens the review of a check, or assigns it to somebody else; null: to nobody. */
export async function setReview(
  tx: Tx,
  actor: Actor,
  { reader, id, assignedTo }: { readonly reader: Reader; readonly id: string; readonly assignedTo: string | null },
): Promise<KeptCheck> {
  const { check } = await lockCheck(tx, actor, reader, id)
  if (assignedTo !== null) await requireReviewer(tx, check, assignedTo)
  const opened = check.review !== 'open'
  const after = await keptChecks.update(tx, {
    ...check,
    review: 'open',
    assigned_to: assignedTo,
    reviewed_since: opened ? tx.nowMs : check.reviewed_since,
  })
  await audit(tx, actor, 'check.review', id, { assigned_to: assignedTo })
  const changed = opened || (assignedTo !== null && assignedTo !== check.assigned_to)
  if (changed) {
    const data = { ...eventData(check), assigned_to: assignedTo }
    emit(tx, { organisationId: check.organisation_id, type: 'check.review', data })
  }
  return after
}

/** Assigned to somebody who could not read it, a check would wait for ever. */
async function requireReviewer(tx: Tx, { organisation_id, kind }: KeptCheck, personId: string): Promise<void> {
  const member = await findMember(tx, organisation_id, personId)
  const may =
    member?.state === 'active' && (roleMay(member.role, 'organisation:read') || roleMay(member.role, KINDS[kind].scope))
  if (!may) throw invalidField('/assigned_to', 'There is no member with this id who may read the check.')
}

/** Counting stops here: the menu shows `1000+`. */
export const REVIEWS_COUNTED_MAX = 1000

export interface ReviewCounts {
  /** Of those that the reader may read. */
  readonly open: number
  readonly assigned_to_me: number
}

/** Looks at no more than the rows it counts, along the index of open reviews. */
export async function countReviews(sql: SqlQueries, reader: Reader): Promise<ReviewCounts> {
  const [row] = await sql.query<{ open: number; mine: number; own: number }>(
    `select count(*) as open, coalesce(sum(case when assigned_to = $2 then 1 else 0 end), 0) as mine,
       coalesce(sum(case when assigned_to = $2 or credential_id = $3 then 1 else 0 end), 0) as own
     from (select assigned_to, credential_id from kept_check where organisation_id = $1 and review = 'open'
           order by id desc limit ${REVIEWS_COUNTED_MAX}) counted`,
    [reader.organisationId, reader.personId ?? '', reader.credentialId],
  )
  const { open = 0, mine = 0, own = 0 } = row ?? {}
  return { open: Number(reader.everybody ? open : own), assigned_to_me: Number(mine) }
}
