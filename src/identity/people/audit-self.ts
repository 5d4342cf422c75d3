import { systemIn, themselvesIn } from '../../access/actor.ts'
import type { Tx } from '../../db/sql.ts'
import type { AuditAction, Detail } from '../audit.ts'
import { auditPerson, type ByOperator, organisationsOf } from '../members/members.ts'
import type { Person } from './people.ts'

export interface From {
  readonly ip: string
  readonly requestId?: string | undefined
}

export const fromOf = ({ ip, id }: { readonly ip: string; readonly id: string }): From => ({ ip, requestId: id })

/** A person as the actor in each of their organisations. */
export function selfIn(person: { readonly id: string }, { ip, requestId = '' }: From): ByOperator {
  return (place) => themselvesIn(place, { id: person.id, ip, requestId })
}

/** The actor of an unauthenticated attempt, which may not be by the person. */
export function strangerIn({ ip, requestId = '' }: From): ByOperator {
  return (place) => systemIn(place, { id: 'somebody', ip, requestId })
}

export async function auditSelf(tx: Tx, person: Person, by: ByOperator, action: AuditAction, detail: Detail = {}) {
  const memberOf = (await organisationsOf(tx, person.id)).map(({ id }) => ({ organisation_id: id }))
  await auditPerson(tx, by, { person, memberOf }, action, detail)
}
