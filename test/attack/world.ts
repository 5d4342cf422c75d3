import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import { arrangeOrganisation } from '../../src/billing/checkout/sign-up.ts'
import { type Plan, parsePlans } from '../../src/billing/plans.ts'
import { migrate } from '../../src/db/migrate.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { createKey } from '../../src/identity/keys/keys.ts'
import { findPersonByEmail, type Person } from '../../src/identity/people/people.ts'
import { openSession } from '../../src/identity/people/sessions.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { Browser } from '../oauth/support/browser.ts'
import { type App, authorize, exchange as exchangeCode } from '../oauth/support/flow.ts'
import { newClient, newPerson } from '../oauth/support/server.ts'
import { testAccounts } from '../support/accounts.ts'
import { plan } from '../support/plans.ts'
import { freePort } from '../support/ports.ts'
import { assayd, startProcess } from '../support/process.ts'
import { A_SESSION } from '../support/session.ts'
import { createPlace, openPlace, type StorePlace } from '../support/stores.ts'
import type { Random } from './random.ts'

/**
 * A real `assayd serve` with several customers. Requests come from the attackers; the victim owns what nobody else may
 * see or change; the witness asks for one good check now and then.
 */
export interface Tenant {
  readonly organisationId: string
  readonly name: string
  /** With every scope a key can have. */
  readonly key: string
  /** With `risk:payment` alone. */
  readonly narrowKey: string
  readonly person: Person
  readonly session: { readonly cookie: string; readonly csrf: string }
  readonly service: App
  readonly web: App
  readonly native: App
  /** Proves itself by its own key; the public half is known to everybody. */
  readonly keyed: App
  readonly bearer: string
  /** The grant of a person to one of its applications: a used code, and the refresh token that came of it. */
  readonly granted?: { readonly usedCode: string; readonly refreshToken: string }
  /** Ids of its things by the name of the path parameter. */
  readonly ids: Map<string, string[]>
  /** The secrets of its invitation links and checkouts. */
  readonly linkTokens: readonly string[]
}

/** Something that may stand in an answer to its owner alone (`private`), or in none at all (`secret`). */
export interface Planted {
  readonly text: string
  readonly what: string
  readonly sort: 'secret' | 'private'
  readonly organisationId: string
}

/** A sign-in that an application began, and what its page proves itself with. */
export interface BegunSignIn {
  /** Whose application it is for. */
  readonly tenant: Tenant
  readonly uid: string
  readonly cookie: string
  csrf: string
}

/** Values of earlier answers, for later requests to misuse; the newest few of each. */
export interface Learned {
  readonly signIns: BegunSignIn[]
  readonly devices: { readonly tenant: Tenant; readonly deviceCode: string; readonly userCode: string }[]
  readonly devicePages: { readonly cookie: string; readonly csrf: string }[]
  readonly requestUris: string[]
}

/** Of the server, in bytes. */
export interface Memory {
  /** Memory in use after a full collection. */
  readonly kept: number
  readonly resident: number
}

export function keep<T>(list: T[], one: T): void {
  list.push(one)
  if (list.length > 8) list.shift()
}

export interface World {
  readonly port: number
  readonly baseUrl: string
  readonly sql: Sql
  readonly attackers: readonly Tenant[]
  readonly victim: Tenant
  readonly witness: Tenant
  /** Its subscription may be ended or changed at any time: nobody else relies on it. */
  readonly leaver: Tenant
  readonly planted: readonly Planted[]
  readonly learned: Learned
  /** Everything the server wrote. */
  logs(): string
  memory(): Promise<Memory>
  /** Resolves when nothing that came whole from this port of a client is under way. */
  idle(port: number): Promise<unknown>
  /** Every row of the victim in every table. */
  victimRows(): Promise<string>
  /** `assayd ledger verify`. */
  verifyLedger(): Promise<{ code: number | null; stdout: string }>
  /** Asks the server to stop; the code it ended with. */
  close(): Promise<number | null>
}

const PLANS: readonly Plan[] = [
  plan('prepaid', {}),
  plan('free', { free_units: 1000 }),
  plan('growth', { monthly_price_pence: 9900, included_credit_pence: 100, overage_allowed: true }),
  plan('slow', { requests_per_second: 2 }),
  plan('single', { bulk_allowed: false }),
]
export const PLAN_IDS = PLANS.map(({ id }) => id)

/** Its private half was never kept: whoever proves anything by it has found another way. */
export const PUBLIC_KEY = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
  kid: 'one',
}

/** Everything a generator sends as an address or a password holds this word: it must appear in no log and no refusal. */
export const MARK = 'planted'

export const plantedEmail = (random: Random): string => `${MARK}.${random.letters(8)}@${random.letters(6)}.example`

/** Behind the proxy there are many addresses, so that limits per address do not hide what lies behind them. */
export const someAddress = (random: Random): string => `10.${random.int(0, 255)}.${random.int(0, 255)}.7`

export async function startWorld(engine: StorePlace['engine']): Promise<World> {
  const created = await createPlace(engine)
  const folder = mkdtempSync(join(tmpdir(), 'assay-attack-'))
  const place: StorePlace =
    created.place.engine === 'sqlite' ? { engine: 'sqlite', file: join(folder, 'assay.db') } : created.place
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(PLANS))
  const sql = await openPlace(place)
  await migrate(sql)
  const [port, insightPort] = [await freePort(), await freePort()]
  const baseUrl = `http://127.0.0.1:${port}`
  const env = {
    ASSAY_DATA_DIR: folder,
    ASSAY_PLANS_FILE: plansFile,
    ASSAY_BASE_URL: baseUrl,
    ASSAY_TRUST_PROXY: 'loopback',
    ATTACK_INSIGHT_PORT: String(insightPort),
    PORT: String(port),
    // Every request leaves a line, so that whatever a line may hold is looked at.
    LOG_LEVEL: 'debug',
    ...(place.engine === 'postgres' ? { ASSAY_DATABASE_URL: place.url } : {}),
  }
  // Tenants first: on a database without any, the server would make a demo organisation.
  const { rules } = testAccounts({ sql, clock: systemClock, plans: parsePlans(PLANS, 'the plans of the attack') })
  const arrange = async (name: string, planId: string, creditPence: number) => {
    const made = await changeIn(sql, systemClock, async (tx) => {
      const arranged = await arrangeOrganisation(tx, rules, { name, planId, creditPence })
      const scopes = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
      const all = await createKey(tx, arranged.actor, { name: 'all', scopes, expiresAtMs: null })
      const narrow = await createKey(tx, arranged.actor, {
        name: 'narrow',
        scopes: ['risk:payment'],
        expiresAtMs: null,
      })
      const spare = await createKey(tx, arranged.actor, { name: 'spare', scopes: ['risk:bulk'], expiresAtMs: null })
      return {
        organisationId: arranged.organisation.id,
        key: all.secret,
        narrowKey: narrow.secret,
        spare: spare.key.id,
      }
    })
    const organisation = { id: made.organisationId }
    const person = await newPerson(sql, [organisation], 'owner')
    const member = await newPerson(sql, [organisation], 'viewer')
    const known = await findPersonByEmail(sql, person.email)
    if (!known) throw new Error('the owner is missing')
    const session = await changeIn(sql, systemClock, (tx) => openSession(tx, known, A_SESSION))
    const [service, web, native, keyed] = await Promise.all([
      newClient(sql, organisation.id, { kind: 'service' }),
      newClient(sql, organisation.id, { kind: 'web' }),
      newClient(sql, organisation.id, { kind: 'native' }),
      newClient(sql, organisation.id, { kind: 'service', jwks: { keys: [PUBLIC_KEY] } }),
    ])
    return { ...made, name, person, member, sessionToken: session.token, service, web, native, keyed }
  }
  const arranged = [
    await arrange('Quiet Harbour Ltd', 'prepaid', 1000),
    await arrange('Witness Stand plc', 'prepaid', 1_000_000),
    await arrange('Leaving Soon AG', 'growth', 1_000_000),
    await arrange('First Ram GmbH', 'prepaid', 900_000_000),
    await arrange('Second Ram GmbH', 'growth', 900_000_000),
    await arrange('Third Ram GmbH', 'free', 900_000_000),
    await arrange('Fourth Ram GmbH', 'prepaid', 900_000_000),
    await arrange('Slow Ram GmbH', 'slow', 900_000_000),
    await arrange('Single Ram GmbH', 'single', 900_000_000),
    await arrange('Poor Ram GmbH', 'prepaid', 20),
  ]
  const server = await startProcess(env, 'serve', { preload: [new URL('./preload-insight.ts', import.meta.url)] })
  const tenants = await Promise.all(
    // A password takes a while to be checked: two of them sign somebody in for an application.
    arranged.map((one, i) => furnish(baseUrl, one, { address: `10.200.0.${i}`, withGrant: i === 0 || i === 3 })),
  )
  const [victim, witness, leaver, ...attackers] = tenants
  if (!victim || !witness || !leaver) throw new Error('a tenant is missing')
  let closed: Promise<number | null> | undefined
  const close = async () => {
    const code = await server.kill('SIGTERM')
    await sql.close()
    await created.remove()
    rmSync(folder, { recursive: true, force: true })
    return code
  }
  return {
    port,
    baseUrl,
    sql,
    attackers,
    victim,
    witness,
    leaver,
    planted: tenants.flatMap(plantedOf),
    learned: { signIns: [], devices: [], devicePages: [], requestUris: [] },
    logs: () => server.output(),
    memory: () => readMemory(insightPort),
    idle: (clientPort) => fetch(`http://127.0.0.1:${insightPort}/idle/${clientPort}`).then((answer) => answer.text()),
    victimRows: () => rowsOf(sql, engine, victim.organisationId),
    verifyLedger: () => assayd(['ledger', 'verify', '--json'], env),
    close() {
      closed ??= close()
      return closed
    },
  }
}

type Arranged = {
  readonly organisationId: string
  readonly name: string
  readonly key: string
  readonly narrowKey: string
  readonly spare: string
  readonly person: Person
  readonly member: Person
  readonly sessionToken: string
  readonly service: App
  readonly web: App
  readonly native: App
  readonly keyed: App
}

/** Gives a tenant one of everything, over the API, the way a customer would come to have it. */
async function furnish(
  baseUrl: string,
  one: Arranged,
  { address, withGrant }: { readonly address: string; readonly withGrant: boolean },
): Promise<Tenant> {
  const send = async (path: string, init: { body?: unknown; headers?: Record<string, string> }) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...init.headers },
      body: JSON.stringify(init.body ?? {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return { response, json: JSON.parse(text) as Record<string, string> }
  }
  const make = async (path: string, body: unknown) => {
    const { json } = await send(path, { body, headers: { 'x-api-key': one.key } })
    return json
  }
  const cookie = `assay_session=${one.sessionToken}`
  const session = await fetch(`${baseUrl}/api/session`, { headers: { cookie } })
  const { csrf } = (await session.json()) as { csrf: string }
  const alert = await make('/v1/billing/alerts', { kind: 'credit_below', threshold_pence: 5 })
  const invoice = await make('/v1/billing/top-ups', { amount_pence: 100 })
  const spareClient = await make('/v1/organisation/clients', { kind: 'service', name: 'spare', scopes: ['risk:bulk'] })
  const invitation = await make('/v1/organisation/invitations', { role: 'viewer' })
  const supplier = supplierOf(one)
  const counterparty = await make('/v1/counterparties', {
    name: supplier,
    reference: '4711',
    domains: ['acme.example'],
  })
  const begun = await make('/v1/counterparties/imports', { rows: 2 })
  const token = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: one.service.client.id,
      client_secret: one.service.secret,
    }),
  })
  const { access_token: bearer } = (await token.json()) as { access_token: string }
  return {
    ...one,
    session: { cookie, csrf },
    bearer,
    ...(withGrant ? { granted: await grant(baseUrl, one) } : {}),
    ids: new Map([
      ['key_id', [one.spare]],
      ['alert_id', [alert.id ?? '']],
      ['invoice_id', [invoice.id ?? '']],
      ['invitation_id', [invitation.id ?? '']],
      ['member_id', [one.member.id]],
      ['client_id', [spareClient.id ?? '']],
      ['checkout_id', ['chk_5TgBnHyUjMkIlOpQaZwS']],
      ['counterparty_id', [counterparty.id ?? '']],
      ['import_id', [begun.id ?? '']],
      ['reference', ['4711']],
      ['month', [new Date().toISOString().slice(0, 7)]],
    ]),
    linkTokens: [new URL(invitation.link ?? 'http://nowhere/#').hash.slice(1)],
  }
}

/** The name of its only supplier: nobody else may read it. */
const supplierOf = ({ organisationId }: { readonly organisationId: string }) => `Supplier of ${organisationId}`

async function grant(baseUrl: string, { web, person }: Arranged) {
  const authorized = await authorize({ url: baseUrl }, web, person, new Browser(baseUrl), {
    scope: 'openid offline_access risk:payment',
    prompt: 'consent',
  })
  const tokens = await exchangeCode({ url: baseUrl }, web, authorized)
  return { usedCode: authorized.callback.get('code') ?? '', refreshToken: String(tokens.json.refresh_token) }
}

function plantedOf(tenant: Tenant): Planted[] {
  const { organisationId } = tenant
  const secret = (text: string, what: string): Planted => ({ text, what, sort: 'secret', organisationId })
  const own = (text: string, what: string): Planted => ({ text, what, sort: 'private', organisationId })
  const all = [
    secret(tenant.key, 'API key'),
    secret(tenant.narrowKey, 'API key'),
    secret(tenant.service.secret, 'client secret'),
    secret(tenant.web.secret, 'client secret'),
    secret(tenant.bearer, 'access token'),
    ...(tenant.granted
      ? [secret(tenant.granted.refreshToken, 'refresh token'), secret(tenant.granted.usedCode, 'authorization code')]
      : []),
    secret(tenant.session.cookie.split('=')[1] ?? '', 'session cookie'),
    ...tenant.linkTokens.map((token) => secret(token, 'link token')),
    own(tenant.name, 'name of an organisation'),
    own(organisationId, 'id of an organisation'),
    own(tenant.person.email, 'email address'),
    own(tenant.person.id, 'id of a person'),
    own(supplierOf(tenant), 'name of a counterparty'),
    ...[
      'counterparty_id',
      'import_id',
      'key_id',
      'alert_id',
      'invoice_id',
      'invitation_id',
      'member_id',
      'client_id',
    ].flatMap((name) => (tenant.ids.get(name) ?? []).map((id) => own(id, name))),
  ]
  const missing = all.find(({ text }) => text.length < 8)
  if (missing) throw new Error(`nothing was planted as ${missing.what}`)
  return all
}

async function readMemory(port: number): Promise<Memory> {
  const { heapUsed, external, rss } = (await (
    await fetch(`http://127.0.0.1:${port}/memory`)
  ).json()) as NodeJS.MemoryUsage
  return { kept: heapUsed + external, resident: rss }
}

/** Tables that the server derives from the others, from time to time. */
const DERIVED = new Set(['anchor_head', 'ledger_month', 'usage_rollup', 'usage_progress'])

async function rowsOf(sql: Sql, engine: StorePlace['engine'], organisationId: string): Promise<string> {
  const tables = await sql.query<{ name: string }>(
    engine === 'sqlite'
      ? `select m.name as name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.name = 'organisation_id' order by 1`
      : `select table_name as name from information_schema.columns where column_name = 'organisation_id' and table_schema = current_schema() order by 1`,
  )
  const dump: string[] = []
  for (const { name } of tables) {
    if (DERIVED.has(name)) continue
    // Kept answers are filed under the organisation and whoever sent the request.
    const rows = await sql.query(`select * from ${name} where organisation_id like $1`, [`${organisationId}%`])
    // When a key was last used is written down later, also for what this set-up did itself.
    dump.push(...rows.map((row) => `${name} ${JSON.stringify({ ...row, last_used_at: null })}`).sort())
  }
  const people = await sql.query(
    'select p.* from person p join membership m on m.person_id = p.id where m.organisation_id = $1 order by p.id',
    [organisationId],
  )
  const own = await sql.query('select * from organisation where id = $1', [organisationId])
  return [...dump, JSON.stringify(people), JSON.stringify(own)].join('\n')
}
