import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEngine, interruptible } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import { putMigrated } from '../support/migrated-folder.ts'
import { freePort } from '../support/ports.ts'
import { assayd, assaydProcess, type ServerProcess, startProcess } from '../support/process.ts'
import { startTestServer } from '../support/server.ts'
import { createPlace, describeRules, openPlace, RULE_ENGINES, type StorePlace } from '../support/stores.ts'

/** The operator's day: first start, verbs beside a running server, wrong settings, shutdown, logs and health. */

const folders: string[] = []
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-ops-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function check(url: string, apiKey: string, email = 'jane@company.example'): Promise<Response> {
  return fetch(`${url}/v1/payment-risk`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
}

describe.each(RULE_ENGINES)('an operator with %s', (engine) => {
  let env: Record<string, string>
  let place: StorePlace
  let remove: () => Promise<void>
  let server: ServerProcess

  beforeAll(async () => {
    const created = await createPlace(engine)
    remove = created.remove
    const folder = newFolder()
    place = created.place.engine === 'sqlite' ? { engine: 'sqlite', file: join(folder, 'assay.db') } : created.place
    env = { ASSAY_DATA_DIR: folder, ...(place.engine === 'postgres' ? { ASSAY_DATABASE_URL: place.url } : {}) }
    server = await startProcess(env)
  })
  afterAll(async () => {
    await server.kill('SIGKILL')
    await remove()
  })

  /** Callers are cached for 2 s, and whoever asks faster than the plan allows is told 429 in between. */
  const seesSoon = (apiKey: string, status: number) =>
    expect.poll(async () => (await check(server.url, apiKey)).status).toBe(status)

  const run = async (...args: string[]) => {
    const result = await assayd([...args, '--json'], env)
    expect(result.stderr).toBe('')
    expect(result.code).toBe(0)
    return JSON.parse(result.stdout)
  }

  it('gets a demo key on the first start that works at once', async () => {
    const answer = await check(server.url, server.demoKey ?? '')
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { charged: boolean }).charged).toBe(true)
  })

  it('makes, credits, disables, enables, deactivates and activates an organisation while the server runs', async () => {
    const made = await run('org', 'create', '--name', 'Acme', '--plan', 'prepaid', '--credit-pence', '100')
    expect(made).toMatchObject({ name: 'Acme', plan: 'prepaid', credit_pence: 100 })
    expect(made.api_key).toMatch(/^ask_/)
    const org = ['--org', made.organisation_id] as const
    expect((await check(server.url, made.api_key)).status).toBe(200)

    expect((await run('org', 'disable', ...org)).state).toBe('disabled')
    await seesSoon(made.api_key, 403)
    expect((await run('org', 'enable', ...org)).state).toBe('active')
    await seesSoon(made.api_key, 200)
    expect((await run('org', 'deactivate', ...org)).state).toBe('inactive')
    await seesSoon(made.api_key, 403)
    expect((await run('org', 'activate', ...org)).state).toBe('active')
    const before = (await run('org', 'show', ...org)).credit_pence
    const credited = await run('org', 'credit', ...org, '--pence', '50', '--reason', 'goodwill')
    expect(credited.credit_pence).toBe(before + 50)
    const listed = await run('org', 'list')
    expect(listed.map((row: { organisation_id: string }) => row.organisation_id)).toContain(made.organisation_id)
  })

  it('makes, lists, rotates and revokes keys, and never shows one twice', async () => {
    const { organisation_id: id } = await run('org', 'create', '--name', 'Keys', '--plan', 'growth')
    const key = await run(
      'key',
      'create',
      '--org',
      id,
      '--name',
      'ci',
      '--scope',
      'risk:payment',
      '--expires-days',
      '7',
    )
    expect(key).toMatchObject({ name: 'ci', scopes: ['risk:payment'] })
    expect((await check(server.url, key.api_key)).status).toBe(200)
    const rotated = await run('key', 'rotate', '--key', key.api_key_id, '--grace-hours', '1')
    expect((await check(server.url, rotated.api_key)).status).toBe(200)
    expect((await check(server.url, key.api_key)).status).toBe(200)
    await run('key', 'revoke', '--key', rotated.api_key_id)
    await seesSoon(rotated.api_key, 401)
    const listed = JSON.stringify(await run('key', 'list', '--org', id))
    expect(listed).not.toContain(key.api_key)
    expect(listed).not.toContain(rotated.api_key)
  })

  it('lists the plans and verifies the ledger', async () => {
    const plans = await run('plan', 'list')
    expect(plans.map((plan: { id: string }) => plan.id)).toEqual(
      expect.arrayContaining(['free', 'prepaid', 'growth', 'enterprise']),
    )
    expect(await run('ledger', 'verify')).toMatchObject({ clean: true })
    expect(await run('migrate')).toMatchObject({ engine, applied: [] })
  })

  it('is told the first differing entry, with a non-zero exit, when the ledger does not add up', async () => {
    const { organisation_id: id } = await run(
      'org',
      'create',
      '--name',
      'Forged',
      '--plan',
      'prepaid',
      '--credit-pence',
      '100',
    )
    const sql = await openPlace(place)
    await sql.query('update billing_account set prepaid_pence = prepaid_pence + 1 where organisation_id = $1', [id])
    const result = await assayd(['ledger', 'verify'], env)
    expect(result.code).not.toBe(0)
    expect(result.stdout).toContain(id)
    await sql.query('update billing_account set prepaid_pence = prepaid_pence - 1 where organisation_id = $1', [id])
    await sql.close()
    expect(await run('ledger', 'verify')).toMatchObject({ clean: true })
  })

  it('anchors the ledger, is told which entry was edited, and may accept a restore', async () => {
    const { organisation_id: id } = await run('org', 'create', '--name', 'Edited', '--plan', 'growth')
    const { number } = await run('ledger', 'anchor')
    expect(await run('ledger', 'verify')).toMatchObject({ clean: true, anchors: number })
    const sql = await openPlace(place)
    await sql.query(`update audit_chain set hash = 'x' where organisation_id = $1`, [id])
    const edited = await assayd(['ledger', 'verify'], env)
    expect(edited.code).toBe(2)
    expect(edited.stdout).toContain(`\n  the audit log of ${id}: the head is not the hash of the last entry, 2: `)
    await sql.query(
      `update audit_chain set hash = (select hash from audit_entry e where e.organisation_id = $1 and e.seq = 2)
       where organisation_id = $1`,
      [id],
    )
    await sql.query('delete from anchor_head where number = $1', [number])
    await sql.query('delete from anchor where number = $1', [number])
    await sql.close()
    const restored = await assayd(['ledger', 'verify'], env)
    expect(restored.code).toBe(2)
    expect(restored.stdout).toContain(
      'If you restored a backup yourself, accept it: assayd ledger verify --accept-restore',
    )
    expect(await run('ledger', 'verify', '--accept-restore')).toMatchObject({ clean: true, anchors: number - 1 })
    expect(await run('ledger', 'verify')).toMatchObject({ clean: true })
  })

  it.each([
    [['org', 'create', '--name', 'X', '--plan', 'gold'], /no plan "gold".*free/s],
    [['org', 'create', '--name', ' ', '--plan', 'free'], /name is empty/],
    [['org', 'create', '--name', 'X', '--plan', 'free', '--credit-pence', '-5'], /whole number/],
    [['org', 'create', '--name', 'X', '--plan', 'free', '--credit-pence', '1.5'], /whole number/],
    [['org', 'create', '--plan', 'free'], /--name/],
    [['org', 'show', '--org', 'org_none'], /no organisation org_none/],
    [['org', 'credit', '--org', 'org_none', '--pence', '5', '--reason', 'x'], /no organisation org_none/],
    [['org', 'credit', '--org', 'org_none', '--pence', '0', '--reason', 'x'], /whole number/],
    [['key', 'create', '--org', 'org_none'], /no organisation/],
    [['key', 'rotate', '--key', 'key_none'], /no such key/],
    [['key', 'revoke', '--key', 'key_none'], /no such key/],
    [['fly'], /unknown command/],
  ])('is told in one line what is wrong with %j', async (args, message) => {
    const result = await assayd(args, env)
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/\s+at .*\.ts/)
  })
})

describe.runIf(process.platform !== 'win32')('one node, from its start to SIGTERM', () => {
  const folder = newFolder()
  const env = { ASSAY_DATA_DIR: folder }
  let server: ServerProcess
  let metricsPort: number

  beforeAll(async () => {
    putMigrated(folder)
    writeFileSync(join(folder, 'secret'), `${'0123456789abcdefghij'.repeat(2)}\n`)
    for (const name of ['.', 'assay.db', 'secret']) chmodSync(join(folder, name), 0o755)
    metricsPort = await freePort()
    server = await startProcess({
      ...env,
      LOG_LEVEL: 'warn',
      ASSAY_METRICS_PORT: String(metricsPort),
      ASSAY_SHUTDOWN_GRACE_MS: '60000',
    })
    expect((await check(server.url, server.demoKey ?? '')).status).toBe(200)
  })
  afterAll(() => server.kill('SIGKILL'))

  it('writes what only its owner can read, also in a folder that was open to others', async () => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(found).toEqual(expect.arrayContaining(['assay.db', 'assay.db-wal', 'assay.db-shm', 'secret', 'snapshots']))
    for (const name of ['.', ...found]) {
      // The journal of a lock may be gone since it was listed.
      const now = statSync(join(folder, name), { throwIfNoEntry: false })
      if (now) expect([name, now.mode & 0o777]).toEqual([name, now.isDirectory() ? 0o700 : 0o600])
    }
    expect(server.output().match(/other users could read/g)).toHaveLength(1)
    const backup = join(newFolder(), 'copy.assay')
    expect((await assaydProcess(['backup', '--to', backup], env)).code).toBe(0)
    expect(statSync(backup).mode & 0o777).toBe(0o600)
  })

  it('has metrics on a port of their own, which count requests and charges', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(metrics).toMatch(/assay_http_request_seconds_count\{[^}]*route="\/v1\/payment-risk"[^}]*\} 1/)
    expect(metrics).toMatch(/assay_charged_units_total\{outcome="credit"\} 1/)
    expect(metrics).toMatch(/assay_snapshot_age_seconds \d/)
    expect(metrics).toMatch(/^assay_ready 1$/m)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
  })

  it('lets requests under way finish at SIGTERM, commits their charge, and ends with 0', async () => {
    const domains = Array.from({ length: 2000 }, (_, i) => `supplier-${i}.example`)
    const bulk = request(`${server.url}/v1/supply-chain-risk/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': server.demoKey, 'content-type': 'application/json', expect: '100-continue' },
    })
    const answered = once(bulk, 'response') as Promise<[IncomingMessage]>
    bulk.flushHeaders()
    // The server says so when it begins with the request: from then on it is under way.
    await once(bulk, 'continue')
    // A terminal or a supervisor may say it twice.
    server.signal('SIGINT')
    const ended = server.kill('SIGTERM')
    bulk.end(JSON.stringify({ domains }))
    const [answer] = await answered
    expect(answer.statusCode).toBe(200)
    expect(JSON.parse(await text(answer)).results).toHaveLength(2000)
    expect(await ended).toBe(0)
    const sql = await openPlace({ engine: 'sqlite', file: join(folder, 'assay.db') })
    expect(await sql.query(`select units from ledger_entry where kind = 'charge' order by seq`)).toEqual([
      { units: 1 },
      { units: 2000 },
    ])
    await sql.close()
  })
})

describe('a wrong setting', () => {
  // Each is a process of its own.
  const settings: readonly [Record<string, string>, RegExp][] = [
    [{ ASSAY_DATABASE_URL: 'postgres://127.0.0.1:1/none' }, /127\.0\.0\.1|connect|reach/],
    [{ ASSAY_PLANS_FILE: '/nonexistent/plans.json' }, /plans\.json/],
    [{ NODE_ENV: 'production' }, /ASSAY_SECRET.*\n.*ASSAY_BASE_URL/],
    [
      {
        NODE_ENV: 'production',
        ASSAY_BASE_URL: 'https://assay.example',
        ASSAY_SECRET: 'a secret of an earlier version, guessable',
      },
      /ASSAY_SECRET: the value contains "secret".*assayd secret rotate/,
    ],
    [{ ASSAY_METRICS_HOST: '203.0.113.1', ASSAY_METRICS_PORT: '0' }, /ASSAY_METRICS_HOST: port 0 of 203\.0\.113\.1/],
  ]
  it.each(FULL ? settings : settings.slice(0, 1))('%j stops the start with a sentence', async (settings, message) => {
    const result = await assaydProcess(['serve'], {
      ASSAY_DATA_DIR: newFolder(),
      ASSAY_METRICS_PORT: 'off',
      PORT: '0',
      ...settings,
    })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/\s+at .*\.ts/)
  })

  it('is found in a .env file too, and the environment wins over it', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, '.env'), 'PORT=x\n')
    const refused = await assaydProcess(['plan', 'list'], { ASSAY_DATA_DIR: folder }, folder)
    expect(refused.stderr).toMatch(/PORT: "x" is not a whole number.*Example: PORT=8080/)
    expect((await assaydProcess(['plan', 'list'], { ASSAY_DATA_DIR: folder, PORT: '8080' }, folder)).code).toBe(0)
  })
})

describe('every verb', () => {
  it.each([
    ['serve'],
    ['migrate'],
    ['engine'],
    ['org', 'create'],
    ['org', 'list'],
    ['key', 'create'],
    ['plan', 'list'],
    ['ledger', 'verify'],
  ])('%s %s has --help and --json', async (...verb) => {
    const { stdout, code } = await assayd([...verb, '--help'], {})
    expect(code).toBe(0)
    expect(stdout).toContain('--json')
  })
})

describeRules('shutdown inside the process', (open) => {
  it('answers 503 shutting_down to new requests while one under way is answered and charged', async () => {
    const engine = interruptible(createTestEngine())
    const server = await startTestServer({ sql: await open(), engine })
    const { id, apiKey } = await server.organisation({ creditPence: 100 })
    const held = engine.hold()
    const pending = server.post('/v1/payment-risk', { email: 'jane@company.example' }, apiKey)
    await held.reached
    const drained = server.app.drain(60_000)
    const refused = await server.post('/v1/payment-risk', { email: 'jane@company.example' }, apiKey)
    expect(refused).toMatchObject({ status: 503, json: { code: 'shutting_down' } })
    expect((await server.send('/readyz')).json.parts[0]).toMatchObject({ part: 'server', ready: false })
    expect((await server.send('/livez')).status).toBe(200)
    held.release()
    expect((await pending).status).toBe(200)
    await drained
    expect((await server.accounts.read(id)).prepaidPence).toBe(97)
    await server.close()
  })
})

describeRules('a caller who hangs up', (open) => {
  it('does not hold up the shutdown', async () => {
    const engine = interruptible(createTestEngine())
    const server = await startTestServer({ sql: await open(), engine })
    const { apiKey } = await server.organisation()
    const held = engine.hold()
    const hangUp = new AbortController()
    const pending = server.send('/v1/payment-risk', {
      method: 'POST',
      body: '{"email":"jane@company.example"}',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      signal: hangUp.signal,
    })
    await held.reached
    hangUp.abort()
    await expect(pending).rejects.toThrow()
    // Without a bound on the wait: it must end because nobody is waiting, not because time is up.
    await server.app.drain(2 ** 31 - 1)
    held.release()
    await server.close()
  })
})

describeRules('logs and health', (open) => {
  it('never log a secret of any form, wherever it stands and whatever goes wrong', async () => {
    const lines: string[] = []
    const engine = interruptible(createTestEngine())
    const server = await startTestServer({
      sql: await open(),
      engine,
      oauth: true,
      log: { write: (line) => lines.push(line) },
    })
    const { apiKey } = await server.organisation()
    const email = 'very.private.person@secret-company.example'
    const secrets = [
      apiKey,
      email,
      'tok_0123456789abcdefghijklmnop',
      `acs_${'k3Jx9Qw7Lm'.repeat(5).slice(0, 43)}`,
      'Zq3_xV-8kLm2Np5Rt7Wy9Bc1Df4Gh6Jk0MsQvXzAeUi',
      'eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl-_c2lnbmF0dXJl',
      'sk_live_51NxQw7Lm3JtP9zVbYc8',
      'whsec_Zm9vYmFyYmF6cXV4cXV1eGNvcmdl',
      'inv_Ab3Cd5Ef7Gh9Ij1Kl3Mn.Qr5St7Uv9Wx1Yz3Ab5Cd7Ef9Gh1Ij3K',
      'WDJB-MJHT',
    ]
    for (const secret of secrets) {
      const sent = encodeURIComponent(secret)
      const body = { email: secret }
      await server.post('/v1/payment-risk', body, apiKey)
      await server.post(`/v1/payment-risk?email=${sent}&access_token=${sent}&code=${sent}`, body, apiKey)
      await server.post('/v1/payment-risk', `{"email":"${secret}"`, apiKey)
      await server.post('/v1/payment-risk', { [secret]: 1 }, apiKey)
      await server.post('/v1/payment-risk', body, undefined, { authorization: `Bearer ${secret}` })
      await server.post('/v1/payment-risk', body, secret, {
        cookie: `assay_session=${secret}`,
        'idempotency-key': secret,
      })
      await server.post(`/${sent}/${sent}%`, body, apiKey)
      await server.send(`/v1/organisation/keys/${sent}`, { headers: { 'x-api-key': apiKey } })
      await server.send(`/oauth/authorize?client_id=${sent}&state=${sent}&code=${sent}`)
      await server.post('/oauth/token', `grant_type=refresh_token&refresh_token=${sent}`, undefined, {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
      })
      engine.down = true
      await server.post('/v1/payment-risk', { email }, apiKey)
      engine.down = false
      server.app.http.log.error({ err: new Error(`${secret} is not right`) }, `about ${secret}`)
    }
    await server.close()
    const log = lines.join('')
    expect(lines.length).toBeGreaterThanOrEqual(7 * secrets.length)
    for (const secret of [...secrets, 'very.private']) {
      expect(log).not.toContain(secret)
      expect(log).not.toContain(encodeURIComponent(secret))
      expect(log).not.toContain(Buffer.from(`x:${secret}`).toString('base64'))
    }
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(8192)
  })

  it('say which part is not ready', async () => {
    const engine = interruptible(createTestEngine())
    const server = await startTestServer({ sql: await open(), engine })
    expect(await server.send('/readyz')).toMatchObject({ status: 200, json: { status: 'ready' } })
    engine.down = true
    const { status, json } = await server.send('/readyz')
    expect(status).toBe(503)
    expect(json.parts.find((part: { part: string }) => part.part === 'engine')).toMatchObject({ ready: false })
    await server.close()
  })
})

describe('a machine whose clock is wrong', () => {
  it.runIf(FULL)(
    "goes by the database's clock, says by how much its own is wrong, and has it among its metrics",
    async () => {
      const { place, remove } = await createPlace('postgres')
      if (place.engine !== 'postgres') throw new Error('PostgreSQL was asked for')
      const port = await freePort()
      const server = await startProcess({
        ASSAY_DATA_DIR: newFolder(),
        ASSAY_DATABASE_URL: place.url,
        ASSAY_METRICS_PORT: String(port),
        LOG_LEVEL: 'warn',
        NODE_OPTIONS: '--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+7200000',
      })
      expect((await check(server.url, server.demoKey ?? '')).status).toBe(200)
      expect(server.output()).toMatch(/This machine's clock is 7\d{3} s ahead of the database's\. .*NTP/)
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(Math.round(Number(/^assay_clock_offset_seconds (.+)$/m.exec(metrics)?.[1]) / 60)).toBe(120)
      const sql = await openPlace(place)
      const [entry] = await sql.query<{ ago_ms: number }>(
        `select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) - max(created_at) as ago_ms from ledger_entry`,
      )
      // Neither two hours ago nor in two hours.
      expect(Math.abs(entry?.ago_ms ?? Number.NaN)).toBeLessThan(3_600_000)
      await sql.close()
      await server.kill('SIGTERM')
      await remove()
    },
  )
})

describe('a second server on the same port', () => {
  it.runIf(FULL)('says so in one line', async () => {
    // Not one the system picked: that it could give to another process as soon as this one has ended.
    const port = String(await freePort())
    const first = await startProcess({ ASSAY_DATA_DIR: newFolder(), PORT: port })
    const second = await assaydProcess(['serve'], {
      ASSAY_DATA_DIR: newFolder(),
      PORT: port,
      HOST: '127.0.0.1',
      ASSAY_METRICS_PORT: 'off',
    })
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`Port ${port} is taken`)
    await first.kill('SIGTERM')
    expect(await isClosed(Number(port))).toBe(true)
  })
})

function isClosed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', () => resolve(true))
  })
}
