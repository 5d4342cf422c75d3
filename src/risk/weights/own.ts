import type { OWN_SIGNALS } from '../signals/own.ts'
import { flat, type Prices } from './price.ts'

/** Prices of what an organisation knows. groups.ts says which of them decide, and which make medium at least. */
export const OWN_PRICES: Prices<(typeof OWN_SIGNALS)[number]> = {
  'own.block_list': flat(6),
  'own.allow_list': flat(-5),
  'own.counterparty_blocked': flat(5.5),
  'own.lookalike': flat(4.5),
  'own.review_list': flat(1.5),
  'own.possible_lookalike': flat(2),
  'own.claimed_name': flat(2),
  // Does not offset a listing (combine.ts): a known counterparty may be hacked.
  'own.counterparty': flat(-3),
  'own.counterparty_former': flat(0),
  'own.new_mailbox': flat(0),
  'own.new_address': flat(0),
  'own.namesake': flat(0),
}
