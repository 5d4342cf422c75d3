import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { KIND_NAMES, KINDS, type Kind } from '../../src/lib/kinds.ts'
import { NO_FACTS } from '../../src/risk/facts-report.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine, interruptible, KNOWN } from '../support/engine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** The six risk endpoints to the letter of the contract, on both databases. */

const SINGLE_FIELDS = [
  'endpoint',
  'risk',
  'risk_score',
  'source_type',
  'target',
  'charged',
  'is_free',
  'unit_price_pence',
  'billable_units',
  'total_price_pence',
  'charged_from_credit_pence',
  'overage_pence',
  'remaining_credit_pence',
]
const BILLING_FIELDS = SINGLE_FIELDS.slice(5)

const SAMPLES: Record<Kind, { plain: string; target: string; bad: string; invalid: string; invalidCode: string }> = {
  email: {
    plain: 'Jane.Doe@Company-Name.example',
    target: 'sha256:46d3b0c7ddc3d8cd2b1f25d8a3dd6d5ec0dbdd4e3bfe2b7f0dfbb2a5ad1a45a0',
    bad: `billing@${KNOWN.badDomain}`,
    invalid: 'not an address',
    invalidCode: 'invalid_email',
  },
  domain: {
    plain: 'Company-Name.example.',
    target: 'company-name.example',
    bad: KNOWN.badDomain,
    invalid: 'https://example.com/',
    invalidCode: 'invalid_domain',
  },
  ip: {
    plain: '2A00:1450:0::1',
    target: '2a00:1450::1',
    bad: KNOWN.badIp,
    invalid: '1.2.3.4/24',
    invalidCode: 'invalid_ip',
  },
}

/** Indicators of a kind in the test snapshot and the models. */
function consultedOn(kind: Kind) {
  const asOf = '2026-01-01T00:00:00.000Z'
  const without = { sources: 0, oldest: null, newest: null }
  return {
    lists: { status: 'consulted', sources: 1, oldest: asOf, newest: asOf, threat_sources: 1 },
    model: { status: 'consulted', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    popularity: { status: kind === 'ip' ? 'not_applicable' : 'none', ...without },
    live: { status: 'off' },
  }
}

const ENDPOINTS = KIND_NAMES.flatMap((kind) => {
  const { family, plural } = KINDS[kind]
  return [
    { kind, bulk: false, path: `/v1/${family}`, body: (text: string) => ({ [kind]: text }) },
    { kind, bulk: true, path: `/v1/${family}/bulk`, body: (text: string) => ({ [plural]: [text] }) },
  ]
})

describeRules('the risk endpoints', (open) => {
  let sql: Sql
  let server: TestServer
  const engine = interruptible(createTestEngine())

  beforeAll(async () => {
    sql = await open()
    // The clock stands still: a rate that is used up stays so, however long the requests take.
    server = await startTestServer({ sql, engine, clock: new ManualClock('2026-03-10T12:00:00Z') })
  })
  afterAll(() => server.close())

  async function balanceOf(organisationId: string): Promise<number> {
    const account = await server.accounts.read(organisationId)
    return account!.prepaidPence + account!.includedPence
  }

  describe.each(KIND_NAMES)('a single check of an %s', (kind) => {
    const { family, sourceType } = KINDS[kind]
    const sample = SAMPLES[kind]

    it('answers exactly the thirteen fields', async () => {
      const { apiKey } = await server.organisation({ creditPence: 100 })
      const answer = await server.post(`/v1/${family}`, { [kind]: sample.plain }, apiKey)
      expect(answer.status).toBe(200)
      expect(Object.keys(answer.json)).toEqual(SINGLE_FIELDS)
      const price = answer.json.unit_price_pence
      expect(answer.json).toMatchObject({
        endpoint: family,
        risk: 'low',
        source_type: sourceType,
        charged: true,
        is_free: false,
        billable_units: 1,
        total_price_pence: price,
        charged_from_credit_pence: price,
        overage_pence: 0,
        remaining_credit_pence: 100 - price,
      })
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    })

    it('shows the target in normal form, and an email address never', async () => {
      const { apiKey } = await server.organisation()
      const { json, text } = await server.post(`/v1/${family}`, { [kind]: sample.plain }, apiKey)
      if (kind === 'email') {
        expect(json.target).toMatch(/^sha256:[0-9a-f]{64}$/)
        expect(text.toLowerCase()).not.toContain('jane')
      } else {
        expect(json.target).toBe(sample.target)
      }
    })

    it('derives the level from the score', async () => {
      const { apiKey } = await server.organisation()
      for (const indicator of [sample.plain, sample.bad]) {
        const { json } = await server.post(`/v1/${family}`, { [kind]: indicator }, apiKey)
        const level = json.risk_score >= 70 ? 'high' : json.risk_score >= 30 ? 'medium' : 'low'
        expect(json.risk).toBe(level)
      }
    })

    it('calls a listed indicator worse than an unknown one, and says why when asked', async () => {
      const { apiKey } = await server.organisation()
      const plain = await server.post(`/v1/${family}`, { [kind]: sample.plain }, apiKey)
      const { json } = await server.post(`/v1/${family}?explain=true`, { [kind]: sample.bad }, apiKey)
      expect(json.risk_score).toBeGreaterThan(plain.json.risk_score)
      const more = ['signals', 'intelligence', 'recommended_action', 'base_score', 'coverage', 'facts']
      expect(Object.keys(json)).toEqual([...SINGLE_FIELDS, ...more])
      expect(json.signals.length).toBeGreaterThan(0)
      for (const signal of json.signals) {
        expect(Object.keys(signal)).toEqual(['code', 'description', 'effect', 'source', 'first_seen', 'last_seen'])
      }
      expect(json.intelligence).toEqual({ version: expect.any(String), built_at: expect.stringMatching(/Z$/) })
      const effects = json.signals.map((signal: { effect: number }) => signal.effect)
      expect(effects.reduce((sum: number, effect: number) => sum + effect, json.base_score)).toBe(json.risk_score)
      expect(json.coverage).toEqual({
        ...consultedOn(kind),
        known: 'bad',
        summary: expect.stringContaining('Test feed'),
      })
      expect(json.facts).toEqual(NO_FACTS)
    })

    it('tells nothing known apart from known, when asked', async () => {
      const { apiKey } = await server.organisation()
      const unknown = { email: 'jane@quiet-hill-bakery.com', domain: 'quiet-hill-bakery.com', ip: '2a00:1450::1' }[kind]
      const { json } = await server.post(`/v1/${family}?explain=true`, { [kind]: unknown }, apiKey)
      expect(json.coverage).toEqual({
        ...consultedOn(kind),
        known: 'nothing',
        summary: expect.stringContaining('the only list (newest 2026-01-01) does not name it'),
      })
    })
  })

  it('names what a name resembles and gives both its forms, when asked, singly and in a batch', async () => {
    const { apiKey } = await server.organisation()
    const domain = 'xn--pypal-4ve.com'
    const { json } = await server.post('/v1/supply-chain-risk?explain=true', { domain }, apiKey)
    expect(json.resembles).toEqual(['paypal.com'])
    expect(json.international).toEqual({
      ascii: domain,
      unicode: 'pаypal.com',
      mixed: 'Cyrillic “а” among Latin letters',
    })
    const bulk = await server.post('/v1/supply-chain-risk/bulk?explain=true', { domains: [domain] }, apiKey)
    expect(bulk.json.results[0].signals).toEqual(json.signals)
    const plain = await server.post('/v1/supply-chain-risk', { domain }, apiKey)
    expect(plain.json).not.toHaveProperty('international')
    expect(plain.json).not.toHaveProperty('resembles')
    expect(plain.json.risk_score).toBe(json.risk_score)
  })

  it('gives an unknown indicator low and no signals', async () => {
    const { apiKey } = await server.organisation()
    const { json } = await server.post('/v1/infrastructure-risk?explain=true', { ip: '2a00:1450::1' }, apiKey)
    expect(json).toMatchObject({ risk: 'low', signals: [] })
  })

  it('answers a private address with low and ip.not_public, singly and in a batch', async () => {
    const { apiKey } = await server.organisation()
    const { json } = await server.post('/v1/infrastructure-risk?explain=true', { ip: '10.0.0.1' }, apiKey)
    expect(json.risk).toBe('low')
    expect(json.signals.map((signal: { code: string }) => signal.code)).toContain('ip.not_public')
    expect(json.coverage).toMatchObject({ lists: { status: 'not_applicable' }, known: 'not_public' })
    const bulk = await server.post('/v1/infrastructure-risk/bulk', { ips: ['10.0.0.1', KNOWN.badIp] }, apiKey)
    expect(bulk.json.results.map((result: { risk: string }) => result.risk)).toEqual(['low', 'high'])
  })

  it('answers a suffix of a registry, says that it is one, and refuses no list for it', async () => {
    const { apiKey } = await server.organisation()
    const { json } = await server.post('/v1/supply-chain-risk?explain=true', { domain: 'gov.uk' }, apiKey)
    expect(json).toMatchObject({ risk: 'low', target: 'gov.uk' })
    const codes = json.signals.map((signal: { code: string }) => signal.code)
    expect(codes).toEqual(['domain.government', 'domain.public_suffix'])
    const domains = ['gov.pl', 'gob.mx', 'co.uk', 'nhs.uk', 'act.edu.au']
    const bulk = await server.post('/v1/supply-chain-risk/bulk', { domains }, apiKey)
    expect(bulk.json.results.map((result: { risk: string }) => result.risk)).toEqual(domains.map(() => 'low'))
    expect(await server.post('/v1/supply-chain-risk', { domain: 'com' }, apiKey)).toMatchObject({ status: 422 })
  })

  it('maps an IPv4-mapped address to IPv4', async () => {
    const { apiKey } = await server.organisation()
    const { json } = await server.post('/v1/infrastructure-risk', { ip: `::ffff:${KNOWN.badIp}` }, apiKey)
    expect(json).toMatchObject({ target: KNOWN.badIp, risk: 'high' })
  })

  describe.each(KIND_NAMES)('a bulk check of %ss', (kind) => {
    const { family, plural } = KINDS[kind]
    const sample = SAMPLES[kind]

    it('answers one result per record in order, duplicates included, each exactly as submitted', async () => {
      const { apiKey } = await server.organisation({ creditPence: 1000 })
      const records = [sample.plain, ` ${sample.plain} `, sample.bad, sample.plain]
      const { status, json } = await server.post(`/v1/${family}/bulk`, { [plural]: records }, apiKey)
      expect(status).toBe(200)
      expect(Object.keys(json)).toEqual(['results', ...BILLING_FIELDS])
      expect(json.results.map((result: Record<string, unknown>) => result[kind])).toEqual(records)
      for (const result of json.results) expect(Object.keys(result)).toEqual([kind, 'risk', 'risk_score'])
      expect(json).toMatchObject({ billable_units: 4, total_price_pence: 4 * json.unit_price_pence })
      expect(json.remaining_credit_pence).toBe(1000 - json.total_price_pence)
    })

    it('gives signals per record when asked, and once what they rest on', async () => {
      const { apiKey } = await server.organisation()
      const { json } = await server.post(`/v1/${family}/bulk?explain=true`, { [plural]: [sample.bad] }, apiKey)
      expect(Object.keys(json)).toEqual(['results', ...BILLING_FIELDS, 'base_score', 'coverage', 'intelligence'])
      const [record] = json.results
      expect(Object.keys(record)).toEqual([kind, 'risk', 'risk_score', 'signals'])
      const effects = record.signals.map((signal: { effect: number }) => signal.effect)
      expect(effects.reduce((sum: number, effect: number) => sum + effect, json.base_score)).toBe(record.risk_score)
      expect(json.coverage).toEqual(consultedOn(kind))
    })

    it('422 naming every bad index, and charges nothing', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 1000 })
      const records = [sample.plain, sample.invalid, sample.plain, 7, null]
      const { status, json } = await server.post(`/v1/${family}/bulk`, { [plural]: records }, apiKey)
      expect(status).toBe(422)
      expect(json.code).toBe('validation_failed')
      expect(json.errors.map((error: { pointer: string }) => error.pointer)).toEqual(
        [1, 3, 4].map((i) => `/${plural}/${i}`),
      )
      expect(json.errors[0].code).toBe(sample.invalidCode)
      expect(await balanceOf(id)).toBe(1000)
    })

    it('422 naming the first hundred when more are bad', async () => {
      const { apiKey } = await server.organisation()
      const { json } = await server.post(
        `/v1/${family}/bulk`,
        { [plural]: Array.from({ length: 250 }, () => sample.invalid) },
        apiKey,
      )
      expect(json.errors).toHaveLength(100)
      expect(json.detail).toContain('250')
    })

    it('422 no_records for an empty list, too_many_records for 10,001, 200 for 10,000', async () => {
      const { apiKey } = await server.organisation({ creditPence: 1_000_000 })
      const send = (count: number) =>
        server.post(`/v1/${family}/bulk`, { [plural]: Array.from({ length: count }, () => sample.plain) }, apiKey)
      expect((await send(0)).json.code).toBe('no_records')
      expect((await send(10_001)).json.code).toBe('too_many_records')
      const full = await send(10_000)
      expect(full.status).toBe(200)
      expect(full.json.billable_units).toBe(10_000)
    })
  })

  it.each(KIND_NAMES)('403 when a bulk check of %ss has only one of its two scopes', async (kind) => {
    const { family, plural, scope } = KINDS[kind]
    const body = { [plural]: [SAMPLES[kind].plain] }
    for (const alone of [scope, 'risk:bulk'] as const) {
      const { apiKey } = await server.organisation({ scopes: [alone] })
      const answer = await server.post(`/v1/${family}/bulk`, body, apiKey)
      expect(answer).toMatchObject({ status: 403, json: { code: 'insufficient_scope' } })
    }
    const { apiKey } = await server.organisation({ scopes: [scope, 'risk:bulk'] })
    expect((await server.post(`/v1/${family}/bulk`, body, apiKey)).status).toBe(200)
  })

  describe.each(ENDPOINTS)('$path', ({ kind, bulk, path, body }) => {
    const sample = SAMPLES[kind]
    const good = body(sample.plain)

    it('401 credentials_missing without credentials', async () => {
      const answer = await server.post(path, good)
      expect(answer).toMatchObject({ status: 401, json: { code: 'credentials_missing', status: 401 } })
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(answer.json.instance).toBe(answer.headers.get('x-request-id'))
      expect(answer.json.type).toBe('http://localhost:8080/problems/credentials_missing')
    })

    it('401 api_key_invalid for a mistyped and for an unknown key', async () => {
      const { apiKey } = await server.organisation()
      const typo = apiKey.slice(0, 10) + (apiKey[10] === 'a' ? 'b' : 'a') + apiKey.slice(11)
      for (const key of ['nonsense', typo, 'ask_00000000000000000000000000000000AAAAAA']) {
        const answer = await server.post(path, good, key)
        expect(answer).toMatchObject({ status: 401, json: { code: 'api_key_invalid' } })
        expect(answer.headers.get('www-authenticate')).toBeTruthy()
        expect(answer.text).not.toContain(key)
      }
    })

    it('401 token_invalid for a token nobody issued', async () => {
      const answer = await server.post(path, good, undefined, { authorization: 'Bearer nobody-issued-this' })
      expect(answer).toMatchObject({ status: 401, json: { code: 'token_invalid' } })
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
      expect(answer.text).not.toContain('nobody-issued-this')
    })

    it('400 ambiguous_credentials for a key and a token together', async () => {
      const { apiKey } = await server.organisation()
      const answer = await server.post(path, good, apiKey, { authorization: 'Bearer x' })
      expect(answer).toMatchObject({ status: 400, json: { code: 'ambiguous_credentials' } })
    })

    it('403 insufficient_scope names the scope', async () => {
      const { apiKey } = await server.organisation({ scopes: ['billing:read'] })
      const answer = await server.post(path, good, apiKey)
      expect(answer).toMatchObject({ status: 403, json: { code: 'insufficient_scope' } })
      expect(answer.json.detail).toContain(KINDS[kind].scope)
      expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    })

    it('403 bulk_not_in_plan only for bulk', async () => {
      const { apiKey } = await server.organisation({ plan: 'single' })
      const answer = await server.post(path, good, apiKey)
      if (bulk) expect(answer).toMatchObject({ status: 403, json: { code: 'bulk_not_in_plan' } })
      else expect(answer.status).toBe(200)
    })

    it('402 credit_exhausted without the result, and the balance stays', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 0 })
      const answer = await server.post(path, good, apiKey)
      expect(answer).toMatchObject({ status: 402, json: { code: 'credit_exhausted' } })
      expect(answer.text).not.toMatch(/risk_score|"risk"/)
      expect(await balanceOf(id)).toBe(0)
    })

    it('400 malformed_json', async () => {
      const { apiKey } = await server.organisation()
      for (const text of ['', '{', '{"email":', 'nonsense', '\u0000', '{"a":1}}']) {
        expect(await server.post(path, text, apiKey)).toMatchObject({ status: 400, json: { code: 'malformed_json' } })
      }
    })

    it('400 malformed_json for bytes that are not UTF-8', async () => {
      const { apiKey } = await server.organisation()
      for (const bytes of [
        [0x22, 0xc0, 0xaf, 0x22],
        [0x22, 0xed, 0xa0, 0x80, 0x22],
        [0xff, 0xfe],
      ]) {
        const answer = await server.send(path, {
          method: 'POST',
          body: new Uint8Array(bytes),
          headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        })
        expect(answer).toMatchObject({ status: 400, json: { code: 'malformed_json' } })
      }
    })

    it('415 for another content type, or none', async () => {
      const { apiKey } = await server.organisation()
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/xml',
        'multipart/form-data',
      ]) {
        const answer = await server.post(path, good, apiKey, { 'content-type': type })
        expect(answer).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } })
      }
    })

    it('405 with Allow for another method', async () => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await server.send(path, { method })
        expect(answer).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } })
        expect(answer.headers.get('allow')).toBe('POST')
      }
    })

    it('413 above the body limit', async () => {
      const { apiKey } = await server.organisation()
      const limit = bulk ? 4 * 1024 * 1024 : 64 * 1024
      const field = bulk ? KINDS[kind].plural : kind
      const text = JSON.stringify({ [field]: 'x'.repeat(limit) })
      expect(await server.post(path, text, apiKey)).toMatchObject({ status: 413, json: { code: 'body_too_large' } })
    })

    it('422 for an unknown field, a missing one, a wrong type and a wrong value', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 50 })
      const field = bulk ? KINDS[kind].plural : kind
      const cases: [unknown, string, string][] = [
        [{ ...good, extra: 1 }, '/extra', 'unknown_field'],
        [{}, `/${field}`, 'missing_field'],
        [{ [field]: 5 }, `/${field}`, 'wrong_type'],
        [[], '', 'wrong_type'],
        [null, '', 'wrong_type'],
        ['"text"', '', 'wrong_type'],
        [body(sample.invalid), bulk ? `/${field}/0` : `/${field}`, sample.invalidCode],
        ['{"__proto__":{"x":1}}', `/${field}`, 'missing_field'],
        [`{"constructor":1,${JSON.stringify(good).slice(1)}`, '/constructor', 'unknown_field'],
        ['1e999', '', 'wrong_type'],
      ]
      for (const [sent, pointer, code] of cases) {
        const answer = await server.post(path, sent, apiKey)
        expect(answer).toMatchObject({ status: 422, json: { code: 'validation_failed' } })
        expect(answer.json.errors[0]).toMatchObject({ pointer, code })
      }
      expect(await balanceOf(id)).toBe(50)
    })

    it('400 for a bad explain or Idempotency-Key', async () => {
      const { apiKey } = await server.organisation()
      expect(await server.post(`${path}?explain=yes`, good, apiKey)).toMatchObject({
        status: 400,
        json: { code: 'invalid_query' },
      })
      expect(await server.post(path, good, apiKey, { 'idempotency-key': 'k'.repeat(256) })).toMatchObject({
        status: 400,
        json: { code: 'invalid_header' },
      })
    })

    it('429 with Retry-After and both rate headers when the plan’s rate is used up', async () => {
      const { apiKey, id } = await server.organisation({ plan: 'slow', creditPence: 1000 })
      const answers = await Promise.all(Array.from({ length: 8 }, () => server.post(path, good, apiKey)))
      const limited = answers.filter((answer) => answer.status === 429)
      expect(limited).toHaveLength(6)
      const passed = answers.filter((answer) => answer.status === 200)
      const charged = passed.reduce((sum, answer) => sum + answer.json.total_price_pence, 0)
      expect(await balanceOf(id)).toBe(1000 - charged)
      for (const { json, headers } of limited) {
        expect(json.code).toBe('rate_limited')
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
        expect(headers.get('ratelimit')).toContain('r=0')
        expect(headers.get('ratelimit-policy')).toContain('q=2')
      }
    })

    it('502 with Retry-After while the engine is away; nothing charged; 200 when it is back', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 100 })
      engine.down = true
      const answer = await server.post(path, good, apiKey, { 'idempotency-key': 'engine-away' })
      engine.down = false
      expect(answer).toMatchObject({ status: 502, json: { code: 'upstream_unavailable' } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(await balanceOf(id)).toBe(100)
      expect((await server.post(path, good, apiKey, { 'idempotency-key': 'engine-away' })).status).toBe(200)
    })

    it('gives the stored answer again for the same Idempotency-Key, byte for byte, charged once', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 100 })
      const first = await server.post(path, good, apiKey, { 'idempotency-key': 'order-1' })
      const again = await server.post(path, good, apiKey, { 'idempotency-key': 'order-1' })
      expect([first.status, again.status]).toEqual([200, 200])
      expect(again.text).toBe(first.text)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(await balanceOf(id)).toBe(100 - first.json.total_price_pence)
    })

    it('422 idempotency_key_reused for another body, address or endpoint under the same key', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 100 })
      const first = await server.post(path, good, apiKey, { 'idempotency-key': 'order-2' })
      for (const [otherPath, otherBody] of [
        [path, body(sample.bad)],
        [`${path}?explain=true`, good],
      ] as const) {
        const answer = await server.post(otherPath, otherBody, apiKey, { 'idempotency-key': 'order-2' })
        expect(answer).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } })
      }
      expect(await balanceOf(id)).toBe(100 - first.json.total_price_pence)
    })

    it('keeps the keys of two organisations apart', async () => {
      const one = await server.organisation({ creditPence: 100 })
      const two = await server.organisation({ creditPence: 90 })
      const first = await server.post(path, good, one.apiKey, { 'idempotency-key': 'same' })
      const second = await server.post(path, good, two.apiKey, { 'idempotency-key': 'same' })
      expect(second.headers.get('idempotent-replayed')).toBeNull()
      expect(second.json.remaining_credit_pence).not.toBe(first.json.remaining_credit_pence)
    })

    it('409 while a request with the same key is still being answered', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 100 })
      const held = engine.hold()
      const pending = server.post(path, good, apiKey, { 'idempotency-key': 'slow' })
      await held.reached
      const second = await server.post(path, good, apiKey, { 'idempotency-key': 'slow' })
      held.release()
      const first = await pending
      expect([first.status, second.status]).toEqual([200, 409])
      expect(second.json.code).toBe('request_in_flight')
      expect(await balanceOf(id)).toBe(100 - first.json.total_price_pence)
    })
  })
})
