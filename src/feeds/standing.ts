import { type FeedKeys, isOn } from './keys.ts'
import type { FeedState } from './store.ts'

export type FeedStanding = 'fresh' | 'failing' | 'held' | 'off'

/** The state of a feed. Where the set keys are unknown, a feed that needs a key and was never checked counts as off. */
export function standingOfFeed(state: FeedState, keys: FeedKeys | undefined): FeedStanding {
  const neverLookedAt = state.fetchedAtMs === undefined && state.lastError === undefined
  const off = keys ? !isOn(state, keys) : !state.enabled || (state.feed.key !== undefined && neverLookedAt)
  if (off) return 'off'
  if (state.held) return 'held'
  return state.lastError === undefined ? 'fresh' : 'failing'
}
