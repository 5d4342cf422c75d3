import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { describeEachStore } from '../../test/support/stores.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock.ts'
import { openServiceTime } from './service-time.ts'
import type { Sql } from './sql.ts'

const START = '2026-10-31T23:50:00Z'

describeEachStore("the service's time", (open, engine) => {
  let sql: Sql
  beforeAll(async () => {
    sql = await open()
  })
  beforeEach(() => sql.query('delete from service_time'))

  /** A node whose machine is wrong by so much. */
  function node(shared: ManualClock, wrongByMs: number) {
    const machine = {
      now: () => shared.now() + wrongByMs,
      ticks: () => shared.ticks(),
    }
    return openServiceTime(sql, { machine, readReferenceMs: async () => shared.now() })
  }

  test('a process that starts after the clock was set back goes on where the last one was', async () => {
    const shared = new ManualClock(START)
    const before = await node(shared, 0)
    shared.advance(20 * MINUTE_MS)
    await before.look()
    shared.step(-HOUR_MS)
    const after = await node(shared, 0)
    expect(after.clock.now()).toBe(Date.parse('2026-11-01T00:10:00Z'))
    shared.advance(2 * HOUR_MS)
    expect(after.clock.now()).toBe(shared.now())
  })

  test('a time that is more than a day ahead is not believed', async () => {
    const shared = new ManualClock(START)
    shared.step(DAY_MS + 1)
    await node(shared, 0)
    shared.step(-DAY_MS - 1)
    const { clock } = await node(shared, 0)
    expect(clock.now()).toBe(Date.parse(START))
  })

  test('nodes whose machines are ten minutes apart have one time', async () => {
    const shared = new ManualClock(START)
    const ahead = await node(shared, 10 * MINUTE_MS)
    const behind = await node(shared, -10 * MINUTE_MS)
    shared.advance(9 * MINUTE_MS)
    expect([ahead.clock.now(), behind.clock.now()]).toEqual([shared.now(), shared.now()])
    expect(ahead.machineAheadMs()).toBe(10 * MINUTE_MS)
    expect(behind.machineAheadMs()).toBe(-10 * MINUTE_MS)
  })

  test('a node whose reference went back catches up with the others', async () => {
    const shared = new ManualClock(START)
    const first = await node(shared, 0)
    const second = await node(shared, 0)
    shared.advance(HOUR_MS)
    await first.look()
    shared.step(-HOUR_MS)
    await second.look()
    expect(second.clock.now()).toBe(first.clock.now())
  })

  test('a measurement counts from the middle of its round trip; a slow one and a failed one change nothing', async () => {
    const machine = new ManualClock(START)
    let answer = async () => {
      machine.advance(200)
      return 1_000_000
    }
    const time = await openServiceTime(sql, { machine, readReferenceMs: () => answer() })
    expect(time.clock.now()).toBe(1_000_100)
    answer = async () => {
      machine.advance(2000)
      return 5_000_000
    }
    await time.look()
    expect(time.clock.now()).toBe(1_002_100)
    answer = async () => {
      throw new Error('away')
    }
    await expect(time.look()).rejects.toThrow('away')
    machine.advance(100)
    expect(time.clock.now()).toBe(1_002_200)
  })

  test('tells once of a machine that is wrong, and of every time its clock is set', async () => {
    const shared = new ManualClock(START)
    let wrongByMs = 600_000
    const machine = { now: () => shared.now() + wrongByMs, ticks: () => shared.ticks() }
    const time = await openServiceTime(sql, { machine, readReferenceMs: async () => shared.now() })
    expect(await time.look()).toMatchObject({
      aheadSeconds: 600,
      steppedSeconds: 0,
      message: expect.stringMatching(/^This machine's clock is 600 s ahead of the database's\..*NTP/),
    })
    shared.advance(30_000)
    expect(await time.look()).toBeUndefined()
    wrongByMs = -3_000_000
    expect(await time.look()).toMatchObject({
      aheadSeconds: -3000,
      steppedSeconds: -3600,
      message: expect.stringMatching(
        /^This machine's clock was set back by 3600 s\. .* is 3000 s behind the database's\./,
      ),
    })
    wrongByMs = 0
    expect(await time.look()).toMatchObject({ aheadSeconds: 0, steppedSeconds: 3000 })
    shared.advance(30_000)
    expect(await time.look()).toBeUndefined()
  })

  test('looks again every half minute, tells what it finds, and stops when it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const shared = new ManualClock(START)
      const machine = new ManualClock(START)
      let looks = 0
      const readReferenceMs = async () => {
        if (++looks === 3) throw new Error('away')
        return shared.now()
      }
      const told: string[] = []
      const time = await openServiceTime(sql, { machine, readReferenceMs })
      const polling = time.startPolling({
        trouble: ({ steppedSeconds }) => told.push(`stepped ${steppedSeconds}`),
        failure: (error) => told.push(String(error)),
      })
      machine.step(HOUR_MS)
      vi.advanceTimersByTime(30_000)
      await expect.poll(() => told).toEqual(['stepped 3600'])
      vi.advanceTimersByTime(30_000)
      await expect.poll(() => told).toEqual(['stepped 3600', 'Error: away'])
      await polling.close()
      vi.advanceTimersByTime(60_000)
      expect(looks).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test("by itself it goes by the database's clock where nodes share one, and by the machine's elsewhere", async () => {
    const machine = new ManualClock('2000-01-01T00:00:00Z')
    const time = await openServiceTime(sql, { machine })
    const [row] = engine === 'postgres' ? await sql.query<{ now: Date }>('select clock_timestamp() as now') : []
    const expected = row ? row.now.getTime() : machine.now()
    expect(Math.abs(time.clock.now() - expected)).toBeLessThan(row ? MINUTE_MS : 1)
  })
})
