import { type FeedKeys, isOn } from './keys.ts'
import type { FeedState } from './store.ts'

export type FeedStanding = 'fresh' | 'failing' | 'held' | 'off'

/**
 * How a feed fares. Where nobody says which keys are set, a feed that needs one and was never looked at counts as off.
 */
export function standingOfFeed(state: FeedState, keys: FeedKeys | undefined): FeedStanding {
  const neverLookedAt = state.fetchedAtMs === undefined && state.lastError === undefined
  const off = keys ? !isOn(state, keys) : !state.enabled || (state.feed.key !== undefined && neverLookedAt)
  if (off) return 'off'
  if (state.held) return 'held'
  return state.lastError === undefined ? 'fresh' : 'failing'
}
