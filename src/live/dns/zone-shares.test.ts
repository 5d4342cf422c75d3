import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { runs } from '../../../test/support/runs.ts'
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { ZoneShares, zoneOf } from './zone-shares.ts'

const PER_SECOND = LIMITS.rates.zoneQuestionsPerSecond
const BURST = LIMITS.queues.zoneQuestionsBurst

function stage() {
  const clock = new ManualClock(0)
  const zones = new ZoneShares(clock)
  /** How many of so many questions may be asked. */
  const asked = (who: string | undefined, count: number, zone = 'a.com') =>
    Array.from({ length: count }, () => zones.hold(zone, who)).filter((held) => held === undefined).length
  return { clock, zones, asked }
}

test.each([
  ['www.shop.co.uk', 'shop.co.uk'],
  ['_dmarc.shop.co.uk', 'shop.co.uk'],
  ['shop.co.uk', 'shop.co.uk'],
  ['alice.github.io', 'github.io'],
  ['7.114.0.203.in-addr.arpa', '114.0.203.in-addr.arpa'],
  [`${'1.'.repeat(32)}ip6.arpa`, `${'1.'.repeat(12)}ip6.arpa`],
  ['co.uk', 'co.uk'],
])('the zone of %s is %s', (name, zone) => {
  expect(zoneOf(name)).toBe(zone)
})

describe('the questions of an organisation about one zone', () => {
  test('are a burst and then a rate, in every zone anew', () => {
    const { clock, asked } = stage()
    expect(asked('one', 2 * BURST)).toBe(BURST)
    expect(asked('one', BURST, 'b.com')).toBe(BURST)
    clock.advance(SECOND_MS)
    expect(asked('one', 2 * BURST)).toBe(PER_SECOND)
  })

  test('are held back with the reason', () => {
    const { zones, asked } = stage()
    asked('one', BURST)
    const refusal = { why: 'too many questions about a.com', retryMs: 1000, held: 'zone_limit' }
    expect(zones.hold('a.com', 'one')).toEqual(refusal)
  })

  test('take nothing from others, however many organisations ask', () => {
    const { asked } = stage()
    for (let i = 0; i < 10; i++) asked(`attacker ${i}`, BURST)
    expect(asked('victim', 20)).toBe(20)
  })

  test('of the operator have no limit', () => {
    expect(stage().asked(undefined, 10 * BURST)).toBe(10 * BURST)
  })

  test('stay within the limits of each and of all, after any history', () => {
    const ask = fc.record({ who: fc.integer({ min: 0, max: 9 }), count: fc.nat(400), afterMs: fc.nat(3000) })
    fc.assert(
      fc.property(fc.array(ask, { maxLength: 60 }), (asks) => {
        const { clock, asked } = stage()
        const counts = new Map<number, number>()
        for (const { who, count, afterMs } of asks) {
          clock.advance(afterMs)
          counts.set(who, (counts.get(who) ?? 0) + asked(`org ${who}`, count))
          const seconds = clock.ticks() / SECOND_MS
          expect(counts.get(who)).toBeLessThanOrEqual(Math.ceil(BURST + PER_SECOND * seconds))
          const all = [...counts.values()].reduce((sum, each) => sum + each, 0)
          // Beyond the limit of all, each of ten may ask a tenth.
          expect(all).toBeLessThanOrEqual(Math.ceil((4 + 10 / 10) * (BURST + PER_SECOND * seconds) + 10))
        }
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('a zone that does not answer', () => {
  const SERVERS = true
  const ANOTHER = false

  test('is not asked for a minute after three failures, one of them about its name servers', () => {
    const { clock, zones } = stage()
    for (const about of [SERVERS, ANOTHER]) zones.failed('a.com', about)
    expect(zones.hold('a.com', 'one')).toBeUndefined()
    zones.failed('a.com', ANOTHER)
    const silent = { why: 'a.com does not answer', retryMs: MINUTE_MS, held: 'zone_silent' }
    expect(zones.hold('a.com', 'one')).toEqual(silent)
    expect(zones.hold('b.com', 'one')).toBeUndefined()
    clock.advance(MINUTE_MS)
    expect(zones.hold('a.com', 'one')).toBeUndefined()
  })

  test('is tried with one question, and asked again when that is answered', () => {
    const { clock, zones } = stage()
    for (let i = 0; i < 3; i++) zones.failed('a.com', SERVERS)
    clock.advance(MINUTE_MS)
    expect(zones.hold('a.com', 'one')).toBeUndefined()
    expect(zones.hold('a.com', 'two')).toMatchObject({ held: 'zone_silent' })
    zones.failed('a.com', ANOTHER)
    clock.advance(MINUTE_MS - 1)
    expect(zones.hold('a.com', 'two')).toMatchObject({ held: 'zone_silent' })
    clock.advance(1)
    expect(zones.hold('a.com', 'two')).toBeUndefined()
    zones.answered('a.com')
    expect(zones.hold('a.com', 'one')).toBeUndefined()
  })

  test('is asked on while only a part of it fails, which a stranger may have picked', () => {
    const { zones } = stage()
    for (let i = 0; i < 100; i++) zones.failed('a.com', ANOTHER)
    expect(zones.hold('a.com', 'one')).toBeUndefined()
  })

  test('is asked on where an answer comes in between', () => {
    const { zones } = stage()
    for (let i = 0; i < 10; i++) {
      zones.failed('a.com', SERVERS)
      zones.failed('a.com', ANOTHER)
      zones.answered('a.com')
    }
    expect(zones.hold('a.com', 'one')).toBeUndefined()
  })
})
