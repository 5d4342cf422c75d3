import './front.css'
import { Anchor, Box, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { BASE_PATH } from '../api/client.ts'
import { offerQuery } from '../api/organisation.ts'
import { sessionQuery } from '../api/session.ts'
import { APPROVAL_WORDS, CLOSED_WORDS, OfferedPlans, PlanCards } from '../billing/plan-card.tsx'
import { Guilloche } from '../brand/mark.tsx'
import { ButtonLink, Heading, PageLink } from '../shell/page.tsx'
import { REFERENCE, Site } from '../shell/site.tsx'
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

const PRIMARY = { bg: '#f6f4ee', c: '#0a4f4a' }
const SECONDARY = { bg: 'transparent', bd: '1px solid #a8d5ce', c: '#f6f4ee' }

/** Offers an account only if the operator allows sign-up. */
function WayIn() {
  const session = useQuery(sessionQuery)
  const offer = useQuery(offerQuery)
  const opens = offer.data !== undefined && offer.data.sign_up !== 'closed'
  return (
    <Group gap="sm" mih="2.625rem">
      {session.data ? (
        <ButtonLink to="/console" {...PRIMARY} label="Open the console" />
      ) : (
        <>
          {opens ? <ButtonLink to="/pricing" {...PRIMARY} label="Choose a plan" /> : null}
          <ButtonLink to="/sign-in" {...(opens ? SECONDARY : PRIMARY)} label="Sign in" />
        </>
      )}
    </Group>
  )
}

function Prices() {
  return (
    <Part title="Prices" lead="You pay for answers. A request that fails costs nothing, and a repeat is charged once.">
      <OfferedPlans>
        {({ sign_up: signUp }, plans) => (
          <>
            <PlanCards plans={plans} />
            <Text mt="md">
              {signUp === 'closed' ? `${CLOSED_WORDS} ` : signUp === 'approval' ? `${APPROVAL_WORDS} ` : ''}
              <PageLink to="/pricing">{signUp === 'closed' ? 'All prices' : 'All prices, and signing up'}</PageLink>
            </Text>
          </>
        )}
      </OfferedPlans>
    </Part>
  )
}

function Part({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Box component="section" className="site-width" mt={72} aria-labelledby={id}>
      <Title order={2} id={id} fz="1.65rem">
        {title}
      </Title>
      <Text c="dimmed" maw="46rem" mb="lg" mt={6}>
        {lead}
      </Text>
      {children}
    </Box>
  )
}

interface Reader {
  readonly who: string
  readonly why: string
  readonly guide: { readonly to: string; readonly words: string }
}

const READERS: readonly Reader[] = [
  {
    who: 'Accounts payable',
    why: 'An invoice names a new address or a new account. Check who wrote it before the payment run: one address, or the whole list from a spreadsheet.',
    guide: { to: '/guides/console', words: 'The console' },
  },
  {
    who: 'Procurement',
    why: 'A supplier applies. See since when its domain exists, who vouches for it, and whose name it comes close to.',
    guide: { to: '/guides/intelligence', words: 'How a score comes about' },
  },
  {
    who: 'Security operations',
    why: 'An address turns up in a log. Learn whether it is a resolver, an exit node or a known attacker, with the source and its date.',
    guide: { to: '/guides/feeds', words: 'Every source and its licence' },
  },
  {
    who: 'Developers',
    why: 'One request gives one answer, or ten thousand. Repeats are safe, every charge is in the answer, and the client is typed.',
    guide: { to: '/guides/api', words: 'The HTTP interface' },
  },
]

function Readers() {
  return (
    <Part title="Who it is for">
      <SimpleGrid component="ul" className="bare" cols={{ base: 1, sm: 2, lg: 4 }} spacing="xl">
        {READERS.map(({ who, why, guide }) => (
          <Box component="li" key={who} pt="sm" style={{ borderTop: '2px solid var(--assay-accent)' }}>
            <Title order={3} fz="1.15rem">
              {who}
            </Title>
            <Text my="xs">{why}</Text>
            <PageLink to={guide.to}>{guide.words}</PageLink>
          </Box>
        ))}
      </SimpleGrid>
    </Part>
  )
}

const EXAMPLE = (origin: string) => `curl '${origin}/v1/payment-risk?explain=true' \\
  -H "x-api-key: $ASSAY_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"email":"accounts@supplier.example"}'`

function Developers() {
  return (
    <Part
      title="In your own systems"
      lead={
        <>
          The <Anchor href={REFERENCE}>API reference</Anchor> names every operation, field and error. The{' '}
          <PageLink to="/guides/sdk">TypeScript client</PageLink> and the{' '}
          <PageLink to="/guides/cli">command line</PageLink> send lists of any length. All of it is in the{' '}
          <PageLink to="/guides">guides</PageLink>.
        </>
      }
    >
      {/* Focusable, so that the keyboard can scroll it. */}
      <Box
        component="pre"
        className="panel mono"
        m={0}
        style={{ overflowX: 'auto' }}
        tabIndex={0}
        aria-label="A request"
      >
        {EXAMPLE(window.location.origin + BASE_PATH)}
      </Box>
    </Part>
  )
}
