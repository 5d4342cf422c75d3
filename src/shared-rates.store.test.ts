import { expect, test } from 'vitest'
import { ManualClock } from '../test/support/clock.ts'
import { describeEachStore } from '../test/support/stores.ts'
import { createRateLimiter } from './access/limits.ts'
import { shareRates } from './shared-rates.ts'

describeEachStore('the rates of several nodes', (open, engine) => {
  // SQLite has one node.
  test.runIf(engine === 'postgres')('a node hears what another let through', async () => {
    const clock = new ManualClock(0)
    const node = async () => {
      const limiter = createRateLimiter({ clock, bucketsMax: 10 })
      return { limiter, stop: await shareRates(await open(), limiter) }
    }
    const [one, two] = await Promise.all([node(), node()])
    for (let i = 0; i < 30; i++) one.limiter.take('org', 50)
    const leftOn = ({ limiter }: typeof one, who: string) => {
      try {
        return /r=(\d+)/.exec(limiter.take(who, 50)?.ratelimit ?? '')?.[1] ?? 'over half'
      } catch {
        return 'nothing'
      }
    }
    // 20 are left there, and each look takes one more.
    await expect.poll(() => leftOn(two, 'org')).toMatch(/^\d+$/)
    expect(leftOn(two, 'another')).toBe('over half')
    await Promise.all([one.stop(), two.stop()])
  })
})
