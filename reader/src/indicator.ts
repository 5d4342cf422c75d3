import { dedupeKey, type Kind } from '@assay/sdk'

/** An indicator to send, and where it comes from. */
export interface Indicator {
  readonly kind: Kind
  /** What to send: the bare address or name, without what stood around it. */
  readonly value: string
  /** What it was read from, as it was given. */
  readonly readFrom: string
  /** What a person should know about the way it was written, as sentences. */
  readonly notes: readonly string[]
}

/** A text that holds no indicator, and why. */
export interface NotIndicator {
  /** What it was meant to be; undefined when it is something else altogether. */
  readonly kind: Kind | undefined
  /** A sentence. */
  readonly problem: string
  readonly readFrom: string
}

/** The server has the last word on both. */
export type Recognised = Indicator | NotIndicator

export const isIndicator = (found: Recognised): found is Indicator => !('problem' in found)

/** The same for two that are certainly the same. */
export const indicatorKey = ({ kind, value }: Indicator) => `${kind} ${dedupeKey(kind, value)}`
