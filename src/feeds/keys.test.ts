import { expect, test } from 'vitest'
import { standingOfFeed } from './keys.ts'
import type { FeedState } from './store.ts'

test('a feed that was never fetched is not called fresh', () => {
  const state = { feed: { id: 'f' }, enabled: true } as FeedState
  expect(standingOfFeed(state, {})).toBe('unfetched')
  expect(standingOfFeed({ ...state, fetchedAtMs: 1 }, {})).toBe('fresh')
  expect(standingOfFeed({ ...state, lastError: 'no route' }, {})).toBe('failing')
  expect(standingOfFeed({ ...state, enabled: false }, {})).toBe('off')
})
