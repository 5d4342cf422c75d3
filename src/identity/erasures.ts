/**
 * Requests to erase a person or an organisation.
 *
 *  1. Owners ask for their organisation, people for their own account, the operator for both. A last owner hands over or
 *     ends the subscription first (people/deletion.ts).
 *  2. Nothing is erased before the waiting time has passed. Until then those who may ask may also cancel.
 *  3. The owners, or the person, get a mail about the request, its cancellation and its completion.
 */
import type { Actor } from '../access/actor.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, json, orNull, text } from '../db/table.ts'
import { conflict, orNotFound } from '../errors.ts'
import { DAY_MS, iso, isoOrNull } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { LIMITS } from '../limits.ts'
import { putMail } from '../mail/mail.ts'
import { audit, type Detail } from './audit.ts'
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
    /** The rows erased so far, by table; null before the first and when the receipt has them. */
    erased: orNull(json<Readonly<Record<string, number>>>()),
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

/** Payments that arrive for an erased organisation are kept for the years of the law, too, with its invoices. */
export async function keepInvoicesUntil(tx: SqlQueries, organisationId: string, untilMs: number): Promise<void> {
  await tx.query('update erasure set kept_until = $2 where subject_id = $1 and done_at is not null', [
    organisationId,
    untilMs,
  ])
}

export const requireErasure = (sql: SqlQueries, subjectId: string) =>
  orNotFound(findErasure(sql, subjectId), 'Nobody has asked to erase it.')

export const erasureView = ({ id, asked_at, due_at, done_at }: Erasure) => ({
  id,
  requested_at: iso(asked_at),
  erased_from: iso(due_at),
  erased_at: isoOrNull(done_at),
})

/** Locks what is to be erased, and checks that the actor may decide about it; returns how to record the decision. */
async function hold(tx: Tx, by: ByOperator, { kind, id }: Subject) {
  if (kind === 'person') {
    const held = await lockPerson(tx, id)
    return (action: ErasureAction, detail: Detail = {}) => auditPerson(tx, by, held, action, detail)
  }
  await lockOrganisation(tx, id)
  requireOwner(by(id), 'the organisation is erased')
  return (action: ErasureAction, detail: Detail = {}) => audit(tx, by(id), action, id, detail)
}

type Subject = Pick<Erasure, 'kind'> & { readonly id: string }
type ErasureAction = 'erasure.ask' | 'erasure.cancel'

/** A second request changes nothing. `now`: without the waiting time, for the operator. */
export async function askToErase(tx: Tx, rules: ErasureRules, by: ByOperator, subject: Subject, now = false) {
  const { kind, id } = subject
  const record = await hold(tx, by, subject)
  if (kind === 'person') await requireHandedOver(tx, id)
  const waiting = await findErasure(tx, id)
  if (waiting) return now ? erasures.update(tx, waiting, { due_at: tx.nowMs }) : waiting
  const actor = by(kind === 'person' ? '' : id)
  const erasure = await erasures.insert(tx, {
    id: newId('era'),
    kind,
    subject_id: id,
    asked_at: tx.nowMs,
    asked_by_kind: actor.kind,
    asked_by: actor.id,
    due_at: tx.nowMs + (now ? 0 : rules.settings.erasureDays * DAY_MS),
    cancelled_at: null,
    done_at: null,
    kept_until: null,
    receipt: null,
    erased: null,
  })
  await record('erasure.ask', { at: iso(erasure.due_at) })
  if (!now) await tell(tx, rules, erasure, 'erasure_asked')
  return erasure
}

/** Rule 2. */
export async function cancelErasure(tx: Tx, rules: ErasureRules, by: ByOperator, subject: Subject): Promise<void> {
  const record = await hold(tx, by, subject)
  const erasure = await requireErasure(tx, subject.id)
  if (erasure.due_at <= tx.nowMs) throw conflict('The waiting time is over, and the erasure has begun.')
  await erasures.update(tx, erasure, { cancelled_at: tx.nowMs })
  await record('erasure.cancel')
  await tell(tx, rules, erasure, 'erasure_cancelled')
}

/** The recipients of mails about the erasure, and the name of the organisation; null for one's own account. */
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
  const organisationId = erasure.kind === 'organisation' ? erasure.subject_id : undefined
  for (const { name, email } of people) {
    await putMail(tx, {
      kind,
      to: email,
      organisationId,
      facts: { name, organisation, erased_from: iso(erasure.due_at) },
    })
  }
}
