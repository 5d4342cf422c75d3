/**
 * Organisations that require a second factor of their members.
 *
 *  1. A signed-in owner decides, and only with a factor of their own, or they would lock themselves out.
 *  2. It holds at once, or from a time that the owner chooses. The members who will be stopped get a mail, also
 *     those who join before that time.
 *  3. From then on members without a factor cannot act here, and their grants to applications end. Keys and
 *     applications keep working.
 */
import { type Actor, isUnlimited, systemIn } from '../../access/actor.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { conflict, invalidField } from '../../errors.ts'
import { type Clock, DAY_MS, isoOrNull } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { putMail } from '../../mail/mail.ts'
import { announcePersonChange } from '../announce.ts'
import { actorName, audit, readAudit } from '../audit.ts'
import { type Member, membersWithoutFactor, requireMember } from '../members/members.ts'
import { factorsOf, hasFactor, type Telling } from '../people/factors/factors.ts'
import { endGrants } from '../people/grants.ts'
import { mailboxOf } from '../people/mail-reach.ts'
import {
  lockOrganisation,
  type Organisation,
  organisations,
  requireOrganisation,
  requireOwner,
} from './organisations.ts'

/** `fromMs`: the time from which it is required; undefined: at once. */
export async function setSecondFactorRequired(
  tx: Tx,
  deps: Telling,
  actor: Actor,
  { required, fromMs }: { readonly required: boolean; readonly fromMs?: number | undefined },
): Promise<Organisation> {
  const before = await lockOrganisation(tx, actor.organisationId)
  requireOwner(actor, 'members need a second factor')
  if (required && !isUnlimited(actor) && !hasFactor(await factorsOf(tx, actor.id))) {
    throw conflict('Add a passkey or one-time codes to your own account first.')
  }
  const planned = required ? checkedFrom(fromMs, tx.nowMs) : null
  if (before.requires_second_factor === required && before.second_factor_from === planned) return before
  if (planned !== null && before.requires_second_factor) throw conflict('Members need a second factor already.')
  if (required) {
    await tellStopped(tx, deps, before, planned, await actorName(tx, actor), await membersWithoutFactor(tx, before.id))
  }
  if (required && planned === null) return enforce(tx, actor, before)
  const changed = { requires_second_factor: false, second_factor_from: planned, updated_at: tx.nowMs }
  await audit(tx, actor, 'organisation.second_factor', before.id, { required, from: isoOrNull(planned) })
  return organisations.update(tx, before, changed)
}

function checkedFrom(fromMs: number | undefined, nowMs: number): number | null {
  if (fromMs === undefined) return null
  const daysMax = LIMITS.counts.secondFactorDaysMax
  if (fromMs > nowMs && fromMs <= nowMs + daysMax * DAY_MS) return fromMs
  throw invalidField('/second_factor_from', `Choose a time in the future, at most ${daysMax} days from now.`)
}

/** Rule 3. */
async function enforce(tx: Tx, actor: Actor, before: Organisation): Promise<Organisation> {
  let grantsEnded = 0
  for (const { id: personId } of await membersWithoutFactor(tx, before.id)) {
    grantsEnded += await endGrants(tx, { personId, organisationId: before.id }, tx.nowMs)
  }
  await audit(tx, actor, 'organisation.second_factor', before.id, { required: true, grants_ended: grantsEnded })
  const changed = { requires_second_factor: true, second_factor_from: null, updated_at: tx.nowMs }
  return organisations.update(tx, before, changed)
}

/** Rule 2. */
async function tellStopped(
  tx: Tx,
  { sendsMail }: Telling,
  { id, name }: Organisation,
  fromMs: number | null,
  owner: string | null,
  stopped: readonly Member[],
) {
  if (!sendsMail) return
  for (const { id: personId } of stopped) {
    const mailbox = await mailboxOf(tx, personId)
    if (!mailbox) continue
    const facts = { name: mailbox.name, organisation: name, owner, from: isoOrNull(fromMs) }
    await putMail(tx, { kind: 'second_factor_needed', to: mailbox.email, personId, organisationId: id, facts })
  }
}

/** Rule 2, for somebody who joined in this transaction. */
export async function tellNewMember(tx: Tx, deps: Telling, organisationId: string, personId: string): Promise<void> {
  const organisation = await requireOrganisation(tx, organisationId)
  const { second_factor_from: fromMs } = organisation
  if (fromMs === null) return
  const member = await requireMember(tx, organisationId, personId)
  if (member.second_factor || member.created_at < tx.nowMs) return
  const announced = { organisationId, action: 'organisation.second_factor', limit: 1 } as const
  const owner = (await readAudit(tx, announced)).rows[0]?.actor_name ?? null
  await tellStopped(tx, deps, organisation, fromMs, owner, [member])
}

const AT_ONCE = 100

/** Requires a second factor in the organisations whose time has come. */
export async function requireDueFactors(sql: Sql, clock: Clock, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await sql.query<{ id: string }>(
      `select id from organisation where second_factor_from <= $1 order by second_factor_from limit ${AT_ONCE}`,
      [clock.now()],
    )
    for (const { id } of due) {
      await changeIn(sql, clock, async (tx) => {
        const before = await lockOrganisation(tx, id)
        if (before.second_factor_from !== null && before.second_factor_from <= tx.nowMs) {
          await enforce(tx, systemIn(id), before)
        }
      })
    }
    if (due.length > 0) await announcePersonChange(sql)
    if (due.length < AT_ONCE) return
  }
}
