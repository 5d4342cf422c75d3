/**
 * Deleting an account.
 *
 *  1. Everything that opens it, or that only its person sees, is deleted: password, sessions, passkeys, codes, links, consents with
 *     their tokens, memberships, the own inbox.
 *  2. What belongs to an organisation stays: keys and applications that the person made, checks, the ledger. The audit log is
 *     a chain of hashes: its entries keep the id, the name and the addresses of that time, or nobody could prove the rest.
 *  3. Nobody leaves an organisation behind that others rely on and no owner can manage, or that goes on costing money: the
 *     last owner makes somebody else an owner or, alone, ends the subscription first.
 */
import type { OrganisationState } from '../../access/organisation-state.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { iso } from '../../lib/time-text.ts'
import { putMail } from '../../mail/mail.ts'
import { auditPerson, type ByOperator, endMembership, lockPerson } from '../members/members.ts'
import { endGrants, endSessions } from './grants.ts'

/** Tables that refer to a person: `deletion.store.test.ts` compares them with the migrations. */
export const PERSON_TABLES = [
  'console_session',
  'known_device',
  'person_link',
  'passkey',
  'code_generator',
  'recovery_code',
  'event_read',
  'event_digest',
  'operator_person',
] as const

/** Rule 3: the organisations that the person must hand over or end first, by name. */
export async function heldUpBy(sql: SqlQueries, personId: string) {
  const rows = await sql.query<{ id: string; name: string; state: OrganisationState; others: number }>(
    `select o.id, o.name, o.state,
       (select count(*) from membership other where other.organisation_id = o.id and other.person_id <> $1) as others
     from membership m join organisation o on o.id = m.organisation_id
     where m.person_id = $1 and m.role = 'owner' and not exists (
       select 1 from membership owner join person p on p.id = owner.person_id where owner.organisation_id = o.id
         and owner.person_id <> $1 and owner.role = 'owner' and p.state = 'active')
     order by o.name, o.id`,
    [personId],
  )
  return rows
    .filter(({ state, others }) => others > 0 || state === 'active')
    .map(({ id, name, others }) => ({ id, name, first: others > 0 ? ('hand_over' as const) : ('end' as const) }))
}

export async function deletePerson(
  tx: Tx,
  { sendsMail }: { readonly sendsMail: boolean },
  by: ByOperator,
  personId: string,
): Promise<void> {
  const held = await lockPerson(tx, personId)
  const { person, memberOf } = held
  const waits = (await heldUpBy(tx, personId)).map(({ name, first }) =>
    first === 'end' ? `end the subscription of ${name}` : `make another member of ${name} an owner`,
  )
  if (waits.length > 0) {
    throw new Problem('conflict', {
      detail: `The account of a last owner cannot be deleted. First ${waits.join(', and ')}.`,
    })
  }
  await auditPerson(tx, by, held, 'person.delete')
  for (const member of memberOf) await endMembership(tx, by(member.organisation_id), member)
  await endGrants(tx, { personId }, tx.nowMs)
  await endSessions(tx, personId)
  for (const table of PERSON_TABLES) await tx.query(`delete from ${table} where person_id = $1`, [personId])
  for (const table of ['event', 'event_counter']) await tx.query(`delete from ${table} where owner = $1`, [personId])
  await tx.query('delete from person where id = $1', [personId])
  const { email: to, name } = person
  if (sendsMail) await putMail(tx, { kind: 'account_deleted', to, facts: { name, at: iso(tx.nowMs) } })
}
