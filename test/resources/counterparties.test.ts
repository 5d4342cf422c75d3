import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, signIn } from '../support/people.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const IBAN = 'DE89370400440532013000'

describeRules('counterparties by the API', (open) => {
  let sql: Sql
  let server: TestServer
  const lines: string[] = []
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({
      sql,
      engine: createTestEngine(),
      clock,
      oauth: true,
      log: { write: (line) => void lines.push(line) },
    })
  })
  afterAll(() => server.close())

  async function organisation(scopes: readonly Scope[] = ['organisation:read', 'organisation:write', 'risk:payment']) {
    const { id, apiKey } = await server.organisation({ scopes })
    const send = (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      clock.advance(1000)
      return server.send(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
    }
    return { id, send }
  }

  it('are made, read, changed from the version that was read, and deleted', async () => {
    const { send } = await organisation()
    const made = await send('POST', '/v1/counterparties', { name: 'Acme', domains: ['acme.com'], accounts: [IBAN] })
    expect([made.status, made.json.accounts]).toEqual([201, [{ kind: 'iban', country: 'DE', last4: '3000' }]])
    expect(made.text).not.toContain(IBAN)
    const path = `/v1/counterparties/${made.json.id}`
    const read = await send('GET', path)
    const etag = read.headers.get('etag') ?? ''
    expect((await send('PATCH', path, { note: 'x' })).status).toBe(428)
    expect((await send('PATCH', path, { note: 'x' }, { 'if-match': etag })).json.note).toBe('x')
    expect((await send('PATCH', path, { note: 'y' }, { 'if-match': etag })).status).toBe(412)
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('GET', path)).status).toBe(404)
    expect(lines.join('')).not.toContain('37040044')
  })

  it('422 names every wrong field; a public mail domain is refused with the reason', async () => {
    const { send } = await organisation()
    const wrong = await send('POST', '/v1/counterparties', { name: 'Acme', domains: ['gmail.com'], accounts: ['DE88'] })
    expect([wrong.status, wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      ...[422, ['/domains/0', '/accounts/0']],
    ])
    expect((await send('POST', '/v1/counterparties', { name: 'Acme', emails: ['acme@gmail.com'] })).status).toBe(201)
    expect((await send('POST', '/v1/counterparties', { name: 'Acme', domain: 'a.example' })).status).toBe(422)
  })

  it('any reference of the caller names one, also with a slash and letters beyond ASCII', async () => {
    const { send } = await organisation()
    const path = `/v1/counterparties/by-reference/${encodeURIComponent('K 47/11 ä')}`
    expect((await send('PUT', path, { name: 'Acme' })).json.reference).toBe('K 47/11 ä')
    expect((await send('PUT', path, { name: 'Acme plc' })).status).toBe(200)
    expect((await send('PUT', `/v1/counterparties/by-reference/${'x'.repeat(101)}`, { name: 'a' })).status).toBe(422)
  })

  it('reading needs organisation:read, changing organisation:write, comparing risk:payment', async () => {
    const reader = await organisation(['organisation:read'])
    expect((await reader.send('GET', '/v1/counterparties')).status).toBe(200)
    expect((await reader.send('POST', '/v1/counterparties', { name: 'x' })).json.code).toBe('insufficient_scope')
    const compare = { domain: 'acme.com', account: IBAN }
    expect((await reader.send('POST', '/v1/payments/compare', compare)).json.code).toBe('insufficient_scope')
    const payer = await organisation(['risk:payment'])
    expect((await payer.send('GET', '/v1/counterparties')).status).toBe(403)
    const unknown = await payer.send('POST', '/v1/payments/compare', compare)
    expect([unknown.status, unknown.json.result]).toEqual([200, 'unknown'])
  })

  it('a checker reads and compares, and changes nothing', async () => {
    const { id, send } = await organisation()
    await send('POST', '/v1/counterparties', { name: 'Acme', domains: ['acme.com'], accounts: [IBAN] })
    const checker = await memberOf(server, sql, { organisationId: id, role: 'checker', nowMs: clock.now() })
    const { send: own } = await signIn(server, checker.email)
    expect((await own('GET', '/v1/counterparties')).json.data).toHaveLength(1)
    const compared = await own('POST', '/v1/payments/compare', { email: 'a@acme.com', account: IBAN })
    expect(compared.json).toMatchObject({ result: 'matches', counterparties: [{ name: 'Acme' }] })
    expect((await own('POST', '/v1/counterparties', { name: 'x' })).status).toBe(403)
  })

  it('an import is read before it is applied, and the export has its columns', async () => {
    const { send } = await organisation()
    const columns = [
      { title: 'Kreditor\nName', field: 'name' },
      { title: 'Ort', field: null },
      { title: 'Web 1', field: 'domains' },
      { title: 'Web 2', field: 'domains' },
    ]
    const { id } = (await send('POST', '/v1/counterparties/imports', { rows: 2, columns })).json
    const path = `/v1/counterparties/imports/${id}`
    const rows = [
      { row: 2, name: '=Acme', domains: ['acme.com', 'acme.de', 'acme.fr'] },
      { row: 3, name: 'Beta', domains: ['beta.example'], accounts: [IBAN] },
    ]
    expect((await send('POST', `${path}/rows`, { rows })).json.counts).toMatchObject({ new: 2, gone: 0 })
    expect((await send('GET', '/v1/counterparties')).json.data).toEqual([])
    const applied = await send('POST', `${path}/apply`)
    expect([applied.json.state, applied.json.can_undo]).toEqual(['applied', true])
    const csv = await send('GET', '/v1/counterparties', undefined, { accept: 'text/csv' })
    expect(csv.text.split('\r\n').slice(0, 3)).toEqual([
      'Kreditor Name,Web 1,Web 2,reference,since,note,state,emails,networks,accounts',
      "'=Acme,acme.com,acme.de; acme.fr,,,,active,,,",
      'Beta,beta.example,,,,,active,,,…3000',
    ])
    expect((await send('POST', `${path}/undo`, {})).json.state).toBe('undone')
    expect((await send('GET', '/v1/counterparties')).json.data).toEqual([])
  })

  it('422 with the limit for a file that is too long', async () => {
    const { send } = await organisation()
    const refused = await send('POST', '/v1/counterparties/imports', { rows: 300_000 })
    expect([refused.status, refused.json.code]).toEqual([422, 'too_many_records'])
    expect(refused.json.detail).toContain('200000')
  })
})
