import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { systemEffects } from '../../sdk/src/effects.ts'
import {
  Assay,
  type AssayError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  type CredentialHeaders,
  CreditExhaustedError,
  PermissionError,
  RateLimitError,
  type Recovery,
  TimeoutError,
  UnavailableError,
  ValidationError,
} from '../../sdk/src/index.ts'
import { newClient } from '../oauth/support/server.ts'
import { KNOWN } from '../support/engine.ts'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'
import { memberOf, PASSWORD } from '../support/people.ts'
import { NOBODY_LISTENS } from '../support/ports.ts'
import { type Service, startService } from './service.ts'

/** Waits that take no time, and are written down. */
function countedWaits() {
  const waitsMs: number[] = []
  return {
    waitsMs,
    effects: { ...systemEffects, random: () => 0.5, sleep: async (ms: number) => void waitsMs.push(ms) },
  }
}

describe('the client against the real service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it('checks an email, a domain and an IP, with what each cost', async () => {
    const { apiKey } = await service.server.organisation({ creditPence: 100 })
    const assay = new Assay({ apiKey, baseUrl: `${service.server.url}/` })
    const payment = await assay.payment.check('accounts@company.example')
    expect(payment).toMatchObject({ endpoint: 'payment-risk', total_price_pence: 3, remaining_credit_pence: 97 })
    expect(await assay.supplyChain.check(KNOWN.badDomain)).toMatchObject({ risk: 'high', target: KNOWN.badDomain })
    expect(await assay.infrastructure.check(KNOWN.badIp)).toMatchObject({
      risk: 'high',
      source_type: 'infrastructure_scan',
    })
    expectTypeOf(payment.risk).toEqualTypeOf<'low' | 'medium' | 'high'>()
    expect(payment.signals).toBeUndefined()
  })

  it('explains', async () => {
    const { apiKey } = await service.server.organisation()
    const assay = new Assay({ apiKey, baseUrl: service.server.url })
    const why = await assay.supplyChain.explain(KNOWN.badDomain)
    expect(why.signals[0]?.code).toMatch(/^domain\./)
    expect(why.recommended_action).toContain('escalate')
    expect(why.intelligence.version).toBeTypeOf('string')
    expect((await assay.supplyChain.check(KNOWN.badDomain, { explain: true })).signals.length).toBeGreaterThan(0)
  })

  it('mirrors the problems of the service as classes', async () => {
    const url = service.server.url
    const { apiKey } = await service.server.organisation({ creditPence: 0 })
    const assay = new Assay({ apiKey, baseUrl: url })
    const bad = await assay.payment.check('not an address').catch((error: unknown) => error)
    expect(bad).toBeInstanceOf(ValidationError)
    expect(bad).toMatchObject({
      code: 'validation_failed',
      status: 422,
      errors: [{ pointer: '/email', code: 'invalid_email' }],
    })
    expect((bad as AssayError).requestId).toBeTypeOf('string')
    await expect(assay.payment.check('a@company.example')).rejects.toThrow(CreditExhaustedError)
    const stranger = new Assay({ apiKey: `ask_${'0'.repeat(38)}`, baseUrl: url })
    await expect(stranger.payment.check('a@company.example')).rejects.toThrow(AuthenticationError)
    const narrow = await service.server.organisation({ scopes: ['risk:payment'] })
    const limited = new Assay({ apiKey: narrow.apiKey, baseUrl: url })
    await expect(limited.infrastructure.check('1.1.1.1')).rejects.toThrow(PermissionError)
  })

  it('repeats a request whose answer was lost, and is charged once', async () => {
    const { id, apiKey } = await service.server.organisation()
    const proxy = await startFaultProxy(service.server.url, ({ number }) => (number === 0 ? 'lose' : 'pass'))
    const { effects, waitsMs } = countedWaits()
    const assay = new Assay({ apiKey, baseUrl: proxy.url }, effects)
    expect(await assay.payment.check('a@company.example')).toMatchObject({ charged: true })
    expect(proxy.requests.map((request) => request.key)).toEqual([proxy.requests[0]!.key, proxy.requests[0]!.key])
    expect(waitsMs).toHaveLength(1)
    expect(await service.billedUnits(id)).toBe(1)
    await proxy.close()
  })

  it('does not repeat a request after the machine slept for a day: its key would be charged again', async () => {
    const { id, apiKey } = await service.server.organisation()
    const proxy = await startFaultProxy(service.server.url, ({ number }) => (number === 0 ? 'lose' : 'pass'))
    let asleepMs = 0
    const sleep = async () => {
      asleepMs = 24 * 3_600_000
    }
    const effects = { ...countedWaits().effects, sleep, now: () => Date.now() + asleepMs }
    const check = new Assay({ apiKey, baseUrl: proxy.url }, effects).payment.check('a@company.example')
    const key = () => proxy.requests[0]?.key
    await expect(check).rejects.toSatisfy((error: AssayError) => {
      return error.outcome === 'unknown' && error.idempotencyKey === key() && error.code === 'connection_failed'
    })
    expect(proxy.requests).toHaveLength(1)
    expect(await service.billedUnits(id)).toBe(1)
    await proxy.close()
  })

  it.each<[string, Fault, boolean]>([
    ['an answer', 'lose', true],
    ['a request', 'cut', false],
  ])('tells of %s that was lost and what came of the repeat', async (_name, fault, replayed) => {
    const { id, apiKey } = await service.server.organisation()
    const proxy = await startFaultProxy(service.server.url, ({ number }) => (number === 0 ? fault : 'pass'))
    const recovered: Recovery[] = []
    const options = { apiKey, baseUrl: proxy.url, onRecovered: (one: Recovery) => recovered.push(one) }
    const assay = new Assay(options, countedWaits().effects)
    await assay.payment.check('a@company.example', { idempotencyKey: 'mine' })
    await assay.payment.check('b@company.example')
    expect(recovered).toMatchObject([{ replayed, idempotencyKey: 'mine', error: { code: 'connection_failed' } }])
    expect(await service.billedUnits(id)).toBe(2)
    await proxy.close()
  })

  it('claims that a request did nothing only where it can know', async () => {
    const problem = (status: number, code: string) => () =>
      Response.json({ code, detail: 'Nothing was charged; try again.' }, { status })
    const lost = () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
    }
    const unreachable = () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    }
    const gateway = () => new Response('<h1>504</h1>', { status: 504 })
    const cases: [string, (() => Response)[]][] = [
      ['refused', [unreachable]],
      ['refused', [problem(503, 'store_unavailable')]],
      ['refused', [problem(402, 'credit_exhausted')]],
      ['refused', [lost, problem(402, 'credit_exhausted')]],
      ['unknown', [lost]],
      ['unknown', [lost, () => new Response('default backend', { status: 404 })]],
      ['unknown', [lost, problem(404, 'not_found')]],
      ['unknown', [gateway]],
      ['unknown', [lost, problem(503, 'store_unavailable')]],
      ['unknown', [lost, problem(401, 'api_key_invalid')]],
      ['unknown', [gateway, unreachable]],
    ]
    for (const [outcome, answers] of cases) {
      let number = 0
      const fetch = async () => answers[Math.min(number++, answers.length - 1)]!()
      const assay = new Assay({ apiKey: 'ask_x', baseUrl: 'http://localhost', fetch }, countedWaits().effects)
      const checking = assay.payment.check('a@b.example', { idempotencyKey: 'mine' })
      const error = await checking.catch((caught: unknown) => caught as AssayError)
      expect(error).toMatchObject({ outcome })
      expect(error).toBeInstanceOf(Error)
      if (outcome === 'unknown') {
        expect(error).toMatchObject({ idempotencyKey: 'mine', message: expect.not.stringContaining('Nothing was') })
      }
    }
  })

  it('waits as long as Retry-After says, with growing waits when nothing is said, and gives up after a bounded number', async () => {
    const { apiKey } = await service.server.organisation()
    const answers = [{ status: 429, headers: { 'retry-after': '7' } }, { status: 503 }, { status: 502 }]
    const proxy = await startFaultProxy(service.server.url, ({ number }) => answers[number] ?? 'pass')
    const { effects, waitsMs } = countedWaits()
    await new Assay({ apiKey, baseUrl: proxy.url }, effects).payment.check('a@company.example')
    expect(waitsMs[0]).toBeGreaterThanOrEqual(7000)
    expect(waitsMs[0]).toBeLessThan(8100)
    expect(waitsMs[2]).toBeGreaterThan(waitsMs[1]!)
    await proxy.close()

    const down = await startFaultProxy(service.server.url, () => ({ status: 502 }))
    const client = new Assay({ apiKey, baseUrl: down.url, retrying: { retriesMax: 3 } }, effects)
    await expect(client.payment.check('a@company.example')).rejects.toThrow(UnavailableError)
    expect(down.requests).toHaveLength(4)
    await down.close()

    const busy = await startFaultProxy(service.server.url, () => ({ status: 429, headers: { 'retry-after': '86400' } }))
    const turnedAway = new Assay({ apiKey, baseUrl: busy.url }, effects).payment.check('a@company.example')
    await expect(turnedAway).rejects.toThrow(RateLimitError)
    expect(busy.requests).toHaveLength(1)
    await busy.close()
  })

  it('does not repeat what cannot succeed', async () => {
    const { apiKey } = await service.server.organisation()
    const proxy = await startFaultProxy(service.server.url, () => 'pass')
    await expect(new Assay({ apiKey, baseUrl: proxy.url }).payment.check('bad')).rejects.toThrow(ValidationError)
    expect(proxy.requests).toHaveLength(1)
    await proxy.close()
  })

  it('does not follow a redirect with its key', async () => {
    const { apiKey } = await service.server.organisation()
    const proxy = await startFaultProxy(service.server.url, () => ({
      status: 308,
      headers: { location: service.server.url },
    }))
    await expect(new Assay({ apiKey, baseUrl: proxy.url }).payment.check('a@b.example')).rejects.toThrow(/redirect/)
    expect(proxy.requests).toHaveLength(1)
    await proxy.close()
  })

  it('says in time when nothing answers, and stops at once when told to', async () => {
    const { apiKey } = await service.server.organisation()
    const held = service.engine.hold()
    const assay = new Assay({ apiKey, baseUrl: service.server.url, timeoutMs: 50, retrying: { retriesMax: 0 } })
    await expect(assay.payment.check('a@company.example')).rejects.toThrow(TimeoutError)
    const abort = new AbortController()
    const patient = new Assay({ apiKey, baseUrl: service.server.url })
    const checking = patient.payment.check('b@company.example', { signal: abort.signal })
    await held.reached
    abort.abort(new Error('changed my mind'))
    await expect(checking).rejects.toThrow('changed my mind')
    held.release()
  })

  it('reports an address where nothing listens', async () => {
    const assay = new Assay({ apiKey: 'ask_x', baseUrl: NOBODY_LISTENS, retrying: { retriesMax: 0 } })
    const error = await assay.payment.check('a@b.example').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as AssayError).message).toContain('ECONNREFUSED')
  })

  it('an application gets one token for many requests, and another when it has ended or was revoked', async () => {
    const { id } = await service.server.organisation()
    const { client, secret } = await newClient(service.sql, id, { kind: 'service', scope: 'risk:payment risk:bulk' })
    let tokens = 0
    let nowMs = Date.now()
    let token = ''
    const assay = new Assay(
      {
        clientId: client.id,
        clientSecret: secret,
        baseUrl: service.server.url,
        fetch: async (input, init) => {
          if (String(input).endsWith('/oauth/token')) tokens++
          else token = new Headers(init?.headers).get('authorization') ?? token
          return fetch(input, init)
        },
      },
      { ...systemEffects, now: () => nowMs },
    )
    await Promise.all(['a', 'b', 'c'].map((name) => assay.payment.check(`${name}@company.example`)))
    expect(tokens).toBe(1)
    nowMs += 3600_000
    await assay.payment.check('d@company.example')
    expect(tokens).toBe(2)
    await service.server.send('/oauth/revoke', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client.id}:${secret}`)}` },
      body: new URLSearchParams({ token: token.replace('Bearer ', '') }),
    })
    await assay.payment.check('e@company.example')
    expect(tokens).toBe(3)
    await expect(assay.infrastructure.check('1.1.1.1')).rejects.toMatchObject({ code: 'insufficient_scope' })
    const options = { clientId: client.id, baseUrl: service.server.url }
    const narrow = new Assay({ ...options, clientSecret: secret, scopes: ['risk:bulk'] })
    await expect(narrow.payment.check('f@company.example')).rejects.toThrow(PermissionError)
    const wrong = new Assay({ ...options, clientSecret: 'acs_wrong' })
    await expect(wrong.payment.check('g@company.example')).rejects.toMatchObject({
      code: 'invalid_client',
      status: 401,
    })
  })

  it('asks the token provider again, once, after a token was refused', async () => {
    const asked: boolean[] = []
    const assay = new Assay({
      baseUrl: service.server.url,
      tokenProvider: ({ refresh }) => {
        asked.push(refresh)
        return 'no-such-token'
      },
    })
    await expect(assay.payment.check('a@company.example')).rejects.toThrow(AuthenticationError)
    expect(asked).toEqual([false, true])
  })

  it('a page whose session has ended waits for another one, and the request is then done', async () => {
    const organisation = await service.server.organisation({ creditPence: 100 })
    const person = await memberOf(service.server, service.sql, {
      organisationId: organisation.id,
      role: 'owner',
      nowMs: Date.now(),
    })
    let cookie = ''
    let csrf = ''
    const signIn = async () => {
      const answer = await service.server.post('/api/session', { email: person.email, password: PASSWORD })
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      csrf = answer.json.csrf
    }
    const refused: CredentialHeaders[] = []
    const assay = new Assay({
      baseUrl: service.server.url,
      // A browser adds the cookie by itself.
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie } }),
      session: {
        headers: () => ({ 'x-csrf-token': csrf, 'x-organisation-id': organisation.id }),
        renewed: async (headers) => {
          refused.push(headers)
          await signIn()
        },
      },
    })
    expect((await assay.checks('email').check('a@company.example')).total_price_pence).toBe(3)
    expect(refused).toEqual([{ 'x-csrf-token': '', 'x-organisation-id': organisation.id }])
    // Another tab signed in again: the cookie is a new one, and the token of this page is out of date.
    csrf = 'of the session before'
    await assay.checks('email').check('b@company.example')
    expect(refused).toHaveLength(2)
    const { data, etag } = await assay.callForVersion('GET /v1/organisation/members/{member_id}', {
      path: { member_id: person.id },
    })
    expect([data.role, etag]).toEqual(['owner', expect.stringMatching(/^"/)])
    const ledger = await assay.callForFile('GET /v1/billing/ledger', 'text/csv')
    expect(ledger.type).toMatch(/^text\/csv/)
    expect((await ledger.text()).split('\n')[0]).toContain('number')
  })
})

describe('secrets', () => {
  it('stand in no error, no inspection and no JSON of the client', async () => {
    const secret = 'ask_verysecretverysecretverysecret1234567'
    const seen: unknown[] = []
    const keep = (fn: () => unknown) => {
      try {
        seen.push(fn())
      } catch (error) {
        seen.push(error)
      }
    }
    keep(() => new Assay({ apiKey: `${secret}\n`, baseUrl: 'https://assay.example' }))
    keep(() => new Assay({ apiKey: secret, baseUrl: `https://user:${secret}@assay.example` }))
    keep(() => new Assay({ apiKey: secret, clientId: 'x', clientSecret: secret, baseUrl: 'https://assay.example' }))
    const assay = new Assay({ apiKey: secret, baseUrl: 'http://127.0.0.1:1', retrying: { retriesMax: 0 } })
    seen.push(assay, await assay.payment.check('a@b.example').catch((error: unknown) => error))
    const tokens = new Assay({ tokenProvider: () => `${secret}\n`, baseUrl: 'http://127.0.0.1:1' })
    seen.push(await tokens.payment.check('a@b.example').catch((error: unknown) => error))
    const app = new Assay({
      clientId: 'x',
      clientSecret: secret,
      baseUrl: 'http://127.0.0.1:1',
      retrying: { retriesMax: 0 },
    })
    seen.push(app, await app.payment.check('a@b.example').catch((error: unknown) => error))
    expect(seen).toHaveLength(8)
    for (const one of seen) {
      expect(inspect(one, { depth: 10, showHidden: true })).not.toContain('verysecret')
      expect(JSON.stringify(one)).not.toContain('verysecret')
    }
  })
})

describe('setting up', () => {
  it.each([
    [{ baseUrl: 'https://assay.example' }, /exactly one/],
    [{ apiKey: 'a', tokenProvider: () => 'b', baseUrl: 'https://assay.example' }, /exactly one/],
    [{ clientId: 'a', baseUrl: 'https://assay.example' }, /belong together/],
    [{ apiKey: '', baseUrl: 'https://assay.example' }, /apiKey/],
    [{ apiKey: 'a', baseUrl: 'assay.example' }, /baseUrl/],
    [{ apiKey: 'a', baseUrl: 'ftp://assay.example' }, /baseUrl/],
    [{ apiKey: 'a', baseUrl: 'https://assay.example/?x=1' }, /query/],
  ])('refuses %o', (options, message) => {
    expect(() => new Assay(options)).toThrow(ConfigurationError)
    expect(() => new Assay(options)).toThrow(message)
  })
})
