import { Problem } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { LIMITS } from '../limits.ts'

const { bodyBytesMax, bulkBodyBytesMax } = LIMITS.requests
export const BODY_TOO_LARGE_WORDS = `The body is over the limit: ${bulkBodyBytesMax / 1024 ** 2} MiB for bulk requests, ${bodyBytesMax / 1024} KiB for others.`

/**
 * Limits requests per second: a bucket holds one second's requests and refills steadily. It is in the memory of the
 * node: behind a balancer, an organisation gets its full rate on each node.
 */
export interface RateLimiter {
  /** Takes one request, or throws 429. Returns headers with the remaining requests once half are used. */
  take(who: string, requestsPerSecond: number, policy?: RatePolicy): Record<string, string> | undefined
}

/** `beginnings`: sign-ins and device codes, which anybody may begin, are limited by IP address. */
export type RatePolicy = 'plan' | 'resources' | 'beginnings'

const WORDS: Record<RatePolicy, (perSecond: number, waitSeconds: number) => string> = {
  plan: (perSecond, waitSeconds) =>
    `The plan allows ${perSecond} requests a second. Wait ${waitSeconds} s, or send records in bulk.`,
  resources: (perSecond, waitSeconds) => `Resources answer ${perSecond} requests a second. Wait ${waitSeconds} s.`,
  beginnings: (perSecond, waitSeconds) =>
    `One address may begin ${perSecond} sign-ins a second. Wait ${waitSeconds} s.`,
}

interface Bucket {
  /** Requests left, with fractions. */
  left: number
  atTicks: number
}

export function createRateLimiter({ clock, bucketsMax }: { clock: Clock; bucketsMax: number }): RateLimiter {
  const byPolicy: Record<RatePolicy, Map<string, Bucket>> = {
    plan: new Map(),
    resources: new Map(),
    beginnings: new Map(),
  }

  function bucketOf(buckets: Map<string, Bucket>, who: string, capacity: number, ticks: number): Bucket {
    const known = buckets.get(who)
    if (known) return known
    if (buckets.size >= bucketsMax) {
      // The oldest bucket had the longest time to refill, so removing it loses the least.
      const oldest = buckets.keys().next()
      if (!oldest.done) buckets.delete(oldest.value)
    }
    const made = { left: capacity, atTicks: ticks }
    buckets.set(who, made)
    return made
  }

  return {
    take(who, requestsPerSecond, name = 'plan') {
      const ticks = clock.ticks()
      const bucket = bucketOf(byPolicy[name], who, requestsPerSecond, ticks)
      const passedMs = ticks - bucket.atTicks
      bucket.left = Math.min(requestsPerSecond, bucket.left + (passedMs * requestsPerSecond) / 1000)
      bucket.atTicks = ticks
      if (bucket.left < 1) {
        const waitSeconds = Math.max(1, Math.ceil((1 - bucket.left) / requestsPerSecond))
        throw rateLimited(name, policyOf(name, requestsPerSecond), {
          detail: WORDS[name](requestsPerSecond, waitSeconds),
          waitSeconds,
        })
      }
      bucket.left -= 1
      if (bucket.left * 2 > requestsPerSecond) return undefined
      return {
        ratelimit: `"${name}";r=${Math.floor(bucket.left)};t=1`,
        'ratelimit-policy': policyOf(name, requestsPerSecond),
      }
    },
  }
}

/** For a caller with too many records in the queue: more would delay other callers. */
export function tooManyWaiting(recordsMax: number): Problem {
  return rateLimited('bulk', `"bulk";q=${recordsMax}`, {
    detail: `At most ${recordsMax} records of one organisation wait at a time. Wait for an answer before you send more.`,
    waitSeconds: 1,
  })
}

/** For an address that has too many connections open, or too many requests in progress behind a proxy. */
export function tooManyConnections(connectionsMax: number): Problem {
  return rateLimited('connections', `"connections";q=${connectionsMax}`, {
    detail: `One address may have ${connectionsMax} connections at a time. Use open connections again, and close those that you do not need.`,
    waitSeconds: 1,
  })
}

/** For every caller while the server is overloaded. */
export function overloaded(why: string): Problem {
  const detail = `${why} Nothing was charged; repeat the request in a moment.`
  return new Problem('overloaded', { detail, headers: { 'retry-after': '1' } })
}

function rateLimited(name: string, policy: string, about: { detail: string; waitSeconds: number }): Problem {
  const { detail, waitSeconds } = about
  return new Problem('rate_limited', {
    detail,
    headers: {
      'retry-after': String(waitSeconds),
      ratelimit: `"${name}";r=0;t=${waitSeconds}`,
      'ratelimit-policy': policy,
    },
  })
}

const policyOf = (name: RatePolicy, requestsPerSecond: number): string => `"${name}";q=${requestsPerSecond};w=1`
