import type { Risk } from '@assay/sdk'
import { EXIT } from './context.ts'

/** Maps the results to the exit code for scripts. */

export const FAIL_ON = ['medium', 'high', 'never'] as const
export type FailOn = (typeof FAIL_ON)[number]

export interface Tally {
  low: number
  /** Private addresses and names that nobody can register: that nothing is known does not mean that they are safe. */
  nothingToCheck: number
  medium: number
  high: number
  unchecked: number
}

export const emptyTally = (): Tally => ({ low: 0, nothingToCheck: 0, medium: 0, high: 0, unchecked: 0 })

export function note(tally: Tally, risk: Risk | undefined): void {
  if (risk) tally[risk]++
  else tally.unchecked++
}

/**
 * A record without anything to check needs a person, as a medium risk does. High first, then unchecked: a list with an
 * unchecked record is not a list of low records.
 */
export function exitCodeOf(tally: Tally, failOn: FailOn): number {
  if (tally.high > 0 && failOn !== 'never') return EXIT.high
  if (tally.unchecked > 0) return EXIT.error
  if (tally.medium + tally.nothingToCheck > 0 && failOn === 'medium') return EXIT.medium
  return EXIT.low
}
