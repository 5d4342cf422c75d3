import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { gatherLookUps } from './gather.ts'

it('look-ups of one turn share a read, and those that come during it share the next one, each with its own value', async () => {
  const reads: { keys: readonly number[]; resolve: (values: string[]) => void; reject: (error: Error) => void }[] = []
  const find = gatherLookUps<number, string>(
    (keys) => new Promise((resolve, reject) => reads.push({ keys, resolve, reject })),
  )
  const first = [find(1), find(2)]
  await nextTurn()
  const second = [find(3), find(4), find(3)]
  await nextTurn()
  expect(reads.map(({ keys }) => keys)).toEqual([[1, 2]])
  reads[0]!.resolve(['one', 'two'])
  expect(await Promise.all(first)).toEqual(['one', 'two'])
  await nextTurn()
  expect(reads.map(({ keys }) => keys)).toEqual([
    [1, 2],
    [3, 4, 3],
  ])
  reads[1]!.reject(new Error('the store is away'))
  for (const one of second) await expect(one).rejects.toThrow('the store is away')
  // A failure holds nobody up.
  const third = find(5)
  await nextTurn()
  reads[2]!.resolve(['five'])
  expect(await third).toBe('five')
})
