import readers from './readers.json' with { type: 'json' }
import './front.css'
import { type CheckAnswer, type KINDS, LEVELS } from '@assay/sdk'
import { Box, Divider, Group, List, Paper, SimpleGrid, Skeleton, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { BASE_PATH, ONCE, publicQuery, server } from '../api/client.ts'
import type { Sample } from '../api/generated/pages.ts'
import { offerQuery } from '../api/organisation.ts'
import { sessionQuery } from '../api/session.ts'
import { APPROVAL_WORDS, closedWords, OfferedPlans, PlanCards } from '../billing/plan-card.tsx'
import { Guilloche } from '../brand/mark.tsx'
import type { Answered } from '../check/answered.ts'
import { Form, SubmitButton } from '../shell/form.tsx'
import { capitalised, counted, day } from '../shell/format.ts'
import { ButtonLink, Heading, PageLink } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'
import { useSubmit } from '../shell/use-session.ts'

// Only somebody who asks needs the parts of an answer.
const TriedAnswer = lazy(() => import('../check/answer.tsx').then((module) => ({ default: module.TriedAnswer })))

export function Component() {
  return (
    <Site>
      <div className="front-hero">
        <div className="site-width">
          <Heading>Know who you are dealing with before you pay, sign or connect.</Heading>
          <Text maw="36rem" my="lg" fz="1.1875rem" lh={1.5}>
            Assay answers low, medium or high for an email address, a domain or an IP address, with reasons and the
            price of each answer.
          </Text>
          <WayIn />
          <FreeTry />
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

/** Offered only where the operator gives free checks. */
function FreeTry() {
  const offer = useQuery(offerQuery).data
  const [entry, setEntry] = useState('')
  const [problem, setProblem] = useState<string>()
  const [answer, setAnswer] = useState<Answered>()
  const submission = useSubmit(async () => {
    const { recognise } = await import('@assay/reader/recognise')
    const found = recognise(entry)
    setProblem('problem' in found ? found.problem : undefined)
    if ('problem' in found) return
    const { kind, value } = found
    const body = { kind, indicator: value }
    const result = (await server.call('POST /api/try', { body, ...ONCE })) as unknown as CheckAnswer
    setAnswer({ entry, kind, value, result, checkedAt: new Date().toISOString() })
  })
  if (!offer || offer.free_tries === 0) return null
  return (
    <Box className="panel" mt="xl" maw="46rem" c="var(--assay-ink)">
      <Form
        label="Try it"
        row
        error={submission.error}
        failed="There is no answer"
        onSubmit={() => submission.submit()}
      >
        <TextInput
          flex="1 1 16rem"
          label="Try it: an email address, a domain or an IP address"
          description={`${counted(offer.free_tries, 'free check')} a day, without an account. Nothing of it is kept.`}
          value={entry}
          onChange={({ currentTarget: { value } }) => setEntry(value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={1000}
          error={problem}
        />
        <SubmitButton submission={submission} label="Check" size="sm" />
      </Form>
      {submission.error?.status === 429 && offer.sign_up !== 'closed' ? (
        <Text mt="md">
          <PageLink to="/pricing">Sign up</PageLink> to check more.
        </Text>
      ) : null}
      {answer ? (
        <Box mt="md" role="status">
          <Suspense fallback={<Skeleton height={240} aria-label="Loading" />}>
            <TriedAnswer answer={answer} />
          </Suspense>
        </Box>
      ) : null}
    </Box>
  )
}

function Prices() {
  return (
    <Part title="Prices" lead="You pay for answers. A failed request costs nothing, and a retry is charged once.">
      <OfferedPlans>
        {(offer, plans) => (
          <>
            <PlanCards plans={plans} />
            <Text mt="md">
              {offer.sign_up === 'closed' ? `${closedWords(offer)} ` : null}
              {offer.sign_up === 'approval' ? `${APPROVAL_WORDS} ` : null}
              <PageLink to="/pricing">
                {offer.sign_up === 'closed' ? 'All prices' : 'All prices, and signing up'}
              </PageLink>
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

function Readers() {
  return (
    <Part title="Who it is for">
      <SimpleGrid component="ul" className="bare" cols={{ base: 1, sm: 2, lg: 4 }} spacing="xl">
        {readers.map(({ who, why, guide }) => (
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
  -d '{"email":"accounts@paypa1-login.com"}'`

function Developers() {
  return (
    <Part
      title="In your own systems"
      lead={
        <>
          The{' '}
          <PageLink to="/docs" reloadDocument>
            API reference
          </PageLink>{' '}
          names every operation, field and error. The <PageLink to="/guides/sdk">TypeScript client</PageLink> and the{' '}
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

const REASONS_MAX = 2

export function Samples() {
  const samples = useQuery(publicQuery('GET /api/samples'))
  const builtAt = samples.data?.intelligence.built_at
  return (
    // The answers lie half on the band, like slips of paper on a desk.
    <Box
      component="section"
      className="site-width"
      pos="relative"
      mt="-5.25rem"
      style={{ zIndex: 1 }}
      aria-labelledby="samples"
    >
      <Title order={2} id="samples" fz="md" ff="text" mb="sm" c="#f6f4ee">
        Three answers from this server
      </Title>
      {samples.isError ? (
        <Paper className="panel" c="dimmed">
          The engine of this server gives no samples at the moment. Come back a little later.
        </Paper>
      ) : samples.data ? (
        <div className="front-cards">
          {samples.data.samples.map((sample) => (
            <SampleCard key={sample.indicator} sample={sample} />
          ))}
        </div>
      ) : (
        <Skeleton height={320} aria-label="Loading" />
      )}
      {builtAt ? (
        <Text size="sm" c="dimmed" mt="md">
          Computed by its engine, with the intelligence of {day(builtAt)}. Scores go from 0 to 100: medium begins at{' '}
          {LEVELS.medium.from}, high at {LEVELS.high.from}.
        </Text>
      ) : null}
    </Box>
  )
}

const OCCASIONS: Readonly<Record<keyof typeof KINDS, string>> = {
  email: 'An address on an invoice',
  domain: 'The domain of a supplier',
  ip: 'A visitor in a log',
}

function SampleCard({ sample }: { sample: Sample }) {
  const { kind, indicator, risk, risk_score: score, recommended_action: action, signals, summary } = sample
  const reasons = signals.filter(({ effect }) => effect !== 0).slice(0, REASONS_MAX)
  return (
    <article className="panel front-card" data-level={risk} aria-label={indicator}>
      <Text size="xs" c="dimmed">
        {OCCASIONS[kind]}
      </Text>
      <Title order={3} ff="monospace" fz="1.0625rem" className="breakable">
        {indicator}
      </Title>
      <Group justify="space-between" mt="md" ff="heading" fz="1.35rem">
        <span className="level" style={{ textTransform: 'none' }} data-level={risk}>
          {capitalised(risk)} risk
        </span>
        <Text fz="1.35rem" fw={600} className="tabular">
          {score}
          <Text span size="xs" c="dimmed">
            {' '}
            of 100
          </Text>
        </Text>
      </Group>
      <Scale score={score} />
      <List size="sm" mb="md" className="breakable">
        {reasons.length === 0 ? <List.Item>{summary}</List.Item> : null}
        {reasons.map(({ code, description }) => (
          <List.Item key={code}>{description}</List.Item>
        ))}
      </List>
      <div className="front-action">
        <Divider mb="sm" />
        <Text size="xs" c="dimmed">
          What to do
        </Text>
        <Text fw={600}>{capitalised(action)}.</Text>
      </div>
    </article>
  )
}

function Scale({ score }: { score: number }) {
  return (
    <Box aria-hidden pos="relative" display="grid" m="0.6rem 0 0.9rem" style={SCALE}>
      {(['low', 'medium', 'high'] as const).map((level) => (
        <Box key={level} data-level={level} h={5} bg="var(--level-colour)" opacity={0.45} />
      ))}
      <Box pos="absolute" top={-5} left={`${score}%`} w={3} h={15} ml={-1.5} bg="var(--assay-ink)" />
    </Box>
  )
}

/** Each of the three parts is as wide as its level. */
const SCALE = { gridTemplateColumns: '30fr 40fr 30fr', gap: 2 }
