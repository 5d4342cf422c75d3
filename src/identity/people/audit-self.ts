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

/** Audits a person's change to their own account in each of their organisations, or without an organisation if they have none. */
export async function auditSelf(
  tx: Tx,
  person: Person,
  from: From,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await auditPlaces(tx, person, selfIn(person, from), action, detail)
}

/** As auditSelf, for an unauthenticated attempt that may not be by the person. */
export async function auditStranger(
  tx: Tx,
  person: Person,
  { ip, requestId = '' }: From,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await auditPlaces(tx, person, (place) => systemIn(place, { id: STRANGER, ip, requestId }), action, detail)
}

/** A person as the actor in each of their organisations. */
export function selfIn(person: { readonly id: string }, { ip, requestId = '' }: From): ByOperator {
  return (place) => themselvesIn(place, { id: person.id, ip, requestId })
}

/** The audit log's name for an unauthenticated actor. */
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
