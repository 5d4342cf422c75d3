import { dedupeKey, type Kind, whyNothingToCheck } from '@assay/sdk'

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

const NOTHING = 'Nothing to check: '

/** Turns a private address, or a name that nobody can register, into a problem: the service knows nothing about it. */
export function checkable(found: Recognised): Recognised {
  const why = isIndicator(found) ? whyNothingToCheck(found.kind, found.value) : undefined
  return why === undefined ? found : { kind: found.kind, problem: `${NOTHING}${why}.`, readFrom: found.readFrom }
}

export const isNothingToCheck = (problem: string | undefined) => problem?.startsWith(NOTHING) === true
