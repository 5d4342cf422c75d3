import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newApiKey } from '../access/api-key.ts'
import { newId } from '../lib/ids.ts'
import { createLogger } from './logging.ts'

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  write(createLogger({ level: 'trace', out: { write: (line) => lines.push(line) } }))
  return lines.join('')
}

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const word = (unit: readonly string[], length: number) =>
  fc.array(fc.constantFrom(...unit), { minLength: length, maxLength: length }).map((letters) => letters.join(''))
const base62 = (length: number) => word(BASE62, length)
const base64url = (length: number) => word([...BASE62, '-', '_'], length)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Every form of credential there is, however short its alphabet came out. */
const SECRETS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'an API key': base62(38).map((rest) => `ask_${rest}`),
  'a client secret': base62(43).map((rest) => `acs_${rest}`),
  'a session, a code or a token': base64url(43),
  'a claim or the secret of an invitation': base62(32),
  'an invitation link': base62(32).map((rest) => `inv_0123456789abcdefghij.${rest}`),
  'a user code': word([...'BCDFGHJKLMNPQRSTVWXZ'], 8).map((code) => `${code.slice(0, 4)}-${code.slice(4)}`),
  'a signed token': fc.tuple(bytes(20), base64url(60), base64url(86)).map(([id, claims, signature]) => {
    const header = Buffer.from(`{"alg":"ES256","kid":"${Buffer.from(id).toString('hex')}"}`).toString('base64url')
    return `${header}.${claims}.${signature}`
  }),
  'a Stripe key': base62(24).map((rest) => `sk_live_${rest}`),
  'a Stripe webhook secret': bytes(24).map((secret) => `whsec_${Buffer.from(secret).toString('base64')}`),
  'a server secret': bytes(48).map((secret) => Buffer.from(secret).toString('base64')),
  'an email address': fc
    .tuple(word([...'abcdefghijklmnopqrstuvwxyz.+'], 12), word([...'abcdefghijklmnop'], 8))
    .map(([name, host]) => `z${name}q@${host}.example.com`),
}

/** Where a secret may stand, on its own or percent-encoded. */
const PLACES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `key ${secret} refused`,
  (secret) => `line one\n${secret}\nline two`,
  (secret) => `"${secret}" is not valid`,
  (secret) => `GET /v1/organisation/${secret}/members`,
  (secret) => `/callback?code=${secret}&state=${secret}#${secret}`,
  (secret) => `/x?email=${encodeURIComponent(secret)}&y=1`,
  (secret) => `%22${encodeURIComponent(secret)}%22`,
  (secret) => `Authorization: Bearer ${secret}`,
  (secret) => `x-api-key: ${secret}`,
  (secret) => `Cookie: a=b; assay_session=${secret}; c=d`,
  (secret) => JSON.stringify({ password: secret, other: [secret] }),
  (secret) => JSON.stringify({ deep: JSON.stringify({ note: secret }) }),
  (secret) => `${'ordinary words '.repeat(2000)}${secret}`,
  (secret) => `${'x'.repeat(4070)} ${secret}`,
]

describe('the log', () => {
  it.each(Object.entries(SECRETS))('never holds %s, wherever it stands', (_what, arbitrary) => {
    fc.assert(
      // Without bias: a secret of the same letter over and over is none that we make.
      fc.property(fc.noBias(arbitrary), fc.constantFrom(...PLACES), (secret, place) => {
        const text = place(secret)
        const lines = [
          logged((logger) => logger.info(text)),
          logged((logger) => logger.error({ err: new Error(text, { cause: new Error(text) }) }, 'failed')),
          logged((logger) => logger.info({ deep: { note: [text], [text]: 1 } }, 'field')),
          logged((logger) => logger.warn({ url: text, headers: { 'x-anything': text } }, text)),
        ]
        for (const line of lines) {
          expect(line).not.toContain(secret)
          expect(line).not.toContain(encodeURIComponent(secret))
          expect(line.length).toBeLessThanOrEqual(8192)
          expect(JSON.parse(line).level).toBeDefined()
        }
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a bearer token', 'b3JkZXIgNjY2', (secret: string) => `Authorization: Bearer ${secret}`],
    ['an internationalised email address', '用户@例子.广告', (secret: string) => `no mailbox ${secret}`],
    ['an email address after a line break', 'jane.doe@example.co.uk', (secret: string) => `no mailbox\n${secret}`],
    ['a percent-encoded email address', 'jane%40example.co.uk', (secret: string) => `/x/${secret}`],
    ['a quoted mailbox', '"jane doe"@example.co.uk', (secret: string) => `no mailbox ${secret}`],
    ['a database password', 'hunter2!', (secret: string) => `postgres://assay:${secret}@db/assay is down`],
    ['a short code in a query', 'n4', (secret: string) => `/cb?code=${secret}&state=${secret}`],
    [
      'a password with spaces in a body',
      'correct horse "battery',
      (secret: string) => JSON.stringify({ password: secret }),
    ],
    [
      'a password in JSON within JSON',
      'correct horse',
      (secret: string) => JSON.stringify({ body: JSON.stringify({ password: secret, x: 1 }) }),
    ],
  ])('never holds %s', (_what, secret, sentence) => {
    const asMessage = logged((logger) => logger.info(sentence(secret)))
    const asError = logged((logger) => logger.error({ err: new Error(sentence(secret)) }, 'failed'))
    const asField = logged((logger) => logger.info({ deep: { note: [sentence(secret)] } }, 'field'))
    const found = JSON.stringify(secret).slice(1, -1)
    for (const text of [asMessage, asError, asField]) {
      expect(text).not.toContain(found)
      expect(() => JSON.parse(text)).not.toThrow()
    }
  })

  it.each(['password', 'client_secret', 'refresh_token', 'authorization', 'cookie', 'device_code', 'claim_token'])(
    'blanks the field %s',
    (field) => {
      const text = logged((logger) =>
        logger.info({ body: { [field]: 'swordfish"\\x', list: { [field]: ['swordfish', 1] } } }, 'field'),
      )
      expect(text).not.toContain('swordfish')
      expect(JSON.parse(text).body[field]).toBe('[redacted]')
    },
  )

  it('blanks the code of a sign-in and keeps the code of an error', () => {
    const lines = (code: string) => JSON.parse(logged((logger) => logger.error({ err: { code } }, 'failed'))).err.code
    expect(lines('Zq1')).toBe('[redacted]')
    expect(['ECONNREFUSED', '25006', 'store_unavailable'].map(lines)).toEqual([
      'ECONNREFUSED',
      '25006',
      'store_unavailable',
    ])
  })

  it('stays valid JSON, one line each', () => {
    const text = logged((logger) => logger.info({ note: 'a@b.example "quoted" \n next' }, 'Bearer abcdefgh'))
    expect(text.endsWith('\n')).toBe(true)
    expect(text.trim()).not.toContain('\n')
    expect(JSON.parse(text).level).toBe('info')
  })

  it('is bounded, whatever is logged', () => {
    const list = Array.from({ length: 50_000 }, (_, i) => ({ id: i, text: 'word '.repeat(20) }))
    const names = Object.fromEntries(list.map(({ id }) => [`name ${id}`, id]))
    let deep: object = {}
    for (let i = 0; i < 50; i++) deep = { deep, text: 'word '.repeat(500) }
    for (const fields of [{ list }, { names }, { deep }, { text: 'x'.repeat(1_000_000) }]) {
      const line = logged((logger) => logger.info({ request_id: 'req_1', ...fields }, 'long'))
      expect(line.length).toBeLessThanOrEqual(8192)
      expect(JSON.parse(line)).toMatchObject({ level: 'info', request_id: 'req_1', msg: 'long' })
    }
  })

  it('is written at once, also for a text made to be slow to look through', () => {
    const pieces = [
      '%40',
      '@',
      'a@',
      'b.',
      'a@b.',
      'a',
      'aB',
      'a-',
      '\\',
      '"',
      '"password":"',
      'bearer ',
      'code=',
      'postgres://a:',
      ' ',
      'eyJ',
      '%',
    ]
    for (const piece of pieces) {
      for (const text of [piece.repeat(8000 / piece.length), `a@${piece.repeat(7900 / piece.length)}`]) {
        expect(JSON.parse(logged((logger) => logger.info(text))).level).toBe('info')
      }
    }
  })

  it('leaves ordinary fields, ids, paths and names of functions alone', () => {
    const fields = {
      request_id: newId('req'),
      organisation_id: newId('org'),
      status: 200,
      route: '/v1/organisation/applications/:id',
      applied: ['0008_organisation_resources'],
      reference: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
      stack:
        'at processTicksAndRejections (node:internal/process/task_queues:105:5)\n at /srv/node_modules/disposable-email-domains-js/x.ts:1:2',
    }
    const line = JSON.parse(logged((logger) => logger.info(fields, 'request')))
    expect(line).toMatchObject({ ...fields, msg: 'request' })
  })

  it('never holds a key that was made just now', () => {
    const key = newApiKey()
    expect(logged((logger) => logger.info(`key ${key} refused`))).not.toContain(key)
  })
})

describe('a readable log', () => {
  it('has a line of text for each entry, the stack of an error below it, and nothing that controls a terminal', () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'info', readable: true, out: { write: (line) => lines.push(line) } })
    logger.warn({ port: 8080, reason: '\u001b[2J\u009b2J\n' }, 'a port\nis taken')
    logger.error({ err: new Error('no \u001b[31mroom') }, 'not ready')
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d WARN a port\\nis taken port=8080 reason="\\u001b\[2J2J\\n"\n$/)
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d ERROR not ready\n {4}Error: no \[31mroom\n {8}at /)
  })
})
