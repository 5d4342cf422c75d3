/** The filter of the audit log. It stands in the address: a link shows the same to a colleague. */
import { AUDIT_ACTIONS, type Operations } from '@assay/sdk'
import { DAY_MS } from '../shell/format.ts'
import type { AuditAction } from './sentences.ts'

type AuditQuery = Operations['GET /v1/organisation/audit']['query']
type Wanted = NonNullable<AuditQuery['action']>

export interface AuditFilter {
  readonly action: string
  /** Id of an actor, or a kind of actor. */
  readonly actor: string
  /** First and last day, as the reader's calendar has them. */
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

/** Midnight at the reader's; undefined for what is no day. */
function midnight(day: string, later = 0): string | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00`) : Number.NaN
  if (!Number.isFinite(timeMs)) return undefined
  // Of a day with another number of hours too: at noon it is the next day in any case.
  const noon = new Date(timeMs + later * DAY_MS + DAY_MS / 2)
  return new Date(noon.getFullYear(), noon.getMonth(), noon.getDate()).toISOString()
}

/** Reads the filter from the address and leaves out what is not valid. */
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

/** The address of the same filter with one part changed. */
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
