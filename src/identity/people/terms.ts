import { invalidField } from '../../errors.ts'

export interface Terms {
  readonly url: string
  readonly version: string
}

/** 422 for a newcomer who did not accept the terms, where there are any. */
export function requireAccepted(terms: Terms | null, accepted: boolean | undefined): void {
  if (terms && !accepted) throw invalidField('/accept_terms', `Accept the terms: ${terms.url}`)
}
