import type { EMAIL_SIGNALS, SignalCode } from '../signals/all.ts'
import type { OWN_SIGNALS } from '../signals/own.ts'
import type { Finding } from '../signals/signal.ts'
import { DOMAIN_PRICES } from './domain.ts'
import { NO_FACT_WORTHS } from './fact-tables.ts'
import { LIVE_PRICES } from './facts.ts'
import { IP_PRICES } from './ip.ts'
import { byTag, byVariant, flat, model, type Price, type Prices } from './price.ts'

/** Prices of the mailbox itself; the prices of its domain are added to them. */
const EMAIL_PRICES: Prices<(typeof EMAIL_SIGNALS)[number]> = {
  'email.listed': byTag({}, 5.6),
  // A throw-away mailbox is high alone. One broad list alone needs a second look.
  'email.disposable': byVariant({ listed: 3.8, one_list: 2, by_name: 3.6, doubted: 0.2 }),
  // A relay needs a second look and never more: its owner is unknown, but permanent.
  'email.privacy_relay': byVariant({ relay: 1.7, hidden: 1.4 }),
  'email.dynamic_dns': flat(2.4),
  'email.free_mail': flat(0),
  // A known name beside money or security is high alone, because nobody at that company writes from free mail. An
  // officer's title needs a second look: small firms and their founders do use free mail.
  'email.impersonation': byVariant({
    name: 3.8,
    name_in_part: 1.8,
    name_alone: 1.5,
    officer_and_money: 3.7,
    officer: 2.2,
    officer_by_name: 1.7,
    department: 1.6,
    fraud_only: 3.7,
    // No firm has a mailbox for new bank details.
    change_announced: 1.8,
    // Nobody mixes alphabets in one word by chance; with a claim, the only reason is deception.
    mixed: 1.8,
    disguised: 4,
  }),
  // A random mailbox needs a second look; alone it never makes high.
  'email.random_local': model(0.06, 2, 1.4),
  'email.role_account': flat(0),
}

/** Prices of what an organisation knows. groups.ts says which of them decide, and which make medium at least. */
const OWN_PRICES: Prices<(typeof OWN_SIGNALS)[number]> = {
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

/** Fitted prices come from model/weights.json, which lab/fit.ts writes; policy sets the others, with the reason. */
const PRICES: Readonly<Record<SignalCode, Price<never>>> = {
  ...DOMAIN_PRICES,
  ...EMAIL_PRICES,
  ...IP_PRICES,
  ...LIVE_PRICES,
  ...OWN_PRICES,
}

/** The number of signals: no indicator has more, so arrays of this length hold every worth. */
export const SIGNALS_MAX = Object.keys(PRICES).length

/** The log-odds of one finding. `Prices` guarantees that the signal's table has all variants of its findings. */
export function priceOf(code: SignalCode, finding: Finding<string>, facts = NO_FACT_WORTHS): number {
  return (PRICES[code] as Price)(finding, facts)
}
