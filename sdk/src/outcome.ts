import type { Operations, Signal } from './generated/api.ts'

export type Risk = Operations['POST /v1/payment-risk/bulk']['response']['results'][number]['risk']

/** The answer to one record. */
export interface RecordResult {
  readonly risk: Risk
  readonly risk_score: number
  /** With `explain`. On a repeat of a record met more than 100,000 distinct records ago they are left out. */
  readonly signals?: readonly Signal[]
}

/** The outcome of one distinct record: an answer, or why the record is not valid. */
export type Outcome = RecordResult | { readonly invalid: { readonly code: string; readonly detail: string } }
