import { expect, test } from 'vitest'
import { bytesOf, SharedBodies } from './parsed-lists.ts'

test('memory that was given back is handed out again, with nothing of the body before it', () => {
  const bodies = new SharedBodies()
  const first = bodies.take(Buffer.from('x'.repeat(100_000)))
  const second = bodies.take(Buffer.from('y'.repeat(100_000)))
  expect(second.memory).not.toBe(first.memory)
  bodies.giveBack(first)
  const third = bodies.take(Buffer.from('z'.repeat(70_000)))
  expect(third.memory).toBe(first.memory)
  expect(third.id).not.toBe(first.id)
  expect(bytesOf(third).toString()).toBe('z'.repeat(70_000))
  expect(bytesOf(second).toString()).toBe('y'.repeat(100_000))
})

test('free memory is bounded', () => {
  const bodies = new SharedBodies()
  const taken = Array.from({ length: 40 }, () => bodies.take(Buffer.alloc(4 * 1024 * 1024)))
  const known = new Set(taken.map(({ memory }) => memory))
  for (const body of taken) bodies.giveBack(body)
  const again = Array.from({ length: 40 }, () => bodies.take(Buffer.alloc(4 * 1024 * 1024)))
  expect(again.filter(({ memory }) => known.has(memory))).toHaveLength(16)
})

test('memory of sizes that are asked for no more makes room for others', () => {
  const bodies = new SharedBodies()
  const burst = Array.from({ length: 130 }, () => bodies.take(Buffer.alloc(512 * 1024)))
  for (const body of burst) bodies.giveBack(body)
  const first = bodies.take(Buffer.alloc(4 * 1024 * 1024))
  bodies.giveBack(first)
  expect(bodies.take(Buffer.alloc(4 * 1024 * 1024)).memory).toBe(first.memory)
})
