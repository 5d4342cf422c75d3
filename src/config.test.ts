import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ENVIRONMENT_KEYS } from '../cli/src/context.ts'
import { runs } from '../test/support/runs.ts'
import { CONFIG_KEYS, ConfigError, configTable, parseConfig, refuseWeakSecret } from './config.ts'

const SECRET = 'q7Rz0vK2mXw9Tb4Ld8Yc1Hn5Gs3Fj6Pa'

function problemsOf(env: Record<string, string>): string {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('configuration', () => {
  it('works without any key', () => {
    const config = parseConfig({})
    expect(config.PORT).toBe(8080)
    expect(config.baseUrl).toBe('http://localhost:8080')
    expect(config.production).toBe(false)
    expect(config.ASSAY_DATABASE_URL).toBeUndefined()
  })

  it('works out the base address from the port, unless it is given', () => {
    expect(parseConfig({ PORT: '9000' }).baseUrl).toBe('http://localhost:9000')
    expect(parseConfig({ ASSAY_BASE_URL: 'https://risk.example.com/' }).baseUrl).toBe('https://risk.example.com')
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['ASSAY_BASE_URL', 'localhost:8080'],
    ['ASSAY_BASE_URL', 'https://user:pw@example.com'],
    ['ASSAY_DATABASE_URL', 'mysql://db'],
    ['ASSAY_SECRET', 'short'],
    ['ASSAY_TRUST_PROXY', 'maybe'],
    ['ASSAY_TRUST_PROXY', '1'],
    ['ASSAY_TRUST_PROXY', '1.2.3.4.5'],
    ['ASSAY_TRUST_PROXY', '10.0.0.0/33'],
    ['ASSAY_TRUST_PROXY', '10.0.0.0/8,,::1'],
    ['ASSAY_TRUST_PROXY', 'toString'],
    ['ASSAY_METRICS_PORT', '-1'],
    ['ASSAY_ENGINE_TIMEOUT_MS', '1.5'],
    ['ASSAY_SIGN_UP', 'maybe'],
    ['ASSAY_SIGN_UP_PLANS', 'free,,prepaid'],
    ['ASSAY_CREDIT_BEFORE_PAYMENT_PENCE', '-1'],
    ['ASSAY_CREDIT_BEFORE_PAYMENT_PENCE', '1000000001'],
    ['ASSAY_ISSUER_NAME', 'Two\\nLines'],
    ['ASSAY_ISSUER_NAME', 'x'.repeat(201)],
    ['ASSAY_ISSUER_ADDRESS', '\\n \\n'],
    ['ASSAY_PAYMENT_INSTRUCTIONS', 'a\u0007b'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'staging'],
  ])('a wrong %s stops the start and shows an example', (name, value) => {
    const message = problemsOf({ [name]: value })
    expect(message).toContain(`${name}:`)
    expect(message).toContain(`Example: ${name}=`)
  })

  it('reads the plans customers may choose as a list, or as all of them', () => {
    expect(parseConfig({}).ASSAY_SIGN_UP_PLANS).toBe('all')
    expect(parseConfig({ ASSAY_SIGN_UP_PLANS: 'all' }).ASSAY_SIGN_UP_PLANS).toBe('all')
    expect(parseConfig({ ASSAY_SIGN_UP_PLANS: 'free, prepaid' }).ASSAY_SIGN_UP_PLANS).toEqual(['free', 'prepaid'])
  })

  it('begins a new line of an address where the value says \\n or holds one', () => {
    const { ASSAY_ISSUER_ADDRESS } = parseConfig({ ASSAY_ISSUER_ADDRESS: ' 1 High Street\\nLondon \r\nEC1A 1AA ' })
    expect(ASSAY_ISSUER_ADDRESS).toBe('1 High Street\nLondon\nEC1A 1AA')
  })

  it('never shows the value of a secret key', () => {
    expect(problemsOf({ ASSAY_SECRET: 'hunter2' })).not.toContain('hunter2')
    expect(problemsOf({ ASSAY_DATABASE_URL: 'mysql://u:hunter2@db' })).not.toContain('hunter2')
  })

  it('takes the keys of feeds, of which any feed may name its own, and never shows one', () => {
    const env = { ASSAY_FEED_KEY_ABUSE_CH: 'hunter2', ASSAY_FEED_KEY_OWN: 'hunter3', ASSAY_FEED_KEY_EMPTY: '' }
    expect(parseConfig(env).feedKeys).toEqual({ ASSAY_FEED_KEY_ABUSE_CH: 'hunter2', ASSAY_FEED_KEY_OWN: 'hunter3' })
    const message = problemsOf({ ASSAY_FEED_KEY_ABUSE_CH: 'hunter 2', ASSAY_FEED_KEY_OWN: 'hunter\n3' })
    expect(message.split('\n')).toHaveLength(2)
    expect(message).not.toContain('hunter')
  })

  it('fetches feeds on every start that is no test', () => {
    expect(parseConfig({}).refreshFeeds).toBe(true)
    expect(parseConfig({ ASSAY_FEEDS_REFRESH: 'off' }).refreshFeeds).toBe(false)
    expect(parseConfig({ NODE_ENV: 'test' }).refreshFeeds).toBe(false)
  })

  it('names a misspelt key instead of ignoring it', () => {
    const unknown = (name: string) => problemsOf({ [name]: 'x' })
    expect(unknown('ASSAY_DATABSE_URL')).toBe('ASSAY_DATABSE_URL: is an unknown key. Did you mean ASSAY_DATABASE_URL?')
    expect(unknown('ASSAY_PORT')).toContain('Did you mean PORT?')
    expect(unknown('ASSAY_SMTP_URI')).toContain('Did you mean ASSAY_SMTP_URL?')
    expect(unknown('ASSAY_COLOUR')).toContain('is an unknown key. Known keys: NODE_ENV, PORT,')
  })

  it('leaves the keys of the command line alone', () => {
    expect(problemsOf(Object.fromEntries(ENVIRONMENT_KEYS.map((name) => [name, 'set'])))).toBe('')
    expect(problemsOf({ ASSAY_URLS: 'https://assay.example' })).toContain('ASSAY_URLS: is an unknown key')
  })

  it('names everything that is wrong at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n')).toHaveLength(2)
  })

  it('refuses production without a secret', () => {
    const message = problemsOf({ NODE_ENV: 'production', ASSAY_BASE_URL: 'https://a.example' })
    expect(message).toContain('ASSAY_SECRET: is missing')
  })

  it('refuses production without an https base address', () => {
    const missing = problemsOf({ NODE_ENV: 'production', ASSAY_SECRET: SECRET })
    const plain = problemsOf({ NODE_ENV: 'production', ASSAY_SECRET: SECRET, ASSAY_BASE_URL: 'http://a.example' })
    expect(missing).toContain('ASSAY_BASE_URL')
    expect(plain).toContain('ASSAY_BASE_URL')
  })

  describe('in production', () => {
    const production = (settings: Record<string, string>) =>
      problemsOf({ NODE_ENV: 'production', ASSAY_BASE_URL: 'https://a.example', ASSAY_SECRET: SECRET, ...settings })

    /** The warning of a server that starts with this secret. A verb must still accept the secret, or nobody could replace it. */
    const atStart = (secret: string) => {
      const config = parseConfig({ NODE_ENV: 'production', ASSAY_BASE_URL: 'https://a.example', ASSAY_SECRET: secret })
      try {
        refuseWeakSecret(config)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }

    it.each([
      ['one character', 'x'.repeat(64)],
      ['a repeated word', 'correct-horse'.repeat(4)],
      ['a repeated word, cut at the end', 'Tr0ub4dor&3'.repeat(4).slice(0, 40)],
      ['two characters', '0110100110010110100101100110100110010110'],
      ['a row of the alphabet', 'ABCDEFGHIJKLMNOPQRSTUVWXYZghijklmnopqrst'],
      ['the text of the table', 'the output of: openssl rand -base64 48'],
      ['a command that nobody ran', '$(openssl rand -base64 48)$(openssl rand -base64 48)'],
      ['an example', 'please-change-me-to-something-of-your-own'],
      ['the name of the key', 'my-ASSAY_SECRET-for-the-server-2026-11-15'],
    ])('refuses %s as a secret, says how to make one and does not show it', (_what, value) => {
      for (const name of ['ASSAY_SECRET', 'ASSAY_SECRET_NEW', 'ASSAY_ENGINE_TOKEN']) {
        const message = name === 'ASSAY_SECRET' ? atStart(value) : production({ [name]: value })
        expect(message).toContain(`${name}: the value `)
        expect(message).toContain(`${name}=$(openssl rand -base64 48)`)
        expect(message).not.toContain(value)
        expect(problemsOf({ [name]: value })).toBe('')
      }
    })

    it('says how to get away from a weak secret under which a database is sealed already', () => {
      expect(atStart('x'.repeat(64))).toContain('assayd secret rotate')
      expect(() => refuseWeakSecret(parseConfig({ ASSAY_SECRET: 'x'.repeat(64) }))).not.toThrow()
    })

    it('takes whatever the usual tools make', () => {
      for (let i = 0; i < runs(500); i++) {
        const made = (['base64', 'hex', 'base64url'] as const).map((form) => randomBytes(24 + (i % 40)).toString(form))
        for (const value of [...made, randomUUID()]) {
          expect(production({ ASSAY_ENGINE_TOKEN: value }) + atStart(value)).toBe('')
        }
      }
    })

    it('refuses to believe the X-Forwarded-For of anybody, and says why', () => {
      for (const value of ['true', '0.0.0.0/0', 'loopback, ::/0']) {
        expect(production({ ASSAY_TRUST_PROXY: value })).toMatch(/ASSAY_TRUST_PROXY.*anybody.*Example/)
        expect(problemsOf({ ASSAY_TRUST_PROXY: value })).toBe('')
      }
      expect(production({ ASSAY_TRUST_PROXY: 'private' })).toBe('')
    })
  })

  it('reads proxies as addresses, ranges or names of ranges', () => {
    const read = (text: string) => parseConfig({ ASSAY_TRUST_PROXY: text }).ASSAY_TRUST_PROXY
    expect(read('false')).toBe(false)
    expect(read('10.0.0.0/8, 2001:db8::1')).toEqual(['10.0.0.0/8', '2001:db8::1'])
    expect(read('private')).toEqual(read('loopback, linklocal, uniquelocal'))
    expect(read('loopback')).toEqual(['127.0.0.0/8', '::1/128'])
  })

  it('shows metrics to this machine alone, wherever the service listens', () => {
    expect(parseConfig({ HOST: '0.0.0.0' }).ASSAY_METRICS_HOST).toBe('127.0.0.1')
  })

  it('refuses an engine address without its token', () => {
    expect(problemsOf({ ASSAY_ENGINE_URL: 'http://engine:8090' })).toContain('ASSAY_ENGINE_TOKEN: is missing')
  })

  it('takes an empty value as not set', () => {
    expect(parseConfig({ PORT: '', ASSAY_SECRET: '' }).PORT).toBe(8080)
  })

  it('documents every key', () => {
    const table = configTable()
    for (const name of Object.keys(CONFIG_KEYS)) expect(table).toContain(`\`${name}\``)
  })
})
