import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { DAY_MS } from './format.ts'

/** The first moment of a day in the reader's time zone; `later` counts days. Undefined for a text that is no day. */
function midnight(day: string, later = 0): string | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00`) : Number.NaN
  if (!Number.isFinite(timeMs)) return undefined
  // Uses noon, because a day may have 23 or 25 hours: noon is always in the next day.
  const noon = new Date(timeMs + later * DAY_MS + DAY_MS / 2)
  return new Date(noon.getFullYear(), noon.getMonth(), noon.getDate()).toISOString()
}

export const isDay = (text: string): boolean => midnight(text) !== undefined

/** The first and the last day as the moments of a query. */
export function periodOf({ from, to }: { readonly from: string; readonly to: string }) {
  const [first, behindLast] = [midnight(from), midnight(to, 1)]
  return {
    ...(first === undefined ? {} : { from: first }),
    ...(behindLast === undefined ? {} : { to: behindLast }),
  }
}

/** The filters of an address, each by its rule; what means nothing is left out. */
export function readFilters<Name extends string>(
  search: URLSearchParams,
  rules: Readonly<Record<Name, (text: string) => boolean>>,
): Readonly<Record<Name, string>> {
  const read = Object.entries<(text: string) => boolean>(rules).map(([name, isFine]) => {
    const value = search.get(name) ?? ''
    return [name, isFine(value) ? value : '']
  })
  return Object.fromEntries(read)
}

export const isId = (text: string) => /^[\w.:-]{1,100}$/.test(text)

export function withFilter(search: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(search)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}

/** Filters that are stored in the address, so that a reload and a link show the same entries. */
export function useFilters<Filter extends Readonly<Record<keyof Filter, string>>>(filter: Filter) {
  const [search, setSearch] = useSearchParams()
  // Two quick changes can both come before the address is rendered again: the second builds on the first, not on the address.
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  }, [search])
  const put = (changed: URLSearchParams) => {
    latest.current = changed
    setSearch(changed, { replace: true })
  }
  const set = (name: keyof Filter & string, value: string) => put(withFilter(latest.current, name, value))
  return {
    set,
    field: (name: keyof Filter & string) => ({
      size: 'sm' as const,
      value: filter[name],
      onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
    }),
    isFiltered: Object.values(filter).some((value) => value !== ''),
    clear: () => put(new URLSearchParams()),
  }
}
