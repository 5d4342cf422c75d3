import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrangeOrganisation } from '../../src/billing/checkout/sign-up.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { changeIn } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { LIMITS } from '../../src/limits.ts'
import { testAccounts } from '../support/accounts.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { type RdapServer, startRdapServer } from '../support/rdap-server.ts'
import { type CreatedPlace, createMigratedPlace, ENGINES, openPlace } from '../support/stores.ts'

/**
 * Look-ups of two organisations on a real node. One checks its suppliers, one after the other; the other does its worst
 * meanwhile. What the first gets is compared with a run without the other.
 */

const CHECKS = 40
/** As many requests as the plan allows; what more of them cost the processor is another question than this one. */
const CALLERS = 25
const REQUESTS_PER_SECOND = 100
/** Each waits for the budget. */
const SILENT_CALLERS = 100
const LIST_CALLERS = 2
const RESOLVER_MS = 25
const SLOW_NAMES = 3000
/** Every fact of a domain that resolver and registry here know. */
const FACTS = ['registered', 'mail', 'name_servers', 'networks'] as const

describe.each(ENGINES)('look-ups on %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-neighbours-'))
  let created: CreatedPlace
  let dns: DnsServer
  let rdap: RdapServer
  let node: ServerProcess
  let keys: { victim: string; attacker: string; poor: string }
  let names = 0

  beforeAll(async () => {
    created = await createMigratedPlace(engine)
    const { place } = created
    keys = await arrange()
    const firm = { A: ['203.0.114.7'], MX: [[10, 'mx.mail.com']] as const, NS: ['ns1.dns.com'], TXT: ['v=spf1 -all'] }
    dns = await startDnsServer({}, (name) => (/^(victim\d+|zone)\.com$/.test(name) ? firm : undefined))
    dns.latencyMs = RESOLVER_MS
    for (let i = 0; i < SLOW_NAMES; i++) dns.behave(`silent${i}.com`, 'silent')
    rdap = await startRdapServer()
    for (let i = 0; i < SLOW_NAMES; i++) rdap.behave('silence', `silent${i}.com`)
    for (let i = 0; i < 1000; i++) rdap.register(`victim${i}.com`, { registered: '1998-04-01T00:00:00Z' })
    node = await startProcess({
      ...(place.engine === 'sqlite'
        ? { ASSAY_DATA_DIR: join(place.file, '..') }
        : { ASSAY_DATA_DIR: folder, ASSAY_DATABASE_URL: place.url }),
      ASSAY_LIVE: 'on',
      ASSAY_DNS_SERVERS: dns.address,
      ASSAY_RDAP_URL: rdap.url,
      // Long enough for a busy machine.
      ASSAY_LIVE_BUDGET_MS: '1500',
    })
    await victimRun()
  })
  afterAll(async () => {
    await node?.kill('SIGTERM')
    await dns?.close()
    await rdap?.close()
    await created?.remove()
    rmSync(folder, { recursive: true })
  })

  async function arrange() {
    const sql = await openPlace(created.place)
    try {
      const { rules } = testAccounts({ sql, clock: systemClock, plans: loadPlans() })
      const key = async (name: string, planId: string, creditPence: number) => {
        const made = await changeIn(sql, systemClock, (tx) =>
          arrangeOrganisation(tx, rules, { name, planId, creditPence, keyName: 'key' }),
        )
        return made.apiKey
      }
      return {
        victim: await key('Victim', 'prepaid', 100_000),
        attacker: await key('Attacker', 'enterprise', 100_000_000),
        poor: await key('Poor', 'prepaid', 0),
      }
    } finally {
      await sql.close()
    }
  }

  function check(key: string, path: string, body: object): Promise<Response> {
    return fetch(`${node.url}/v1/supply-chain-risk${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  interface Run {
    /** Of the facts that were there to be found. */
    readonly facts: number
    readonly p50Ms: number
  }

  async function victimRun(): Promise<Run> {
    const took: number[] = []
    let facts = 0
    for (let i = 0; i < CHECKS; i++) {
      const begun = performance.now()
      const response = await check(keys.victim, '?explain=true', { domain: `victim${names++}.com` })
      const answer = (await response.json()) as { facts: Record<string, unknown> }
      took.push(performance.now() - begun)
      expect(response.status).toBe(200)
      facts += FACTS.filter((fact) => answer.facts[fact] !== null).length
    }
    took.sort((a, b) => a - b)
    return { facts: facts / (CHECKS * FACTS.length), p50Ms: took[CHECKS / 2]! }
  }

  /** The victim checks alone, and then while callers send what `attack` says; returns the statuses that they got. */
  async function expectUnharmed(attack: (i: number) => Promise<Response>, callers = CALLERS): Promise<Set<number>> {
    const alone = await victimRun()
    const statuses = new Set<number>()
    const begun = performance.now()
    let over = false
    let sent = 0
    const attacking = Array.from({ length: callers }, async () => {
      while (!over) {
        const i = sent++
        await delay(Math.max(0, begun + (i * 1000) / REQUESTS_PER_SECOND - performance.now()))
        const response = await attack(i)
        await response.arrayBuffer()
        statuses.add(response.status)
      }
    })
    await expect.poll(() => sent, { timeout: 30_000 }).toBeGreaterThan(2 * callers)
    const attacked = await victimRun()
    over = true
    await Promise.all(attacking)
    expect(attacked.facts / alone.facts, 'facts against a run alone').toBeGreaterThanOrEqual(0.95)
    expect(attacked.p50Ms / alone.p50Ms, 'p50 against a run alone').toBeLessThanOrEqual(2)
    return statuses
  }

  it('one without credit gets 402, and no question leaves the server for it', async () => {
    const statuses = await expectUnharmed((i) => check(keys.poor, '', { domain: `unpaid${i}.com` }))
    statuses.delete(429)
    expect([...statuses]).toEqual([402])
    expect([...dns.questions(), ...rdap.asked].filter((name) => name.includes('unpaid'))).toEqual([])
  })

  it('one that asks about random names of one zone', async () => {
    const begun = performance.now()
    await expectUnharmed((i) => check(keys.attacker, '', { domain: `r${i}x.zone.com` }))
    const seconds = (performance.now() - begun) / 1000
    const asked = dns.questions().filter((question) => question.includes('.zone.com')).length
    const { zoneQuestionsBurst } = LIMITS.queues
    expect(asked).toBeLessThanOrEqual(zoneQuestionsBurst + LIMITS.rates.zoneQuestionsPerSecond * (seconds + 1))
  })

  it('one that asks about names whose name servers and registry are silent', async () => {
    await expectUnharmed((i) => check(keys.attacker, '', { domain: `silent${i}.com` }), SILENT_CALLERS)
  })

  it('one that sends lists of such names', async () => {
    const domains = Array.from({ length: SLOW_NAMES }, (_, i) => `silent${i}.com`)
    await expectUnharmed(() => check(keys.attacker, '/bulk', { domains }), LIST_CALLERS)
  })
})
