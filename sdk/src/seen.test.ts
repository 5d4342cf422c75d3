import { describe, expect, it } from 'vitest'
import { createKeyedHash } from './keyed-hash.ts'
import { createSeen } from './seen.ts'

describe('the table of records met', () => {
  it('finds everything that was put in, through all its growing', () => {
    const seen = createSeen(50_000)
    const hash = createKeyedHash(new Uint32Array([1, 2]))
    const find = (i: number) => {
      hash.update(`name${i}`)
      return seen.find(hash.high, hash.low)
    }
    const numbers = Array.from({ length: 40_000 }, (_, i) => i)
    const early = numbers.filter((i) => {
      const found = find(i)
      seen.set(hash.high, hash.low, i)
      return found !== undefined
    })
    expect(early).toEqual([])
    expect(numbers.filter((i) => find(i) !== i)).toEqual([])
  })

  it('remembers at least one generation back, and forgets what is older than two', () => {
    const seen = createSeen(100)
    for (let i = 1; i <= 250; i++) seen.set(i, i, i)
    for (let i = 150; i <= 250; i++) expect(seen.find(i, i)).toBe(i)
    for (let i = 1; i <= 100; i++) expect(seen.find(i, i)).toBeUndefined()
  })

  it('keeps a record alive that is met again', () => {
    const seen = createSeen(100)
    seen.set(7, 7, 42)
    for (let i = 1000; i < 2000; i++) {
      seen.set(i, i, 0)
      if (i % 50 === 0) expect(seen.find(7, 7)).toBe(42)
    }
    expect(seen.find(7, 7)).toBe(42)
  })

  it('takes a hash of zero', () => {
    const seen = createSeen()
    expect(seen.find(0, 0)).toBeUndefined()
    seen.set(0, 0, 5)
    expect(seen.find(0, 0)).toBe(5)
  })
})

describe('the keyed hash', () => {
  it('gives other results under another key, and never the same for texts that differ in length alone', () => {
    const results = new Set<string>()
    for (const key of [new Uint32Array([1, 2]), new Uint32Array([1, 3])]) {
      const hash = createKeyedHash(key)
      for (const text of ['', '\0', '\0\0', '\0\0\0', 'a', 'ab', 'abc', 'ba', 'é', 'a\u0301']) {
        hash.update(text)
        results.add(`${hash.high} ${hash.low}`)
      }
    }
    expect(results.size).toBe(20)
  })
})
