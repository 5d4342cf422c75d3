import type { Operations, Signal } from './generated/api.ts'

export type Risk = Operations['POST /v1/payment-risk/bulk']['response']['results'][number]['risk']

/** The answer to one record. */
export interface RecordResult {
  readonly risk: Risk
  readonly risk_score: number
  /** With `explain`. Left out on a repeat of a record that was seen more than 100,000 distinct records ago. */
  readonly signals?: readonly Signal[]
}

/** The outcome of one distinct record: an answer, or the reason why the record is invalid. */
export type Outcome = RecordResult | { readonly invalid: { readonly code: string; readonly detail: string } }
