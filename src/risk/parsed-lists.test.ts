import { expect, test, vi } from 'vitest'
import { ParsedLists, SharedBodies } from './parsed-lists.ts'

const bodies = new SharedBodies()
const bodyOf = (text: string) => bodies.take(Buffer.from(text))

function countParses(work: () => void): number {
  const parse = vi.spyOn(JSON, 'parse')
  work()
  const count = parse.mock.calls.length
  parse.mockRestore()
  return count
}

test('each list is parsed once, also where it turns out to be none, until it is forgotten', () => {
  const lists = new ParsedLists(1000)
  const [good, bad] = [bodyOf('{"domains":["a.example"]}'), bodyOf('{"domains":')]
  const look = () => {
    expect(lists.recordsOf('domain', good)).toEqual([{ text: 'a.example' }])
    expect(() => lists.recordsOf('domain', bad)).toThrow('malformed_json')
  }
  expect(countParses(() => [1, 2, 3].forEach(look))).toBe(2)
  lists.forget(good.id)
  lists.forget(bad.id)
  expect(countParses(look)).toBe(2)
})

test('of more lists than there is room for, taken in turns, the first stay', () => {
  const texts = Array.from({ length: 9 }, (_, i) => bodyOf(`{"domains":["name-${i}.example"]}`))
  const lists = new ParsedLists(8 * (texts[0]?.length ?? 0))
  const turn = () => {
    for (const [i, body] of texts.entries())
      expect(lists.recordsOf('domain', body)).toEqual([{ text: `name-${i}.example` }])
  }
  turn()
  expect(countParses(turn)).toBe(1)
  lists.forget(texts[3]?.id ?? 0)
  expect(countParses(() => [1, 2, 3].forEach(turn))).toBe(4)
})
