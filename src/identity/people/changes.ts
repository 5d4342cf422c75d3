/** The operator's changes to people, audited in each of their organisations. */
import { operatorIn } from '../../access/actor.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { withdrawInvitations } from '../invitations/withdraw.ts'
import { auditPerson, type ByOperator, lockPerson, makerOf, refuseLastOwner } from '../members/members.ts'
import { forgetDevices } from './devices.ts'
import { dropFactors } from './factors/factors.ts'
import { endGrants, endSessions } from './grants.ts'
import { endLinks, LINK_KINDS } from './links.ts'
import { type NewPerson, type Person, people } from './people.ts'

/** Stops a person from signing in until they are enabled again; their sessions and grants end for good. */
export async function disablePerson(tx: Tx, personId: string): Promise<Person> {
  const held = await lockPerson(tx, personId)
  const { person, memberOf } = held
  if (person.state === 'disabled') return person
  for (const member of memberOf) {
    await refuseLastOwner(tx, member)
    await withdrawInvitations(tx, makerOf(member.organisation_id, personId))
  }
  const disabled = await people.update(tx, person, { state: 'disabled', updated_at: tx.nowMs })
  await endSessions(tx, personId)
  const grantsEnded = await endGrants(tx, { personId }, tx.nowMs)
  await auditPerson(tx, operatorIn, held, 'person.disable', { grants_ended: grantsEnded })
  return disabled
}

/** Lets a person sign in again. Sessions, consents and tokens that ended stay ended. */
export async function enablePerson(tx: Tx, personId: string): Promise<Person> {
  const held = await lockPerson(tx, personId)
  const { person } = held
  if (person.state === 'active') return person
  const enabled = await people.update(tx, person, { state: 'active', updated_at: tx.nowMs })
  await auditPerson(tx, operatorIn, held, 'person.enable')
  return enabled
}

/** Sets a new password and ends all sessions, grants and known browsers. */
export async function resetPassword(tx: Tx, personId: string, passwordHash: string, by: ByOperator = operatorIn) {
  const held = await lockPerson(tx, personId)
  const { person } = held
  const changed = await people.update(tx, person, { updated_at: tx.nowMs }, { password_hash: passwordHash })
  await endSessions(tx, personId)
  await forgetDevices(tx, personId)
  const grantsEnded = await endGrants(tx, { personId }, tx.nowMs)
  await auditPerson(tx, by, held, 'person.password', { grants_ended: grantsEnded })
  return changed
}

/** Ends all credentials of an account that a stranger may have made with somebody's address. */
export async function takeOver(
  tx: Tx,
  personId: string,
  { name, passwordHash }: Pick<NewPerson, 'name' | 'passwordHash'>,
  by: ByOperator,
) {
  const person = await resetPassword(tx, personId, passwordHash, by)
  await people.update(tx, person, { name })
  await dropFactors(tx, personId)
  await endLinks(tx, personId, LINK_KINDS)
}

/** Operators: people with access to every organisation in the console. */
export async function isOperator(sql: SqlQueries, personId: string): Promise<boolean> {
  return (await sql.query('select person_id from operator_person where person_id = $1', [personId])).length > 0
}

export async function setOperator(tx: Tx, personId: string, on: boolean): Promise<Person> {
  const held = await lockPerson(tx, personId)
  const changed = on
    ? await tx.query(
        'insert into operator_person (person_id, created_at) values ($1, $2) on conflict do nothing returning person_id',
        [personId, tx.nowMs],
      )
    : await tx.query('delete from operator_person where person_id = $1 returning person_id', [personId])
  if (changed.length > 0) await auditPerson(tx, operatorIn, held, 'person.operator', { operator: on })
  return held.person
}
