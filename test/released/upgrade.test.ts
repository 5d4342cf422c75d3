import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPlans } from '../../src/billing/plans.ts'
import { readMigrations } from '../../src/db/migrate.ts'
import { openRing } from '../../src/db/ring.ts'
import type { Sql } from '../../src/db/sql.ts'
import { MINUTE_MS } from '../../src/lib/clock.ts'
import { opensSigningKeys } from '../../src/oauth/keys.ts'
import { hashAtRealCost } from '../support/cheap-passwords.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { API_OPERATIONS } from '../support/openapi.ts'
import { assayd } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type CreatedPlace, createPlace, openPlace, RULE_ENGINES } from '../support/stores.ts'
import { handedOut, putReleased } from './dumps.ts'

/** Databases as customers of 1.0.0 have them, brought up to date by this version and used with what they handed out. */

const ROUTES = API_OPERATIONS.filter(({ method }) => method === 'GET').map(({ path }) => path)
const NEW = readMigrations().length - 11

// The released database has passwords of a real server.
beforeAll(() => hashAtRealCost(true))
afterAll(() => hashAtRealCost(false))

describe.each(RULE_ENGINES)('a database of 1.0.0 on %s', (engine) => {
  const handed = handedOut(engine)
  const clock = new ManualClock(Date.parse(handed.madeAt) + MINUTE_MS)
  const spare = mkdtempSync(join(tmpdir(), 'assay-released-'))
  let created: CreatedPlace
  let env: Record<string, string>
  let sql: Sql
  let server: TestServer
  const run = (...args: string[]) => assayd(args, env)
  const withKey = (path: string, apiKey: string) => server.send(path, { headers: { 'x-api-key': apiKey } })
  const check = (apiKey: string, headers: Record<string, string> = {}) =>
    server.post('/v1/payment-risk', { email: 'jane@company.example' }, apiKey, headers)
  const tokenFor = (client: { clientId: string; clientSecret: string }, form: Record<string, string>) =>
    server.send('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ client_id: client.clientId, client_secret: client.clientSecret, ...form }),
    })

  beforeAll(async () => {
    created = await createPlace(engine)
    const { place } = created
    await putReleased(place)
    env =
      place.engine === 'sqlite'
        ? { ASSAY_DATA_DIR: dirname(place.file), ASSAY_SECRET: handed.secret }
        : { ASSAY_DATA_DIR: spare, ASSAY_DATABASE_URL: place.url, ASSAY_SECRET: handed.secret }
  })
  afterAll(async () => {
    await server?.close()
    await sql?.close()
    await created.remove()
    rmSync(spare, { recursive: true, force: true })
  })

  it('is refused by verbs, which say how many migrations it lacks and what to do', async () => {
    for (const verb of ['org list', 'ledger verify', 'secret show', 'feeds list']) {
      const refused = await run(...verb.split(' '))
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toContain(`lacks ${NEW} migrations of Assay `)
      expect(refused.stderr).toContain('`assayd migrate`')
    }
    const foretold = JSON.parse((await run('migrate', '--dry-run', '--json')).stdout)
    expect([foretold.applied.length, foretold.missing.length]).toEqual([11, NEW])
  })

  it('is backed up by this version before the upgrade, and the copy proves that it can be migrated', async () => {
    const file = join(spare, 'before.assay')
    expect((await run('backup', '--to', file)).stderr).toBe('')
    const verified = await run('backup', 'verify', '--from', file, '--json')
    expect(verified.stderr).toBe('')
    const report = JSON.parse(verified.stdout)
    expect(report).toMatchObject({ secrets: null, ledger: { clean: true } })
    expect(report.migrated).toHaveLength(NEW)
    const elsewhere = { ASSAY_DATA_DIR: join(spare, 'restored') }
    expect((await assayd(['restore', '--from', file], elsewhere)).stdout).toContain(`lacks ${NEW} migrations`)
    expect((await assayd(['migrate'], elsewhere)).stderr).toBe('')
    expect((await assayd(['ledger', 'verify'], elsewhere)).stdout).toContain('The ledger adds up')
  })

  it('is migrated by `assayd migrate`, and its ledger adds up', async () => {
    const migrated = JSON.parse((await run('migrate', '--json')).stdout)
    expect(migrated.applied).toHaveLength(NEW)
    expect(await run('ledger', 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('adds up') })
    sql = await openPlace(created.place)
    const ring = await openRing({ sql, clock, secret: handed.secret, sealedBefore: opensSigningKeys })
    const engineOfTests = createTestEngine()
    server = await startTestServer({ sql, engine: engineOfTests, clock, ring, plans: loadPlans(), oauth: true })
  })

  it('answers every route that reads, for the key of every organisation', async () => {
    const { apiKey } = handed.everything
    const idOf = async (list: string) => (await withKey(list, apiKey)).json.data[0].id as string
    const ids: Record<string, string> = {
      invoice_id: await idOf('/v1/billing/invoices'),
      member_id: await idOf('/v1/organisation/members'),
      key_id: await idOf('/v1/organisation/keys'),
      client_id: await idOf('/v1/organisation/clients'),
      month: handed.madeAt.slice(0, 7),
      list: 'block',
    }
    const statuses = new Map<string, number>()
    for (const route of ROUTES) {
      const path = route.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
      statuses.set(route, (await withKey(path, apiKey)).status)
    }
    // Some things did not exist in that version.
    const isThere = (route: string) => [...route.matchAll(/\{(\w+)\}/g)].every(([, name]) => ids[name!] !== undefined)
    // Only a signed-in owner takes everything along; nobody has asked for an erasure.
    const others: Record<string, number> = { '/v1/organisation/export': 403, '/v1/organisation/erasure': 404 }
    expect([...statuses]).toEqual(ROUTES.map((route) => [route, others[route] ?? (isThere(route) ? 200 : 404)]))
    // The audit log says who made the keys of that version.
    const keys = (await withKey('/v1/organisation/keys', apiKey)).json.data as { created_by: unknown }[]
    expect(keys.map((key) => key.created_by)).toContainEqual(
      expect.objectContaining({ kind: 'api_key', name: 'everything' }),
    )
    for (const { apiKey: key } of Object.values(handed.organisations)) {
      expect((await withKey('/v1/organisation', key)).status).toBe(200)
    }
  })

  it('goes on with its keys: they check and charge, the ended one does not, the replaced one has its time', async () => {
    for (const { apiKey } of Object.values(handed.organisations)) expect((await check(apiKey)).status).toBe(200)
    expect((await check(handed.replacement)).status).toBe(200)
    expect((await check(handed.replacedKey)).status).toBe(200)
    expect((await check(handed.endedKey)).status).toBe(401)
    expect((await check(handed.disabledKey)).status).toBe(403)
  })

  it('gives the answer of before to a request that is repeated, and charges it once', async () => {
    const { key, apiKey, sent, answer } = handed.idempotent
    const units = async () => (await withKey('/v1/billing', handed.everything.apiKey)).text
    const before = await units()
    const again = await server.post('/v1/payment-risk', sent, apiKey, { 'idempotency-key': key })
    expect([again.status, again.json]).toEqual([200, answer])
    expect(await units()).toBe(before)
  })

  it('goes on with its applications and grants: tokens of before work, and new ones are given', async () => {
    const { service, web } = handed
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    for (const token of [service.accessToken, web.accessToken]) {
      expect((await server.send('/v1/organisation', bearer(token))).status).toBe(200)
    }
    const fresh = await tokenFor(service, { grant_type: 'client_credentials', scope: 'risk:payment' })
    expect(fresh.status).toBe(200)
    const refreshed = await tokenFor(web, { grant_type: 'refresh_token', refresh_token: web.refreshToken })
    expect(refreshed.status).toBe(200)
    expect((await server.send('/v1/organisation', bearer(refreshed.json.access_token))).status).toBe(200)
  })

  it('goes on with its people: the session of before is good, and the password too', async () => {
    const session = await server.send('/api/session', { headers: { cookie: handed.session } })
    expect(session.status).toBe(200)
    expect(session.text).toContain(handed.operator.email)
    expect((await server.post('/api/session', handed.operator)).status).toBe(200)
    const invitation = await server.post('/v1/invitations/lookup', { token: handed.invitation })
    expect(invitation.status).toBe(200)
  })

  it('adds up after all of that', async () => {
    expect(await run('ledger', 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('adds up') })
  })

  // On SQLite one process serves a file; a second one of 1.0.0 is what the document on upgrades warns of.
  it.runIf(engine === 'postgres')('takes no entry of a 1.0.0 node that was left running', async () => {
    const { id } = handed.organisations.growth!
    const entry = `insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, units, free_units, unit_price_pence,
      included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence,
      overage_after_pence, created_at) values ($1, 999, 'ent_old', 'charge', '2026-11', 'growth', 1, 0, 3, -3, 0, 0, 1, 1, 0, 1)`
    await expect(sql.query(entry, [id])).rejects.toThrow('ledger_entry_has_hash')
  })
})
