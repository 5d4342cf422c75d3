import { systemIn, themselvesIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import type { AuditAction } from '../audit.ts'
import { auditPerson, type ByOperator, organisationsOf } from '../members/members.ts'
import type { Person } from './people.ts'

/** Where a request came from. */
export interface From {
  readonly ip: string
  readonly requestId?: string | undefined
}

export const fromOf = ({ ip, id }: { readonly ip: string; readonly id: string }): From => ({ ip, requestId: id })

/** Records what a person did to their own account in each organisation they belong to; under none if in none. */
export async function auditSelf(
  tx: Tx,
  person: Person,
  from: From,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await auditPlaces(tx, person, selfIn(person, from), action, detail)
}

/** The same for what somebody did who may or may not be the person. */
export async function auditStranger(
  tx: Tx,
  person: Person,
  { ip, requestId = '' }: From,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await auditPlaces(tx, person, (place) => systemIn(place, { id: STRANGER, ip, requestId }), action, detail)
}

/** A person as the actor in each of the organisations that a change of their own account concerns. */
export function selfIn(person: { readonly id: string }, { ip, requestId = '' }: From): ByOperator {
  return (place) => themselvesIn(place, { id: person.id, ip, requestId })
}

/** What the audit log calls somebody who proved nothing. */
const STRANGER = 'somebody'

async function auditPlaces(
  tx: Tx,
  person: Person,
  by: ByOperator,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const memberOf = (await organisationsOf(tx, person.id)).map(({ id }) => ({ organisation_id: id }))
  await auditPerson(tx, by, { person, memberOf }, action, detail)
}
