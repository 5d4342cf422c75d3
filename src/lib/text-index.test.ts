import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HashTable, hashText, TextMap } from './text-index.ts'

test('answers as a Map does, whatever is in it and whatever is asked', () => {
  const text = fc.oneof(fc.string({ maxLength: 3 }), fc.stringMatching(/^[ab]{0,3}$/))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.nat())), fc.array(text), (entries, asked) => {
      const map = new Map(entries)
      const texts = new TextMap(entries)
      for (const key of [...map.keys(), ...asked]) {
        expect(texts.get(key)).toBe(map.get(key))
        if (map.has(key)) expect(texts.mayHold(hashText(key))).toBe(true)
      }
    }),
  )
})

test('turns away nearly all that it does not hold', () => {
  const texts = new TextMap(Array.from({ length: 1000 }, (_, i) => [`held${i}`, i] as const))
  const others = Array.from({ length: 10_000 }, (_, i) => `other${i}`)
  expect(others.filter((text) => texts.mayHold(hashText(text))).length).toBeLessThan(2500)
})

test('the hash of a text behind another is that of both together', () => {
  expect(hashText('bank', hashText('bankof'))).toBe(hashText('bankofbank'))
})

test('a table gives every number under a hash, and none under another', () => {
  const entries = Array.from({ length: 300 }, (_, i) => [hashText(`text${i % 100}`), i + 1] as const)
  const table = new HashTable(HashTable.fill(entries))
  const numbersOf = (hash: number) => {
    const numbers: number[] = []
    for (let slot = table.slotOf(hash); slot >= 0; slot = table.nextSlot(hash, slot)) numbers.push(table.valueAt(slot))
    return numbers
  }
  expect(numbersOf(hashText('text7'))).toEqual([8, 108, 208])
  expect(table.get(hashText('text7'))).toBe(8)
  expect([table.has('text99'), table.has('text100')]).toEqual([true, false])
  expect(numbersOf(hashText('text100'))).toEqual([])
})
