/**
 * Requests to erase a person or an organisation.
 *
 *  1. Owners ask for their organisation, people for their own account, the operator for both. A last owner hands over or
 *     ends the subscription first (people/deletion.ts).
 *  2. Nothing is erased before the waiting time has passed. Until then those who may ask may also cancel.
 *  3. The owners, or the person, are told by mail of the request, of its end and when everything is erased.
 */
import type { Actor } from '../access/actor.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, text } from '../db/table.ts'
import { Problem } from '../errors.ts'
import { DAY_MS } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { iso, isoOrNull } from '../lib/time-text.ts'
import { LIMITS } from '../limits.ts'
import { putMail } from '../mail/mail.ts'
import { audit } from './audit.ts'
import { auditPerson, type ByOperator, lockPerson, ownersOf } from './members/members.ts'
import { lockOrganisation, requireOrganisation, requireOwner } from './organisation/organisations.ts'
import { requireHandedOver } from './people/deletion.ts'
import { mailboxOf } from './people/mail-reach.ts'
import { requirePerson } from './people/people.ts'

export const erasures = defineTable({
  name: 'erasure',
  key: ['id'],
  columns: {
    id: text(),
    kind: text<'organisation' | 'person'>(),
    subject_id: text(),
    asked_at: integer(),
    asked_by_kind: text<Actor['kind']>(),
    asked_by: text(),
    due_at: integer(),
    cancelled_at: orNull(integer()),
    done_at: orNull(integer()),
    kept_until: orNull(integer()),
    receipt: orNull(text()),
  },
})
export type Erasure = EntityOf<typeof erasures>

export interface ErasureRules {
  readonly settings: { readonly erasureDays: number }
  readonly sendsMail?: boolean | undefined
}

/** The request that waits; undefined without one. */
export async function findErasure(sql: SqlQueries, subjectId: string): Promise<Erasure | undefined> {
  const [found] = await erasures.where(sql, 'subject_id = $1 and cancelled_at is null and done_at is null', [subjectId])
  return found
}

export async function requireErasure(sql: SqlQueries, subjectId: string): Promise<Erasure> {
  const found = await findErasure(sql, subjectId)
  if (!found) throw new Problem('not_found', { detail: 'Nobody has asked to erase it.' })
  return found
}

export const erasureView = ({ id, asked_at, due_at, done_at }: Erasure) => ({
  id,
  requested_at: iso(asked_at),
  erased_from: iso(due_at),
  erased_at: isoOrNull(done_at),
})

/** A second request changes nothing. `now`: without the waiting time, for the operator. */
export async function askToEraseOrganisation(
  tx: Tx,
  rules: ErasureRules,
  actor: Actor,
  { now = false }: { readonly now?: boolean } = {},
): Promise<Erasure> {
  const { organisationId } = actor
  await lockOrganisation(tx, organisationId)
  requireOwner(actor, 'the organisation is erased')
  const asked = await ask(tx, rules, 'organisation', organisationId, actor, now)
  if (asked.isNew) await audit(tx, actor, 'erasure.ask', organisationId, { at: iso(asked.erasure.due_at) })
  if (asked.isNew && !now) await tell(tx, rules, asked.erasure, 'erasure_asked')
  return asked.erasure
}

export async function askToErasePerson(
  tx: Tx,
  rules: ErasureRules,
  by: ByOperator,
  personId: string,
  { now = false }: { readonly now?: boolean } = {},
): Promise<Erasure> {
  const held = await lockPerson(tx, personId)
  await requireHandedOver(tx, personId)
  const asked = await ask(tx, rules, 'person', personId, by(''), now)
  if (asked.isNew && !now) {
    await auditPerson(tx, by, held, 'erasure.ask', { at: iso(asked.erasure.due_at) })
    await tell(tx, rules, asked.erasure, 'erasure_asked')
  }
  return asked.erasure
}

async function ask(
  tx: Tx,
  { settings }: ErasureRules,
  kind: Erasure['kind'],
  subjectId: string,
  actor: Actor,
  now: boolean,
) {
  const waiting = await findErasure(tx, subjectId)
  const dueAtMs = now ? tx.nowMs : tx.nowMs + settings.erasureDays * DAY_MS
  if (waiting) {
    const erasure = now ? await erasures.update(tx, { ...waiting, due_at: dueAtMs }) : waiting
    return { erasure, isNew: false }
  }
  const erasure = await erasures.insert(tx, {
    id: newId('era'),
    kind,
    subject_id: subjectId,
    asked_at: tx.nowMs,
    asked_by_kind: actor.kind,
    asked_by: actor.id,
    due_at: dueAtMs,
    cancelled_at: null,
    done_at: null,
    kept_until: null,
    receipt: null,
  })
  return { erasure, isNew: true }
}

/** Rule 2. `by` is asked for the actor in each organisation that is told. */
export async function cancelErasure(tx: Tx, rules: ErasureRules, by: ByOperator, subjectId: string): Promise<void> {
  const { kind } = await requireErasure(tx, subjectId)
  const held = kind === 'person' ? await lockPerson(tx, subjectId) : undefined
  if (!held) {
    await lockOrganisation(tx, subjectId)
    requireOwner(by(subjectId), 'the organisation is erased')
  }
  // Again, under lock: the job may have begun.
  const erasure = await requireErasure(tx, subjectId)
  if (erasure.due_at <= tx.nowMs) {
    throw new Problem('conflict', { detail: 'The waiting time is over, and the erasure has begun.' })
  }
  await erasures.update(tx, { ...erasure, cancelled_at: tx.nowMs })
  if (held) await auditPerson(tx, by, held, 'erasure.cancel')
  else await audit(tx, by(subjectId), 'erasure.cancel', subjectId)
  await tell(tx, rules, erasure, 'erasure_cancelled')
}

/** Those who are told of the erasure, and the name of the organisation; null for one's own account. */
export async function toldOf(tx: Tx, { kind, subject_id: id }: Pick<Erasure, 'kind' | 'subject_id'>) {
  if (kind === 'person') return { organisation: null, people: [await requirePerson(tx, id)] }
  const owners = await ownersOf(tx, id, LIMITS.counts.billingContactsMax)
  const reached = await Promise.all(owners.map((owner) => mailboxOf(tx, owner.id)))
  const { name } = await requireOrganisation(tx, id)
  return { organisation: name, people: reached.filter((one) => one !== undefined) }
}

async function tell(
  tx: Tx,
  { sendsMail }: ErasureRules,
  erasure: Erasure,
  kind: 'erasure_asked' | 'erasure_cancelled',
): Promise<void> {
  if (!sendsMail) return
  const { organisation, people } = await toldOf(tx, erasure)
  for (const { name, email } of people) {
    await putMail(tx, { kind, to: email, facts: { name, organisation, erased_from: iso(erasure.due_at) } })
  }
}
