import { operatorIn } from '../../access/actor.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { auditPerson, lockPerson } from '../members/members.ts'
import type { Person } from './people.ts'

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
