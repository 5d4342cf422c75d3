import { dedupeKey, type Kind } from '@assay/sdk'

export interface Indicator {
  readonly kind: Kind
  /** The value to send: the bare address or name, without surrounding characters. */
  readonly value: string
  /** The original text that the indicator was read from. */
  readonly readFrom: string
  readonly notes: readonly string[]
}

export interface NotIndicator {
  /** The intended kind; undefined when the text is something else. */
  readonly kind: Kind | undefined
  readonly problem: string
  readonly readFrom: string
}

/** The server decides finally about both. */
export type Recognised = Indicator | NotIndicator

export const isIndicator = (found: Recognised): found is Indicator => !('problem' in found)

/** Two indicators with the same key are certainly the same. */
export const indicatorKey = ({ kind, value }: Indicator) => `${kind} ${dedupeKey(kind, value)}`
