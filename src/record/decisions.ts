/**
 * Decisions about checks.
 *
 *  1. A decision is made by somebody who may read the check and ask such checks themselves, or may change the organisation.
 *  2. Where the organisation asks for two people, a decision that lets something pass (`approved`, `false_alarm`) waits
 *     until another person puts the same one. A key and an application are nobody: a decision of theirs needs two people.
 *  3. Any other decision in between replaces the waiting one, and waits for its own second person if it needs one.
 *  4. Of two people who confirm at the same time one is the second person; the other gets 409.
 *  5. A decision ends the review. One that asks for a review, or waits, opens it.
 */
import type { Actor } from '../access/actor.ts'
import { roleMay } from '../access/roles.ts'
import { type KeptCheck, keptChecks } from '../db/kept-checks.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import { conflict, forbidden, invalidField } from '../errors.ts'
import { emit } from '../events/emit.ts'
import { actorName, audit } from '../identity/audit.ts'
import { findMember } from '../identity/members/members.ts'
import { lockOrganisation } from '../identity/organisation/organisations.ts'
import { KINDS } from '../lib/kinds.ts'
import type { Ring } from '../lib/seal.ts'
import { mayRead, noSuchCheck, type Reader } from './checks.ts'
import { type CheckDecision, decisions, placeOfDecision, type Remark } from './remarks.ts'
import { sealOfChecks } from './sealed.ts'

export interface DecisionInput extends Remark {
  readonly decision: CheckDecision['decision']
}

const PASSING: readonly CheckDecision['decision'][] = ['approved', 'false_alarm']

/** Locks a check for a change about it. Rule 1. */
export async function lockCheck(tx: Tx, actor: Actor, reader: Reader, id: string) {
  const organisation = await lockOrganisation(tx, actor.organisationId)
  const check = await keptChecks.lock(tx, { organisation_id: actor.organisationId, id })
  if (!check || !mayRead(reader, check)) throw noSuchCheck(id)
  const { scope } = KINDS[check.kind]
  if (!actor.scopes.has(scope) && !actor.scopes.has('organisation:write')) {
    throw forbidden(`Deciding about this check needs ${scope} or organisation:write.`)
  }
  return { check, organisation }
}

export async function decide(
  tx: Tx,
  actor: Actor,
  { reader, id, input }: { readonly reader: Reader; readonly id: string; readonly input: DecisionInput },
  ring: Ring,
): Promise<CheckDecision> {
  const { note, steps } = input
  const { check, organisation } = await lockCheck(tx, actor, reader, id)
  const before = await decisions.find(tx, { organisation_id: actor.organisationId, id })
  const second = confirmation(before, actor, input)
  const needsTwo = organisation.decisions_need_two && PASSING.includes(input.decision)
  const seal = sealOfChecks(ring)
  const place = placeOfDecision(actor.organisationId, id)
  const name = await actorName(tx, actor)
  const said = second ? (JSON.parse(await seal.open(second.sealed, place)) as Remark) : { note: null, steps: [] }
  const remark: Remark = {
    note: [said.note, note].filter((part) => part !== null && part !== '').join('\n') || null,
    steps: [...new Set([...said.steps, ...steps])],
  }
  const sealed = seal.seal(JSON.stringify(remark), place)
  const after: CheckDecision = second
    ? { ...second, state: 'made', sealed, second_by: actor.id, second_name: name, second_at: tx.nowMs }
    : {
        organisation_id: actor.organisationId,
        id,
        decision: input.decision,
        state: needsTwo ? 'waiting' : 'made',
        sealed,
        by_kind: actor.kind,
        by_id: actor.id,
        by_name: name,
        created_at: tx.nowMs,
        second_by: null,
        second_name: null,
        second_at: null,
      }
  await decisions.upsert(tx, [after])
  const open = after.state === 'waiting' || after.decision === 'review'
  const opened = open && check.review !== 'open'
  await keptChecks.update(tx, check, {
    decision: after.decision,
    decision_state: after.state,
    review: open ? 'open' : check.review && 'done',
    reviewed_since: opened ? tx.nowMs : check.reviewed_since,
  })
  await audit(tx, actor, 'check.decide', id, {
    ...(before ? { from: before.decision } : {}),
    to: after.decision,
    state: after.state,
  })
  if (opened) emit(tx, { organisationId: check.organisation_id, type: 'check.review', data: eventData(check) })
  if (after.state === 'made') {
    const data = { ...eventData(check), decision: after.decision }
    emit(tx, { organisationId: check.organisation_id, type: 'check.decided', data })
  }
  return after
}

/** Without the indicator: events leave the server. */
export const eventData = ({ id, level, kind }: Pick<KeptCheck, 'id' | 'level' | 'kind'>) => ({
  check_id: id,
  risk: level,
  kind,
})

/** The waiting decision that this one confirms; rules 2 and 4. */
function confirmation(before: CheckDecision | undefined, actor: Actor, { decision }: DecisionInput) {
  if (before?.decision !== decision) return undefined
  if (before.second_by !== null) throw conflict('Two people have already made this decision. Nothing was changed.')
  if (before.state !== 'waiting' || before.by_kind !== 'person') return undefined
  if (actor.kind !== 'person') throw conflict('This decision waits for a second person, who signs in.')
  return before.by_id === actor.id ? undefined : before
}

/** Opens the review of a check, or assigns it to somebody else; null: to nobody. */
export async function setReview(
  tx: Tx,
  actor: Actor,
  { reader, id, assignedTo }: { readonly reader: Reader; readonly id: string; readonly assignedTo: string | null },
): Promise<KeptCheck> {
  const { check } = await lockCheck(tx, actor, reader, id)
  if (assignedTo !== null) await requireReviewer(tx, check, assignedTo)
  const opened = check.review !== 'open'
  const after = await keptChecks.update(tx, check, {
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
