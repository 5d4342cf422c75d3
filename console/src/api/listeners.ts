import type { QueryClient } from '@tanstack/react-query'

/** Listeners for a change, in the form that `useSyncExternalStore` subscribes. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    tell: () => {
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** One for each page. */
export function perPage<Value>(create: (queries: QueryClient) => Value): (queries: QueryClient) => Value {
  const made = new WeakMap<QueryClient, Value>()
  return (queries) => {
    const value = made.get(queries) ?? create(queries)
    made.set(queries, value)
    return value
  }
}
