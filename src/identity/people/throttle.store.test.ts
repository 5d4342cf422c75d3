import { expect, test } from 'vitest'
import { describeEachStore } from '../../../test/support/stores.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/clock.ts'
import { returnAttemptFrom, takeAttempt, takeAttemptFrom, takeTry } from './throttle.ts'

describeEachStore('counting attempts', (open) => {
  test('a clock that was set back neither forgets attempts nor makes anybody wait longer than the window', async () => {
    const sql = await open()
    const limit = { attemptsMax: 2, windowMs: 15 * MINUTE_MS }
    let nowMs = Date.parse('2026-10-31T23:30:00Z')
    const take = async () => (await takeAttempt(sql, 'somebody', limit, nowMs)).waitMs
    expect([await take(), await take(), await take()]).toEqual([0, 0, limit.windowMs])
    nowMs -= HOUR_MS
    expect(await take()).toBe(limit.windowMs)
    nowMs += 10 * MINUTE_MS
    expect(await take()).toBe(5 * MINUTE_MS)
    nowMs += 5 * MINUTE_MS
    expect(await take()).toBe(0)
  })

  test('a run of failures goes on for a node whose clock is a little behind, and ends when a clock was set back', async () => {
    const sql = await open()
    const growth = { freeMax: 2, firstWaitMs: MINUTE_MS, waitMsMax: MINUTE_MS, forgottenMs: 30 * MINUTE_MS }
    const nowMs = Date.parse('2026-10-31T23:30:00Z')
    const take = async (atMs: number) => (await takeTry(sql, 'a run', growth, atMs)).waitMs > 0
    expect([await take(nowMs), await take(nowMs), await take(nowMs)]).toEqual([false, false, true])
    expect([await take(nowMs - 1), await take(nowMs - 30_000)]).toEqual([true, true])
    expect(await take(nowMs - HOUR_MS)).toBe(false)
  })

  test('the networks of one IPv6 site are counted together, and a site that waits writes nothing', async () => {
    const sql = await open()
    const limit = { attemptsMax: 2, windowMs: 15 * MINUTE_MS }
    const nowMs = Date.parse('2026-10-31T23:30:00Z')
    const take = async (ip: string) => (await takeAttemptFrom(sql, 'guess', ip, limit, nowMs)).waitMs
    const network = (i: number) => `2001:db8:7:${i.toString(16)}::1`
    const windows = () => sql.query('select key from attempt_window order by key')

    for (let i = 0; i < 128; i++) expect(await take(network(i))).toBe(0)
    const before = await windows()
    for (let i = 0; i < 140; i++) expect(await take(network(i))).toBe(limit.windowMs)
    expect(await windows()).toEqual(before)
    expect([await take('2001:db8:8::1'), await take('192.0.2.1')]).toEqual([0, 0])

    await returnAttemptFrom(sql, 'guess', network(3))
    expect(await take(network(4))).toBe(0)
    expect(await take(network(5))).toBe(limit.windowMs)
  })

  test('an address that has no attempts left takes none of its neighbours', async () => {
    const sql = await open()
    const limit = { attemptsMax: 1, windowMs: 15 * MINUTE_MS }
    const take = (ip: string) => takeAttemptFrom(sql, 'another guess', ip, limit, 0)
    for (let i = 0; i < 100; i++) await take('2001:db8:7:1::1')
    expect(await take('2001:db8:7:2::1')).toEqual({ waitMs: 0 })
  })
})
