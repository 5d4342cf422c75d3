import { describe, expect, it } from 'vitest'
import { newApiKey } from '../access/api-key.ts'
import { createLogger } from './logging.ts'

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  write(createLogger({ level: 'trace', out: { write: (line) => lines.push(line) } }))
  return lines.join('')
}

describe('the log', () => {
  const key = newApiKey()
  it.each([
    ['an API key in a message', key, (secret: string) => `key ${secret} refused`],
    ['a bearer token', 'b3JkZXIgNjY2', (secret: string) => `Authorization: Bearer ${secret}`],
    ['an email address', 'jane.doe+x@example.co.uk', (secret: string) => `no mailbox ${secret}`],
    ['an internationalised email address', '用户@例子.广告', (secret: string) => `no mailbox ${secret}`],
    ['a database password', 'hunter2!', (secret: string) => `postgres://assay:${secret}@db/assay is down`],
  ])('never holds %s', (_what, secret, sentence) => {
    const asMessage = logged((logger) => logger.info(sentence(secret)))
    const asError = logged((logger) => logger.error({ err: new Error(sentence(secret)) }, 'failed'))
    const asField = logged((logger) => logger.info({ deep: { note: [sentence(secret)] } }, 'field'))
    for (const text of [asMessage, asError, asField]) expect(text).not.toContain(secret)
  })

  it.each(['password', 'client_secret', 'refresh_token', 'authorization', 'cookie', 'device_code'])(
    'blanks the field %s',
    (field) => {
      const text = logged((logger) => logger.info({ body: { [field]: 'swordfish"\\x' } }, 'field'))
      expect(text).not.toContain('swordfish')
      expect(JSON.parse(text).body[field]).toBe('[redacted]')
    },
  )

  it('stays valid JSON, one line each', () => {
    const text = logged((logger) => logger.info({ note: 'a@b.example "quoted" \n next' }, 'Bearer abcdefgh'))
    expect(text.endsWith('\n')).toBe(true)
    expect(JSON.parse(text).level).toBe('info')
  })

  it('leaves ordinary fields alone', () => {
    const line = JSON.parse(logged((logger) => logger.info({ request_id: 'req_1', status: 200 }, 'request')))
    expect(line).toMatchObject({ request_id: 'req_1', status: 200, msg: 'request' })
  })
})
