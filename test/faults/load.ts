/**
 * Load on real nodes: callers that check one record and many, half of them with an Idempotency-Key, and that remember
 * every answer.
 *
 *  1. A caller has an API key of its own and sends one request at a time.
 *  2. With an Idempotency-Key a request is repeated until it is answered 200, as a careful client would.
 *  3. Without one it is sent once: after a broken connection nobody could tell whether it was paid for.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { arrangeOrganisation } from '../../src/billing/checkout/sign-up.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { migrate } from '../../src/db/migrate.ts'
import { changeIn } from '../../src/db/sql.ts'
import { createKey } from '../../src/identity/keys/keys.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { type Family, KINDS } from '../../src/lib/kinds.ts'
import { testAccounts } from '../support/accounts.ts'
import { openPlace, type StorePlace } from '../support/stores.ts'

export interface Account {
  readonly organisationId: string
  /** One for each caller; those of even number send Idempotency-Keys. */
  readonly callers: readonly { readonly credentialId: string; readonly apiKey: string }[]
}

/** `unsent`: nobody listened, so the request cannot have been charged. `cut`: the connection broke before an answer. */
export type Outcome = number | 'unsent' | 'cut'

export interface Attempt {
  readonly outcome: Outcome
  readonly requestId: string | undefined
}

export interface Check {
  readonly credentialId: string
  readonly key: string | undefined
  readonly family: Family
  readonly units: number
  readonly attempts: Attempt[]
  /** The 200, once it came. */
  answer?: { readonly requestId: string; readonly replayed: boolean; readonly text: string }
}

export interface Load {
  readonly checks: readonly Check[]
  /** How many requests got an answer of 200. */
  readonly answered: number
  /** The answers besides 200, and their number. */
  readonly others: ReadonlyMap<Outcome, number>
  /** Milliseconds from the first to the last answer besides 200. */
  readonly troubledMs: number
  /** Resolves when so many more requests have been answered 200. */
  answers(count: number): Promise<void>
  /** Milliseconds until the first 200 to a request that is sent from now on. */
  recovery(): Promise<number>
  /**
   * No new requests; resolves when every request with an Idempotency-Key has its 200, and the last of them were sent once
   * more.
   */
  stop(): Promise<void>
  /** Requests whose second answer under the same key was not the first one, byte for byte. */
  readonly otherwise: readonly Check[]
}

const CALLERS = 8
/** How many requests of each caller are sent again at the end. */
const SENT_AGAIN = 5
const CREDIT_PENCE = 100_000_000
const PAUSE_MS = 50
/** Longer than any fault lasts: a caller who gives up is another fault than the one looked at. */
const PATIENCE_MS = 120_000

/** An organisation with credit enough and a key for each caller; the database is made where there is none. */
export async function createAccount(place: StorePlace, callers = CALLERS): Promise<Account> {
  const sql = await openPlace(place)
  try {
    await migrate(sql)
    const { rules } = testAccounts({ sql, clock: systemClock, plans: loadPlans() })
    return await changeIn(sql, systemClock, async (tx) => {
      const { organisation, actor } = await arrangeOrganisation(tx, rules, {
        name: 'Under load',
        planId: 'enterprise',
        creditPence: CREDIT_PENCE,
      })
      const keys: { credentialId: string; apiKey: string }[] = []
      for (let i = 0; i < callers; i++) {
        const { key, secret } = await createKey(tx, actor, { name: `caller ${i}`, expiresAtMs: null })
        keys.push({ credentialId: key.id, apiKey: secret })
      }
      return { organisationId: organisation.id, callers: keys }
    })
  } finally {
    await sql.close()
  }
}

const KIND_CYCLE = ['email', 'domain', 'ip'] as const
const FIELDS = { email: 'emails', domain: 'domains', ip: 'ips' } as const

function requestOf(caller: number, number: number) {
  const kind = KIND_CYCLE[number % 3]!
  const { family } = KINDS[kind]
  const value = (i: number) =>
    ({
      email: `someone-${caller}-${number}-${i}@company.example`,
      domain: `supplier-${caller}-${number}-${i}.example`,
      ip: `198.51.${number % 256}.${i + 1}`,
    })[kind]
  if (number % 2 === 0) return { family, path: `/v1/${family}`, units: 1, body: { [kind]: value(0) } }
  // Different numbers of records, so that an entry is told from its neighbours by its units.
  const units = 2 + ((caller * 7 + number) % 40)
  const values = Array.from({ length: units }, (_, i) => value(i))
  return { family, path: `/v1/${family}/bulk`, units, body: { [FIELDS[kind]]: values } }
}

/** `urlOf` says where caller number n sends its next attempt. */
export function startLoad({ account, urlOf }: { account: Account; urlOf: (caller: number) => string }): Load {
  const checks: Check[] = []
  const others = new Map<Outcome, number>()
  const waiting = new Set<{ readonly sinceMs: number; readonly from: number; readonly count: number; done(): void }>()
  const otherwise: Check[] = []
  let answered = 0
  let firstOtherMs: number | undefined
  let lastOtherMs = 0
  let stopping = false

  const send = (caller: number, key: string | undefined, path: string, body: string) =>
    fetch(`${urlOf(caller)}${path}`, {
      method: 'POST',
      headers: {
        'x-api-key': account.callers[caller]!.apiKey,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })

  async function attempt(caller: number, check: Check, path: string, body: string): Promise<boolean> {
    const sentMs = performance.now()
    let outcome: Outcome = 'cut'
    let requestId: string | undefined
    try {
      const response = await send(caller, check.key, path, body)
      requestId = response.headers.get('x-request-id') ?? undefined
      const text = await response.text()
      outcome = response.status
      if (outcome === 200) {
        const replayed = response.headers.get('idempotent-replayed') === 'true'
        check.answer = { requestId: requestId ?? '', replayed, text }
        answered++
      }
    } catch (error) {
      outcome = isRefused(error) ? 'unsent' : 'cut'
    }
    check.attempts.push({ outcome, requestId })
    if (outcome === 200) {
      for (const one of [...waiting]) if (answered - one.from >= one.count && sentMs >= one.sinceMs) one.done()
      return true
    }
    others.set(outcome, (others.get(outcome) ?? 0) + 1)
    lastOtherMs = performance.now()
    firstOtherMs ??= lastOtherMs
    return false
  }

  async function call(caller: number): Promise<void> {
    const { credentialId } = account.callers[caller]!
    const last: { check: Check; path: string; text: string }[] = []
    for (let number = 0; !stopping; number++) {
      const { family, path, units, body } = requestOf(caller, number)
      const key = caller % 2 === 0 ? `${account.organisationId}-${caller}-${number}` : undefined
      const check: Check = { credentialId, key, family, units, attempts: [] }
      checks.push(check)
      const text = JSON.stringify(body)
      if (key !== undefined) last.push({ check, path, text })
      if (last.length > SENT_AGAIN) last.shift()
      const untilMs = performance.now() + PATIENCE_MS
      while (!(await attempt(caller, check, path, text))) {
        await delay(PAUSE_MS)
        if (key === undefined) break
        if (performance.now() > untilMs) throw new Error(`no 200 to ${path}: ${JSON.stringify(check.attempts.at(-1))}`)
      }
    }
    for (const { check, path, text } of last) {
      const again = await send(caller, check.key, path, text)
      if ((await again.text()) !== check.answer?.text) otherwise.push(check)
    }
  }

  const running = Promise.all(account.callers.map((_, caller) => call(caller)))
  running.catch(() => {})

  function wait(count: number, sinceMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const one = {
        sinceMs,
        from: answered,
        count,
        done() {
          waiting.delete(one)
          clearTimeout(timer)
          resolve(performance.now())
        },
      }
      const timer = setTimeout(() => {
        waiting.delete(one)
        reject(new Error(`${count} more answers did not come; besides 200 there were ${describeOthers(others)}`))
      }, PATIENCE_MS)
      waiting.add(one)
      running.catch(reject)
    })
  }

  return {
    checks,
    others,
    otherwise,
    get answered() {
      return answered
    },
    get troubledMs() {
      return firstOtherMs === undefined ? 0 : lastOtherMs - firstOtherMs
    },
    async answers(count) {
      await wait(count, 0)
    },
    async recovery() {
      const sinceMs = performance.now()
      return (await wait(1, sinceMs)) - sinceMs
    },
    async stop() {
      stopping = true
      await running
    },
  }
}

export function describeOthers(others: ReadonlyMap<Outcome, number>): string {
  return [...others].map(([outcome, count]) => `${outcome} × ${count}`).join(', ') || 'none'
}

function isRefused(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && one.code === 'ECONNREFUSED') return true
  }
  return false
}
