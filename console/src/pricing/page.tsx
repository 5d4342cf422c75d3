import '../billing/billing.css'
import './pricing.css'
import { Button, Alert as Notice, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { offerQuery, plansQuery } from '../api/billing.ts'
import { PlanCard } from '../billing/plan-card.tsx'
import { Heading } from '../shell/heading.tsx'
import { Loaded } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'
import { APPROVAL_WORDS, CLOSED_WORDS } from './words.ts'

/** What it costs, for somebody who has no account yet. */
export function Component() {
  const plans = useQuery(plansQuery)
  const offer = useQuery(offerQuery)
  return (
    <Site>
      <div className="site-width pricing">
        <Heading>Know who you are dealing with</Heading>
        <Text c="dimmed" mt={6} mb="lg" maw={640}>
          Low, medium or high for an email address, a domain or an IP address, with the reasons and the price of every
          answer. Failed requests cost nothing.
        </Text>
        <Loaded query={offer} heightPx={260}>
          {({ sign_up: signUp, plans: offered }) => (
            <>
              {signUp === 'open' ? null : (
                <Notice mb="lg" maw={640}>
                  <Text size="sm">{signUp === 'closed' ? CLOSED_WORDS : APPROVAL_WORDS}</Text>
                </Notice>
              )}
              {/* The plans are headings of the third order, as on the page of billing. */}
              <h2 className="only-heard">Plans</h2>
              <Loaded query={plans} heightPx={260}>
                {(data) => (
                  <div className="plans">
                    {data
                      .filter(({ id }) => offered.includes(id))
                      .map((plan) => (
                        <PlanCard
                          key={plan.id}
                          plan={plan}
                          action={
                            signUp === 'closed' ? null : (
                              <Button component={Link} to={`/checkout?plan=${encodeURIComponent(plan.id)}`} fullWidth>
                                Choose {plan.name}
                              </Button>
                            )
                          }
                        />
                      ))}
                  </div>
                )}
              </Loaded>
            </>
          )}
        </Loaded>
      </div>
    </Site>
  )
}
