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
  readonly keep?: ToKeep | undefined
}

/** The text is long, so it travels beside the row. */
export interface ToKeep<Row = CheckToKeep | ListToKeep> {
  readonly row: Row
  readonly text: string
}

interface Asked {
  readonly kind: Kind
  readonly channel: 'console' | 'api'
  readonly personId: string | null
  readonly intelligence: string
}

/**
 * A check on record. Its text has three lines: the indicator as submitted, as JSON, and the answer before and after its
 * billing fields. Without reasons the last two are empty: the row says the rest.
 */
export interface CheckToKeep extends Asked {
  readonly level: 'low' | 'medium' | 'high'
  readonly score: number
  readonly digest: string
  readonly outcome: 'approve' | 'review' | 'stop' | null
}

/** JSON has no line break. */
export const checkText = (indicator: string, before = '', after = ''): string =>
  `${JSON.stringify(indicator)}\n${before}\n${after}`

/** A list on record, until its records are. Its text is sealed. */
export type ListToKeep = Asked
