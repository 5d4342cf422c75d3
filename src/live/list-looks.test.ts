import { expect, test, vi } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { ListLooks, type ListLooksOptions } from './list-looks.ts'
import type { Question } from './questions.ts'

const questions = (count: number, sort: Question['sort'] = 'host'): Question[] =>
  Array.from({ length: count }, (_, i) => ({ sort, name: `${sort}${i}.com` }))

/** Looks that end when the test says so. */
function stage(options: Partial<ListLooksOptions<string>> = {}) {
  const clock = new ManualClock('2026-11-15T12:00:00Z')
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const looks = new ListLooks<string>({
    look: ({ name }) => {
      begun.push(name)
      return new Promise((resolve) => ends.set(name, () => resolve(`seen ${name}`)))
    },
    window: 2,
    slowMs: 60_000,
    underWayMax: 4,
    waitingMax: 100,
    ticks: () => clock.ticks(),
    ...options,
  })
  return { looks, clock, begun, end: (name: string) => ends.get(name)?.() }
}

test('at most a window is under way of each sort, and the next begins when one has ended', async () => {
  const { looks, begun, end } = stage()
  const done: (string | undefined)[] = []
  looks.add([...questions(3), ...questions(1, 'zone')], { dropAt: 1000, done: (_, found) => done.push(found) })
  expect(begun).toEqual(['host0.com', 'host1.com', 'zone0.com'])
  end('host1.com')
  await expect.poll(() => begun).toContain('host2.com')
  expect(done).toEqual(['seen host1.com'])
})

test('a look that takes long gives its place to the next, up to a bound', () => {
  vi.useFakeTimers()
  try {
    const { looks, begun } = stage({ slowMs: 250 })
    looks.add(questions(10), { dropAt: 1000, done: () => {} })
    expect(begun).toHaveLength(2)
    vi.advanceTimersByTime(250)
    expect(begun).toHaveLength(4)
    vi.advanceTimersByTime(1000)
    expect(begun).toHaveLength(4)
  } finally {
    vi.useRealTimers()
  }
})

test('of lists beyond the bound nothing is looked up, and whoever waits for them is told', () => {
  const { looks, begun } = stage({ waitingMax: 3 })
  const done: (string | undefined)[] = []
  looks.add(questions(4), { dropAt: 1000, done: (_, found) => done.push(found) })
  expect({ begun, done }).toEqual({ begun: [], done: [undefined, undefined, undefined, undefined] })
})

test('a waiting look-up is dropped when its time is over, and makes room', async () => {
  const { looks, clock, begun, end } = stage({ waitingMax: 5 })
  looks.add(questions(5), { dropAt: 1000, done: () => {} })
  clock.advance(1000)
  end('host0.com')
  end('host1.com')
  const toldOfRoom: (string | undefined)[] = []
  await expect
    .poll(() => {
      looks.add(questions(5, 'zone'), { dropAt: 2000, done: (_, found) => toldOfRoom.push(found) })
      return begun.length
    })
    .toBeGreaterThan(2)
  expect(begun).not.toContain('host2.com')
})

test('organisations take turns, and one with silent names leaves places to the others', async () => {
  const { looks, begun, end } = stage({ window: 4, underWayMax: 4 })
  const list = (name: string, count: number) =>
    Array.from({ length: count }, (_, i): Question => ({ sort: 'host', name: `${name}${i}` }))
  for (const organisationId of ['a', 'a', 'a'])
    looks.add(list(organisationId, 3), { organisationId, dropAt: 1000, done: () => {} })
  expect(begun).toEqual(['a0', 'a1', 'a2'])
  looks.add(list('b', 2), { organisationId: 'b', dropAt: 1000, done: () => {} })
  expect(begun.slice(3)).toEqual(['b0'])
  end('b0')
  await expect.poll(() => begun.slice(4)).toEqual(['b1'])
})

test('of an organisation beyond its share nothing is looked up, of others all', () => {
  const { looks, begun } = stage({ waitingMax: 8 })
  const refused: (string | undefined)[] = []
  looks.add(questions(6), { organisationId: 'a', dropAt: 1000, done: () => {} })
  looks.add(questions(3), { organisationId: 'a', dropAt: 1000, done: ({ name }) => refused.push(name) })
  looks.add(questions(2, 'zone'), { organisationId: 'b', dropAt: 1000, done: () => {} })
  expect(refused).toEqual(['host0.com', 'host1.com', 'host2.com'])
  expect(begun).toContain('zone1.com')
})

test('a waiting caller is told when the queue is cleared', () => {
  const { looks } = stage()
  const done: string[] = []
  looks.add(questions(5), { dropAt: 1000, done: ({ name }) => done.push(name) })
  looks.clear()
  expect(done).toEqual(['host2.com', 'host3.com', 'host4.com'])
})
