import type { SignalCode } from '../signals/all.ts'
import type { Finding } from '../signals/signal.ts'
import { DOMAIN_PRICES } from './domain.ts'
import { EMAIL_PRICES } from './email.ts'
import { LIVE_PRICES, NO_FACT_WORTHS } from './facts.ts'
import { IP_PRICES } from './ip.ts'
import { OWN_PRICES } from './own.ts'
import type { Price } from './price.ts'

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
