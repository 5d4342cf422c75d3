import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { Problem } from '../errors.ts'
import { createRateLimiter, type RateLimiter } from './limits.ts'

function setUp() {
  const clock = new ManualClock(0)
  const limiter = createRateLimiter({ clock, bucketsMax: 10 })
  const passes = (organisationId: string, rate: number) => {
    try {
      limiter.take(organisationId, rate)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
      return false
    }
  }
  return { clock, limiter, passes }
}

describe('the rate limit', () => {
  it('lets one second’s worth through at once and no more', () => {
    const { passes } = setUp()
    const passed = Array.from({ length: 8 }, () => passes('org', 5)).filter(Boolean)
    expect(passed).toHaveLength(5)
  })

  it('refills steadily', () => {
    const { clock, passes } = setUp()
    for (let i = 0; i < 5; i++) passes('org', 5)
    clock.advance(200)
    expect([passes('org', 5), passes('org', 5)]).toEqual([true, false])
  })

  it('does not save up more than one second’s worth', () => {
    const { clock, passes } = setUp()
    clock.advance(60_000)
    expect(Array.from({ length: 20 }, () => passes('org', 5)).filter(Boolean)).toHaveLength(5)
  })

  it('keeps organisations apart', () => {
    const { passes } = setUp()
    while (passes('one', 3));
    expect(passes('two', 3)).toBe(true)
  })

  it('says how long to wait, and what the policy is', () => {
    const { limiter, passes } = setUp()
    while (passes('org', 2));
    expect(() => limiter.take('org', 2)).toThrow(
      expect.objectContaining({
        code: 'rate_limited',
        headers: { 'retry-after': '1', ratelimit: '"plan";r=0;t=1', 'ratelimit-policy': '"plan";q=2;w=1' },
      }),
    )
  })

  it('takes as much as a request weighs, and says what the share is and what used it up', () => {
    const { clock, limiter } = setUp()
    for (let i = 0; i < 5; i++) limiter.take('org', 100, 'resources', 'export')
    expect(() => limiter.take('org', 100, 'resources', 'export')).toThrow(
      expect.objectContaining({
        detail:
          'Billing and organisation resources answer 100 requests a second, and an export counts as 20 of them: this share is used up. Wait 1 s.',
        headers: { 'retry-after': '1', ratelimit: '"resources";r=0;t=1', 'ratelimit-policy': '"resources";q=100;w=1' },
      }),
    )
    clock.advance(100)
    // Enough for ten reads; an export waits for twenty.
    expect(() => limiter.take('org', 100, 'resources', 'document')).toThrow('a PDF counts as 20 of them')
    expect(limiter.take('org', 100, 'resources')).toMatchObject({ ratelimit: '"resources";r=9;t=1' })
    // Another share is untouched.
    limiter.take('org', 100)
  })

  it('takes more after a long answer, and the next requests wait for it', () => {
    const { clock, limiter } = setUp()
    limiter.take('org', 100, 'resources')
    limiter.takeMore('org', 150, 'resources')
    expect(() => limiter.take('org', 100, 'resources')).toThrow(
      expect.objectContaining({
        detail:
          'Billing and organisation resources answer 100 requests a second, and a long answer counts as one for each 16 KiB: this share is used up. Wait 1 s.',
      }),
    )
    clock.advance(500)
    expect(() => limiter.take('org', 100, 'resources')).toThrow('used up')
    clock.advance(50)
    limiter.take('org', 100, 'resources')
  })

  it('lets a heavy request through where the whole share is smaller', () => {
    const { limiter } = setUp()
    limiter.take('org', 2, 'plan', 'export')
    expect(() => limiter.take('org', 2)).toThrow('The plan allows 2 requests a second')
  })

  it('fills at the pace of time, also when the clock is set an hour forward or back', () => {
    const { clock, passes } = setUp()
    for (const ms of [-3_600_000, 3_600_000]) {
      expect(passes('org', 1)).toBe(true)
      clock.step(ms)
      expect(passes('org', 1)).toBe(false)
      clock.advance(1000)
    }
  })

  it('tells what was taken since it was first asked, also from a bucket that was used before', () => {
    const limiter = createRateLimiter({ clock: new ManualClock(0), bucketsMax: 10 })
    limiter.take('org', 10)
    expect(limiter.taken()).toEqual([])
    limiter.take('org', 10)
    expect(limiter.taken()).toEqual([['plan', 'org', 1, 10]])
    expect(limiter.taken()).toEqual([])
  })

  it.each([2, 5])('holds for %d nodes together that tell each other what they let through', (nodes) => {
    const clock = new ManualClock(0)
    const limiters = Array.from({ length: nodes }, () => createRateLimiter({ clock, bucketsMax: 10 }))
    for (const limiter of limiters) limiter.taken()
    let passed = 0
    const ask = (limiter: RateLimiter) => {
      try {
        limiter.take('org', 200)
        passed++
      } catch {}
    }
    const tellEachOther = () => {
      for (const [from, taken] of limiters.map((limiter) => limiter.taken()).entries()) {
        for (const [to, limiter] of limiters.entries()) if (to !== from) limiter.takenElsewhere(taken)
      }
    }
    // Five times the rate for four seconds, and word of it every 30 ms; the first second has the full bucket.
    const seconds: number[] = []
    for (let ms = 1; ms <= 4000; ms++) {
      clock.advance(1)
      ask(limiters[ms % nodes]!)
      if (ms % 30 === 0) tellEachOther()
      if (ms % 1000 === 0) seconds.push(passed)
    }
    expect(seconds[0]).toBeLessThan(1.1 * 400)
    for (const [second, sum] of seconds.entries()) {
      expect(Math.abs(sum - 200 * (second + 2)), `after ${second + 1} s`).toBeLessThan(0.1 * 200)
    }
  })
})
