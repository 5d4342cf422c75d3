/** The filter of the audit log. It is part of the address: a shared link shows a colleague the same entries. */
import { AUDIT_ACTIONS, type Operations } from '@assay/sdk'
import { isDay, isId, periodOf, readFilters } from '../shell/filters.ts'
import type { AuditAction } from './sentences.ts'

type AuditQuery = Operations['GET /v1/organisation/audit']['query']
type Wanted = NonNullable<AuditQuery['action']>

const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[]
const familyOf = (action: string) => action.slice(0, action.indexOf('.') + 1)
export const FAMILIES = [...new Set(ACTIONS.map(familyOf))]
export const actionsOf = (family: string) => ACTIONS.filter((action) => familyOf(action) === family)

const isAction = (text: string): text is Wanted => [...FAMILIES, ...ACTIONS].includes(text)

/** `actor` is the id or the kind of one; the days are of the reader's time zone. */
export const readFilter = (search: URLSearchParams) =>
  readFilters(search, { action: isAction, actor: isId, from: isDay, to: isDay })
export type AuditFilter = ReturnType<typeof readFilter>

export function queryOf({ action, actor, from, to }: AuditFilter): Omit<AuditQuery, 'cursor' | 'limit'> {
  return {
    ...(isAction(action) ? { action } : {}),
    ...(actor === '' ? {} : { actor }),
    ...periodOf({ from, to }),
  }
}
