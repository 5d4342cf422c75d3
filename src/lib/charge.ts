import type { Family } from './kinds.ts'

/** What a check asks to be charged for, and the answer it pays. */
export interface ChargeRequest {
  readonly organisationId: string
  readonly family: Family
  readonly units: number
  readonly credentialId: string
  /** Different for every request: a charge is known again by it. */
  readonly requestId: string
  readonly idempotency?: { readonly key: string; readonly requestHash: string } | undefined
  /** Called once, before the charge: if it throws, nothing is charged. */
  readonly answer: () => AnswerText
}

/** An answer around its billing fields, which are known only under the account's lock: `{…,` and `,…}`. */
export interface AnswerText {
  readonly before: string
  readonly after: string
}
