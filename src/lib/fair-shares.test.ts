import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/support/runs.ts'
import { FairQueue, longestOf, NOBODY, SharedPlaces } from './fair-shares.ts'

const who = fc.constantFrom('a', 'b', 'c', 'd')

describe('a fair queue', () => {
  test('serves organisations in turn, each in its own order', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0]!, item)
    expect(Array.from({ length: 7 }, () => queue.shift())).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined])
  })

  test('passes over an organisation that may not go, which keeps its turn', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'b1', 'b2']) queue.push(item[0]!, item)
    expect(queue.shift((one) => one !== 'a')).toBe('b1')
    expect([queue.shift(), queue.shift()]).toEqual(['a1', 'b2'])
  })

  test('keeps the order of thousands', () => {
    const queue = new FairQueue<number>()
    for (let i = 0; i < 5000; i++) queue.push('a', i)
    expect(Array.from({ length: 5000 }, () => queue.shift())).toEqual(Array.from({ length: 5000 }, (_, i) => i))
  })

  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('push' as const), who }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('shift' as const), without: fc.option(who) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pop' as const), who }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('popLongest' as const) }) },
  )

  test('is its model after any history: nobody waits longer than one turn of all others', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new FairQueue<string>()
        const lines = new Map<string, string[]>()
        // Turns of others since an organisation began to wait at the head of its line.
        const passedOver = new Map<string, number>()
        let pushed = 0
        for (const one of steps) {
          if (one.do === 'push') {
            const item = `${one.who}${pushed++}`
            queue.push(one.who, item)
            lines.set(one.who, [...(lines.get(one.who) ?? []), item])
          } else if (one.do === 'shift') {
            const others = [...lines].filter(([name, line]) => line.length > 0 && name !== one.without)
            const item = queue.shift((name) => name !== one.without)
            expect(item === undefined).toBe(others.length === 0)
            if (item === undefined) continue
            const line = lines.get(item[0]!)
            expect(line?.shift()).toBe(item)
            for (const [name] of others) passedOver.set(name, name === item[0] ? 0 : (passedOver.get(name) ?? 0) + 1)
            expect(Math.max(...passedOver.values())).toBeLessThan(4)
          } else {
            const longest = Math.max(0, ...[...lines.values()].map((line) => line.length))
            const from = one.do === 'pop' ? one.who : longestOf([queue])
            if (one.do === 'popLongest') expect(lines.get(from ?? '')?.length ?? 0).toBe(longest)
            expect(queue.pop(from ?? '')).toBe(lines.get(from ?? '')?.pop())
          }
          for (const [name, line] of lines) if (line.length === 0) passedOver.set(name, 0)
          expect(queue.size).toBe([...lines.values()].flat().length)
        }
        expect(queue.clear().sort()).toEqual([...lines.values()].flat().sort())
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('shared places', () => {
  test.each([
    [4, 3],
    [50, 34],
    [750, 500],
  ])('of %i one organisation alone gets %i, the service itself all', (max, alone) => {
    const fill = (name: string) => {
      const places = new SharedPlaces(max)
      while (places.mayTake(name)) places.take(name)
      return places.used
    }
    expect([fill('a'), fill(NOBODY)]).toEqual([alone, max])
  })

  test('after any history nobody has taken more than twice what was left, and any place left is a newcomer’s', () => {
    const act = fc.record({ who, count: fc.integer({ min: 1, max: 5 }), back: fc.boolean() })
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 40 }), fc.array(act, { maxLength: 200 }), (max, acts) => {
        const places = new SharedPlaces(max)
        const held = new Map<string, number>()
        for (const one of acts) {
          const own = held.get(one.who) ?? 0
          const count = one.back ? Math.min(own, one.count) : one.count
          if (one.back) places.giveBack(one.who, count)
          else if (!places.mayTake(one.who, count)) continue
          else places.take(one.who, count)
          held.set(one.who, own + (one.back ? -count : count))
          const used = [...held.values()].reduce((sum, each) => sum + each, 0)
          expect(places.used).toBe(used)
          expect(used).toBeLessThanOrEqual(max)
          expect(places.mayTake('newcomer')).toBe(used < max)
          if (!one.back) expect(held.get(one.who)).toBeLessThanOrEqual(2 * (max - used) + 2)
        }
      }),
      { numRuns: runs(300) },
    )
  })
})
