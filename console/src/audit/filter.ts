/** The filter of the audit log. It is part of the address: a shared link shows a colleague the same entries. */
import { AUDIT_ACTIONS, type Operations } from '@assay/sdk'
import { DAY_MS } from '../shell/format.ts'
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

export const FILTER_NAMES = ['action', 'actor', 'from', 'to'] as const satisfies readonly (keyof AuditFilter)[]

const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[]
const familyOf = (action: string) => action.slice(0, action.indexOf('.') + 1)
export const FAMILIES = [...new Set(ACTIONS.map(familyOf))]
export const actionsOf = (family: string) => ACTIONS.filter((action) => familyOf(action) === family)

const isAction = (text: string): text is Wanted => [...FAMILIES, ...ACTIONS].includes(text)
const isActor = (text: string) => /^[\w.:-]{1,100}$/.test(text)

function midnight(day: string, later = 0): string | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00`) : Number.NaN
  if (!Number.isFinite(timeMs)) return undefined
  // Uses noon, because a day may have 23 or 25 hours: noon is always in the next day.
  const noon = new Date(timeMs + later * DAY_MS + DAY_MS / 2)
  return new Date(noon.getFullYear(), noon.getMonth(), noon.getDate()).toISOString()
}

export function readFilter(search: URLSearchParams): AuditFilter {
  const text = (name: keyof AuditFilter, isFine: (text: string) => boolean) => {
    const value = search.get(name) ?? ''
    return isFine(value) ? value : ''
  }
  const isDay = (value: string) => midnight(value) !== undefined
  return {
    action: text('action', isAction),
    actor: text('actor', isActor),
    from: text('from', isDay),
    to: text('to', isDay),
  }
}

export function withFilter(search: URLSearchParams, name: keyof AuditFilter, value: string): URLSearchParams {
  const changed = new URLSearchParams(search)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}

export function queryOf({ action, actor, from, to }: AuditFilter): Omit<AuditQuery, 'cursor' | 'limit'> {
  const [first, behindLast] = [midnight(from), midnight(to, 1)]
  return {
    ...(isAction(action) ? { action } : {}),
    ...(actor === '' ? {} : { actor }),
    ...(first === undefined ? {} : { from: first }),
    ...(behindLast === undefined ? {} : { to: behindLast }),
  }
}
