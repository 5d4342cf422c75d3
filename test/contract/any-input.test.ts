import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { PROBLEMS } from '../../src/errors.ts'
import { KIND_NAMES, KINDS } from '../../src/lib/kinds.ts'
import { anyQuery, anyText } from '../support/any-text.ts'
import { createTestEngine } from '../support/engine.ts'
import { runs } from '../support/runs.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Whatever is sent, the answer is a documented one: never a 500, never a stack, never a secret. */

const PATHS = KIND_NAMES.flatMap((kind) => [`/v1/${KINDS[kind].family}`, `/v1/${KINDS[kind].family}/bulk`])
const FIELDS = KIND_NAMES.flatMap((kind) => [kind, KINDS[kind].plural])

/** Texts that break parsers, beside ordinary ones. */
const text = fc.oneof(
  anyText({ maxLength: 80 }),
  fc.emailAddress(),
  fc.domain(),
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    'a@b.c\u0000',
    '__proto__',
    'é'.repeat(300),
    '1.2.3.4.',
    '::ffff:1.2.3.4',
  ),
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue(),
  fc.array(text, { maxLength: 5 }),
  fc.double(),
  fc.constant(1e308),
)
const body = fc.oneof(
  fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS, '__proto__', 'constructor', 'toString'), text), value, {
    maxKeys: 3,
  }),
  fc.jsonValue(),
  fc.constantFrom(...FIELDS).chain((field) => value.map((content) => ({ [field]: content }))),
)

describeRules('any input', (open) => {
  let sql: Sql
  let server: TestServer
  let apiKey: string

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine() })
    apiKey = (await server.organisation({ plan: 'zero' })).apiKey
  })
  afterAll(() => server.close())

  function documented(answer: Answer): void {
    expect(answer.status, answer.text).not.toBe(500)
    if (answer.status === 200) return
    const { code, status } = answer.json
    expect(PROBLEMS[code as keyof typeof PROBLEMS]?.status).toBe(answer.status)
    expect(status).toBe(answer.status)
    expect(answer.text).not.toMatch(/\bat .*\.ts|node_modules|SqlError/)
  }

  it('any JSON body gives a documented answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), body, async (path, sent) => {
        documented(await server.post(path, sent, apiKey))
      }),
      { numRuns: runs(120) },
    )
  })

  it('any bytes as a body give a documented answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), fc.uint8Array({ maxLength: 200 }), async (path, bytes) => {
        documented(
          await server.send(path, {
            method: 'POST',
            body: new Uint8Array(bytes),
            headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
          }),
        )
      }),
      { numRuns: runs(60) },
    )
  })

  it('any header values give a documented answer', async () => {
    const latin1 = fc.string({
      unit: fc
        .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }))
        .map((code) => String.fromCharCode(code)),
      maxLength: 60,
    })
    const headers = fc.dictionary(
      fc.constantFrom(
        'x-api-key',
        'authorization',
        'idempotency-key',
        'content-type',
        'accept',
        'x-request-id',
        'x-forwarded-for',
      ),
      latin1.map((junk) => junk.trim()),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), headers, async (path, sent) => {
        documented(
          await server.send(path, {
            method: 'POST',
            body: '{"email":"a@b.example"}',
            headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...sent },
          }),
        )
      }),
      { numRuns: runs(60) },
    )
  })

  it('any query string gives a documented answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), anyQuery(), async (path, query) => {
        documented(await server.post(`${path}?${query}`, { domain: 'company.example' }, apiKey))
      }),
      { numRuns: runs(40) },
    )
  })

  it('the last of two equal keys counts, as in JSON.parse', async () => {
    const answer = await server.post(
      '/v1/supply-chain-risk',
      '{"domain":"nonsense","domain":"company.example"}',
      apiKey,
    )
    expect(answer.json.target).toBe('company.example')
  })

  it('deep nesting is refused, not followed', async () => {
    const deep = `{"domain":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    expect((await server.post('/v1/supply-chain-risk', deep, apiKey)).status).toBe(422)
  })

  describe('what is not HTTP', () => {
    const raw = (request: string) =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(server.url)
        const socket = connect(Number(port), hostname)
        let answer = ''
        socket.setEncoding('utf8')
        socket.on('data', (chunk) => {
          answer += chunk
        })
        socket.on('end', () => resolve(answer))
        socket.on('error', reject)
        socket.end(request)
      })

    it.each([
      ['400', 'GARBAGE\r\n\r\n'],
      ['400', 'GET / HTTP/9.9\r\n\r\n'],
      ['400', 'POST /v1/payment-risk HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n'],
      [
        '400',
        'POST /v1/payment-risk HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['431', `GET / HTTP/1.1\r\nHost: x\r\nX-Junk: ${'x'.repeat(20_000)}\r\n\r\n`],
    ])('gets a %s problem', async (status, request) => {
      const answer = await raw(request)
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer).toContain('application/problem+json')
    })
  })
})
