import type { Tag } from '../../snapshot/types.ts'
import type { ListDate } from './list-date.ts'

export const FEED_KINDS = ['domain', 'email', 'ip', 'asn', 'asn_range'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

/** One row of a feed, in normal form. The feed's catalogue entry supplies the missing fields. */
export interface FeedRow {
  readonly kind: FeedKind
  /** For `asn_range`: `first-last`. */
  readonly value: string
  readonly tag?: Tag | undefined
  readonly firstSeenMs?: number | undefined
  readonly lastSeenMs?: number | undefined
  /** 0–1, multiplied with the feed's own confidence. */
  readonly confidence?: number | undefined
  readonly asn?: number
  readonly asnName?: string
  readonly country?: string
}

export type RowSink = (row: FeedRow) => void

/** Why a line or value gave no row. Counted, never fatal. */
export const JUNK = {
  not_an_indicator: 'is neither a name, an address nor a URL',
  bad_name: 'is not a valid host name, or punycode that does not decode',
  public_suffix: 'is a public suffix, under which everybody registers',
  too_long: 'is a line longer than the limit',
  too_broad: 'is a prefix shorter than /8 (IPv4) or /19 (IPv6)',
  special: 'is private or special-purpose address space',
  shared_platform: 'is a URL on a shared host, where only the path was bad',
  missing_field: 'lacks the field with the indicator',
  wrong_kind: 'is of a kind that the feed does not declare',
  path_only: 'is a URL path without a host',
} as const

export type JunkReason = keyof typeof JUNK

const SAMPLES_MAX = 10
const SAMPLE_CHARACTERS = 120

export class ParseReport {
  rows = 0
  readonly junk: Partial<Record<JunkReason, number>> = {}
  /** The first few lines that gave no row, for the operator to inspect. */
  readonly samples: string[] = []
  /** The documents that were read, with their dates. */
  readonly lists: ListDate[] = []

  reject(reason: JunkReason, text: string): void {
    this.junk[reason] = (this.junk[reason] ?? 0) + 1
    if (this.samples.length < SAMPLES_MAX && reason !== 'path_only') {
      this.samples.push(`${reason}: ${text.slice(0, SAMPLE_CHARACTERS)}`)
    }
  }

  get junkTotal(): number {
    return Object.values(this.junk).reduce((sum, count) => sum + count, 0)
  }
}

/** The feed as a whole is refused: the message says what it is instead. */
export class FeedRefused extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'FeedRefused'
  }
}

export class DocumentGone extends FeedRefused {
  constructor(message: string) {
    super(message)
    this.name = 'DocumentGone'
  }
}

/** Its host could not be reached: nothing is known about the feed itself. */
export class FeedUnreachable extends FeedRefused {
  readonly host: string
  constructor(message: string, host: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'FeedUnreachable'
    this.host = host
  }
}
