import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { cacheLookUps } from './look-up-cache.ts'

test('forgets what is named and keeps the rest', async () => {
  const asked: string[] = []
  const remembered = cacheLookUps(
    async (key) => {
      asked.push(key)
      return key
    },
    { clock: new ManualClock(0), ttlMs: 1000, entriesMax: 10 },
  )
  await remembered.find('a')
  await remembered.find('b')
  remembered.forget((value) => value === 'a')
  expect(remembered.find('b')).toBe('b')
  expect(await remembered.find('a')).toBe('a')
  expect(asked).toEqual(['a', 'b', 'a'])
})

test('a look-up after a change does not get the value whose reading began before the change', async () => {
  let state = 'old'
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const remembered = cacheLookUps(
    async () => {
      const read = state
      if (read === 'old') await held
      return read
    },
    { clock: new ManualClock(0), ttlMs: 1000, entriesMax: 10 },
  )
  const before = remembered.find('a')
  state = 'new'
  remembered.forget(() => false)
  expect(await remembered.find('a')).toBe('new')
  answer()
  expect(await before).toBe('old')
  expect(remembered.find('a')).toBe('new')
})

test('an answer is as old as time that has passed, whatever the clock was set to', async () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z')
  let looks = 0
  const remembered = cacheLookUps(async () => ++looks, { clock, ttlMs: 1000, entriesMax: 10 })
  await remembered.find('a')
  clock.step(3_600_000)
  clock.advance(999)
  expect(await remembered.find('a')).toBe(1)
  clock.step(-7_200_000)
  clock.advance(1)
  expect(await remembered.find('a')).toBe(2)
})
