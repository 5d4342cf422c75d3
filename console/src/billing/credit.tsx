import { Progress, Text } from '@mantine/core'
import type { Billing } from '../api/billing.ts'
import { count, money } from '../shell/money.ts'
import { Figure } from '../shell/page.tsx'
import { lastDay } from '../shell/time.ts'

/** What is left, and what it is part of. */
export function Credit({ billing }: { billing: Billing }) {
  const { plan, subscription } = billing
  // Included credit is measured by what the plan grants; on plans without any, free records take its place.
  const gauge =
    plan.included_credit_pence > 0
      ? { left: billing.included_credit_pence, of: plan.included_credit_pence, words: 'of the included credit is left' }
      : billing.free_units > 0
        ? { left: billing.free_units_left, of: billing.free_units, words: 'of the free checks are left' }
        : undefined
  const share = gauge ? Math.max(0, Math.min(100, Math.round((gauge.left / gauge.of) * 100))) : 0
  return (
    <section className="panel credit" aria-label="Credit">
      <div>
        <Text size="sm" c="dimmed">
          Credit left
        </Text>
        <p className="credit-left">{money(billing.credit_pence)}</p>
        {gauge ? (
          <>
            <Progress value={share} size="lg" mt="sm" aria-label={`${share}% ${gauge.words}`} />
            <Text size="sm" c="dimmed" mt={4}>
              {share}% {gauge.words}
            </Text>
          </>
        ) : null}
      </div>
      <dl className="figures">
        <Figure label="Plan" value={plan.name} />
        <Figure label="Included, until the month ends" value={money(billing.included_credit_pence)} />
        <Figure label="Prepaid, stays" value={money(billing.prepaid_credit_pence)} />
        {billing.free_units > 0 ? <Figure label="Free checks left" value={count(billing.free_units_left)} /> : null}
        <Figure label="Beyond credit this month" value={money(billing.overage_pence)} />
        <Figure label="Owed in all" value={money(billing.overage_owed_pence)} />
        <Figure label="Month ends" value={lastDay(billing.period.ends_at)} />
        {subscription?.next_plan ? <Figure label="From next month" value={subscription.next_plan} /> : null}
        {subscription?.ends_at ? <Figure label="Subscription ends" value={lastDay(subscription.ends_at)} /> : null}
      </dl>
    </section>
  )
}
