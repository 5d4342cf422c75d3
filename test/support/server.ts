import type { Scope } from '../../src/access/scopes.ts'
import { type App, type AppParts, createApp } from '../../src/app.ts'
import { arrangeOrganisation } from '../../src/billing/checkout/sign-up.ts'
import type { MeterLimits } from '../../src/billing/ledger/meter.ts'
import { invoiceProvider, type PaymentProvider } from '../../src/billing/payments/provider.ts'
import { type Plans, parsePlans } from '../../src/billing/plans.ts'
import type { BillingSettings } from '../../src/billing/settings.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { keptAnswers } from '../../src/db/stored-response.ts'
import { createKey } from '../../src/identity/keys/keys.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { DEFAULT_LIFETIMES, type Lifetimes } from '../../src/lib/lifetimes.ts'
import type { PlaceOf } from '../../src/lib/place.ts'
import { type Ring, ringOf } from '../../src/lib/seal.ts'
import type { DnsResolver } from '../../src/live/dns/resolver.ts'
import { createLogger, type LineWriter } from '../../src/ops/logging.ts'
import { sealingOfChecks } from '../../src/record/sealed.ts'
import type { RiskEngine } from '../../src/risk/engine.ts'
import { TEST_SECRET, testAccounts, testMeter } from './accounts.ts'
import { plan } from './plans.ts'
import { putSigningKeys } from './signing-keys.ts'

/** On a busy machine requests that a test sends together would wait longer than a server allows. */
export const PATIENT_TURNS = { waitMsMax: 60_000 }

/** Plans with round prices, and rate limits that tests do not reach by accident. */
export const TEST_PLANS: Plans = parsePlans(
  [
    plan('prepaid', {}),
    plan('free', { free_units: 5 }),
    plan('growth', { included_credit_pence: 100, overage_allowed: true }),
    plan('slow', { requests_per_second: 2 }),
    plan('single', { bulk_allowed: false }),
    plan('zero', { unit_price_pence: { 'payment-risk': 0, 'supply-chain-risk': 0, 'infrastructure-risk': 0 } }),
  ],
  'the plans of the tests',
)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined when the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly json: any
}

export interface TestServer {
  readonly url: string
  readonly app: App
  readonly accounts: ReturnType<typeof testAccounts>
  organisation(options?: {
    plan?: string
    creditPence?: number
    scopes?: readonly Scope[]
    expiresAtMs?: number
    name?: string
  }): Promise<{ id: string; apiKey: string; keyId: string }>
  send(path: string, init?: RequestInit): Promise<Answer>
  /** Sends a POST with a JSON body and an API key. */
  post(path: string, body: unknown, apiKey?: string, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export async function startTestServer(options: {
  readonly sql: Sql
  readonly engine: RiskEngine
  readonly clock?: Clock
  readonly meterLimits?: Partial<MeterLimits>
  readonly log?: LineWriter
  /** With sign-in, sessions and tokens. */
  readonly oauth?: boolean
  readonly ring?: Ring
  readonly plans?: Plans
  readonly payments?: PaymentProvider
  readonly settings?: Partial<BillingSettings>
  readonly lifetimes?: Partial<Lifetimes>
  /** Listens on this port as localhost, which is also its base address: for clients that follow its metadata. */
  readonly port?: number
  readonly baseUrl?: string
  readonly trustProxy?: boolean | string[]
  /** Mail goes into the outbox; a test that wants it sent runs the job. */
  readonly sendsMail?: boolean
  readonly placeOf?: PlaceOf
  readonly maintenance?: AppParts['maintenance']
  /** Looks up the records that prove domains. */
  readonly resolver?: DnsResolver
}): Promise<TestServer> {
  const { sql, engine, clock = systemClock, plans = TEST_PLANS } = options
  const payments = options.payments ?? invoiceProvider
  const accounts = testAccounts({ sql, plans, clock, ...(options.settings ? { settings: options.settings } : {}) })
  const rules = { ...accounts.rules, provider: payments.name, sendsMail: options.sendsMail }
  const ring = options.ring ?? ringOf(TEST_SECRET)
  const meter = testMeter({
    sql,
    rules,
    clock,
    seal: keptAnswers(ring),
    sealing: () => sealingOfChecks(ring),
    ...(options.meterLimits ? { limits: options.meterLimits } : {}),
  })
  if (options.oauth) await putSigningKeys(sql, ring, clock)
  const app = await createApp({
    sql,
    engine,
    meter,
    plans,
    settings: rules.settings,
    payments,
    clock,
    logger: createLogger({ level: options.log ? 'trace' : 'silent', ...(options.log ? { out: options.log } : {}) }),
    baseUrl: options.baseUrl ?? `http://localhost:${options.port ?? 8080}`,
    production: options.baseUrl?.startsWith('https:') ?? false,
    turns: PATIENT_TURNS,
    trustProxy: options.trustProxy ?? false,
    ring,
    placeOf: options.placeOf,
    maintenance: options.maintenance,
    resolver: options.resolver,
    ...(options.sendsMail ? { sendsMail: true } : {}),
    ...(options.oauth
      ? {
          oauth: {
            lifetimes: { ...DEFAULT_LIFETIMES, ...options.lifetimes },
          },
        }
      : {}),
  })
  const { port } = options
  const listening = await app.http.listen({ host: port ? 'localhost' : '127.0.0.1', port: port ?? 0 })
  const url = port ? `http://localhost:${port}` : listening

  async function send(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: jsonOrUndefined(text) }
  }

  return {
    url,
    app,
    accounts,
    async organisation({ plan = 'prepaid', creditPence = 10_000, scopes, expiresAtMs, name } = {}) {
      const made = await changeIn(sql, clock, (tx) =>
        arrangeOrganisation(tx, rules, {
          name: name ?? 'Test organisation',
          planId: plan,
          creditPence,
          keyName: 'test key',
        }),
      )
      if (!scopes && expiresAtMs === undefined) {
        return { id: made.organisation.id, apiKey: made.apiKey, keyId: made.keyId }
      }
      const { key, secret } = await changeIn(sql, clock, (tx) =>
        createKey(tx, made.actor, { name: 'narrow key', scopes, expiresAtMs: expiresAtMs ?? null }),
      )
      return { id: made.organisation.id, apiKey: secret, keyId: key.id }
    },
    send,
    post: (path, body, apiKey, headers = {}) =>
      send(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...(apiKey ? { 'x-api-key': apiKey } : {}), ...headers },
      }),
    async close() {
      await app.close()
      await meter.close()
    },
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
