import { Problem } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { LIMITS, type Weight } from '../limits.ts'

const { bodyBytesMax, bulkBodyBytesMax } = LIMITS.requests
export const BODY_TOO_LARGE_WORDS = `The body is over the limit: ${bulkBodyBytesMax / 1024 ** 2} MiB for bulk requests, ${bodyBytesMax / 1024} KiB for others.`

/**
 * Limits requests per second: a bucket holds one second's requests and refills steadily. It is in the memory of the
 * node: behind a balancer, an organisation gets its full rate on each node.
 */
export type RateLimiter = ReturnType<typeof createRateLimiter>

/** `beginnings`: sign-ins and device codes, which anybody may begin, are limited by IP address. */
export type RatePolicy = 'plan' | 'resources' | 'pages' | 'tokens' | 'beginnings'

const ALLOWED: Record<RatePolicy, (perSecond: number) => string> = {
  plan: (perSecond) => `The plan allows ${perSecond} requests a second`,
  resources: (perSecond) => `Billing and organisation resources answer ${perSecond} requests a second`,
  pages: (perSecond) => `The pages answer one person ${perSecond} requests a second`,
  tokens: (perSecond) => `The applications of an organisation together get ${perSecond} tokens a second`,
  beginnings: (perSecond) => `One address may begin ${perSecond} sign-ins a second`,
}

/** Of the requests to resources. */
const COUNTS: Partial<Record<Weight, string>> = {
  read: `, and a long answer counts as one for each ${LIMITS.rates.answerBytesPerRequest / 1024} KiB`,
  report: `, and a report counts as ${LIMITS.weights.report} of them`,
  export: `, and an export counts as ${LIMITS.weights.export} of them`,
  document: `, and a PDF counts as ${LIMITS.weights.document} of them`,
}

interface Bucket {
  /** Requests left, with fractions. */
  left: number
  atTicks: number
}

export function createRateLimiter({ clock, bucketsMax }: { clock: Clock; bucketsMax: number }) {
  const byPolicy: Record<RatePolicy, Map<string, Bucket>> = {
    plan: new Map(),
    resources: new Map(),
    pages: new Map(),
    tokens: new Map(),
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

  /** Takes more, as known only after the answer; the next requests wait for it. */
  function takeMore(who: string, requests: number, name: RatePolicy): void {
    const bucket = byPolicy[name].get(who)
    if (bucket) bucket.left -= requests
  }

  return {
    /**
     * Takes a request, or throws 429; a heavy one counts as several. Returns headers with the remaining requests once
     * half are used.
     */
    take(who: string, requestsPerSecond: number, name: RatePolicy = 'plan', weight: Weight = 'read') {
      const ticks = clock.ticks()
      // A plan may allow fewer requests than one heavy request counts as.
      const units = Math.min(LIMITS.weights[weight], requestsPerSecond)
      const bucket = bucketOf(byPolicy[name], who, requestsPerSecond, ticks)
      const passedMs = ticks - bucket.atTicks
      bucket.left = Math.min(requestsPerSecond, bucket.left + (passedMs * requestsPerSecond) / 1000)
      bucket.atTicks = ticks
      if (bucket.left < units) {
        const waitSeconds = Math.max(1, Math.ceil((units - bucket.left) / requestsPerSecond))
        const instead = name === 'plan' ? ', or send records in bulk' : ''
        const share = `${ALLOWED[name](requestsPerSecond)}${(name === 'resources' && COUNTS[weight]) || ''}`
        throw rateLimited(name, policyOf(name, requestsPerSecond), {
          detail: `${share}: this share is used up. Wait ${waitSeconds} s${instead}.`,
          waitSeconds,
        })
      }
      bucket.left -= units
      if (bucket.left * 2 > requestsPerSecond) return undefined
      return {
        ratelimit: `"${name}";r=${Math.floor(bucket.left)};t=1`,
        'ratelimit-policy': policyOf(name, requestsPerSecond),
      }
    },
    takeMore,
    /** Gives a request back that came to nothing. */
    giveBack: (who: string, name: RatePolicy, weight: Weight) => takeMore(who, -LIMITS.weights[weight], name),
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

/** For a caller who waits for too many documents of one kind. They are made one after the other. */
export function tooManyDocuments(waitingMax: number): Problem {
  return rateLimited('documents', `"documents";q=${waitingMax}`, {
    detail: `At most ${waitingMax} documents of one kind wait for one organisation. Wait for an answer before you ask for more.`,
    waitSeconds: 1,
  })
}

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
