import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { Session } from './session.ts'

// A page served at the root: it holds no other address for the calls.
vi.stubGlobal('document', { querySelector: () => null })
const { sessionEnded, sessionQuery } = await import('./session.ts')

const session = (csrf: string): Session => ({
  user: { id: 'usr_1', email: 'jane@example.com', name: null },
  organisations: [],
  csrf,
})

function signedIn(current: Session): QueryClient {
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, current)
  queries.setQueryData(['org_1', 'billing'], 'what only this person may see')
  return queries
}

test('a session that ended takes what was read with it', () => {
  const queries = signedIn(session('a'))
  sessionEnded(session('a'), queries)
  expect(queries.getQueryData(sessionQuery.queryKey)).toBeNull()
  expect(queries.getQueryData(['org_1', 'billing'])).toBeUndefined()
})

test('a late answer to the session before does not end the one begun since', () => {
  const queries = signedIn(session('b'))
  sessionEnded(session('a'), queries)
  expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(session('b'))
  expect(queries.getQueryData(['org_1', 'billing'])).toBeDefined()
})
