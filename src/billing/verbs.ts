import { billingSettingsOf, mailSettingsOf, stripeSettingsOf } from '../verb/settings.ts'
import { type Store, withStore } from '../verb/store.ts'
import type { Opener } from '../verb/verb.ts'
import { loadPlans } from './plans.ts'
import { announceAccountChange, type BillingRules } from './subscription/open-account.ts'

export interface BillingStore extends Store, BillingRules {
  /** Notifies running nodes that an organisation may be served from now on, or no longer. */
  readonly announceAccount: (organisationId: string) => Promise<void>
}

export const withBilling: Opener<BillingStore> = (context, run) => {
  const config = context.config()
  const plans = loadPlans(config.ASSAY_PLANS_FILE)
  return withStore(context, (store) =>
    run({
      ...store,
      plans,
      settings: billingSettingsOf(config),
      provider: stripeSettingsOf(config) ? 'stripe' : 'invoice',
      sendsMail: mailSettingsOf(config) !== undefined,
      announceAccount: (organisationId) => announceAccountChange(store.sql, organisationId),
    }),
  )
}
