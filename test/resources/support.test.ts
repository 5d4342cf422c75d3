import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { revokeKey } from '../../src/identity/keys/keys.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import {
  announceMaintenance,
  beginMaintenance,
  endMaintenance,
  type Maintenance,
  watchMaintenance,
} from '../../src/support/maintenance.ts'
import { findRequest, purgeRequests } from '../../src/support/requests.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf } from '../support/people.ts'
import { assayd } from '../support/process.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

describeRules('support', (open) => {
  let sql: Sql
  let server: TestServer
  let maintenance: Maintenance
  const warnings: string[] = []
  const clock = new ManualClock('2026-03-20T05:00:00Z')
  beforeAll(async () => {
    sql = await open()
    maintenance = await watchMaintenance({ sql, clock, logger: { warn: (message) => warnings.push(message) } })
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true, maintenance })
  })
  afterAll(async () => {
    await server.close()
    await maintenance.close()
  })
  const idOf = ({ headers }: Answer) => headers.get('x-request-id') ?? ''
  const verb = (...args: string[]) =>
    assayd(
      args,
      sql.place.engine === 'sqlite'
        ? { ASSAY_DATA_DIR: dirname(sql.place.file) }
        : { ASSAY_DATABASE_URL: sql.place.url },
    )

  it('finds an answered request by its id, and every refusal with its reason', async () => {
    const { id, apiKey, keyId } = await server.organisation({
      creditPence: 3,
      scopes: ['risk:payment', 'organisation:read'],
    })
    const get = (path: string, key = apiKey) => server.send(path, { headers: { 'x-api-key': key } })
    const { key: old, secret } = await server.accounts.key(id, 'old', ['risk:payment'])
    await changeIn(sql, clock, (tx) => revokeKey(tx, operatorIn(id), old.id))
    const payee = { email: 'jane@payee-of-theirs.example' }
    const answers: [Answer, object][] = [
      [
        await server.post('/v1/payment-risk', payee, apiKey),
        { status: 200, code: null, price_pence: 3, route: '/v1/payment-risk', method: 'POST' },
      ],
      [await server.post('/v1/payment-risk', payee, apiKey), { status: 402, code: 'credit_exhausted' }],
      [await server.post('/v1/infrastructure-risk', { ip: '9.9.9.9' }, apiKey), { code: 'insufficient_scope' }],
      [await server.post('/v1/payment-risk', { email: 'no address' }, apiKey), { code: 'validation_failed' }],
      [
        await get('/v1/organisation/keys/key_unknown'),
        { status: 404, code: 'not_found', route: '/v1/organisation/keys/:key_id' },
      ],
      [await get('/v1/no-such-path'), { code: 'not_found', route: 'unmatched' }],
      [await server.send('/v1/payment-risk', { method: 'DELETE', headers: { 'x-api-key': apiKey } }), { status: 405 }],
      [await get('/v1/organisation'), { status: 200, price_pence: null }],
    ]
    for (const [answer, expected] of answers) {
      const found = await get(`/v1/requests/${idOf(answer)}`)
      expect(found.json).toMatchObject({
        id: idOf(answer),
        at: '2026-03-20T05:00:00.000Z',
        organisation_id: id,
        called_by: 'api_key',
        credential_id: keyId,
        price_pence: null,
        ...expected,
      })
      expect(found.text).not.toContain('payee-of-theirs')
    }
    const withRevoked = await server.post('/v1/payment-risk', payee, secret)
    const found = (await get(`/v1/requests/${idOf(withRevoked)}`)).json
    expect(found).toMatchObject({ status: 401, code: 'api_key_invalid', organisation_id: id, credential_id: old.id })

    // A stranger's is found by the operator alone, and none by another organisation.
    const stranger = await server.send('/v1/billing')
    const other = await server.organisation({ scopes: ['organisation:read'] })
    for (const [answer, key] of [
      [stranger, apiKey],
      [withRevoked, other.apiKey],
    ] as const) {
      const missing = await get(`/v1/requests/${idOf(answer)}`, key)
      expect(missing.json).toMatchObject({ status: 404, detail: expect.stringContaining('kept for 30 days') })
    }
    const person = await memberOf(server, sql, { organisationId: other.id, role: 'viewer', nowMs: clock.now() })
    const asOperator = (request: string) => person.send('GET', `/api/operator/requests/${request}`)
    expect((await asOperator(idOf(stranger))).json.code).toBe('not_found')
    await changeIn(sql, clock, (tx) => setOperator(tx, person.id, true))
    expect((await asOperator(idOf(stranger))).json).toMatchObject({ organisation_id: null, status: 401 })
    expect((await asOperator(idOf(withRevoked))).json).toEqual(found)
    expect((await asOperator('req_of another form')).status).toBe(404)

    const print = async () => (await verb('request', 'find', idOf(withRevoked), '--json')).stdout
    await expect.poll(print, { timeout: 20_000 }).not.toBe('')
    expect(JSON.parse(await print())).toEqual(found)
    expect((await verb('request', 'find', idOf(withRevoked))).stdout).toMatch(/^code: +api_key_invalid$/m)
    const unknown = await verb('request', 'find', 'req_x')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('kept for 30 days')])
  })

  it('finds a request of many, written by two nodes at once, until it is 30 days old', async () => {
    const second = await startTestServer({ sql, engine: createTestEngine(), clock })
    const { apiKey } = await server.organisation({ scopes: ['organisation:read'] })
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (i % 2 ? server : second).send('/v1/organisation', { headers: { 'x-api-key': apiKey } }),
      ),
    )
    await second.close()
    const find = (answer: Answer) => server.send(`/v1/requests/${idOf(answer)}`, { headers: { 'x-api-key': apiKey } })
    for (const answer of [...sent.slice(0, 3), ...sent.slice(-3)]) {
      clock.advance(100)
      expect((await find(answer)).json.id).toBe(idOf(answer))
    }
    expect(await purgeRequests(sql, clock.now() + 29 * DAY_MS)).toBe(0)
    expect(await purgeRequests(sql, clock.now() + 30 * DAY_MS + 1)).toBeGreaterThan(0)
    expect(await findRequest(sql, idOf(sent[0]!))).toBeUndefined()
  })

  it('exports the usage of a month, of one organisation and of all', async () => {
    const { id, apiKey, keyId } = await server.organisation({ creditPence: 100 })
    await server.organisation()
    await server.post('/v1/payment-risk', { email: 'a@b.example' }, apiKey)
    const row = `${id},2026-03-20T00:00:00.000Z,payment-risk,${keyId},1,1,0,3,0,3`
    const one = await verb('usage', 'export', '--month', '2026-03', '--org', id)
    expect(one.stdout.split(/\r?\n/)).toEqual([expect.stringMatching(/^organisation_id,starts_at,family,/), row, ''])
    const all = await verb('usage', 'export', '--month', '2026-03')
    expect(all.stdout.split(/\r?\n/)).toEqual(expect.arrayContaining([row]))
    const json = JSON.parse((await verb('usage', 'export', '--month', '2026-03', '--json')).stdout)
    expect(json).toHaveLength(all.stdout.trimEnd().split('\r\n').length - 1)
    expect((await verb('usage', 'export', '--month', '2026-02', '--org', id)).stdout.split('\n')).toHaveLength(2)
    const wrong = await verb('usage', 'export', '--month', 'March')
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--month: "March" is not a month')])
  })

  it('closes the service with a message, on running nodes and without a charge, and opens it again', async () => {
    const { id, apiKey } = await server.organisation({ creditPence: 100, scopes: ['risk:payment', 'billing:read'] })
    const check = () => server.post('/v1/payment-risk', { email: 'a@b.example' }, apiKey)
    const untilMs = clock.now() + 90_000
    const message = 'We move the database until six.'
    await changeIn(sql, clock, (tx) => beginMaintenance(tx, { message, untilMs }))
    await announceMaintenance(sql)
    await expect.poll(maintenance.isOn).toBe(true)
    const refused = await check()
    expect(refused.json).toMatchObject({
      status: 503,
      code: 'maintenance',
      detail: message,
      instance: idOf(refused),
    })
    expect(refused.headers.get('retry-after')).toBe('90')
    for (const path of ['/api/session', '/v1/plans']) {
      expect((await server.send(path)).json.code, path).toBe('maintenance')
    }
    const token = (await server.send('/oauth/token', { method: 'POST' })).json
    expect(token).toEqual({ error: 'temporarily_unavailable', error_description: refused.json.detail })
    // A balancer must go on sending requests here: only this node knows the message.
    for (const path of ['/livez', '/readyz']) expect((await server.send(path)).status, path).toBe(200)
    clock.advance(100_000)
    expect((await check()).headers.get('retry-after')).toBe('300')
    await changeIn(sql, clock, endMaintenance)
    await announceMaintenance(sql)
    await expect.poll(maintenance.isOn).toBe(false)
    expect((await check()).status).toBe(200)
    expect(warnings).toEqual(['Closed for maintenance: requests get 503.', 'Open again after maintenance.'])
    expect(
      await sql.query('select count(*) as n from ledger_entry where organisation_id = $1 and kind = $2', [
        id,
        'charge',
      ]),
    ).toEqual([{ n: 1 }])
  })

  it('is closed and opened by verbs, which say what is wrong with a message or a time', async () => {
    const closed = await verb(
      'maintenance',
      'on',
      '--message',
      'Back soon.',
      '--until',
      '2099-01-01T06:00:00Z',
      '--json',
    )
    expect(JSON.parse(closed.stdout)).toMatchObject({
      on: true,
      message: 'Back soon.',
      until: '2099-01-01T06:00:00.000Z',
    })
    await maintenance.look()
    expect((await server.send('/v1/plans')).json.detail).toBe('Back soon.')
    expect((await verb('status')).stdout).toMatch(/^CLOSED +for maintenance since .*: Back soon\.$/m)
    expect((await verb('maintenance', 'status')).stdout).toMatch(/^The service is closed\.\nmessage: +Back soon\.\n/)
    for (const [given, said] of [
      [['--message', ' '], '--message: write 1 to 500 characters'],
      [['--message', 'x', '--until', 'tomorrow'], '--until: "tomorrow" is not a time to come'],
    ] as const) {
      const wrong = await verb('maintenance', 'on', ...given)
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining(said)])
    }
    expect((await verb('maintenance', 'off')).stdout).toMatch(/^The service is open\.\nRunning nodes follow within/)
    expect((await verb('audit', 'list')).stdout).toMatch(
      /operator +maintenance\.end .*\n.*operator +maintenance\.begin /,
    )
    await maintenance.look()
    expect((await server.send('/v1/plans')).status).toBe(200)
  })
})
