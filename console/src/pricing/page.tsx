import { Alert, Box, Text, VisuallyHidden } from '@mantine/core'
import { APPROVAL_WORDS, closedWords, NotSold, OfferedPlans, PlanCards } from '../billing/plan-card.tsx'
import { ButtonLink, Heading } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'

export function Component() {
  return (
    <Site>
      <Box className="site-width" pt={40}>
        <Heading>Know who you are dealing with</Heading>
        <Text c="dimmed" mt={6} mb="lg" maw={640}>
          Low, medium or high for an email address, a domain or an IP address, with the reasons and the price of every
          answer. Failed requests cost nothing.
        </Text>
        <OfferedPlans>
          {(offer, plans) => (
            <>
              {offer.sign_up === 'open' ? null : (
                <Alert mb="lg" maw={640}>
                  {offer.sign_up === 'closed' ? closedWords(offer) : APPROVAL_WORDS}
                </Alert>
              )}
              {offer.sells ? null : (
                <Alert mb="lg" maw={640}>
                  <NotSold />
                </Alert>
              )}
              {/* The plans are third-level headings, as on the billing page. */}
              <VisuallyHidden component="h2">Plans</VisuallyHidden>
              <PlanCards
                plans={plans}
                action={({ id, name }) =>
                  offer.sign_up === 'closed' ? null : (
                    <ButtonLink
                      to={`/checkout?plan=${encodeURIComponent(id)}`}
                      size="sm"
                      fullWidth
                      label={`Choose ${name}`}
                    />
                  )
                }
              />
            </>
          )}
        </OfferedPlans>
      </Box>
    </Site>
  )
}
