import { expect, it } from 'vitest'
import { SeenFilter, TwoGenerationCache } from './two-generation-cache.ts'

it('remembers what was set or used last, and forgets the rest', () => {
  const recent = new TwoGenerationCache<number>(4)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('c', 3)
  expect(recent.get('a')).toBe(1)
  recent.set('d', 4)
  expect(['a', 'b', 'c', 'd'].map((key) => recent.get(key))).toEqual([1, undefined, 3, 4])
})

it('never holds more than it may', () => {
  const recent = new TwoGenerationCache<number>(10)
  const keys = Array.from({ length: 1000 }, (_, i) => `key ${i}`)
  for (const [i, key] of keys.entries()) recent.set(key, i)
  const held = keys.filter((key) => recent.get(key) !== undefined)
  expect(held.length).toBeLessThanOrEqual(10)
  expect(held).toContain('key 999')
})

it('knows what was met before, and takes next to nothing new for it', () => {
  const met = new SeenFilter(4096)
  expect(met.meet('a.example')).toBe(false)
  expect(met.meet('a.example')).toBe(true)
  const names = Array.from({ length: 2000 }, (_, i) => `shop-${i}.example`)
  expect(names.filter((name) => met.meet(name))).toEqual([])
  expect(names.filter((name) => met.meet(name)).length).toBeGreaterThan(1000)
})
