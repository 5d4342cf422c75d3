import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ONCE, type Server, serverFor } from './client.ts'
import { makePasskey } from './passkey.ts'
import { withProof } from './proof.ts'
import { sessionCredential, sessionQuery } from './session.ts'

/** A person's own second factors. */
export interface FactorsApi {
  readonly call: Server['call']
  /** Reads all shown data again, including the session, which says how it was opened. */
  changed(): Promise<void>
}

const KEY = ['factors']

export function factorsApi(userId: string, queries: QueryClient): FactorsApi {
  const server = serverFor(sessionCredential(queries, userId))
  return {
    call: (name, options) => withProof(queries, () => server.call(name, options)),
    async changed() {
      await Promise.all([
        queries.invalidateQueries({ queryKey: KEY }),
        queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ])
    },
  }
}

export const factorsQuery = (api: FactorsApi, userId: string) =>
  queryOptions({
    queryKey: [...KEY, userId],
    queryFn: ({ signal }) => api.call('GET /api/factors', { signal }),
  })

/** The answer contains recovery codes if this is the first factor. */
export async function addPasskey(api: FactorsApi, name: string): Promise<readonly string[] | null> {
  const { ticket, passkey: options } = await api.call('POST /api/factors/passkeys/begin', {})
  const passkey = await makePasskey(options)
  const made = await api.call('POST /api/factors/passkeys', { body: { ticket, name, passkey }, ...ONCE })
  return made.recovery_codes
}
