import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../errors.ts'
import { boundedJson, type JsonBounds, jsonRefusal } from './json-bounds.ts'

const BOUNDS: JsonBounds = {
  depthMax: 4,
  marksMax: 40,
  list: { field: 'ips', lengthMax: 10, refuse: (length) => new Problem('too_many_records', { detail: length }) },
}

const refusal = (text: string, bounds: JsonBounds = BOUNDS) => jsonRefusal(Buffer.from(text), bounds)
const strings = (count: number) => Array.from({ length: count }, () => '"a"').join(',')

test('as deep as allowed is let through, deeper is refused', () => {
  expect(refusal('[[[[]]]]')).toBeUndefined()
  expect(refusal('[[[[[]]]]]')?.errors?.[0]?.code).toBe('too_deep')
  expect(refusal('{"a":{"a":{"a":{"a":[')?.errors?.[0]?.code).toBe('too_deep')
})

test.each([
  ['objects', '{},'],
  ['arrays', '[],'],
  ['numbers', '1,'],
  ['strings', '"",'],
  ['fields', '"a":1,'],
  ['nothing but commas', ','],
  ['nothing but closing brackets', ']'],
  ['strings without commas', '""'],
])('too many %s are refused', (_what, one) => {
  expect(refusal(`[${one.repeat(50)}`)).toMatchObject({ status: 422, errors: [{ code: 'too_many_values' }] })
})

test('characters in a string are not counted, and an escaped quote does not end it', () => {
  expect(refusal(`["${'[{,:'.repeat(100)}"]`)).toBeUndefined()
  expect(refusal(`["${'\\"[{,:'.repeat(100)}"]`)).toBeUndefined()
  expect(refusal(`["\\\\",${'[],'.repeat(50)}`)?.errors?.[0]?.code).toBe('too_many_values')
  expect(refusal(`{"a":"${'\u00e9'.repeat(5000)}"}`)).toBeUndefined()
})

test('the list that is too long gets its own problem, with at least as many elements as it says', () => {
  expect(refusal(`{"ips":[${strings(30)}]}`)).toMatchObject({ code: 'too_many_records', detail: 'At least 19' })
  expect(refusal(`{"ips" : [ ${'{},'.repeat(30)}`)).toMatchObject({ code: 'too_many_records', detail: 'At least 13' })
  // The parser takes the last of two fields of one name.
  expect(refusal(`{"ips":[${strings(11)}],"ips":[${strings(30)}]}`)).toMatchObject({ code: 'validation_failed' })
})

test('another list, or the same name elsewhere, does not', () => {
  expect(refusal(`{"domains":[${strings(30)}]}`)).toMatchObject({ code: 'validation_failed' })
  expect(refusal(`{"ips":{"ips":[${strings(30)}]}}`)).toMatchObject({ code: 'validation_failed' })
  expect(refusal(`[["ips",${strings(30)}]]`)).toMatchObject({ code: 'validation_failed' })
  expect(refusal(`{"ips":[],"a":[${strings(30)}]}`)).toMatchObject({ code: 'validation_failed' })
})

test('one value that is too long is named by its place in the list', () => {
  const bounds = { ...BOUNDS, stretchMax: 8 }
  const place = (text: string) => refusal(text, bounds)?.errors?.[0]
  expect(refusal('{"ips":["12345678",12345678,"\\n\\n\\n\\n"]}', bounds)).toBeUndefined()
  expect(place('{"ips":["a","123456789"]}')).toMatchObject({ pointer: '/ips/1', code: 'too_long' })
  expect(place('{"ips":["a","b",123456789]}')).toMatchObject({ pointer: '/ips/2', code: 'too_long' })
  expect(place('{"ips":["\\n\\n\\n\\n\\n"]}')).toMatchObject({ pointer: '/ips/0', code: 'too_long' })
  expect(place('{"ips":["123456789')).toMatchObject({ pointer: '/ips/0', code: 'too_long' })
  expect(place('{"123456789":1}')).toMatchObject({ pointer: '', code: 'too_long' })
  expect(place('{         "ips":[]}')).toMatchObject({ pointer: '', code: 'too_long' })
})

test('of any JSON the marks and the depth are counted as its structure has them', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), (value, spread) => {
      const { depth, marks } = shapeOf(value)
      const text = JSON.stringify(value, null, spread ? 2 : 0)
      expect(refusal(text, { depthMax: depth, marksMax: marks })).toBeUndefined()
      if (depth > 0) expect(refusal(text, { depthMax: depth - 1, marksMax: marks })).toBeInstanceOf(Problem)
      if (marks > 0) expect(refusal(text, { depthMax: depth, marksMax: marks - 1 })).toBeInstanceOf(Problem)
    }),
  )
})

test('a body in pieces is counted like one in a single piece', async () => {
  const text = fc
    .array(fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', 'a', '"ips":[', '"a",'), { maxLength: 200 })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (body, sizes) => {
      const bounds = { ...BOUNDS, stretchMax: 8 }
      const pieces = boundedJson(Readable.from(cut(body, sizes)), bounds, 10_000)
      const outcome = await buffer(pieces).then(String, (error: unknown) => error)
      expect(outcome).toEqual(refusal(body, bounds) ?? body)
    }),
  )
})

test('bytes after an exceeded bound are dropped, up to a limit', async () => {
  let sent = 0
  async function* endless() {
    for (;;) {
      sent += 1000
      yield Buffer.alloc(1000, '[')
      await new Promise(setImmediate)
    }
  }
  await expect(buffer(boundedJson(Readable.from(endless()), BOUNDS, 50_000))).rejects.toMatchObject({ status: 413 })
  expect(sent).toBeGreaterThan(50_000)
  expect(sent).toBeLessThan(200_000)
})

function* cut(text: string, sizes: readonly number[]): Generator<Buffer> {
  for (let from = 0, i = 0; from < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    yield Buffer.from(text.slice(from, from + size))
    from += size
  }
}

function shapeOf(value: unknown): { depth: number; marks: number } {
  if (typeof value === 'string') return { depth: 0, marks: 1 }
  if (typeof value !== 'object' || value === null) return { depth: 0, marks: 0 }
  const parts = Object.values(value).map(shapeOf)
  const names = Array.isArray(value) ? 0 : 2 * parts.length
  const commas = Math.max(0, parts.length - 1)
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    marks: 2 + commas + names + parts.reduce((sum, { marks }) => sum + marks, 0),
  }
}
