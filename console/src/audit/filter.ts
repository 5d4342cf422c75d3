/** The filter of the audit log. It is part of the address: a shared link shows a colleague the same entries. */
import { AUDIT_ACTIONS, type Operations } from '@assay/sdk'
import { isDay, periodOf } from '../shell/filters.ts'
import type { AuditAction } from './sentences.ts'

type AuditQuery = Operations['GET /v1/organisation/audit']['query']
type Wanted = NonNullable<AuditQuery['action']>

export interface AuditFilter {
  readonly action: string
  /** Id of an actor, or a kind of actor. */
  readonly actor: string
  /** First and last day, in the reader's time zone. */
  readonly from: string
  readonly to: string
}

const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[]
const familyOf = (action: string) => action.slice(0, action.indexOf('.') + 1)
export const FAMILIES = [...new Set(ACTIONS.map(familyOf))]
export const actionsOf = (family: string) => ACTIONS.filter((action) => familyOf(action) === family)

const isAction = (text: string): text is Wanted => [...FAMILIES, ...ACTIONS].includes(text)
const isActor = (text: string) => /^[\w.:-]{1,100}$/.test(text)

export function readFilter(search: URLSearchParams): AuditFilter {
  const text = (name: keyof AuditFilter, isFine: (text: string) => boolean) => {
    const value = search.get(name) ?? ''
    return isFine(value) ? value : ''
  }
  return {
    action: text('action', isAction),
    actor: text('actor', isActor),
    from: text('from', isDay),
    to: text('to', isDay),
  }
}

export function queryOf({ action, actor, from, to }: AuditFilter): Omit<AuditQuery, 'cursor' | 'limit'> {
  return {
    ...(isAction(action) ? { action } : {}),
    ...(actor === '' ? {} : { actor }),
    ...periodOf({ from, to }),
  }
}
