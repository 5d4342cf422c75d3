import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Billing, choicesQuery, type PlanChoice, type Standing } from '../api/billing.ts'
import { count, money } from '../shell/money.ts'
import { Panel } from '../shell/page.tsx'
import { fullDay, lastDay } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'

/** The plan in sentences: what a check takes from, what comes when that is used up, and what is invoiced when. */
export function HowItWorks({ billing, standing }: { billing: Billing; standing: Standing }) {
  const choices = useQuery(choicesQuery(useApi()))
  const { plan, subscription } = billing
  const prices = plan.unit_price_pence
  const next = choices.data?.data.find(({ plan: id }) => id === (subscription?.next_plan ?? plan.id))
  return (
    <Panel
      title={`How ${plan.name} works`}
      action={
        <Anchor component={Link} to="/console/billing/plan" size="sm">
          Change the plan
        </Anchor>
      }
    >
      <ul className="plain-list">
        <li>
          An email costs {money(prices['payment-risk'])}, a domain {money(prices['supply-chain-risk'])}, an IP address{' '}
          {money(prices['infrastructure-risk'])}.
        </li>
        {billing.free_units > 0 ? (
          <li>
            {count(billing.free_units)} checks a month are free; {count(billing.free_units_left)} of them are left until{' '}
            {lastDay(billing.period.ends_at)}.
          </li>
        ) : null}
        {plan.included_credit_pence > 0 ? (
          <li>
            {money(plan.included_credit_pence)} of credit is included every month and used first. What is left of it
            ends on {lastDay(billing.period.ends_at)}; prepaid credit stays.
          </li>
        ) : null}
        <li>{beyondWords(billing, standing)}</li>
        <li>{nextWords(billing, standing, next)}</li>
      </ul>
    </Panel>
  )
}

function beyondWords({ plan }: Billing, { overage_limit_pence: limit, overage_left_pence: left }: Standing): string {
  if (!plan.overage_allowed || limit === 0) return 'When the credit is used up, checks stop. Nothing is owed beyond it.'
  if (limit === null || left === null)
    return 'When the credit is used up, checks go on and are invoiced after the month.'
  return `When the credit is used up, checks go on up to ${money(limit)}, of which ${money(left)} is left, and are invoiced after the month.`
}

function nextWords({ subscription }: Billing, standing: Standing, next: PlanChoice | undefined): string {
  if (!subscription) return 'Nothing is invoiced by itself: the operator arranged this account.'
  if (subscription.ends_at) {
    return `The plan ends on ${lastDay(subscription.ends_at)}. No month after it is invoiced.`
  }
  if (!standing.served) return 'No month that begins while checks are refused is invoiced.'
  if (!next) return 'The next month is invoiced when it begins.'
  const price = next.next_invoice_pence > 0 ? money(next.next_invoice_pence) : 'Nothing'
  const beyond = standing.overage_limit_pence === 0 ? '' : ', and what was used beyond the credit'
  return `${price} is invoiced for the next month on ${fullDay(next.next_invoice_at)}${beyond}.`
}
