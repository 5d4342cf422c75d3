import '../billing/billing.css'
import './front.css'
import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { offerQuery, plansQuery } from '../api/billing.ts'
import { sessionQuery } from '../api/session.ts'
import { PlanCard } from '../billing/plan-card.tsx'
import { Guilloche } from '../brand/guilloche.tsx'
import { APPROVAL_WORDS, CLOSED_WORDS } from '../pricing/words.ts'
import { Heading } from '../shell/heading.tsx'
import { Loaded } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'
import { Developers, Readers } from './readers.tsx'
import { Samples } from './samples.tsx'

/** What Assay is, for somebody who comes by. */
export function Component() {
  return (
    <Site>
      <div className="front-hero">
        <div className="site-width">
          <Heading>Know who you are dealing with before you pay, sign or connect.</Heading>
          <p>
            Assay answers low, medium or high for an email address, a domain or an IP address, gives its reasons, and
            says what the answer cost.
          </p>
          <WayIn />
        </div>
        <Guilloche />
      </div>
      <Samples />
      <Readers />
      <Prices />
      <Developers />
    </Site>
  )
}

/** Promises an account only where the operator gives them. */
function WayIn() {
  const session = useQuery(sessionQuery)
  const offer = useQuery(offerQuery)
  const opens = offer.data !== undefined && offer.data.sign_up !== 'closed'
  if (session.data) {
    return (
      <div className="front-way-in">
        <Button component={Link} to="/console" size="md" className="front-primary">
          Open the console
        </Button>
      </div>
    )
  }
  return (
    <div className="front-way-in">
      {opens ? (
        <Button component={Link} to="/pricing" size="md" className="front-primary">
          Choose a plan
        </Button>
      ) : null}
      <Button component={Link} to="/sign-in" size="md" className={opens ? 'front-secondary' : 'front-primary'}>
        Sign in
      </Button>
    </div>
  )
}

function Prices() {
  const plans = useQuery(plansQuery)
  const offer = useQuery(offerQuery)
  return (
    <section className="site-width front-part" aria-labelledby="prices">
      <div className="front-part-head">
        <h2 id="prices">Prices</h2>
        <p>You pay for answers. A request that fails costs nothing, and a repeat is charged once.</p>
      </div>
      <Loaded query={offer} heightPx={240}>
        {({ sign_up: signUp, plans: offered }) => (
          <Loaded query={plans} heightPx={240}>
            {(all) => (
              <>
                <div className="plans">
                  {all
                    .filter(({ id }) => offered.includes(id))
                    .map((plan) => (
                      <PlanCard key={plan.id} plan={plan} />
                    ))}
                </div>
                <Text mt="md">
                  {signUp === 'closed' ? `${CLOSED_WORDS} ` : signUp === 'approval' ? `${APPROVAL_WORDS} ` : ''}
                  <Anchor component={Link} to="/pricing">
                    {signUp === 'closed' ? 'All prices' : 'All prices, and signing up'}
                  </Anchor>
                </Text>
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  )
}
