/** The filter of the history. It is part of the address: a shared link shows a colleague the same checks. */
import { KINDS, LEVELS, type Operations } from '@assay/sdk'
import { isDay, periodOf } from '../shell/filters.ts'
import { DECISIONS } from './words.ts'

type ChecksQuery = Operations['GET /v1/checks']['query']

export interface HistoryFilter {
  readonly indicator: string
  readonly kind: string
  readonly risk: string
  readonly asked_by: string
  readonly decision: string
  /** First and last day, in the reader's time zone. */
  readonly from: string
  readonly to: string
  /** Of a ledger entry: finds the checks of one request. */
  readonly request_id: string
}

const isId = (text: string) => /^[\w.:-]{1,100}$/.test(text)

export function readFilter(search: URLSearchParams): HistoryFilter {
  const text = (name: keyof HistoryFilter, isFine: (text: string) => boolean) => {
    const value = search.get(name) ?? ''
    return isFine(value) ? value : ''
  }
  return {
    indicator: text('indicator', () => true),
    kind: text('kind', (one) => Object.hasOwn(KINDS, one)),
    risk: text('risk', (one) => Object.hasOwn(LEVELS, one)),
    asked_by: text('asked_by', isId),
    decision: text('decision', (one) => Object.hasOwn(DECISIONS, one)),
    from: text('from', isDay),
    to: text('to', isDay),
    request_id: text('request_id', isId),
  }
}

export function queryOf({ from, to, ...others }: HistoryFilter): Omit<ChecksQuery, 'cursor' | 'limit'> {
  const given = Object.entries(others).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), ...periodOf({ from, to }) }
}
