import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import type { Caller } from './caller.ts'
import { cacheCallers } from './caller-cache.ts'

function caller(overrides: Partial<Caller> = {}): Caller {
  return {
    organisationId: 'org_1',
    credentialId: 'key_1',
    method: 'api_key',
    scopes: new Set(),
    state: 'active',
    stateReason: null,
    expiresAtMs: Number.POSITIVE_INFINITY,
    ...overrides,
  }
}

function setUp(answer: () => Caller | undefined, entriesMax = 100) {
  const clock = new ManualClock('2026-01-01T00:00:00Z')
  const asked: string[] = []
  const cache = cacheCallers(
    async (credential) => {
      asked.push(credential)
      return answer()
    },
    { clock, ttlMs: 2000, entriesMax },
  )
  return { clock, asked, cache }
}

describe('the cache of callers', () => {
  it('asks once while an answer is fresh, and again when it is not', async () => {
    const { clock, asked, cache } = setUp(() => caller())
    await cache.find('a')
    await cache.find('a')
    expect(asked).toEqual(['a'])
    clock.advance(2000)
    await cache.find('a')
    expect(asked).toEqual(['a', 'a'])
  })

  it('asks once for many at the same moment', async () => {
    const { asked, cache } = setUp(() => caller())
    await Promise.all(Array.from({ length: 20 }, () => cache.find('a')))
    expect(asked).toEqual(['a'])
  })

  it('notices a change within its lifetime', async () => {
    let state: Caller['state'] = 'active'
    const { clock, cache } = setUp(() => caller({ state }))
    await cache.find('a')
    state = 'disabled'
    clock.advance(2000)
    expect((await cache.find('a'))?.state).toBe('disabled')
  })

  it.each([-3_600_000, 3_600_000])('notices it as soon when the clock is set by %i ms meanwhile', async (stepMs) => {
    let state: Caller['state'] = 'active'
    const { clock, cache } = setUp(() => caller({ state }))
    await cache.find('a')
    state = 'disabled'
    clock.step(stepMs)
    clock.advance(2000)
    expect((await cache.find('a'))?.state).toBe('disabled')
  })

  it('never serves a credential past its own expiry', async () => {
    const { clock, cache } = setUp(() => caller({ expiresAtMs: Date.parse('2026-01-01T00:00:01Z') }))
    expect(await cache.find('a')).toBeDefined()
    clock.advance(1000)
    expect(await cache.find('a')).toBeUndefined()
  })

  it('remembers unknown credentials too', async () => {
    const { asked, cache } = setUp(() => undefined)
    expect(await cache.find('x')).toBeUndefined()
    expect(await cache.find('x')).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  it('does not remember what was read before a change', async () => {
    let state: Caller['state'] = 'active'
    let answerFirst = () => {}
    const first = new Promise<void>((resolve) => {
      answerFirst = resolve
    })
    let looks = 0
    const cache = cacheCallers(
      async () => {
        const read = caller({ state })
        if (++looks === 1) await first
        return read
      },
      { clock: new ManualClock(0), ttlMs: 2000, entriesMax: 10 },
    )
    const slow = cache.find('a')
    state = 'disabled'
    cache.forget()
    expect((await cache.find('a'))?.state).toBe('disabled')
    answerFirst()
    await slow
    expect((await cache.find('a'))?.state).toBe('disabled')
    expect(looks).toBe(2)
  })

  it('is bounded', async () => {
    const { asked, cache } = setUp(() => caller(), 2)
    for (const credential of ['a', 'b', 'c', 'a']) await cache.find(credential)
    expect(asked).toEqual(['a', 'b', 'c', 'a'])
  })

  it('does not remember a failure', async () => {
    let fail = true
    const { cache } = setUp(() => {
      if (fail) throw new Error('database away')
      return caller()
    })
    await expect(cache.find('a')).rejects.toThrow('database away')
    fail = false
    expect(await cache.find('a')).toBeDefined()
  })
})
