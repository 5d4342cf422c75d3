import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { HOUR_MS, MINUTE_MS } from './clock.ts'
import { createServiceClock } from './service-clock.ts'

const START_MS = Date.parse('2026-10-31T23:30:00Z')

function setUp() {
  const machine = new ManualClock(START_MS)
  const clock = createServiceClock(machine)
  /** Minutes since the start. */
  const minutes = () => (clock.now() - START_MS) / MINUTE_MS
  return { machine, clock, minutes }
}

describe("the service's time", () => {
  it('goes with the clock of the machine', () => {
    const { machine, minutes } = setUp()
    expect(minutes()).toBe(0)
    machine.advance(90 * MINUTE_MS)
    expect(minutes()).toBe(90)
  })

  it('follows a clock that is set forward at once', () => {
    const { machine, minutes } = setUp()
    machine.step(HOUR_MS)
    expect(minutes()).toBe(60)
  })

  it('runs at half speed after a clock was set back, until they meet, and then with it', () => {
    const { machine, minutes, clock } = setUp()
    expect(minutes()).toBe(0)
    machine.step(-HOUR_MS)
    expect(minutes()).toBe(0)
    expect(clock.machineAheadMs()).toBe(-HOUR_MS)
    machine.advance(60 * MINUTE_MS)
    expect(minutes()).toBe(30)
    machine.advance(59 * MINUTE_MS)
    expect(minutes()).toBe(59.5)
    machine.advance(1 * MINUTE_MS)
    expect(minutes()).toBe(60)
    machine.advance(10 * MINUTE_MS)
    expect(minutes()).toBe(70)
    expect(clock.machineAheadMs()).toBe(0)
  })

  it('is the same however often it is read while it runs at half speed', () => {
    const [often, rarely] = [setUp(), setUp()]
    for (const { machine, clock } of [often, rarely]) {
      clock.now()
      machine.step(-HOUR_MS)
    }
    for (let i = 0; i < 3001; i++) {
      often.machine.advance(7)
      often.clock.now()
    }
    rarely.machine.advance(3001 * 7)
    expect(often.clock.now()).toBe(rarely.clock.now())
  })

  it('never goes back, whatever is done to the clock', () => {
    const { machine, clock } = setUp()
    let lastMs = clock.now()
    for (const ms of [1, -HOUR_MS, 2 * HOUR_MS, -5 * HOUR_MS, -1, HOUR_MS, -24 * HOUR_MS, 25 * HOUR_MS]) {
      machine.step(ms)
      machine.advance(1000)
      const nowMs = clock.now()
      expect(nowMs).toBeGreaterThan(lastMs)
      lastMs = nowMs
    }
  })

  it('goes by the reference it is told of, not by the machine', () => {
    const { machine, clock, minutes } = setUp()
    clock.follow(START_MS - 10 * MINUTE_MS, machine.ticks())
    expect(minutes()).toBe(-10)
    machine.step(HOUR_MS)
    machine.advance(MINUTE_MS)
    expect(minutes()).toBe(-9)
    expect(clock.machineAheadMs()).toBe(70 * MINUTE_MS)
    // The reference as it was half a minute ago.
    clock.follow(START_MS, machine.ticks() - MINUTE_MS / 2)
    expect(minutes()).toBe(0.5)
  })

  it('does not start behind what was reached before', () => {
    const { machine, clock, minutes } = setUp()
    clock.reach(START_MS + 10 * MINUTE_MS)
    expect(minutes()).toBe(10)
    machine.advance(4 * MINUTE_MS)
    expect(minutes()).toBe(12)
    clock.reach(START_MS)
    expect(minutes()).toBe(12)
  })
})
