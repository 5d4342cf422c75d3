import { type Clock, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { hostParts } from '../../lib/domain.ts'
import { NOBODY } from '../../lib/fair-shares.ts'
import { TwoGenerationCache } from '../../lib/two-generation-cache.ts'
import { LIMITS } from '../../limits.ts'
import type { HeldBack } from '../facts.ts'

/**
 * Limits on questions about one zone: the names below a registrable name, or the addresses of one network.
 *
 * 1. An organisation may ask `zoneQuestionsBurst` questions at once, and then `zoneQuestionsPerSecond`. All
 *    organisations together may ask four times as many; beyond that each may still ask a tenth.
 * 2. A zone is silent after three failures without an answer in between, one of them about its name servers: it is not
 *    asked for a minute, and then tried with one question. Other failures close nothing: a part of a zone may have
 *    name servers of its own, and a stranger could pick a broken part.
 * 3. Memory is bounded: zones that were not asked about for a while are forgotten.
 */

interface Allowance {
  readonly burst: number
  readonly perSecond: number
}

const times = (factor: number): Allowance => ({
  burst: LIMITS.queues.zoneQuestionsBurst * factor,
  perSecond: LIMITS.rates.zoneQuestionsPerSecond * factor,
})
const OWN = times(1)
const TOGETHER = times(4)
const BEYOND = times(0.1)
const FAILURES_TO_CLOSE = 3
const CLOSED_MS = MINUTE_MS
/** Longer than a question takes. */
const TRIED_MS = 10 * SECOND_MS
const ZONES_MAX = 20_000

interface Hold {
  readonly why: string
  readonly retryMs: number
  readonly held: HeldBack
}

interface Silence {
  failures: number
  /** The question for the zone's name servers has failed. */
  serversFailed: boolean
  /** In ticks; 0 if the zone may be asked. */
  closedUntil: number
}

export class ZoneShares {
  readonly #clock: Pick<Clock, 'ticks'>
  /** By zone, and by organisation and zone: when an allowance is whole again, in ticks. */
  readonly #wholeAt = new TwoGenerationCache<number>(2 * ZONES_MAX)
  readonly #silences = new TwoGenerationCache<Silence>(ZONES_MAX)

  constructor(clock: Pick<Clock, 'ticks'>) {
    this.#clock = clock
  }

  /** Why the question must not be asked now; undefined if it may be, and then it is counted. */
  hold(zone: string, organisationId = NOBODY): Hold | undefined {
    const now = this.#clock.ticks()
    const silence = this.#silences.get(zone)
    if (silence && silence.closedUntil > 0) {
      const retryMs = silence.closedUntil - now
      if (retryMs > 0) return { why: `${zone} does not answer`, retryMs, held: 'zone_silent' }
      silence.closedUntil = now + TRIED_MS
    }
    if (organisationId === NOBODY) return undefined
    const own = `${organisationId} ${zone}`
    if (this.#allows(own, OWN, now)) {
      const [key, allowance] = this.#allows(zone, TOGETHER, now) ? [zone, TOGETHER] : [`${own} beyond`, BEYOND]
      if (this.#allows(key, allowance, now)) {
        this.#use(own, OWN, now)
        this.#use(key, allowance, now)
        return undefined
      }
    }
    return { why: `too many questions about ${zone}`, retryMs: SECOND_MS, held: 'zone_limit' }
  }

  answered(zone: string): void {
    const silence = this.#silences.get(zone)
    if (silence) Object.assign(silence, UNSUSPECTED)
  }

  /** A resolver that answers other questions has no answer about the zone. */
  failed(zone: string, aboutServers: boolean): void {
    const silence = this.#silences.get(zone) ?? { ...UNSUSPECTED }
    silence.failures++
    silence.serversFailed ||= aboutServers
    if (silence.serversFailed && silence.failures >= FAILURES_TO_CLOSE) {
      silence.closedUntil = this.#clock.ticks() + CLOSED_MS
    }
    this.#silences.set(zone, silence)
  }

  #allows(key: string, { burst, perSecond }: Allowance, now: number): boolean {
    // Half a question of tolerance: the sum of many fractions is not exact.
    return (this.#wholeAt.get(key) ?? 0) - now < ((burst - 0.5) * SECOND_MS) / perSecond
  }

  #use(key: string, { perSecond }: Allowance, now: number): void {
    this.#wholeAt.set(key, Math.max(this.#wholeAt.get(key) ?? 0, now) + SECOND_MS / perSecond)
  }
}

const UNSUSPECTED: Silence = { failures: 0, serversFailed: false, closedUntil: 0 }

/** Reverse zones are rarely smaller than these: /24 of IPv4 and /48 of IPv6. */
const REVERSE_LABELS: Readonly<Record<string, number>> = { 'in-addr': 3 + 2, ip6: 12 + 2 }

/** The registrable name that a name belongs to, or the network of a reverse name. */
export function zoneOf(name: string): string {
  if (name.endsWith('.arpa')) {
    const labels = name.split('.')
    return labels.slice(-(REVERSE_LABELS[labels.at(-2) ?? ''] ?? labels.length)).join('.')
  }
  return hostParts(name).registrable ?? name
}
