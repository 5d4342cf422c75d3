import type { Family } from './kinds.ts'

/** The charge that a check requests, and the answer it pays for. */
export interface ChargeRequest {
  readonly organisationId: string
  readonly family: Family
  readonly units: number
  readonly credentialId: string
  /** Unique per request: it identifies the charge. */
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
