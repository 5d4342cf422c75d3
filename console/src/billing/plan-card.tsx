import type { ReactNode } from 'react'
import type { Plan } from '../api/billing.ts'
import { count, money } from '../shell/money.ts'

/** What a plan costs and holds. */
export function PlanCard({ plan, current = false, action }: { plan: Plan; current?: boolean; action?: ReactNode }) {
  const prices = plan.unit_price_pence
  return (
    <article className="plan" data-current={current} aria-label={plan.name}>
      <h3>{plan.name}</h3>
      <span className="plan-price">{priceWords(plan)}</span>
      <ul>
        {plan.free_units > 0 ? <li>{count(plan.free_units)} free checks a month</li> : null}
        {plan.included_credit_pence > 0 ? <li>{money(plan.included_credit_pence)} of credit included</li> : null}
        <li>
          {money(prices['payment-risk'])} an email, {money(prices['supply-chain-risk'])} a domain,{' '}
          {money(prices['infrastructure-risk'])} an IP
        </li>
        <li>{plan.bulk_allowed ? 'Whole lists at a time' : 'Single checks'}</li>
        <li>
          {plan.overage_allowed ? 'Goes on beyond the credit, billed monthly' : 'Stops when the credit is used up'}
        </li>
        <li>Up to {count(plan.requests_per_second)} requests a second</li>
      </ul>
      {action ? <div className="plan-action">{action}</div> : null}
    </article>
  )
}

export function priceWords({ monthly_price_pence: pence }: Plan): string {
  return pence === 0 ? 'No monthly fee' : `${money(pence)} a month`
}
