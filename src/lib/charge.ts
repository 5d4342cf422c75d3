import type { Family, Kind } from './kinds.ts'

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
  /** Goes on record with the charge, or not at all. */
  readonly keep?: CheckToKeep | ListToKeep | undefined
}

interface ToKeep {
  readonly kind: Kind
  readonly channel: 'console' | 'api'
  readonly personId: string | null
  readonly intelligence: string
}

/** A check on record. The texts are JSON on one line, without line breaks. */
export interface CheckToKeep extends ToKeep {
  readonly level: 'low' | 'medium' | 'high'
  readonly score: number
  readonly digest: string
  readonly outcome: 'approve' | 'review' | 'stop' | null
  /** As submitted. */
  readonly indicator: string
  /** The answer around its billing fields, with its reasons; absent without reasons: the row says the rest. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** A list on record, until its records are. */
export interface ListToKeep extends ToKeep {
  readonly sealed: string
}
