import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { describeRules } from '../../test/support/stores.ts'
import type { Sql } from '../db/sql.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock.ts'
import type { Kind } from '../lib/kinds.ts'
import { purgeFacts } from './fact-store.ts'
import type { Asker, Observation, Sort } from './facts.ts'
import { createLive, LIST_UNDER_WAY_MAX, type LiveOptions } from './live.ts'
import type { Observers } from './observers.ts'

/** Observers that answer when the test says so: what they ask is written down. */
class Stage implements Observers {
  readonly sorts: ReadonlySet<Sort> = new Set(['registration', 'zone', 'host', 'reverse'] as const)
  readonly asked: string[] = []
  resolverAnswers = true
  answer: (sort: Sort, name: string, asker: Asker) => Observation<string> | Promise<Observation<string>> = () => seen()

  async observe(sort: Sort, name: string, asker: Asker): Promise<Observation<string>> {
    this.asked.push(`${sort} ${name}`)
    return this.answer(sort, name, asker)
  }
  answers = async () => this.resolverAnswers
  servers = async () => []
  useBootstrap() {}
  async close() {}
}

const seen = (value: object = { exists: true }, keepMs = HOUR_MS): Observation<string> => ({
  outcome: 'seen',
  value: JSON.stringify(value),
  keepMs,
})
const failed = (retryMs = MINUTE_MS): Observation<string> => ({ outcome: 'failed', why: 'timeout', retryMs })
const ips = (count: number) => Array.from({ length: count }, (_, i) => `192.0.${10 + (i >> 8)}.${i & 255}`)
const never = () => new Promise<never>(() => {})

describeRules('live facts', (open) => {
  let sql: Sql
  let stage: Stage
  let clock: ManualClock
  beforeAll(async () => {
    sql = await open()
  })
  beforeEach(async () => {
    await sql.query('delete from live_fact')
    stage = new Stage()
    clock = new ManualClock('2026-11-15T12:00:00Z')
  })

  function start(options: Partial<LiveOptions> = {}) {
    const wide = { budgetMs: 30_000, bulkBudgetMs: 30_000 }
    const live = createLive({ mode: 'on', observers: stage, sql, clock, ...wide, ...options })
    const about = (kind: Kind, name: string, who = 'org_a') => live.about(kind, name, who)
    const aboutAll = (kind: Kind, names: readonly string[], who = 'org_a') => live.aboutAll(kind, names, who)
    return { ...live, about, aboutAll }
  }

  test('every sort of fact is looked up at its own name, with the time it was seen', async () => {
    const live = start()
    const { status, facts } = await live.about('domain', 'www.shop.co.uk')
    expect(status).toBe('complete')
    expect(stage.asked.sort()).toEqual(['host www.shop.co.uk', 'registration shop.co.uk', 'zone shop.co.uk'])
    expect(facts.zone).toEqual({ exists: true, seenMs: clock.now() })
    await live.close()
  })

  test('nothing is asked about reserved names, private addresses or the registration of a platform', async () => {
    const live = start()
    for (const name of ['printer.local', 'a.test', 'b.invalid', 'c.internal', 'example.com', 'co.uk']) {
      expect(await live.about('domain', name)).toEqual({ status: 'off', facts: {} })
    }
    for (const ip of ['10.0.0.1', '127.0.0.1', '192.168.1.1', '::1', 'fe80::1', '169.254.169.254', '100.64.0.1']) {
      expect(await live.about('ip', ip)).toEqual({ status: 'off', facts: {} })
    }
    expect(stage.asked).toEqual([])
    await live.about('domain', 'alice.github.io')
    expect(stage.asked).toEqual(['host alice.github.io'])
    await live.close()
  })

  test('a fact is looked up once and then known, until it expires', async () => {
    const live = start()
    await live.about('domain', 'shop.com')
    await live.about('domain', 'shop.com')
    expect(stage.asked).toHaveLength(3)
    clock.advance(HOUR_MS)
    await live.about('domain', 'shop.com')
    expect(stage.asked).toHaveLength(6)
    await live.close()
  })

  test('many who ask about one name at the same time cause one look', async () => {
    const live = start()
    let answer = (_: Observation<string>) => {}
    stage.answer = () => new Promise((resolve) => (answer = resolve))
    const asking = Array.from({ length: 50 }, () => live.about('ip', '192.0.9.1'))
    await expect.poll(() => stage.asked).toEqual(['reverse 192.0.9.1'])
    answer(seen({ names: [] }))
    for (const { status } of await Promise.all(asking)) expect(status).toBe('complete')
    expect(stage.asked).toHaveLength(1)
    await live.close()
  })

  test('who asks waits no longer than the budget, and what comes later is there for the next question', async () => {
    const live = start({ budgetMs: 5 })
    let answer = (_: Observation<string>) => {}
    stage.answer = () => new Promise((resolve) => (answer = resolve))
    expect(await live.about('ip', '192.0.9.1')).toEqual({ status: 'partial', facts: {} })
    answer(seen({ names: ['late.net'] }))
    await expect
      .poll(async () => (await live.about('ip', '192.0.9.1')).facts.reverse)
      .toMatchObject({ names: ['late.net'] })
    await live.close()
  })

  test('with a budget of nothing only what is known is told', async () => {
    const live = start({ budgetMs: 0 })
    stage.answer = never
    expect((await live.about('ip', '192.0.9.1')).status).toBe('partial')
    await expect.poll(() => stage.asked).toHaveLength(1)
    stage.answer = () => seen({ names: [] })
    await expect.poll(async () => (await live.about('ip', '192.0.9.2')).status).toBe('complete')
    expect((await live.about('ip', '192.0.9.1')).status).toBe('partial')
    await live.close()
  })

  test('a failed look-up is not repeated before its time', async () => {
    const live = start()
    stage.answer = (sort) => (sort === 'registration' ? failed(MINUTE_MS) : seen())
    expect((await live.about('domain', 'shop.com')).status).toBe('partial')
    stage.answer = () => seen({ found: true })
    expect((await live.about('domain', 'shop.com')).status).toBe('partial')
    expect(stage.asked).toHaveLength(3)
    clock.advance(MINUTE_MS)
    const { status, facts } = await live.about('domain', 'shop.com')
    expect({ status, registration: facts.registration?.found }).toEqual({ status: 'complete', registration: true })
    await live.close()
  })

  test('two nodes share what one of them saw', async () => {
    const first = start()
    await first.about('domain', 'shop.com')
    await first.close()
    const second = start()
    clock.advance(MINUTE_MS)
    const { status, facts } = await second.about('domain', 'shop.com')
    expect(status).toBe('complete')
    expect(facts.host?.seenMs).toBe(clock.now() - MINUTE_MS)
    expect(stage.asked).toHaveLength(3)
    await second.close()
  })

  test('facts about an IP address are stored nowhere', async () => {
    const live = start()
    await live.about('ip', '192.0.9.1')
    await live.aboutAll('ip', ['192.0.9.2'])
    await live.close()
    expect(await sql.query('select name from live_fact')).toEqual([])
  })

  test('a list gets the facts of each record in order, and asks about each name once', async () => {
    const live = start()
    stage.answer = (_, name) => seen({ name })
    const names = Array.from({ length: 600 }, (_, i) => `shop${i % 300}.com`)
    const { status, facts } = await live.aboutAll('email', names)
    expect(status).toBe('complete')
    expect(stage.asked).toHaveLength(900)
    expect(facts.map((text) => JSON.parse(text).host.name)).toEqual(names)
    await live.close()
  })

  test('a list waits no longer than its budget for all of its names together', async () => {
    const live = start({ bulkBudgetMs: 5 })
    stage.answer = (_, name) => (name === 'shop0.com' ? seen() : never())
    const { status, facts } = await live.aboutAll(
      'domain',
      Array.from({ length: 1000 }, (_, i) => `shop${i}.com`),
    )
    expect(status).toBe('partial')
    expect(facts).toHaveLength(1000)
    await live.close()
  })

  test('a list gets all of its facts however few the memory holds', async () => {
    const live = start({ entriesMax: 100 })
    stage.answer = (_, name) => seen({ name })
    const names = Array.from({ length: 300 }, (_, i) => `shop${i}.com`)
    const { status, facts } = await live.aboutAll('domain', names)
    expect(status).toBe('complete')
    expect(facts.map((text) => JSON.parse(text).zone.name)).toEqual(names)
    await live.close()
    const other = start({ entriesMax: 100 })
    const lists = await Promise.all([other.aboutAll('domain', names), other.aboutAll('domain', names.toReversed())])
    expect(lists.map((list) => list.status)).toEqual(['complete', 'complete'])
    expect(stage.asked).toHaveLength(900)
    await other.close()
  })

  test('who asks about one name does not wait for the turn of a list', async () => {
    const live = start({ bulkBudgetMs: 5 })
    stage.answer = never
    await live.aboutAll('ip', ['192.0.9.1'])
    await expect.poll(() => stage.asked).toHaveLength(1)
    stage.answer = () => seen({ names: [] })
    expect((await live.about('ip', '192.0.9.1')).status).toBe('complete')
    await live.close()
  })

  test('nobody waits for the look-up of another organisation, whose turn may be far away', async () => {
    const live = start()
    stage.answer = (_sort, _name, { organisationId }) => (organisationId === 'org_a' ? never() : seen({ names: [] }))
    void live.about('ip', '192.0.9.1', 'org_a')
    await expect.poll(() => stage.asked).toHaveLength(1)
    expect((await live.about('ip', '192.0.9.1', 'org_b')).status).toBe('complete')
    await live.close()
  })

  test('a look-up that was held back is told with its reason, counted, and asked again by the next', async () => {
    const counted: [string, number][] = []
    const countHeldBack = (reason: string, count: number) => counted.push([reason, count])
    const live = start({ metrics: { countWanted: () => {}, observeLook: () => {}, countHeldBack } })
    stage.answer = () => ({ ...failed(), held: 'zone_limit' })
    const partial = { status: 'partial', heldBack: ['zone_limit'] }
    expect(await live.about('domain', 'shop.com', 'org_a')).toEqual({ ...partial, facts: {} })
    expect(await live.aboutAll('ip', ['192.0.9.1'], 'org_a')).toEqual({ ...partial, facts: ['{}'] })
    expect(counted).toEqual([
      ['zone_limit', 3],
      ['zone_limit', 1],
    ])
    stage.answer = () => seen()
    for (const who of ['org_b', 'org_a']) {
      const { status, heldBack } = await live.about('domain', 'shop.com', who)
      expect({ status, heldBack }).toEqual({ status: 'complete', heldBack: undefined })
    }
    await live.close()
  })

  test('lists of one organisation that get no answer leave looks to the lists of another', async () => {
    const live = start({ bulkBudgetMs: 5 })
    stage.answer = never
    for (let lists = 0; lists < 3; lists++) await live.aboutAll('ip', ips(1000), 'org_a')
    const before = stage.asked.length
    stage.answer = () => seen({ names: [] })
    await live.aboutAll('ip', ['198.51.9.1'], 'org_b')
    await expect.poll(() => stage.asked.slice(before)).toContain('reverse 198.51.9.1')
    await live.close()
  })

  test('lists without an answer take up a bounded number of looks, however many come', async () => {
    const live = start({ bulkBudgetMs: 5 })
    stage.answer = never
    for (let lists = 0; lists < 10; lists++) await live.aboutAll('ip', ips(1000))
    expect(stage.asked.length).toBeLessThanOrEqual(LIST_UNDER_WAY_MAX)
    await live.close()
  })

  test('a list about which nothing can be asked says that nothing was looked up', async () => {
    const live = start()
    expect(await live.aboutAll('domain', ['printer.local', 'a.test'])).toEqual({ status: 'off', facts: ['{}', '{}'] })
    await live.close()
  })

  test('facts from a clock that was ahead are looked up again when the clock is right', async () => {
    clock.step(400 * DAY_MS)
    const live = start()
    await live.about('domain', 'shop.com')
    clock.step(-400 * DAY_MS)
    const { facts } = await live.about('domain', 'shop.com')
    expect(facts.host?.seenMs).toBe(clock.now())
    await live.close()
  })

  test('a row that was edited by hand fails no check', async () => {
    const live = start()
    await live.about('domain', 'shop.com')
    await live.close()
    await sql.query("update live_fact set value = '{broken' where sort = 'zone'")
    const next = start()
    const { status, facts } = await next.about('domain', 'shop.com')
    expect({ status, sorts: Object.keys(facts).sort() }).toEqual({ status: 'partial', sorts: ['host', 'registration'] })
    await next.close()
  })

  test('without its database it goes on by looking', async () => {
    const troubles: unknown[] = []
    const closed = await open()
    await closed.close()
    const live = start({ sql: closed, onTrouble: (error) => troubles.push(error) })
    expect((await live.about('domain', 'shop.com')).status).toBe('complete')
    expect((await live.aboutAll('domain', ['shop.com', 'other.com'])).status).toBe('complete')
    expect(troubles.length).toBeGreaterThan(0)
    await live.close()
  })

  test('auto is on while a resolver answers, and says when that changes', async () => {
    const switches: boolean[] = []
    stage.resolverAnswers = false
    const live = start({ mode: 'auto', onSwitch: (on) => switches.push(on) })
    await live.lookAgain()
    expect(await live.about('domain', 'shop.com')).toEqual({ status: 'off', facts: {} })
    stage.resolverAnswers = true
    await live.lookAgain()
    expect((await live.about('domain', 'shop.com')).status).toBe('complete')
    stage.resolverAnswers = false
    await live.lookAgain()
    expect((await live.about('domain', 'shop.com')).status).toBe('complete')
    await live.lookAgain()
    expect((await live.about('domain', 'shop.com')).status).toBe('off')
    expect(switches).toEqual([true, false])
    await live.close()
  })

  test('expired facts are deleted, and beyond the most that may be kept those that expire first', async () => {
    const live = start()
    stage.answer = (_, name) => seen({ exists: true }, name === 'alice.github.io' ? DAY_MS : MINUTE_MS)
    for (let i = 0; i < 19; i++) await live.about('domain', `a${i}.github.io`)
    await live.about('domain', 'alice.github.io')
    await live.flush()
    expect(await purgeFacts(sql, clock.now(), 20)).toBe(0)
    expect(await purgeFacts(sql, clock.now(), 1)).toBe(19)
    expect(await sql.query('select name from live_fact')).toEqual([{ name: 'alice.github.io' }])
    clock.advance(DAY_MS)
    expect(await purgeFacts(sql, clock.now(), 20)).toBe(1)
    await live.close()
  })

  test('facts of an earlier form are looked up anew', async () => {
    const live = start()
    await live.about('domain', 'alice.github.io')
    await live.close()
    await sql.query('update live_fact set form = 0')
    const next = start()
    await next.about('domain', 'alice.github.io')
    expect(stage.asked).toHaveLength(2)
    await next.close()
  })
})
