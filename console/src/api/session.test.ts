import { QueryClient } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'
import type { Session } from './generated/pages.ts'

// A page served at the root: it holds no other address for the calls.
vi.stubGlobal('document', { querySelector: () => null })
vi.stubGlobal('window', { location: { origin: 'http://assay.test' } })
const { createRenewal, sessionCredential, sessionQuery } = await import('./session.ts')
// Other files share this process.
afterAll(() => vi.unstubAllGlobals())

const session = (csrf: string, id = 'usr_1'): Session => ({
  user: { id, email: `${id}@example.com`, name: null },
  organisations: [],
  csrf,
})

/** A page of somebody signed in; `next` is what the server says of the session when asked. */
function page(next: Session | null) {
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, session('a'))
  queries.setQueryData(['org_1', 'billing'], 'what only this person may see')
  const read = vi.fn(async () => next)
  return { queries, read, renewal: createRenewal(queries, read) }
}

test('a session begun in another tab is taken over, and what was read stays', async () => {
  const { queries, renewal } = page(session('b'))
  await renewal.after('usr_1', 'a')
  expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(session('b'))
  expect(queries.getQueryData(['org_1', 'billing'])).toBeDefined()
  expect(renewal.asked()).toBeUndefined()
})

test('a late refusal of the session before does not ask about the one begun since', async () => {
  const { renewal, read } = page(null)
  await renewal.after('usr_1', 'an older one')
  expect(read).not.toHaveBeenCalled()
  expect(renewal.asked()).toBeUndefined()
})

test('many calls that meet the end of a session wait for one sign-in', async () => {
  const { renewal, read } = page(null)
  const calls = [renewal.after('usr_1', 'a'), renewal.after('usr_1', 'a')]
  await vi.waitFor(() => expect(renewal.asked()).toEqual(session('a')))
  expect(read).toHaveBeenCalledOnce()
  renewal.end(session('c'))
  await Promise.all(calls)
  expect(renewal.asked()).toBeUndefined()
})

test('somebody else who signs in sees nothing of the person before, whose calls are refused', async () => {
  const { queries, renewal } = page(session('b', 'usr_2'))
  await expect(renewal.after('usr_1', 'a')).rejects.toMatchObject({ code: 'session_missing' })
  expect(queries.getQueryData(sessionQuery.queryKey)).toEqual(session('b', 'usr_2'))
  expect(queries.getQueryData(['org_1', 'billing'])).toBeUndefined()
})

test('signing out removes the cached answers of the person', async () => {
  const { queries, renewal } = page(null)
  const call = renewal.after('usr_1', 'a')
  await vi.waitFor(() => expect(renewal.asked()).toBeDefined())
  renewal.end(null)
  await expect(call).rejects.toMatchObject({ code: 'session_missing' })
  expect(queries.getQueryData(sessionQuery.queryKey)).toBeNull()
  expect(queries.getQueryData(['org_1', 'billing'])).toBeUndefined()
})

test('a call that waits while somebody else signs in is never sent in their name', async () => {
  const { queries, renewal } = page(null)
  const credential = sessionCredential(queries, 'usr_1', 'org_1')
  expect(credential.headers()).toEqual({ 'x-csrf-token': 'a', 'x-organisation-id': 'org_1' })
  const call = renewal.after('usr_1', 'a')
  await vi.waitFor(() => expect(renewal.asked()).toBeDefined())
  renewal.end(session('b', 'usr_2'))
  await expect(call).rejects.toMatchObject({ code: 'session_missing' })
  expect(() => credential.headers()).toThrow('You are signed out.')
  await expect(renewal.after('usr_1', 'a')).rejects.toMatchObject({ code: 'session_missing' })
})
