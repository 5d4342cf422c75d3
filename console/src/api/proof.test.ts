import { AssayError } from '@assay/sdk'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'
import type { Session } from './generated/pages.ts'

// A page served at the root: it holds no other address for the calls.
vi.stubGlobal('document', { querySelector: () => null })
vi.stubGlobal('window', { location: { origin: 'http://assay.test' } })
const { provingOf, withProof } = await import('./proof.ts')
const { sessionQuery } = await import('./session.ts')
// Other files share this process.
afterAll(() => vi.unstubAllGlobals())

const refusal = (code: string) => new AssayError(code, 'refused', { status: 403 })

function page(ways: readonly 'code'[] = []) {
  const queries = new QueryClient()
  const session: Session = {
    user: { id: 'usr_1', email: 'usr_1@example.com', name: null },
    organisations: [],
    second_factor: { ways, given: false },
    csrf: 'a',
  }
  queries.setQueryData(sessionQuery.queryKey, session)
  return queries
}

/** Refused the first time, as it is without a proof. */
const refusedOnce = (code: string) => {
  const send = vi.fn(async () => 'done')
  send.mockRejectedValueOnce(refusal(code))
  return send
}

test('calls that need a proof wait for one dialog, and are sent once more when it was given', async () => {
  const queries = page()
  const proving = provingOf(queries)
  const sends = [refusedOnce('proof_needed'), refusedOnce('proof_needed')]
  const calls = sends.map((send) => withProof(queries, send))
  await vi.waitFor(() => expect(proving.asked()?.code).toBe('proof_needed'))
  proving.end('proved')
  expect(await Promise.all(calls)).toEqual(['done', 'done'])
  expect(sends.map((send) => send.mock.calls.length)).toEqual([2, 2])
  expect(proving.asked()).toBeUndefined()
})

test('leaving the dialog changes nothing, and the page says why', async () => {
  const queries = page()
  const send = refusedOnce('proof_needed')
  const call = withProof(queries, send)
  await vi.waitFor(() => expect(provingOf(queries).asked()).toBeDefined())
  provingOf(queries).end('left')
  await expect(call).rejects.toMatchObject({ code: 'proof_needed' })
  expect(send).toHaveBeenCalledTimes(1)
})

test('a second factor is asked only of whoever has one; any other refusal is told at once', async () => {
  await expect(withProof(page(), refusedOnce('second_factor_needed'))).rejects.toMatchObject({
    code: 'second_factor_needed',
  })
  await expect(withProof(page(['code']), refusedOnce('forbidden'))).rejects.toMatchObject({ code: 'forbidden' })
  const queries = page(['code'])
  const call = withProof(queries, refusedOnce('second_factor_needed'))
  await vi.waitFor(() => expect(provingOf(queries).asked()?.code).toBe('second_factor_needed'))
  provingOf(queries).end('proved')
  expect(await call).toBe('done')
})
