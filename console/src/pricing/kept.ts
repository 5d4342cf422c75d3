import { type Answer, server } from '../api/client.ts'
import { newRequestKey } from '../api/organisation.ts'

export type Begun = Answer<'POST /v1/checkout'>
export type Claimed = Answer<'POST /v1/checkout/{checkout_id}/claim'>

/** Stored for this tab only, so that a reload, or the return from the payment page, finds the checkout again. */
export interface Kept {
  readonly id: string
  readonly claimToken: string
  /** Idempotency key: a retry of the claim after a lost answer is the same request. */
  readonly claimKey: string
  /** The address of the mail whose link must be opened. */
  readonly confirms?: string
}

const KEPT = 'assay.checkout'

export function keep(begun: Begun, email: string): Kept {
  const kept: Kept = {
    id: begun.id,
    claimToken: begun.claim_token,
    claimKey: newRequestKey(),
    ...(begun.confirm_email ? { confirms: email } : {}),
  }
  sessionStorage.setItem(KEPT, JSON.stringify(kept))
  return kept
}

export function readKept(id: string): Kept | undefined {
  const text = sessionStorage.getItem(KEPT)
  const kept = text === null ? undefined : (JSON.parse(text) as Kept)
  return kept?.id === id ? kept : undefined
}

/** Returns the key, which is shown once, and deletes the stored checkout. */
export async function claim({ id, claimToken, claimKey }: Kept): Promise<Claimed> {
  const claimed = await server.call('POST /v1/checkout/{checkout_id}/claim', {
    path: { checkout_id: id },
    body: { claim_token: claimToken },
    idempotencyKey: claimKey,
  })
  sessionStorage.removeItem(KEPT)
  return claimed
}

/** Asks about the checkout, with the claim token as the credential. */
export const ask = <What extends 'state' | 'payment' | 'how-to-pay'>(
  { id, claimToken }: Kept,
  what: What,
  signal?: AbortSignal,
): Promise<Answer<`POST /v1/checkout/{checkout_id}/${What}`>> =>
  server.call(`POST /v1/checkout/{checkout_id}/${what}`, {
    path: { checkout_id: id },
    body: { claim_token: claimToken },
    signal,
  })
