import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { KEY_SCOPE_NAMES } from '../../src/access/scopes.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type FollowedRing, secretIdOf } from '../../src/db/ring.ts'
import type { Sql } from '../../src/db/sql.ts'
import { insertStoredResponses, keptAnswers, openAnswer, sealAnswer } from '../../src/db/stored-response.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { sha256Hex } from '../../src/lib/hashing.ts'
import { createRing, FIRST_KEY, type Ring } from '../../src/lib/seal.ts'
import { openRingWith } from '../../src/operator/ring.ts'
import { SEALED_COLUMNS } from '../../src/operator/secret.ts'
import { replaceSecret } from '../../src/operator/secret-file.ts'
import { answerPages, Browser } from '../oauth/support/browser.ts'
import { approveDevice, authorizeUrl, beginDevice, exchange, newVerifier, poll } from '../oauth/support/flow.ts'
import { newClient, newPerson, PASSWORD } from '../oauth/support/server.ts'
import { createTestEngine } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import { assayd, assaydProcess, MAIN } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { createPlace, openPlace, RULE_ENGINES } from '../support/stores.ts'

/**
 * The secret is replaced while nodes serve: from what version 1.0 left behind, through a rotation that is killed and
 * taken up again, to the end of the former secret. On SQLite the secret is in its file, on PostgreSQL it is configured.
 */

const FORMER = 'the former secret of this test, long enough'
/** Production takes no other kind as the new one. */
const NEXT = randomBytes(48).toString('base64')
/** Enough that a rotation can be killed in the middle of them. */
const KEPT_ROWS = 1500
/** As the servers of the tests call themselves. */
const ORIGIN = 'http://localhost:8080'

// Together: most of the time both wait until every node knows the new key.
it.concurrent.each(FULL ? RULE_ENGINES : [])('the secret is replaced while nodes serve, on %s', async (engine) => {
  const { place, remove } = await createPlace(engine)
  const folder = place.engine === 'sqlite' ? dirname(place.file) : mkdtempSync(join(tmpdir(), 'assay-secret-'))
  const inFile = engine === 'sqlite'
  const file = join(folder, 'secret')
  if (inFile) writeFileSync(file, FORMER, { mode: 0o600 })
  const base = {
    ASSAY_DATA_DIR: folder,
    ...(place.engine === 'postgres' ? { ASSAY_DATABASE_URL: place.url } : {}),
  }
  const formerEnv = inFile ? base : { ...base, ASSAY_SECRET: FORMER }
  // Rotation is the way from a secret that production refuses, so it must work there.
  const production = { NODE_ENV: 'production', ASSAY_BASE_URL: 'https://assay.example' }
  const rotateEnv = inFile ? base : { ...formerEnv, ...production, ASSAY_SECRET_NEW: NEXT }
  const closers: (() => Promise<void>)[] = []

  async function node(ring: (sql: Sql) => Promise<Ring | FollowedRing>): Promise<{ sql: Sql; server: TestServer }> {
    const sql = await openPlace(place)
    await migrate(sql)
    const made = await ring(sql)
    const server = await startTestServer({ sql, engine: createTestEngine(), oauth: true, ring: made })
    closers.push(async () => {
      await server.close()
      if ('close' in made) await made.close()
      await sql.close()
    })
    return { sql, server }
  }
  const followed = (secret: string) => (sql: Sql) =>
    openRingWith(secret, { sql, clock: systemClock, onTrouble: () => {} })
  const closeLast = async () => closers.pop()?.()

  try {
    // Version 1.0 sealed directly under its secret, and kept the answers of checks as they were.
    const directly = createRing([{ id: FIRST_KEY, material: Buffer.from(FORMER) }], FIRST_KEY)
    const old = await node(async () => directly)
    const { id, apiKey } = await old.server.organisation({ scopes: KEY_SCOPE_NAMES })
    const owner = await newPerson(old.sql, [{ id }], 'owner')
    const session = await signIn(old.server, owner.email)
    const person = await newPerson(old.sql, [{ id }])
    const cli = await newClient(old.sql, id, { kind: 'native', redirect_uris: [] })
    const web = await newClient(old.sql, id, { kind: 'web' })
    const device = (await beginDevice(old.server, cli)).json
    const browser = new Browser(ORIGIN, old.server.url)
    const { verifier, challenge } = newVerifier()
    const signInPage = (await browser.follow(authorizeUrl({ url: ORIGIN }, web, { challenge }))).location
    const makeKey = (server: TestServer) =>
      server.post('/v1/organisation/keys', { name: 'kept', scopes: ['billing:read'] }, apiKey, {
        'idempotency-key': 'make-key',
      })
    const madeKey = await makeKey(old.server)
    expect(madeKey.status, madeKey.text).toBe(201)
    const plain = {
      path: '/v1/payment-risk',
      body: '{"email":"plain@kept.example"}',
      answer: '{"kept":"by version 1.0"}',
    }
    await old.sql.query(
      'insert into stored_response (organisation_id, key, request_hash, status, body, created_at) values ($1, $2, $3, 200, $4, $5)',
      [id, 'plain', sha256Hex(`POST ${plain.path}\n${sha256Hex(plain.body)}`), plain.answer, Date.now()],
    )
    // The change was kept by this version: as the one before did it, the digest of the request stands beside the answer.
    await asVersion1(old.sql, directly, 'make-key')
    await closeLast()

    const a = await node(followed(FORMER))
    async function replaysEverything(server: TestServer): Promise<void> {
      expect((await server.post(plain.path, plain.body, apiKey, { 'idempotency-key': 'plain' })).text).toBe(
        plain.answer,
      )
      const again = await makeKey(server)
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([madeKey.text, 'true'])
    }
    await replaysEverything(a.server)

    const check = (server: TestServer, key: string, body: unknown = { emails: [`${key}@kept.example`] }) =>
      server.post('/v1/payment-risk/bulk', body, apiKey, { 'idempotency-key': key })
    const kept = new Map<string, string>()
    for (const key of ['one', 'two', 'three']) kept.set(key, (await check(a.server, key)).text)
    async function replaysChecks(server: TestServer): Promise<void> {
      for (const [key, text] of kept) {
        const answer = await check(server, key)
        expect([answer.text, answer.headers.get('idempotent-replayed')]).toEqual([text, 'true'])
        const other = await check(server, key, { emails: ['another@kept.example'] })
        expect(other.json.code).toBe('idempotency_key_reused')
      }
    }
    await replaysChecks(a.server)
    const ledger = (server: TestServer, cursor: string) =>
      server.send(`/v1/billing/ledger?limit=1${cursor}`, { headers: { 'x-api-key': apiKey } })
    const cursor: string = (await ledger(a.server, '')).json.next_cursor
    expect((await assayd(['ledger', 'anchor'], formerEnv)).stderr).toBe('')
    const formerRing = await followed(FORMER)(a.sql)
    await keepRows(a.sql, formerRing)
    await formerRing.close()

    // Somebody asks all the while, without taking all the time of the machine.
    let asking = true
    const statuses = new Set<number>()
    const busy = (async () => {
      for (let asked = 1; asking; asked++) {
        const answer = await check(a.server, `busy-${asked}`)
        statuses.add(answer.status)
        if (asked % 20 === 0) kept.set(`busy-${asked}`, answer.text)
        await delay(20)
      }
    })()

    // Killed right after it began, and killed again among the rows.
    await rotateUntil(rotateEnv, async (output) => output.includes('announced'))
    await rotateUntil(rotateEnv, async () => (await countUnder(a.sql, '2.')) > 0)
    const rotated = await assayd(['secret', 'rotate', '--json'], rotateEnv)
    expect(rotated.stderr).toBe('')
    asking = false
    await busy
    expect([...statuses]).toEqual([200])
    const secret = inFile ? readFileSync(file, 'utf8').trim() : NEXT
    expect(secret).not.toBe(FORMER)
    expect(JSON.parse(rotated.stdout)).toMatchObject({ secret: secretIdOf(secret), former: secretIdOf(FORMER) })
    if (inFile) {
      for (const name of ['secret', 'secret.former']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(folder, 'secret.former'), 'utf8')).toBe(FORMER)
    }
    expect(await underFormerKeys(a.sql)).toEqual([])
    if (!inFile) {
      const another = { ...formerEnv, ASSAY_SECRET_NEW: 'one more secret, while a rotation is under way' }
      expect((await assayd(['secret', 'rotate'], another)).stderr).toContain('Finish that one first')
      expect((await assayd(['secret', 'rotate'], { ...another, ...production })).stderr).toMatch(
        /^ASSAY_SECRET_NEW: the value contains "secret"/m,
      )
    }

    // One node with the former secret, one with the new one.
    const b = await node(followed(secret))
    for (const { server } of [a, b]) {
      await replaysEverything(server)
      await replaysChecks(server)
      expect((await ledger(server, `&cursor=${cursor}`)).status).toBe(200)
    }
    kept.set('by-a', (await check(a.server, 'by-a')).text)
    expect((await check(b.server, 'by-a')).text).toBe(kept.get('by-a'))
    expect(await underFormerKeys(a.sql)).toEqual([])
    // A session, its page's token, a sign-in under way and a device code, all of version 1.0.
    expect(await changeName(b.server, session)).toBe(200)
    browser.sendTo(b.server.url)
    const signedIn = await answerPages(browser, signInPage, { email: person.email, password: PASSWORD })
    const callback = new URL(signedIn.location).searchParams
    expect((await exchange(b.server, web, { callback, verifier })).json.id_token).toEqual(expect.any(String))
    const atDevice = new Browser(ORIGIN, a.server.url)
    await approveDevice(atDevice, device.user_code, person)
    expect((await poll(b.server, cli, device.device_code)).json.access_token).toEqual(expect.any(String))

    // The end of the former secret.
    const early = await assayd(['secret', 'rotate', '--finish'], { ...base, ASSAY_SECRET: FORMER })
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining(secretIdOf(secret))])
    const nextEnv = inFile ? base : { ...base, ASSAY_SECRET: secret }
    const finished = await assayd(['secret', 'rotate', '--finish', '--json'], nextEnv)
    expect([finished.code, finished.stderr]).toEqual([0, ''])
    expect(existsSync(join(folder, 'secret.former'))).toBe(false)
    const refused = await assaydProcess(['serve'], { ...base, ASSAY_SECRET: FORMER, PORT: '0' })
    expect([refused.code, refused.stderr + refused.stdout]).toEqual([1, expect.stringContaining(secretIdOf(secret))])
    const shown = await assayd(['secret', 'show', '--json'], { ...base, ASSAY_SECRET: FORMER })
    expect(JSON.parse(shown.stdout)).toMatchObject({ secret: secretIdOf(FORMER), opens: false, rotating: false })
    expect((await assayd(['secret', 'rotate', '--finish'], nextEnv)).stdout).toContain('nothing to finish')
    const audited = JSON.parse((await assayd(['audit', 'list', '--json'], nextEnv)).stdout) as { action: string }[]
    const steps = audited.map(({ action }) => action).filter((action) => action.startsWith('secret.'))
    expect(steps).toEqual(['secret.finish', 'secret.rotate'])

    const verified = await assayd(['ledger', 'verify'], nextEnv)
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    const c = await node(followed(secret))
    await replaysEverything(c.server)
    await replaysChecks(c.server)
    expect(await changeName(c.server, session)).toBe(403)
    expect((await ledger(c.server, `&cursor=${cursor}`)).status).toBe(422)
    expect(await c.sql.query('select id from sealing_key')).toEqual([{ id: 2 }])
    expect(await underFormerKeys(c.sql)).toEqual([])
  } finally {
    for (const close of closers.reverse()) await close()
    await remove()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A session of the console, as a browser holds it. */
async function signIn(server: TestServer, email: string): Promise<{ cookie: string; csrf: string }> {
  const answer = await server.post('/api/session', { email, password: PASSWORD })
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', csrf: answer.json.csrf }
}

/** Something that only a page of ours may do. */
async function changeName(server: TestServer, { cookie, csrf }: { cookie: string; csrf: string }): Promise<number> {
  const read = await server.send('/v1/organisation', { headers: { cookie } })
  const changed = await server.send('/v1/organisation', {
    method: 'PATCH',
    headers: {
      cookie,
      'x-csrf-token': csrf,
      'content-type': 'application/json',
      'if-match': read.headers.get('etag') ?? '',
    },
    body: JSON.stringify({ name: 'Another name' }),
  })
  return changed.status
}

/** Turns a change kept by this version into what version 1.0 kept. */
async function asVersion1(sql: Sql, ring: Ring, key: string): Promise<void> {
  const [row] = await sql.query<{ organisation_id: string; body: string }>(
    'select organisation_id, body from stored_response where key = $1',
    [key],
  )
  if (!row) throw new Error('nothing is kept')
  const organisationId = row.organisation_id
  const kept = await openAnswer(keptAnswers(ring), { organisationId, key, requestHash: '', body: row.body })
  const body = keptAnswers(ring).seal(kept.body, `answer ${organisationId} ${key}`)
  await sql.query('update stored_response set request_hash = $1, body = $2 where key = $3', [
    kept.requestHash,
    body,
    key,
  ])
}

async function keepRows(sql: Sql, ring: Ring): Promise<void> {
  const rows = Array.from({ length: KEPT_ROWS }, (_, i) => {
    const name = { organisationId: 'org_of_rows', key: `row-${i}` }
    const sealed = sealAnswer(keptAnswers(ring), name, { requestHash: 'x', before: '{"a":', after: '}' })
    return { ...name, requestHash: '', status: 200, body: `${sealed} 1`, createdAtMs: Date.now() }
  })
  await sql.transaction((tx) => insertStoredResponses(tx, rows))
}

async function countUnder(sql: Sql, prefix: string): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    'select count(*) as count from stored_response where substr(body, 1, 2) = $1',
    [prefix],
  )
  return rows[0]?.count ?? 0
}

/** Begins a rotation in a process of its own and kills it as soon as the condition holds. */
async function rotateUntil(env: Record<string, string>, isTime: (output: string) => Promise<boolean>): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'secret', 'rotate'], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const closed = once(child, 'close')
  await expect.poll(() => isTime(output), { interval: 5 }).toBe(true)
  child.kill('SIGKILL')
  await closed
}

/** Everything that is sealed under another key than the second, or not at all, wherever it stands. */
async function underFormerKeys(sql: Sql): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { table, column, where = '1 = 1' } of SEALED_COLUMNS) {
    found.push(
      ...(await sql.query(`select ${column} from ${table} where substr(${column}, 1, 2) <> '2.' and ${where}`)),
    )
  }
  const tables = await sql.query<{ name: string }>(
    sql.engine === 'sqlite'
      ? `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  for (const { name } of tables) {
    for (const row of await sql.query<Record<string, unknown>>(`select * from "${name}"`)) {
      // A column that nobody named for rotation would show here.
      const texts = Object.values(row).filter((value) => typeof value === 'string')
      if (texts.some((text) => /(^|["' ])1\.[\w-]{38,}/.test(text))) found.push({ table: name, row })
    }
  }
  return found
}

it('the former secret is kept as a copy for its owner alone, on any file system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-secret-'))
  const files = {
    secret: join(folder, 'secret'),
    next: join(folder, 'secret.new'),
    former: join(folder, 'secret.former'),
  }
  writeFileSync(files.secret, FORMER, { mode: 0o644 })
  writeFileSync(files.next, NEXT, { mode: 0o600 })
  writeFileSync(files.former, 'of a rotation before', { mode: 0o644 })
  const { ino } = statSync(files.secret)
  replaceSecret(files)
  expect([files.secret, files.former].map((file) => readFileSync(file, 'utf8'))).toEqual([NEXT, FORMER])
  // A link to the file would be the same file.
  expect(statSync(files.former).ino).not.toBe(ino)
  expect(statSync(files.former).mode & 0o777).toBe(0o600)
  expect(existsSync(files.next)).toBe(false)
  rmSync(folder, { recursive: true })
})

it('rotation knows every column that a part keeps sealed or signed', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url))
  const named = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(source, name), 'utf8').matchAll(
        /(?:: SealedColumn = \{\s+about: |= resealed\(|= sealedColumn\()'([^']+)'/g,
      ),
    ])
    .map(([, about]) => about)
  expect(named.sort()).toEqual(SEALED_COLUMNS.map(({ about }) => about).sort())
})
