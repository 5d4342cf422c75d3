import './front.css'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { offerQuery, plansQuery } from '../api/billing.ts'
import { sessionQuery } from '../api/session.ts'
import { PlanCards } from '../billing/plan-card.tsx'
import { Guilloche } from '../brand/guilloche.tsx'
import { APPROVAL_WORDS, CLOSED_WORDS } from '../pricing/words.ts'
import { Heading } from '../shell/heading.tsx'
import { ButtonLink, PageLink } from '../shell/links.tsx'
import { Loaded } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'
import { Developers, Part, Readers } from './readers.tsx'
import { Samples } from './samples.tsx'

export function Component() {
  return (
    <Site>
      <div className="front-hero">
        <div className="site-width">
          <Heading>Know who you are dealing with before you pay, sign or connect.</Heading>
          <Text maw="36rem" my="lg" fz="1.1875rem" lh={1.5}>
            Assay answers low, medium or high for an email address, a domain or an IP address, gives its reasons, and
            says what the answer cost.
          </Text>
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
  return (
    <Group gap="sm" mih="2.625rem">
      {session.data ? (
        <ButtonLink to="/console" className="front-primary">
          Open the console
        </ButtonLink>
      ) : (
        <>
          {opens ? (
            <ButtonLink to="/pricing" className="front-primary">
              Choose a plan
            </ButtonLink>
          ) : null}
          <ButtonLink to="/sign-in" className={opens ? 'front-secondary' : 'front-primary'}>
            Sign in
          </ButtonLink>
        </>
      )}
    </Group>
  )
}

function Prices() {
  const plans = useQuery(plansQuery)
  const offer = useQuery(offerQuery)
  return (
    <Part title="Prices" lead="You pay for answers. A request that fails costs nothing, and a repeat is charged once.">
      <Loaded query={offer} heightPx={240}>
        {({ sign_up: signUp, plans: offered }) => (
          <Loaded query={plans} heightPx={240}>
            {(all) => (
              <>
                <PlanCards plans={all.filter(({ id }) => offered.includes(id))} />
                <Text mt="md">
                  {signUp === 'closed' ? `${CLOSED_WORDS} ` : signUp === 'approval' ? `${APPROVAL_WORDS} ` : ''}
                  <PageLink to="/pricing">{signUp === 'closed' ? 'All prices' : 'All prices, and signing up'}</PageLink>
                </Text>
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Part>
  )
}
