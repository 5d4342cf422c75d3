import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { sha256Hex } from '../../src/lib/hashing.ts'
import { describeRules } from '../support/stores.ts'
import { type App, basic, credentials, type Form, postForm } from './support/flow.ts'
import { newClient, newOrganisation, startServer, type TestServer } from './support/server.ts'

/** Client credentials have a direct way besides the library's. An unknown field, which is ignored, leads to the latter. */
describeRules('the two ways to a service’s token', (open) => {
  let sql: Sql
  let server: TestServer
  let service: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    service = await newClient(sql, (await newOrganisation(sql)).id, { kind: 'service' })
  })
  afterAll(() => server.close())
  // The library asks for the time twice: a second must not end in between.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const ask = (form: Form, headers: Record<string, string> = {}) => postForm(`${server.url}/oauth/token`, form, headers)
  const viaLibrary = { ignored: 'x' }

  it.each([{}, { scope: 'risk:payment' }, { scope: 'risk:bulk risk:payment' }])(
    'answer and store the same for %o',
    async (form) => {
      const request = { grant_type: 'client_credentials', ...credentials(service), ...form }
      const answers = [await ask(request), await ask({ ...request, ...viaLibrary })]
      const seen = await Promise.all(
        answers.map(async ({ status, json, headers }) => {
          const rows = await sql.query<{ payload: string }>(
            'select kind, payload, client_id, person_id, grant_digest, scope from oauth_record where digest = $1',
            [sha256Hex(json.access_token)],
          )
          const { payload, ...columns } = rows[0] ?? { payload: '{}' }
          const { iat, exp, ...stored } = JSON.parse(payload)
          const introspected = await postForm(`${server.url}/oauth/introspect`, {
            ...credentials(service),
            token: json.access_token,
          })
          const { iat: _iat, exp: _exp, ...told } = introspected.json
          return {
            status,
            json: { ...json, access_token: json.access_token.length },
            type: headers.get('content-type'),
            cache: headers.get('cache-control'),
            pragma: headers.get('pragma'),
            columns,
            stored,
            lives: exp - iat,
            told,
          }
        }),
      )
      expect(seen[0]).toEqual(seen[1])
      expect(seen[0]).toMatchObject({ status: 200, cache: 'no-store', lives: 3600, told: { active: true } })
    },
  )

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, {}],
    ['a scope not registered', { scope: 'risk:infrastructure' }, {}],
    ['a scope of another flow', { scope: 'openid' }, {}],
    ['two blanks between scopes', { scope: 'risk:payment  risk:bulk' }, {}],
    ['an unknown client', { client_id: 'cli_00000000000000000000' }, {}],
    ['no secret', { client_secret: '' }, {}],
    ['credentials twice', {}, basic('cli_00000000000000000000', 'x')],
    ['another header', {}, { authorization: 'Bearer x' }],
  ])('refuse alike: %s', async (_what, form, headers) => {
    const request = { grant_type: 'client_credentials', ...credentials(service), ...form }
    const [direct, library] = [await ask(request, headers), await ask({ ...request, ...viaLibrary }, headers)]
    expect(direct.status).toBeGreaterThanOrEqual(400)
    expect([direct.status, direct.json]).toEqual([library.status, library.json])
  })
})
