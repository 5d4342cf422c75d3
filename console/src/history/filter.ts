/** The filter of the history. It is part of the address: a shared link shows a colleague the same checks. */
import { KINDS, LEVELS, type Operations } from '@assay/sdk'
import { isDay, isId, periodOf, readFilters } from '../shell/filters.ts'
import { DECISIONS } from './words.ts'

type ChecksQuery = Operations['GET /v1/checks']['query']

const RULES = {
  indicator: () => true,
  kind: (one: string) => Object.hasOwn(KINDS, one),
  risk: (one: string) => Object.hasOwn(LEVELS, one),
  asked_by: isId,
  decision: (one: string) => Object.hasOwn(DECISIONS, one),
  /** First and last day, in the reader's time zone. */
  from: isDay,
  to: isDay,
  /** Of a ledger entry: finds the checks of one request. */
  request_id: isId,
}

export type HistoryFilter = ReturnType<typeof readFilter>
export const readFilter = (search: URLSearchParams) => readFilters(search, RULES)

export function queryOf({ from, to, ...others }: HistoryFilter): Omit<ChecksQuery, 'cursor' | 'limit'> {
  const given = Object.entries(others).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), ...periodOf({ from, to }) }
}
