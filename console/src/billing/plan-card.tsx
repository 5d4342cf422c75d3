import { Box, List, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Offer, offerQuery, type Plan, plansQuery } from '../api/organisation.ts'
import { count, money } from '../shell/format.ts'
import { Loaded, PageLink } from '../shell/page.tsx'

export function PlanCards(props: { plans: readonly Plan[]; currentId?: string; action?: (plan: Plan) => ReactNode }) {
  const { plans, currentId, action } = props
  return (
    <SimpleGrid minColWidth="15rem" spacing="sm">
      {plans.map((plan) => {
        const prices = plan.unit_price_pence
        const isCurrent = plan.id === currentId
        const holds = [
          plan.free_units > 0 && `${count(plan.free_units)} free checks a month`,
          plan.included_credit_pence > 0 && `${money(plan.included_credit_pence)} of credit included`,
          `${money(prices['payment-risk'])} an email, ${money(prices['supply-chain-risk'])} a domain, ${money(prices['infrastructure-risk'])} an IP`,
          plan.bulk_allowed ? 'Whole lists' : 'Single checks',
          plan.overage_allowed ? 'Continues beyond the credit, billed monthly' : 'Stops when the credit is used up',
          `Up to ${count(plan.requests_per_second)} requests a second`,
        ]
        return (
          <Stack
            key={plan.id}
            component="article"
            className="panel"
            gap={6}
            p="md"
            bd={isCurrent ? '2px solid var(--assay-accent)' : '1px solid var(--assay-line)'}
            aria-label={plan.name}
          >
            <Title order={3} fz="1.1rem">
              {plan.name}
            </Title>
            <Text fz="1.35rem">{priceWords(plan)}</Text>
            <List size="sm" mb="xs">
              {holds
                .filter((words) => words !== false)
                .map((words) => (
                  <List.Item key={words}>{words}</List.Item>
                ))}
            </List>
            {action ? <Box mt="auto">{action(plan)}</Box> : null}
          </Stack>
        )
      })}
    </SimpleGrid>
  )
}

export function priceWords({ monthly_price_pence: pence }: Plan): string {
  return pence === 0 ? 'No monthly fee' : `${money(pence)} a month`
}

export function OfferedPlans(props: { children: (offer: Offer, plans: readonly Plan[]) => ReactNode }) {
  const plans = useQuery(plansQuery)
  const offer = useQuery(offerQuery)
  return (
    <Loaded query={offer} heightPx={260}>
      {(data) => (
        <Loaded query={plans} heightPx={260}>
          {(all) => {
            const offered = all.filter(({ id }) => data.plans.includes(id))
            return props.children(data, offered)
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

/** Plans that cost money are offered only after the operator has set a way to pay. */
export function NotSold() {
  return (
    <>
      Plans and credit that cost money cannot be bought here yet: the operator has not set up how to pay.{' '}
      <PageLink to="/guides/billing#how-customers-pay-without-a-card">How the operator does that</PageLink>
    </>
  )
}

export const askWords = ({ contact }: Offer) =>
  `Ask the operator of this server for an account${contact === null ? '' : `: ${contact}`}.`
export const closedWords = (offer: Offer) => `Sign-up is closed here. ${askWords(offer)}`
export const APPROVAL_WORDS = 'The operator of this server approves every new account before its first check.'
