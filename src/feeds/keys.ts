import { type Feed, KEY_PLACE } from './catalogue.ts'
import type { Fetched, Fetcher } from './fetch.ts'
import { DocumentGone, FeedRefused, FeedUnreachable } from './parse/report.ts'
import type { FeedState } from './store.ts'

/** Values from the environment, inserted only during a request: they appear in no table, log line, status or error. */
export type FeedKeys = Readonly<Record<string, string>>

/** The variable that must be set before this feed can be fetched; undefined when none is missing. */
export function missingKey({ key }: Pick<Feed, 'key'>, keys: FeedKeys): string | undefined {
  return key !== undefined && keys[key] === undefined ? key : undefined
}

/** A feed whose key is missing counts as off, whatever the catalogue and the operator say. */
export function isOn({ feed, enabled }: { readonly feed: Feed; readonly enabled: boolean }, keys: FeedKeys): boolean {
  return enabled && missingKey(feed, keys) === undefined
}

// A URL that was serialised again has its braces escaped.
const PLACES = /\{key\}|%7Bkey%7D/gi
// Up to the end of the surrounding sentence.
const ADDRESSES = /\b[a-z][a-z0-9+.-]*:\/\/\S*[^\s.,;)]/gi

export function keyedFetcher(fetcher: Fetcher, value: string): Fetcher {
  const inAddress = encodeURIComponent(value)
  const conceal = (error: unknown, address: string): Error => {
    // A redirect may contain the key in another encoding, so only the catalogue's address is shown.
    const message = ((error as Error).message ?? '')
      .replace(ADDRESSES, () => address.replace(PLACES, KEY_PLACE))
      .replaceAll(value, KEY_PLACE)
      .replaceAll(inAddress, KEY_PLACE)
    // A new error, because stack and cause of the old one repeat the address.
    if (error instanceof FeedUnreachable) return new FeedUnreachable(message, error.host)
    return error instanceof DocumentGone ? new DocumentGone(message) : new FeedRefused(message)
  }
  async function* concealing(body: AsyncIterable<Uint8Array>, address: string): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      throw conceal(error, address)
    }
  }
  return {
    async fetch(address, options = {}): Promise<Fetched> {
      const headers = Object.fromEntries(
        Object.entries(options.headers ?? {}).map(([name, text]) => [name, text.replace(PLACES, () => value)]),
      )
      try {
        const fetched = await fetcher.fetch(
          address.replace(PLACES, () => inAddress),
          { ...options, headers },
        )
        return fetched.status === 'ok' ? { ...fetched, body: concealing(fetched.body, address) } : fetched
      } catch (error) {
        throw conceal(error, address)
      }
    },
    close: () => fetcher.close(),
  }
}

/** `unfetched`: on, and not fetched yet. */
export type FeedStanding = 'fresh' | 'unfetched' | 'failing' | 'held' | 'off'

/** The state of a feed. Where the set keys are unknown, a feed that needs a key and was never checked counts as off. */
export function standingOfFeed(state: FeedState, keys: FeedKeys | undefined): FeedStanding {
  const neverLookedAt = state.fetchedAtMs === undefined && state.lastError === undefined
  const off = keys ? !isOn(state, keys) : !state.enabled || (state.feed.key !== undefined && neverLookedAt)
  if (off) return 'off'
  if (state.held) return 'held'
  if (state.lastError !== undefined) return 'failing'
  return state.fetchedAtMs === undefined ? 'unfetched' : 'fresh'
}
