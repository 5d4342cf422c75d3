import { Problem } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { LIMITS, type Weight } from '../limits.ts'

const { bodyBytesMax, bulkBodyBytesMax } = LIMITS.requests
export const BODY_TOO_LARGE_WORDS = `The body is over the limit: ${bulkBodyBytesMax / 1024 ** 2} MiB for bulk requests, ${bodyBytesMax / 1024} KiB for others.`

/**
 * Limits requests per second: a bucket holds one second's requests and refills steadily. It is in the memory of the
 * node; shared-rates.ts tells the nodes of each other's requests.
 */
export type RateLimiter = ReturnType<typeof createRateLimiter>

export type Taken = readonly [policy: RatePolicy, who: string, requests: number, requestsPerSecond: number]

/** `sign-ins`: starts of sign-ins and device flows, open to everybody and so limited by IP address. */
export type RatePolicy = 'plan' | 'resources' | 'pages' | 'tokens' | 'sign-ins'

const ALLOWED: Record<RatePolicy, (perSecond: number) => string> = {
  plan: (perSecond) => `The plan allows ${perSecond} requests a second`,
  resources: (perSecond) => `Billing and organisation resources answer ${perSecond} requests a second`,
  pages: (perSecond) => `The pages answer one person ${perSecond} requests a second`,
  tokens: (perSecond) => `The applications of an organisation together get ${perSecond} tokens a second`,
  'sign-ins': (perSecond) => `One address may begin ${perSecond} sign-ins a second`,
}

/** Of the requests to resources. */
const COUNTS: Partial<Record<Weight, string>> = {
  read: `, and a long answer counts as one for each ${LIMITS.rates.answerBytesPerRequest / 1024} KiB`,
  report: `, and a report counts as ${LIMITS.weights.report} of them`,
  export: `, and an export counts as ${LIMITS.weights.export} of them`,
  document: `, and a PDF counts as ${LIMITS.weights.document} of them`,
}

interface Bucket {
  readonly policy: RatePolicy
  readonly who: string
  requestsPerSecond: number
  /** Requests left, with fractions. */
  left: number
  atTicks: number
  /** Not yet reported to the other nodes. */
  untold: number
}

/** A smaller part of a second's requests is reported later, together with the next ones. */
const TOLD_PART_MIN = 0.02
/** Many nodes may let a second's requests through before they hear of each other: the debt is bounded, in seconds. */
const DEBT_SECONDS_MAX = 5

export function createRateLimiter({ clock, bucketsMax }: { clock: Clock; bucketsMax: number }) {
  const byPolicy: Record<RatePolicy, Map<string, Bucket>> = {
    plan: new Map(),
    resources: new Map(),
    pages: new Map(),
    tokens: new Map(),
    'sign-ins': new Map(),
  }

  /** Buckets from which something was taken; undefined until somebody asks. */
  let used: Set<Bucket> | undefined

  /** The bucket, refilled until now. */
  function bucketOf(policy: RatePolicy, who: string, requestsPerSecond: number): Bucket {
    const atTicks = clock.ticks()
    const buckets = byPolicy[policy]
    const known = buckets.get(who)
    if (known) {
      const refill = ((atTicks - known.atTicks) * requestsPerSecond) / 1000
      known.left = Math.min(requestsPerSecond, known.left + refill)
      known.atTicks = atTicks
      known.requestsPerSecond = requestsPerSecond
      return known
    }
    if (buckets.size >= bucketsMax) {
      // The oldest bucket had the longest time to refill, so removing it loses the least.
      const oldest = buckets.keys().next()
      if (!oldest.done) buckets.delete(oldest.value)
    }
    const made = { policy, who, requestsPerSecond, left: requestsPerSecond, atTicks, untold: 0 }
    buckets.set(who, made)
    return made
  }

  function takeFrom(bucket: Bucket, requests: number): void {
    bucket.left -= requests
    // Count only once somebody reads `used`: a bucket that already has a count would never be added to it.
    if (!used) return
    if (bucket.untold === 0) used.add(bucket)
    bucket.untold += requests
  }

  /** Takes more, as known only after the answer; the next requests wait for it. */
  function takeMore(who: string, requests: number, name: RatePolicy): void {
    const bucket = byPolicy[name].get(who)
    if (bucket) takeFrom(bucket, requests)
  }

  return {
    /**
     * Takes a request, or throws 429; a heavy one counts as several. Returns headers with the remaining requests once
     * half are used.
     */
    take(who: string, requestsPerSecond: number, name: RatePolicy = 'plan', weight: Weight = 'read') {
      // A plan may allow fewer requests than one heavy request counts as.
      const units = Math.min(LIMITS.weights[weight], requestsPerSecond)
      const bucket = bucketOf(name, who, requestsPerSecond)
      if (bucket.left < units) {
        const waitSeconds = Math.max(1, Math.ceil((units - bucket.left) / requestsPerSecond))
        const instead = name === 'plan' ? ', or send records in bulk' : ''
        const share = `${ALLOWED[name](requestsPerSecond)}${(name === 'resources' && COUNTS[weight]) || ''}`
        throw rateLimited(name, policyOf(name, requestsPerSecond), {
          detail: `${share}: this share is used up. Wait ${waitSeconds} s${instead}.`,
          waitSeconds,
        })
      }
      takeFrom(bucket, units)
      if (bucket.left * 2 > requestsPerSecond) return undefined
      return {
        ratelimit: `"${name}";r=${Math.floor(bucket.left)};t=1`,
        'ratelimit-policy': policyOf(name, requestsPerSecond),
      }
    },
    takeMore,
    giveBack: (who: string, name: RatePolicy, weight: Weight) => takeMore(who, -LIMITS.weights[weight], name),
    /** The requests taken since the last call, of each bucket with enough of them to tell. */
    taken() {
      used ??= new Set()
      const told: Taken[] = []
      for (const bucket of used) {
        const { policy, who, untold, requestsPerSecond } = bucket
        if (untold < requestsPerSecond * TOLD_PART_MIN) continue
        told.push([policy, who, untold, requestsPerSecond])
        bucket.untold = 0
        used.delete(bucket)
      }
      return told
    },
    /** Takes what other nodes have let through; a bucket then owes, and refills before it lets anything through. */
    takenElsewhere(taken: readonly Taken[]) {
      for (const [name, who, requests, perSecond] of taken) {
        const bucket = bucketOf(name, who, perSecond)
        bucket.left = Math.max(bucket.left - requests, -DEBT_SECONDS_MAX * perSecond)
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
