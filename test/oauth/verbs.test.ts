import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteFile } from '../../src/db/open.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { assayd } from '../support/process.ts'

describe('assayd client, user and oauth', () => {
  const folder = migratedFolder('verbs')
  const env = { ASSAY_DATA_DIR: folder }
  let org = ''

  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
  async function json(...args: string[]): Promise<any> {
    const result = await assayd([...args, '--json'], env)
    expect(result.code, result.stderr).toBe(0)
    return JSON.parse(result.stdout)
  }
  const create = (kind: string, ...more: string[]) =>
    json('client', 'create', '--org', org, '--kind', kind, '--name', `A ${kind}`, ...more)

  beforeAll(async () => {
    org = (await json('org', 'create', '--name', 'Acme', '--plan', 'growth')).organisation_id
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('give a secret once to confidential clients, and never to public ones', async () => {
    const service = await create('service', '--scope', 'risk:payment')
    expect(service).toMatchObject({ kind: 'service', scope: 'risk:payment', authentication: 'client_secret' })
    expect(service.client_secret).toMatch(/^acs_/)
    const web = await create(
      'web',
      '--scope',
      'openid',
      '--redirect-uri',
      'https://a.example/b',
      '--redirect-uri',
      'https://a.example/c',
    )
    expect(web.client_secret).toMatch(/^acs_/)
    expect(web.redirect_uris).toEqual(['https://a.example/b', 'https://a.example/c'])
    for (const [kind, ...more] of [['spa', '--redirect-uri', 'https://a.example/b'], ['native']] as const) {
      const made = await create(kind, '--scope', 'openid', ...more)
      expect(made).not.toHaveProperty('client_secret')
      expect(made.authentication).toBe('none')
      const rotated = await assayd(['client', 'rotate-secret', made.client_id], env)
      expect([rotated.code, rotated.stderr]).toEqual([1, expect.stringContaining('has no secret')])
    }
    const listed = await json('client', 'list', '--org', org)
    expect(listed).toHaveLength(4)
    expect(JSON.stringify(listed)).not.toContain('acs_')
    expect(JSON.stringify(await json('client', 'show', service.client_id))).not.toContain('acs_')
    const rotated = await json('client', 'rotate-secret', '--client', service.client_id)
    expect(rotated.client_secret).not.toBe(service.client_secret)
    expect(Date.parse(rotated.former_secret_expires_at) - Date.now()).toBeGreaterThan(86_000_000)
    expect((await json('client', 'end-former-secret', service.client_id)).former_secret_expires_at).toBeNull()
    const again = await assayd(['client', 'end-former-secret', service.client_id], env)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('no valid former secret')])
    const atOnce = await json('client', 'rotate-secret', service.client_id, '--grace-hours', '0')
    expect(atOnce.former_secret_expires_at).toBeNull()
    const leaked = await assayd(['client', 'rotate-secret', service.client_id, '--end-tokens'], env)
    expect([leaked.code, leaked.stdout]).toEqual([0, expect.stringContaining('access and refresh tokens have ended')])
  })

  it('disable, enable and delete a client', async () => {
    const { client_id } = await create('service', '--scope', 'risk:payment')
    expect((await json('client', 'disable', client_id)).state).toBe('disabled')
    expect((await json('client', 'enable', client_id)).state).toBe('active')
    expect(await json('client', 'delete', client_id)).toEqual({ client_id, deleted: true })
    for (const name of ['show', 'disable', 'enable', 'delete', 'rotate-secret']) {
      const gone = await assayd(['client', name, client_id], env)
      expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('There is no such application')])
    }
  })

  it('say everything that is wrong with a registration', async () => {
    const result = await assayd(
      [
        'client',
        'create',
        '--org',
        org,
        '--kind',
        'web',
        '--name',
        'X',
        '--scope',
        'billing:read what',
        '--redirect-uri',
        'ftp://x',
      ],
      env,
    )
    expect(result.code).toBe(1)
    for (const part of ['may not have billing:read', '"what" is not a scope', 'ftp://x', 'Scopes of a web client']) {
      expect(result.stderr).toContain(part)
    }
    const unknown = await assayd(
      ['client', 'create', '--org', 'org_x', '--kind', 'service', '--name', 'X', '--scope', 'risk:payment'],
      env,
    )
    expect(unknown.stderr).toContain('There is no organisation')
  })

  it('take a public key set from a file', async () => {
    const file = join(folder, 'jwks.json')
    writeFileSync(file, JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] }))
    const made = await create('service', '--scope', 'risk:payment', '--jwks', file)
    expect(made.authentication).toBe('private_key_jwt')
    expect(made).not.toHaveProperty('client_secret')
    const missing = await assayd(
      [
        'client',
        'create',
        '--org',
        org,
        '--kind',
        'service',
        '--name',
        'X',
        '--scope',
        'risk:payment',
        '--jwks',
        join(folder, 'none'),
      ],
      env,
    )
    expect(missing.stderr).toContain('--jwks')
  })

  it('make people with a password shown once, and give them new ones', async () => {
    const made = await json(
      'user',
      'create',
      '--email',
      'Ann@Example.com',
      '--name',
      'Ann',
      '--org',
      org,
      '--role',
      'owner',
    )
    expect(made).toMatchObject({ email: 'ann@example.com', organisations: [{ id: org, role: 'owner' }] })
    expect(made.password).toMatch(/^[0-9A-Za-z]{20}$/)
    const reset = await json('user', 'reset-password', '--email', 'ann@example.com')
    expect(reset.password).not.toBe(made.password)
    expect(JSON.stringify(await json('user', 'list'))).not.toContain('password')
    const twice = await assayd(['user', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--org', org], env)
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('already')])
  })

  it('link the pages of an application, and take a link away', async () => {
    const made = await json(
      ...['client', 'create', '--org', org, '--kind', 'web', '--name', 'Linked', '--scope', 'openid'],
      ...['--redirect-uri', 'https://app.example/callback', '--policy-uri', 'https://app.example/privacy'],
    )
    expect(made).toMatchObject({ policy_uri: 'https://app.example/privacy', terms_uri: null })
    const link = (...args: string[]) => json('client', 'set-links', '--client', made.client_id, ...args)
    expect(await link('--terms-uri', 'https://app.example/terms')).toMatchObject({
      policy_uri: 'https://app.example/privacy',
      terms_uri: 'https://app.example/terms',
    })
    expect(await link('--policy-uri', '')).toMatchObject({ policy_uri: null, terms_uri: 'https://app.example/terms' })
    for (const uri of ['http://app.example/terms', 'javascript:alert(1)', 'https://a:b@app.example/', 'terms']) {
      const refused = await assayd(['client', 'set-links', '--client', made.client_id, '--terms-uri', uri], env)
      expect([refused.code, refused.stderr], uri).toEqual([1, expect.stringMatching(/must|is not an address/)])
    }
  })

  it('revoke what a person let applications do', async () => {
    await json('user', 'create', '--email', 'cora@example.com', '--name', 'Cora', '--org', org)
    const none = { email: 'cora@example.com', withdrawn: [] }
    expect(await json('user', 'revoke-tokens', '--email', 'cora@example.com')).toEqual(none)
    const plain = await assayd(['user', 'revoke-tokens', '--email', 'cora@example.com', '--org', org], env)
    expect([plain.code, plain.stdout]).toEqual([0, expect.stringContaining('had no such consent')])
    const wrong = await assayd(['user', 'revoke-tokens', '--email', 'cora@example.com', '--org', 'org_none'], env)
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('There is no organisation')])
  })

  it('move people between organisations', async () => {
    const other = (await json('org', 'create', '--name', 'Other', '--plan', 'growth')).organisation_id
    await json('user', 'create', '--email', 'bob@example.com', '--name', 'Bob', '--org', org)
    const joined = await json('user', 'join', '--email', 'bob@example.com', '--org', other, '--role', 'viewer')
    expect(joined.organisations).toHaveLength(2)
    const left = await json('user', 'leave', '--email', 'bob@example.com', '--org', org)
    expect(left.organisations).toMatchObject([{ id: other, role: 'viewer' }])
    expect((await json('user', 'disable', '--email', 'bob@example.com')).state).toBe('disabled')
  })

  it('list people whose address an earlier version accepted, and disable one', async () => {
    expect((await assayd(['user', 'list', '--invalid-addresses'], env)).stdout).toContain('Every address is valid.')
    const { user_id } = await json('user', 'create', '--email', 'old@example.com', '--name', 'Old', '--org', org)
    const sql = await openSqlite({ file: sqliteFile(folder) })
    const older = 'update person set email = $2, address_problem = null where id = $1'
    await sql.query(older, [user_id, 'x,b5@victim.example'])
    await sql.close()
    const [listed, ...others] = await json('user', 'list', '--invalid-addresses')
    expect([listed, others]).toMatchObject([{ user_id, problem: expect.stringContaining('before the @') }, []])
    expect((await json('user', 'disable', '--email', 'x,b5@victim.example')).state).toBe('disabled')
  })

  it.each([
    [['user', 'create', '--email', 'nonsense', '--name', 'X', '--org', 'ORG'], 'The email address has no @.'],
    [['user', 'create', '--email', 'x,b5@victim.example', '--name', 'X', '--org', 'ORG'], 'not allowed there'],
    [['user', 'create', '--email', 'x@example.com', '--name', 'X', '--org', 'ORG', '--role', 'king'], '--role'],
    [['user', 'reset-password', '--email', 'nobody@example.com'], 'There is no account'],
    [['client', 'show'], 'Name one client'],
  ])('refuse %j', async (args, message) => {
    const result = await assayd(
      args.map((arg) => (arg === 'ORG' ? org : arg)),
      env,
    )
    expect([result.code, result.stderr]).toEqual([1, expect.stringContaining(message)])
  })

  it('rotate the signing keys', async () => {
    const first = await json('oauth', 'rotate-keys')
    expect(first).toEqual({
      kid: expect.any(String),
      keys: [
        { kid: expect.any(String), alg: 'RS256' },
        { kid: expect.any(String), alg: 'ES256' },
      ],
      signs_at: expect.stringMatching(/Z$/),
      former_keys_retire_at: expect.stringMatching(/Z$/),
    })
    expect(Date.parse(first.signs_at) - Date.now()).toBeGreaterThan(86_000_000)
    const states = async () =>
      (await json('oauth', 'keys')).map((key: { alg: string; state: string }) => `${key.alg} ${key.state}`)
    expect(await states()).toEqual(['RS256 signing', 'ES256 signing', 'RS256 next', 'ES256 next'])
    const emergency = await json('oauth', 'rotate-keys', '--now')
    expect(emergency.kid).not.toBe(first.kid)
    expect(await states()).toEqual(['RS256 signing', 'ES256 signing'])
    expect((await json('oauth', 'keys'))[0]).toMatchObject({ kid: emergency.kid, retires_at: null })
    expect((await json('audit', 'list'))[0]).toMatchObject({ action: 'oauth.rotate_keys', actor_kind: 'operator' })
    const wrong = await assayd(['oauth', 'rotate-keys'], { ...env, ASSAY_SECRET: 'x'.repeat(40) })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('ASSAY_SECRET')
  })
})
