import { expect, test } from 'vitest'
import { describeEachStore } from '../../../test/support/stores.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/clock.ts'
import { takeAttempt } from './throttle.ts'

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
})
