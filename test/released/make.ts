/**
 * Made the dumps of this folder, once: runs the program of 1.0.0 from the history on both engines, fills its database by
 * its own verbs and API, and writes down every row, with the credentials that were handed out.
 *
 *     node test/released/make.ts
 *
 * The dumps are what customers of that release have. They are never made anew to make a test pass.
 */
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { MIGRATION_TABLE, readMigrations, statementsOf } from '../../src/db/migrate.ts'
import { answerPages, Browser } from '../oauth/support/browser.ts'
import { startPostgres } from '../support/postgres.ts'
import { assaydProcess, startProcess } from '../support/process.ts'
import { checkOutReleased } from '../support/released.ts'
import type { Handed } from './dumps.ts'

const SECRET = 'the secret of a server of version 1.0.0'
const PASSWORD = 'correct horse battery staple'
const ORIGIN = 'http://localhost:8080'
const REDIRECT = 'http://localhost:9999/back'
const RISKS = 'risk:payment risk:supply-chain risk:infrastructure risk:bulk'
const EVERYTHING = [...RISKS.split(' '), 'billing:read', 'billing:write', 'organisation:read', 'organisation:write']

const released = await checkOutReleased('1.0.0')
if (!released) throw new Error('this clone holds no history of 1.0.0')
const { main } = released
const postgres = await startPostgres()
try {
  await make('sqlite', {})
  await make('postgres', { ASSAY_DATABASE_URL: postgres.url })
} finally {
  await postgres.stop()
  released.remove()
}
process.exit(0)

/** Whatever the earlier version prints or answers. */
type Shown = Record<'id' | 'api_key' | 'organisation_id' | 'client_id' | 'client_secret', string> &
  Record<'email' | 'password' | 'link' | 'claim_token', string>

async function make(engine: 'sqlite' | 'postgres', more: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-of-1.0.0-'))
  const env = { ASSAY_DATA_DIR: folder, ASSAY_SECRET: SECRET, ASSAY_BASE_URL: ORIGIN, ...more }
  const handed = await fill(env)
  const text = engine === 'sqlite' ? dumpSqlite(join(folder, 'assay.db')) : await dumpPostgres(postgres.url)
  const head = `-- A database of Assay 1.0.0 on ${engine}, filled by its own verbs and API (test/released/make.ts).\n`
  writeFileSync(join(import.meta.dirname, `1.0.0.${engine}.sql`), head + text)
  writeFileSync(join(import.meta.dirname, `1.0.0.${engine}.json`), `${JSON.stringify(handed, null, 2)}\n`)
  rmSync(folder, { recursive: true, force: true })
}

async function fill(env: Record<string, string>): Promise<Handed> {
  const run = async (line: string, ...more: string[]): Promise<Shown> => {
    const { code, stdout, stderr } = await assaydProcess([...line.split(' '), ...more, '--json'], env, undefined, main)
    if (code !== 0) throw new Error(`${line}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const plans = ((await run('plan list')) as unknown as { id: string }[]).map(({ id }) => id)
  const organisations: Handed['organisations'] = {}
  for (const plan of plans) {
    const made = await run(`org create --plan ${plan} --credit-pence 5000 --name`, `On ${plan}`)
    organisations[plan] = { id: made.organisation_id, apiKey: made.api_key }
  }
  const server = await startProcess(env, 'serve', { main })
  try {
    const call = async (
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: unknown,
    ): Promise<Shown> => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text || '{}')
    }
    for (const { apiKey } of Object.values(organisations)) {
      const key = { 'x-api-key': apiKey }
      await call('POST', '/v1/payment-risk', key, { email: 'jane@company.example' })
      await call('POST', '/v1/supply-chain-risk', key, { domain: 'supplier.example' })
      await call('POST', '/v1/infrastructure-risk', key, { ip: '203.0.113.7' })
    }
    const { id: org, apiKey } = organisations.growth!
    const first = { 'x-api-key': apiKey }
    await call('POST', '/v1/payment-risk/bulk', first, { emails: ['a@company.example', 'b@company.example'] })

    const everything = await run('key create --name everything --org', org, '--scope', EVERYTHING.join(' '))
    const owner = { 'x-api-key': String(everything.api_key) }
    const idempotencyKey = 'sent-before-the-upgrade'
    const sent = { email: 'retry@company.example' }
    const answer = await call('POST', '/v1/payment-risk', { ...first, 'idempotency-key': idempotencyKey }, sent)
    await call('PATCH', '/v1/organisation', { ...owner, 'if-match': '*' }, { name: 'On growth, renamed' })
    await call('POST', '/v1/billing/alerts', owner, { kind: 'credit_below', threshold_pence: 100 })
    const topUp = await call('POST', '/v1/billing/top-ups', owner, { amount_pence: 2500 })
    await run('invoice settle --reference', 'bank 4711', '--invoice', topUp.id)
    await call('POST', '/v1/billing/top-ups', owner, { amount_pence: 3000 })
    const old = await call('POST', '/v1/organisation/keys', owner, { name: 'to be replaced', scopes: ['risk:payment'] })
    const rotated = await call('POST', `/v1/organisation/keys/${old.id}/rotate`, owner, { grace_hours: 1 })
    const ended = await call('POST', '/v1/organisation/keys', owner, { name: 'ended', scopes: ['risk:payment'] })
    await call('DELETE', `/v1/organisation/keys/${ended.id}`, owner)

    const ann = await run('user create --email ann@company.example --role owner --name Ann --org', org)
    await run('user create --email bob@company.example --role viewer --name Bob --org', org)
    await run('user operator --email ann@company.example')
    const invited = await call('POST', '/v1/organisation/invitations', owner, { role: 'developer' })
    const taken = await call('POST', '/v1/organisation/invitations', owner, { role: 'developer' })
    const tokenOf = ({ link }: Shown) => link.split('#')[1] ?? ''
    const joining = { token: tokenOf(taken), email: 'eve@company.example', name: 'Eve', password: PASSWORD }
    await call('POST', '/v1/invitations/accept', {}, joining)

    const service = await run('client create --kind service --name Service --org', org, '--scope', RISKS)
    const web = await run(
      'client create --kind web --name Web --org',
      org,
      '--scope',
      `openid offline_access ${RISKS}`,
      '--redirect-uri',
      REDIRECT,
    )
    const serviceToken = await token({
      grant_type: 'client_credentials',
      client_id: service.client_id,
      client_secret: service.client_secret,
      scope: 'risk:payment',
    })
    const tokens = await signInto(web, ann)
    async function token(form: Record<string, string>): Promise<Record<string, string>> {
      const response = await fetch(`${server.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
      if (!response.ok) throw new Error(`token: ${response.status} ${await response.text()}`)
      return response.json() as Promise<Record<string, string>>
    }
    async function signInto(app: Record<string, string>, person: Record<string, string>) {
      const verifier = randomBytes(32).toString('base64url')
      const query = new URLSearchParams({
        client_id: app.client_id!,
        response_type: 'code',
        redirect_uri: REDIRECT,
        scope: 'openid offline_access risk:payment',
        prompt: 'consent',
        code_challenge: hash('sha256', verifier, 'base64url'),
        code_challenge_method: 'S256',
      })
      const { email, password } = person as { email: string; password: string }
      const end = await answerPages(new Browser(ORIGIN, server.url), `${ORIGIN}/oauth/authorize?${query}`, {
        email,
        password,
      })
      const code = new URL(end.location).searchParams.get('code') ?? ''
      return token({
        grant_type: 'authorization_code',
        client_id: app.client_id!,
        client_secret: app.client_secret!,
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        code,
      })
    }

    const session = await fetch(`${server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ann.email, password: ann.password }),
    })
    if (!session.ok) throw new Error(`session: ${session.status}`)

    const paying = await signUp('paying')
    const waiting = await signUp('waiting')
    async function signUp(name: string) {
      const person = { name, email: `${name}@company.example`, password: PASSWORD }
      const about = { organisation_name: `Signed up, ${name}`, plan: 'growth', accept_terms: true, ...person }
      return call('POST', '/v1/checkout', {}, about)
    }
    const open = (await run('invoice list --state open')) as unknown as { invoice_id: string; kind: string }[]
    const due = open.filter((one) => one.kind === 'subscription').at(-1)
    if (due) await run('invoice settle --reference', 'bank 4712', '--invoice', due.invoice_id)
    const claimed = await call(
      'POST',
      `/v1/checkout/${paying.id}/claim`,
      {},
      { claim_token: paying.claim_token },
    ).catch(() => undefined)

    const disabled = await run('org create --plan growth --name', 'Disabled')
    await run('org disable --org', disabled.organisation_id)
    const stopped = await run('org create --plan growth --name', 'Deactivated')
    await run('org deactivate --org', stopped.organisation_id)
    return {
      secret: SECRET,
      madeAt: new Date().toISOString(),
      organisations,
      everything: { organisationId: org, apiKey: everything.api_key },
      replacedKey: old.api_key,
      replacement: rotated.api_key,
      endedKey: ended.api_key,
      disabledKey: disabled.api_key,
      idempotent: { key: idempotencyKey, apiKey, sent, answer },
      operator: { email: ann.email, password: ann.password },
      session: session.headers.getSetCookie()[0]?.split(';')[0] ?? '',
      service: {
        clientId: service.client_id,
        clientSecret: service.client_secret,
        accessToken: serviceToken.access_token!,
      },
      web: {
        clientId: web.client_id,
        clientSecret: web.client_secret,
        accessToken: tokens.access_token!,
        refreshToken: tokens.refresh_token!,
      },
      invitation: tokenOf(invited),
      checkouts: { paying, waiting, claimed },
    }
  } finally {
    await server.kill('SIGTERM')
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

function inserts(table: string, rows: readonly Record<string, unknown>[]): string {
  return rows
    .map(
      (row) =>
        `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')});\n`,
    )
    .join('')
}

function dumpSqlite(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true })
  const made = database
    .prepare(`select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'`)
    .all() as { type: string; name: string; sql: string }[]
  const tables = made.filter(({ type }) => type === 'table')
  const others = made.filter(({ type }) => type !== 'table')
  const text = [
    ...tables.map(({ sql }) => `${sql};\n`),
    ...tables.map(({ name }) => inserts(name, database.prepare(`select * from ${name}`).all())),
    ...others.map(({ sql }) => `${sql};\n`),
  ].join('')
  database.close()
  return text
}

/** The statements of that release's own migrations, and the rows. */
async function dumpPostgres(url: string): Promise<string> {
  const statements = readMigrations(join(dirname(main), 'db/migrations')).flatMap((one) =>
    statementsOf(one, 'postgres'),
  )
  const schema = [`${MIGRATION_TABLE};`, ...statements].map((text) => text.replace(/;?\s*$/, ';\n')).join('')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows = ''
  for (const [, table] of schema.matchAll(/^create table (?:if not exists )?(\w+)/gm)) {
    const columns = (await client.query(`select * from ${table} limit 0`)).fields.map(({ name }) => name)
    const texts = await client.query(`select ${columns.map((name) => `${name}::text`).join(', ')} from ${table}`)
    const kinds = (await client.query(`select * from ${table} limit 0`)).fields
    rows += inserts(
      table!,
      texts.rows.map((row) =>
        Object.fromEntries(
          kinds.map(({ name, dataTypeID }) => [
            name,
            row[name] !== null && dataTypeID !== 25 ? Number(row[name]) : row[name],
          ]),
        ),
      ),
    )
  }
  await client.end()
  return schema + rows
}
